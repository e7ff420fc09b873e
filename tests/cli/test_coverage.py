"""`verify coverage`: what it says, the page, and its exit codes."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Verify

LOCK = str(Path(__file__).parents[1] / "mutate" / "lock.py")


def test_the_report(verify: Verify) -> None:
    ran = verify("coverage", "--protocol", LOCK)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[:6] == [
        "lock, default",
        "  8 states, every state reached",
        "  actions     3 of 3 fired",
        "  conjuncts   4 of 5 were the only one in the way",
        "  branches    0 of 0 sides taken",
        "  properties  2 of 2 exercised",
    ]
    assert len(lines) == 8
    assert lines[7].endswith('take: `inside < 2` of "asks" never is the only one in the way')


def test_a_hole_is_a_failure_if_asked(verify: Verify, counter: str) -> None:
    assert verify("coverage", "--protocol", LOCK, "--cover").code == 4
    assert verify("coverage", "--protocol", counter, "--cover").code == 0


def test_the_page(verify: Verify) -> None:
    assert verify("coverage", "--protocol", LOCK, "--html", "out/page.html").code == 0
    page = Path("out/page.html").read_text("utf-8")
    assert "never is the only one in the way" in page


def test_bad_input(verify: Verify, counter: str) -> None:
    for args, complaint in (
        ([], "say which model: --protocol NAME"),
        (["--protocol", counter, "--most", "2"], "more than 2 states: give smaller sizes"),
        (["--protocol", counter, "--depth", "-1"], "'-1' is not a whole number"),
    ):
        ran = verify("coverage", *args)
        assert (ran.code, ran.out) == (2, ""), args
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
