"""`verify new`: what it writes is whole and works at once, and nothing is written over."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tests.cli.conftest import Verify

BOTH = ["lent_buffer.py", "test_lent_buffer.py"]


def here() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def run_pytest(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def edit(path: str, before: str, after: str) -> None:
    text = Path(path).read_text()
    assert text.count(before) == 1
    Path(path).write_text(text.replace(before, after))


def test_what_is_written_holds_and_its_mistake_is_found(verify: Verify) -> None:
    ran = verify("new", "lent-buffer")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "lent_buffer.py, test_lent_buffer.py: written\nnext: verify --protocol lent_buffer.py\n"
    assert here() == BOTH
    held = verify("--protocol", "./lent_buffer.py", "--cover")
    assert (held.code, held.out.count("EXHAUSTED")) == (0, 3)
    broken = verify("--protocol", "./lent_buffer.py", "--variant", "buggy")
    assert broken.code == 1
    assert "no-touch-while-busy is violated after 3 steps" in broken.out
    assert "  3  host 0  take_back(slot=0)  loans[0].host: WAITING -> IDLE" in broken.out


def test_one_word_of_the_code_breaks_it(verify: Verify) -> None:
    """A signal that is never cleared: the hang property has something to say, too."""
    verify("new", "lent-buffer")
    edit("lent_buffer.py", "loan.armed = False", "loan.armed = True")
    ran = verify("--protocol", "./lent_buffer.py")
    assert ran.code == 1
    assert "no-hang is violated after 3 steps" in ran.out
    assert 'take_back(slot=0) cannot be taken: "the signal is cleared" does not hold' in ran.out


def test_its_tests_pass_and_fail_with_it(verify: Verify) -> None:
    verify("new", "lent-buffer")
    passed = run_pytest("test_lent_buffer.py")
    assert (passed.returncode, passed.stderr) == (0, "")
    assert "5 passed" in passed.stdout
    edit("lent_buffer.py", 'if not m.variant("buggy"):', "if False:")
    failed = run_pytest("test_lent_buffer.py")
    assert failed.returncode == 1
    assert "no-touch-while-busy is violated in 3 steps" in failed.stdout


def test_the_name_goes_everywhere(verify: Verify) -> None:
    assert verify("new", "Some-other_name", "--into", "a/b").code == 0
    written = [Path("a/b/Some_other_name.py"), Path("a/b/test_Some_other_name.py")]
    assert sorted(Path("a/b").iterdir()) == written
    protocol, tests = (path.read_text() for path in written)
    assert 'Protocol(\n    "Some-other-name"' in protocol
    assert 'Properties("Some-other-name")' in protocol
    assert "class TestSomeOtherName(ProtocolTests)" in tests
    assert 'with_name("Some_other_name.py")' in tests
    for text in (protocol, tests):
        assert not {"my_protocol", "my-protocol", "MyProtocol"} & set(text.replace('"', " ").split())
        assert "protocol.py" not in text
    assert verify("--protocol", "a/b/Some_other_name.py").code == 0


def test_a_name_like_the_template_s_is_put_in_once(verify: Verify) -> None:
    verify("new", "my-protocol-my-protocol")
    assert 'Properties("my-protocol-my-protocol")' in Path("my_protocol_my_protocol.py").read_text()


@pytest.mark.parametrize("there", BOTH)
def test_no_file_is_written_over(verify: Verify, there: str) -> None:
    Path(there).write_text("mine")
    ran = verify("new", "lent-buffer")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"verify: {there}: there is such a file; nothing was written\n"
    assert here() == [there]
    assert Path(there).read_text() == "mine"


def test_no_link_is_written_over(verify: Verify) -> None:
    Path("lent_buffer.py").symlink_to("nowhere.py")
    assert verify("new", "lent-buffer").code == 2
    assert here() == ["lent_buffer.py"]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "Missing argument 'NAME'"),
        (["class"], "'class' is a word of Python; take another name"),
        (["random"], "random.py would hide the Python module 'random'; take another name"),
        (["fencepost"], "fencepost.py would hide the Python module 'fencepost'; take another name"),
        (["cpu_wait"], "there is an installed protocol 'cpu-wait'; take another name"),
        (["mine.py"], "'mine.py' is no name for a module"),
        (["../mine"], "'../mine' is no name for a module"),
        (["2nd"], "'2nd' is no name for a module"),
        (["a--b"], "'a--b' is no name for a module"),
        (["mine\n"], "is no name for a module"),
        (["größe"], "'größe' is no name for a module"),
        ([""], "'' is no name for a module"),
        (["mine", "--into", "file"], "'file' is a file"),
        (["mine", "--into", "file/deeper"], "cannot write to file/deeper: "),
        (["a" * 300], "cannot write to .: File name too long"),
    ],
)
def test_bad_input(verify: Verify, args: list[str], complaint: str) -> None:
    Path("file").write_text("")
    ran = verify("new", *args)
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.count("\n") == 1
    assert here() == ["file"]


def test_the_template_is_short() -> None:
    text = files("fencepost.templates").joinpath("my_protocol.py").read_text("utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) < 100
