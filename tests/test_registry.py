"""Protocols found by name and by path, and what is said of those that are wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fencepost.errors import FencepostError, ModelError, UsageError
from fencepost.registry import find, names

COUNTER = Path(__file__).parent / "cli" / "protocols" / "counter.py"

HEAD = """
from fencepost import *

class State(Record):
    on = boolean()
"""
ONE = HEAD + "protocol = Protocol('one', state=State)\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def written(text: str, name: str = "mine.py") -> str:
    Path(name).write_text(text)
    return name


def test_an_installed_protocol_has_its_properties() -> None:
    entry = find("recycled-handle")
    assert "recycled-handle" in names()
    assert [prop.name for prop in entry.build().properties] == ["no-handle-destroyed-while-referenced", "no-hang"]


def test_a_file_of_the_users_is_a_protocol() -> None:
    entry = find(str(COUNTER))
    assert entry.name == "counter"
    assert [prop.name for prop in entry.build(sizes={"limit": 2}).properties] == ["whole", "no-hang"]
    assert entry.manifest is None


def test_its_manifest_lies_beside_it() -> None:
    written(ONE)
    written("schema = 1\n", "mine.manifest.toml")
    manifest = find("mine.py").manifest
    assert manifest is not None
    assert manifest.name == "mine.manifest.toml"


def test_it_may_import_what_lies_beside_it_but_hides_nothing_with_it() -> None:
    written("FLAG = 'one'\n", "beside_mine.py")
    written("raise RuntimeError('hid the standard library')\n", "colorsys.py")
    name = written(HEAD + "import beside_mine, colorsys\nprotocol = Protocol(beside_mine.FLAG, state=State)\n")
    assert find(name).name == "one"


def test_an_imported_protocol_is_not_the_files_own() -> None:
    text = "from fencepost_rocm.recycled_handle import protocol as base\nmine = base.extend('mine')\n"
    assert find(written(text)).name == "mine"
    assert find(written("from fencepost_rocm.recycled_handle import protocol\n")).name == "recycled-handle"


def test_several_protocols_in_a_file() -> None:
    name = written(ONE + "other = Protocol('two', state=State)\n")
    with pytest.raises(UsageError, match=r"mine\.py: several protocols; say which: mine\.py:other, mine\.py:protocol"):
        find(name)
    assert find("mine.py:other").name == "two"
    with pytest.raises(UsageError, match=r"unknown protocol in mine\.py 'othr'; did you mean 'other'"):
        find("mine.py:othr")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("def f(:\n  pass\n", "mine.py:1: syntax error: invalid syntax"),
        ("x = 1\ny = z\n", "mine.py:2: cannot run mine.py: NameError: name 'z' is not defined"),
        ("import sys\nsys.exit('bye')\n", "mine.py:2: cannot run mine.py: SystemExit: bye"),
        ("import not_there\n", "mine.py:1: cannot run mine.py: ModuleNotFoundError: No module named 'not_there'"),
        ("x = 1\n", "mine.py: there is no protocol in this file; write `protocol = Protocol(...)`"),
        (
            ONE + "properties = Properties('two')\n",
            "mine.py: its properties are of 'two', its protocol is 'one'; write `Properties(\"one\")`",
        ),
        (
            HEAD + "protocol = Protocol('one', state=State, sizes=[Size('a', Index, 1), Size('a', Index, 1)])",
            "mine.py:6: two sizes are called 'a'; give each its own name",
        ),
    ],
)
def test_a_wrong_file_is_one_line_with_its_place(text: str, complaint: str) -> None:
    with pytest.raises(FencepostError) as caught:
        find(written(text))
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_code_that_fails_when_the_model_is_built() -> None:
    text = ONE + "@protocol.action(by=Actor('a'), src='x')\ndef go(m: Step, s: State) -> None:\n    s.on = 1 / 0\n"
    entry = find(written(text))
    with pytest.raises(ModelError, match=r"mine\.py:9: cannot build one: ZeroDivisionError: division by zero"):
        entry.build()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("recycled-handel", "unknown protocol 'recycled-handel'; did you mean 'recycled-handle'?"),
        ("zzzz", "unknown protocol 'zzzz'; known: "),
        ("nowhere.py", "nowhere.py: there is no such file"),
        ("nowhere.py:x", "nowhere.py: there is no such file"),
    ],
)
def test_what_is_not_there(name: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        find(name)
    assert str(caught.value).startswith(complaint)


def test_what_a_protocol_has_not() -> None:
    entry = find(str(COUNTER))
    with pytest.raises(UsageError, match="unknown variant of counter 'eeger'; did you mean 'eager'"):
        entry.build(variant="eeger")
    with pytest.raises(UsageError, match="unknown size of counter 'limits'; did you mean 'limit'"):
        entry.build(sizes={"limits": 3})
    with pytest.raises(UsageError, match="unknown feature of counter 'rest'; did you mean 'reset'"):
        entry.build(features=["rest"])
    with pytest.raises(UsageError, match="--limit 0: counter takes 1 to 9"):
        entry.build(sizes={"limit": 0})


def test_the_default_is_a_variant_by_name() -> None:
    assert find(str(COUNTER)).build(variant="sound").variant is None
