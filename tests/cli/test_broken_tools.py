"""Targets that are no files, traces of other tools that are cut off, and tools that are not what they are called."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from fencepost.peers import tools
from tests.cli.conftest import Verify


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_what_is_no_regular_file_is_not_replaced(verify: Verify, counter: str, kind: str) -> None:
    target = Path("target")
    Path("kept").write_text("as it was")
    if kind == "pipe":
        os.mkfifo(target)
    else:
        target.symlink_to("kept")
    ran = verify("export", "--protocol", counter, "--format", "murphi", "-o", "target")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("verify: target is not a regular file; ")
    assert target.is_fifo() if kind == "pipe" else target.is_symlink()
    assert Path("kept").read_text() == "as it was"


@pytest.mark.parametrize(
    ("form", "text", "problem"),
    [
        ("promela", "step push(at=x)\n", "push(at=x) is no step of an exported model: its arguments are not numbers"),
        ("promela", f"step push(at={'9' * 5000})\n", "its arguments are not numbers"),
        ("murphi", "The following is the error trace for the error:\n", "its counterexample is cut off"),
    ],
)
def test_a_counterexample_that_cannot_be_read(verify: Verify, counter: str, form: str, text: str, problem: str) -> None:
    Path("witness").write_text(text)
    ran = verify("import", "witness", "--protocol", counter, "--format", form)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert problem in ran.err


def test_a_run_of_rumur_under_symmetry_is_none_of_the_model(verify: Verify) -> None:
    lines = ["The following is the error trace for the error:", 'Rule "dispatch", queue: Queue_1 fired.']
    Path("witness").write_text("\n".join([*lines, "End of the error trace.", ""]))
    ran = verify("import", "witness", "--protocol", "recycled-handle", "--format", "murphi")
    assert ran.code == 2
    assert "Queue_1 are no arguments of dispatch; " in ran.err
    assert "give rumur --symmetry-reduction off" in ran.err


@pytest.mark.skipif(os.name == "nt", reason="a command without a suffix is none there")
@pytest.mark.parametrize(
    ("name", "tool", "content", "problem"),
    [
        ("rumur", "rumur", "", "rumur cannot be run: "),
        ("rumur", "rumur", "#!/bin/sh\n", "rumur says that it is done, and did not make model.c; "),
        ("spin", "spin", "#!/bin/sh\n", "spin says that it is done, and did not make pan.c; "),
        ("rumur", "rumur", "#!/bin/sh\nexit 3\n", "rumur ended with exit code 3: it says nothing"),
        ("rumur", "rumur", "#!/bin/sh\nprintf 'a\\033[2Jb' >&2; exit 3\n", "rumur ended with exit code 3: a?[2Jb"),
        ("berkeley-abc", "abc", "#!/bin/sh\necho what\n", "ABC answers 0 of "),
    ],
)
def test_a_tool_that_is_none(
    verify: Verify, counter: str, monkeypatch: pytest.MonkeyPatch, name: str, tool: str, content: str, problem: str
) -> None:
    Path("bin").mkdir()
    Path("bin", name).write_text(content)
    Path("bin", name).chmod(0o755)
    monkeypatch.setenv("PATH", str(Path("bin").absolute()), prepend=os.pathsep)
    ran = verify("crosscheck", "--protocol", counter, "--with-tool", tool)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert problem in ran.err


def script(text: str) -> list[str]:
    """A command of a program that is these lines."""
    Path("tool").write_text(f"#!/bin/sh\n{text}\n")
    Path("tool").chmod(0o755)
    return [str(Path("tool").absolute())]


@pytest.mark.skipif(os.name == "nt", reason="process groups of Unix")
@pytest.mark.parametrize("then", ["sleep 600", "exit 0"])
def test_nothing_that_a_tool_started_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    monkeypatch.chdir(tmp_path)
    command = script(f"sleep 600 & echo $! > child; {then}")
    if then == "exit 0":
        tools.call(command, tmp_path, 60)
    else:
        with pytest.raises(tools.Unusable, match=r"tool took more than 0\.5 s"):
            tools.call(command, tmp_path, 0.5)
    child = int(Path("child").read_text())
    for _ in range(200):
        if _is_gone(child):
            return
        time.sleep(0.05)
    pytest.fail("what it started goes on")


def _is_gone(process: int) -> bool:
    """Whether it has ended, be it that nobody has asked how."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.skipif(os.name == "nt", reason="a command without a suffix is none there")
def test_a_tool_that_has_no_room_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tools, "_ROOM", 2**63)
    with pytest.raises(tools.Unusable, match="exit code 1: it says nothing; there is no room left where "):
        tools.call(script("exit 1"), tmp_path, 60)


@pytest.mark.skipif(os.name == "nt", reason="a command without a suffix is none there")
def test_a_tool_that_prints_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tools, "MOST_PRINTED", 1000)
    with pytest.raises(tools.Unusable, match="tool printed more than 1,000 bytes"):
        tools.call(script("while :; do echo and again; done"), tmp_path, 60)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_what_has_no_end_is_not_read(verify: Verify, counter: str) -> None:
    os.mkfifo("pipe")
    for args in (
        ("import", "pipe", "--protocol", counter, "--format", "promela"),
        ("certify", "pipe"),
        ("replay", "pipe"),
        ("diff", "pipe", "pipe"),
        ("graph", "--trace", "pipe"),
    ):
        ran = verify(*args)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == "verify: pipe: cannot be read: it is not a regular file; copy what it gives into one\n"


@pytest.mark.parametrize(
    ("form", "text", "problem"),
    [
        ("aiger", "step.0@0=1\nstep.0@999999999=1\n", "it goes on to step 999999999; no counterexample has more"),
        ("aiger", f"step.0@{'9' * 5000}=1\n", "it goes on to step 99999999999999999...; no counterexample has more"),
        ("promela", "step push()\nbroken nothing-of-ours\n", "it shows how 'nothing-of-ours' is violated, and counter"),
        ("promela", "nothing\n", "there is no step in it; "),
    ],
)
def test_what_is_wrong_in_a_file_names_it(verify: Verify, counter: str, form: str, text: str, problem: str) -> None:
    Path("witness").write_text(text)
    ran = verify("import", "witness", "--protocol", counter, "--format", form)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"verify: witness: {problem}")
