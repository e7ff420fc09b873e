"""Bad input is one line that says what was wrong and what would do, exit 2, and nothing half written."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from fencepost.errors import UsageError
from fencepost.registry import _guarded
from tests.cli.conftest import Verify

MODEL = """\
from fencepost import *
class State(Record):
    on = boolean()
protocol = Protocol("one", state=State)
@protocol.action(by=Actor("a"), src="a.c")
def go(m: Step, s: State) -> None:
    if s.on: pass
"""

BAD: list[tuple[list[str], str]] = [
    ([], "say what to check: --protocol NAME (known: "),
    (["--protocol", "retirng"], "unknown protocol 'retirng'; did you mean 'retiring'?"),
    (["--protocol"], "Option '--protocol' requires an argument."),
    (
        ["--protocol", "COUNTER", "--variant", "brittel"],
        "unknown variant of counter 'brittel'; did you mean 'brittle'?",
    ),
    (["--protocol", "COUNTER", "--property", "hole"], "unknown property of counter 'hole'; did you mean 'whole'?"),
    (["--protocol", "COUNTER", "--engine", "bcm"], "unknown choice for --engine 'bcm'; did you mean 'bmc'?"),
    (["--protocol", "COUNTER", "--depth", "-1"], "Invalid value for '--depth': '-1' is not a whole number from 0 up"),
    (["--protocol", "COUNTER", "--depth", "two"], "Invalid value for '--depth': 'two' is not a whole number from 0 up"),
    (["--protocol", "COUNTER", "--timeout", "-3"], "'-3' is not a number of seconds; 0 is no limit"),
    (["--protocol", "COUNTER", "--timeout", "nan"], "'nan' is not a number of seconds; 0 is no limit"),
    (["--protocol", "COUNTER", "--memory", "lots"], "'lots' is not an amount of memory; write it as 512M or 2GiB"),
    (["--protocol", "COUNTER", "--limit", "0"], "--limit 0: counter takes 1 to 9"),
    (["--protocol", "COUNTER", "--limit", "10"], "--limit 10: counter takes 1 to 9"),
    (["--protocol", "retiring", "--ring", "4"], "--ring 4: retiring takes at most --cap, which is 3"),
    (["--protocol", "COUNTER", "--limits", "3"], "No such option '--limits'."),
    (["--protocol", "COUNTER", "--with", "rest"], "unknown feature of counter 'rest'; did you mean 'reset'?"),
    (["--protocol", "COUNTER", "--without", "push"], "--without push: write ACTION:GUARD"),
    (["--protocol", "COUNTER", "--without", "psh:x"], "unknown action of counter 'psh'; did you mean 'push'?"),
    (["--protocol", "COUNTER", "--without", "push:x"], "unknown guard of push 'x'; known: below the limit"),
    (
        ["--protocol", "COUNTER", "--expect", "violatd"],
        "unknown choice for --expect 'violatd'; did you mean 'violated'?",
    ),
    (["--protocol", "COUNTER", "--color", "sometimes"], "unknown choice for --color 'sometimes'; "),
    (["--protocol", "COUNTER", "--export", "COUNTER"], "is a file"),
    (["--explain", "buggi"], "unknown name 'buggi'; did you mean 'buggy'?"),
    (["frobnicate"], "No such command 'frobnicate'."),
    (["--protocol", "COUNTER", "--timeout", "1e300"], "'1e300' s are more than 1,000,000; 0 is no limit"),
    (["crosscheck", "--protocol", "COUNTER", "--timeout", "1e7"], "'1e7' s are more than 1,000,000; 0 is no limit"),
    (["--protocol", "COUNTER", "--depth", "9" * 5000], f"'{'9' * 57}...' is too large; it takes at most 18 digits"),
    (["--protocol", "COUNTER", "--memory", "9" * 5000], f"'{'9' * 57}...' is not an amount of memory; "),
    (["export", "--protocol", "COUNTER", "--format", "murphi", "-o", "n" * 300], "File name too long"),
    (["--protocol", "n" * 300 + ".py"], "File name too long"),
    (["--protocol", "COUNTER", "--engine", "pdr", "--certificate", ""], "'--certificate': it is empty; give a name"),
    (["export", "--protocol", "COUNTER", "--format", "tla", "-o", ""], "it is empty; give a name"),
    (["--protocol", "COUNTER", "--engine", "pdr", "--depth", "3"], "pdr proves for every depth; leave out --depth"),
    (["--protocol", "COUNTER", "--engine", "pdr", "--cover"], "pdr counts no actions; --cover is for explore and walk"),
    (["--protocol", "COUNTER", "--engine", "bmc", "--workers", "2"], "bmc has no threads; --workers is for explore"),
    (["--protocol", "COUNTER", "--json", "--format", "sarif"], "--json is --format json, not --format sarif; "),
    (["--protocol", "COUNTER", "--checkpoint", "nowhere/kept"], "there is no folder nowhere; make it first"),
    (["--list", "--engine", "bmc"], "--engine says nothing beside --list; leave one of them out"),
    (["--explain", "push", "--protocol", "COUNTER", "--depth", "3"], "--depth says nothing beside --explain; "),
    (["--engine", "bmc", "export", "--format", "tla"], "--engine says nothing before export; put it behind"),
    (["mutate", "--markdown", "--json"], "--json says nothing beside --markdown; leave one of them out"),
    (["mutate", "--protocol", "COUNTER", "--pinned", "--depth", "3"], "--depth says nothing beside --pinned; "),
    (["coverage", "--markdown", "--html", "x.html"], "--html says nothing beside --markdown; leave one of them out"),
    (["graph", "--trace", "x", "--depth", "3"], "--depth says nothing beside --trace; leave one of them out"),
    (["--protocol", "syntax.py"], "syntax.py:2: syntax error: "),
    (["--protocol", "model.py"], "model.py:7: "),
]


@pytest.mark.parametrize(("args", "complaint"), BAD, ids=str)
def test_one_line_and_exit_2(verify: Verify, counter: str, args: list[str], complaint: str) -> None:
    Path("syntax.py").write_text("x = 1\ndef f(:\n")
    Path("model.py").write_text(MODEL)
    ran = verify(*(arg.replace("COUNTER", counter) for arg in args))
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.startswith("verify: ")
    assert ran.err.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == ["model.py", "syntax.py"]


def test_a_protocol_with_a_null_character_is_named(verify: Verify) -> None:
    Path("null.py").write_text("x = 1\0")
    ran = verify("--protocol", "null.py")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "null.py" in ran.err


def test_a_protocol_that_the_system_does_not_give() -> None:
    with pytest.raises(UsageError, match="nowhere: No such file or directory"):
        _guarded(partial(os.listdir, "nowhere"), "cannot run")


@pytest.mark.skipif(os.name == "nt", reason="a folder that is in use stays there")
def test_a_folder_that_is_gone(verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    ran = verify("--list")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "verify: the folder in which this was started is gone; start it in another\n"


def test_a_bad_settings_file_is_one_line(verify: Verify, counter: str) -> None:
    Path("pyproject.toml").write_text("[tool.fencepost]\ndept = 3\n")
    ran = verify("--protocol", counter)
    assert (ran.code, ran.out) == (2, "")
    assert "unknown setting in [tool.fencepost] 'dept'; did you mean 'depth'?" in ran.err


def test_a_bad_manifest_is_one_line(verify: Verify, counter: str) -> None:
    Path("mine.py").write_text(Path(counter).read_text())
    Path("mine.manifest.toml").write_text("[[pins]]\n")
    ran = verify("--protocol", "mine.py")
    assert (ran.code, ran.out) == (2, "")
    assert "mine.manifest.toml: " in ran.err
    assert ran.err.count("\n") == 1


def test_an_export_that_cannot_be_written_leaves_nothing(verify: Verify, counter: str) -> None:
    Path("out").mkdir()
    (Path("out") / "report.json").mkdir()
    ran = verify("--protocol", counter, "--export", "out", "--depth", "1")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot write to out: Is a directory" in ran.err
    assert [path.name for path in Path("out").iterdir()] == ["report.json"]
