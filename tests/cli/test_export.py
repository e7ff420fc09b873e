"""`verify export` and `verify import`: models for other checkers, and counterexamples from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.peers import tools
from fencepost.peers.peers import BOUNDED, Bounded
from fencepost.peers.seen import Answers
from fencepost.trace.itf_read import read_itf
from tests.cli.conftest import Verify

BUGGY = ["--protocol", "recycled-handle", "--variant", "buggy"]

RUMUR = """\
The following is the error trace for the error:

\tinvariant "no-handle-destroyed-while-referenced" failed

Startstate "initial" fired.
enabled:true
----------

Rule "dispatch", queue: 0 fired.
Rule "disable", handle: 0 fired.
Rule "dispatch", queue: 1 fired.
Rule "execute", queue: 0 fired.
Rule "complete", handle: 0 fired.
Rule "enable" fired.
End of the error trace.
"""
"""As a verifier that rumur made prints it, with most of the states left out."""

SPIN = """\
using statement merging
      step dispatch(queue=0)
      step disable(handle=0)
      step dispatch(queue=1)
      step execute(queue=0)
      step complete(handle=0)
      step enable()
      broken no-handle-destroyed-while-referenced
spin: model.pml:407, Error: assertion violated
"""
"""As the replay of a trail prints it."""


def test_a_model_is_written(verify: Verify) -> None:
    ran = verify("export", "--protocol", "recycled-handle", "--slots", "2", "--format", "murphi", "-o", "out/rh.m")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    text = Path("out/rh.m").read_text("utf-8")
    assert text.startswith("-- recycled-handle, variant default, queues 2, handles 2, slots 2\n")
    assert verify("export", "--protocol", "recycled-handle", "--slots", "2", "--format", "murphi").out == text


@pytest.mark.parametrize(("form", "named", "other"), [("aiger", "m.aag", "m.aig"), ("tla", "m.tla", "m.cfg")])
def test_what_is_written_beside_replaces_no_file_of_others(
    verify: Verify, counter: str, form: str, named: str, other: str
) -> None:
    export = ["export", "--protocol", counter, "--format", form, "-o"]
    Path(other).write_text("mine")
    ran = verify(*export, named)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"verify: {other} is written, too, and there is one already; move it away, or give another name\n"
    assert (Path(other).read_text(), Path(named).exists()) == ("mine", False)
    ran = verify(*export, other)
    assert ran.err == f"verify: {other}: that is the file which is written beside it; give {named}\n"
    assert (ran.code, Path(other).read_text()) == (2, "mine")
    Path(other).unlink()
    for _ in range(2):  # both are its own the second time
        assert verify(*export, named).code == 0


def test_only_some_properties(verify: Verify) -> None:
    ran = verify("export", "--protocol", "recycled-handle", "--format", "promela", "--property", "no-hang")
    assert "check_no_hang" in ran.out
    assert "check_no_handle" not in ran.out


def test_what_cannot_be_said_is_told(verify: Verify, counter: str) -> None:
    out = verify("export", "--protocol", "cpu-wait", "--format", "murphi").out
    assert "-- not exported: " in out
    assert "call-returns" in out or "wait-returns" in out or "every-wait-returns" in out


def test_counterexamples_of_others_are_ours(verify: Verify) -> None:
    for form, text in (("murphi", RUMUR), ("promela", SPIN)):
        Path("found.txt").write_text(text, "utf-8")
        ran = verify("import", "found.txt", *BUGGY, "--format", form, "-o", "found.itf.json")
        assert (ran.code, ran.err) == (1, "")
        assert "no-handle-destroyed-while-referenced is violated after 6 steps" in ran.out
        assert "DESTROYED" in ran.out
        assert len(read_itf(Path("found.itf.json")).steps) == 6
        assert verify("replay", "found.itf.json").code == 1


def test_a_counterexample_that_is_none_here(verify: Verify) -> None:
    Path("found.txt").write_text(SPIN.replace("      step enable()\n", ""), "utf-8")
    ran = verify("import", "found.txt", *BUGGY, "--format", "promela")
    assert ran.code == 0
    assert "5 steps can be taken, and no-handle-destroyed-while-referenced is not violated" in ran.out


def test_bad_input(verify: Verify) -> None:
    Path("spin.txt").write_text(SPIN, "utf-8")
    Path("other.txt").write_text(SPIN.replace("enable()", "unable()"), "utf-8")
    Path("nothing.txt").write_text("pan: elapsed time 0 seconds\n", "utf-8")
    Path("arguments.txt").write_text(RUMUR.replace("queue: 1", "queue: two"), "utf-8")
    promela, rumur = [*BUGGY, "--format", "promela"], [*BUGGY, "--format", "murphi"]
    for args, complaint in (
        (["export", "--protocol", "recycled-handle"], "--format"),
        (["export", "--format", "murphi"], "say which model"),
        (["export", *BUGGY, "--format", "murpi"], "did you mean 'murphi'?"),
        (["export", *promela, "--property", "no-hand"], "did you mean 'no-hang'?"),
        (["export", *promela, "-o", "."], "is a folder"),
        (["import", "gone.txt", *promela], "gone.txt: cannot be read: No such file"),
        (["import", "nothing.txt", *promela], "there is no step in it"),
        (["import", "nothing.txt", *rumur], "there is no counterexample in it"),
        (["import", "other.txt", *promela], "has no action unable()"),
        (["import", "arguments.txt", *rumur], "two are no arguments of dispatch"),
        (["import", "spin.txt", "--protocol", "recycled-handle", "--format", "promela"], ""),
    ):
        ran = verify(*args)
        assert complaint in ran.err
        assert ran.err.count("\n") == (1 if complaint else 0), ran.err
        assert ran.code == (2 if complaint else 0)


def test_a_cross_check_says_what_is_equal_and_what_differs(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"buggy": {"no-handle-destroyed-while-referenced": 6}, None: {}}
    other = Bounded("cvc5", lambda model, depth, _: Answers(depth, said[model.variant]))
    monkeypatch.setitem(BOUNDED, "cvc5", other)
    check = ["crosscheck", *BUGGY, "--slots", "2", "--with-tool", "cvc5"]
    ran = verify(*check, "--depth", "7")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "cvc5: equal, states not compared\n"
        "  no-handle-destroyed-while-referenced is violated after 6 steps\n"
        "  not compared: no-hang\n"
    )
    said["buggy"] = {}
    ran = verify(*check, "--depth", "7")
    assert ran.code == 1
    assert "cvc5: DIFFERS" in ran.out
    assert "no-handle-destroyed-while-referenced: broken after 6 steps here, not broken by cvc5" in ran.out


def test_a_tool_that_is_not_there(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools.shutil, "which", lambda _: None)
    ran = verify("crosscheck", *BUGGY, "--slots", "1", "--with-tool", "rumur")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "verify: rumur is not installed; docs/export.md says where it comes from\n"
    assert "did you mean 'rumur'?" in verify("crosscheck", *BUGGY, "--with-tool", "rumurr").err
