"""`verify sweep`: what other sizes change."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Verify

LOCK = str(Path(__file__).parents[1] / "mutate" / "lock.py")


def test_sizes_that_change_nothing(verify: Verify) -> None:
    """One thread: it is out, asks, has it. Two: each of these, but not both inside."""
    ran = verify("sweep", "--protocol", LOCK)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "lock, default: each size one smaller and one larger, one at a time",
        "",
        "            states depth",
        "as chosen        8     3 3 EXHAUSTED",
        "threads   1      3     2 as chosen",
        "threads   3              not a choice: --threads 3: lock takes 1 to 2",
        "",
        "No other size shows a violation that the chosen ones do not.",
    ]


def test_a_size_that_shows_a_violation(verify: Verify) -> None:
    """A lock that is taken though it is not free is one thread's, as long as there is but one.

    Two are in nine states; where one has it, the other may have given back what was taken: four more.
    """
    ran = verify("sweep", "--protocol", LOCK, "--threads", "1", "--without", "take:free")
    assert ran.code == 1
    assert ran.out.splitlines()[3:] == [
        "as chosen        3     2 3 EXHAUSTED",
        "threads   0              not a choice: --threads 0: lock takes 1 to 2",
        "threads   2     13     6 one-has-it VIOLATED, not EXHAUSTED",
        "",
        "Other sizes show a violation that the chosen ones do not.",
    ]


def test_a_situation_that_a_size_never_comes_into(verify: Verify, counter: str) -> None:
    ran = verify("sweep", "--protocol", counter, "--limit", "2")
    assert ran.code == 0
    assert "limit     1      2     1 whole VACUOUS, not EXHAUSTED" in ran.out
    assert "limit     3      4     3 as chosen" in ran.out


def test_an_obligation_that_another_size_breaks(verify: Verify, tmp_path: Path) -> None:
    text = Path(LOCK).read_text("utf-8").replace("inside = number(0, 2)", "inside = number(0, 1)")
    (tmp_path / "narrow.py").write_text(text.replace("& (s.inside < 2)", ""), "utf-8")
    ran = verify("sweep", "--protocol", "./narrow.py", "--threads", "1", "--without", "take:free")
    assert ran.code == 1
    assert "range:take/inside VIOLATED, not EXHAUSTED" in ran.out


def test_searches_that_end_too_soon(verify: Verify, counter: str) -> None:
    """To a depth alone they tell of it; without any answer the exit code says so."""
    ran = verify("sweep", "--protocol", counter, "--depth", "2")
    assert ran.code == 0
    assert ran.out.endswith("; 2 of 2 searches did not end, and tell of their depth alone.\n")
    ran = verify("sweep", "--protocol", counter, "--depth", "2", "--timeout", "1e-9")
    assert (ran.code, ran.out.splitlines()[-1]) == (3, "Not every search came far enough to tell.")


def test_bad_input(verify: Verify, counter: str) -> None:
    for args, complaint in (
        ([], "say which model: --protocol NAME"),
        (["--protocol", counter, "--limit", "0"], "--limit 0: counter takes 1 to 9"),
        (["--protocol", counter, "--timeout", "soon"], "'soon'"),
    ):
        ran = verify("sweep", *args)
        assert (ran.code, ran.out) == (2, ""), args
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
