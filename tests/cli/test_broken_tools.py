"""Targets that are no files, traces of other tools that are cut off, and tools that are not what they are called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
