"""`verify replay`: recorded traces on models that changed, and files that are not traces."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Verify


@pytest.fixture
def recorded(verify: Verify, counter: str) -> str:
    """The path of a trace of the brittle counter, whose protocol lies beside it as mine.py."""
    Path("mine.py").write_text(Path(counter).read_text())
    assert verify("--protocol", "mine.py", "--variant", "brittle", "--export", "out").code == 1
    return "out/brittle.whole.itf.json"


def change(old: str, new: str) -> None:
    """Somebody mends the protocol."""
    text = Path("mine.py").read_text()
    assert old in text
    Path("mine.py").write_text(text.replace(old, new))


REFUSED = ("s.value < m.size(Mark), ", "s.value < m.size(Mark) - 1, ")
MENDED = ("s.broken = True", "s.broken = False")


@pytest.mark.parametrize(
    ("expect", "codes"),
    [([], (1, 0, 0)), (["--expect", "violated"], (0, 1, 1)), (["--expect", "refused"], (1, 0, 1))],
    ids=str,
)
def test_the_three_outcomes(verify: Verify, recorded: str, expect: list[str], codes: tuple[int, int, int]) -> None:
    args = ("replay", recorded, "--protocol", "mine.py", *expect)
    ran = verify(*args)
    assert (ran.code, ran.err) == (codes[0], "")
    assert ran.out.startswith("REPRODUCES\n\nwhole is violated after 3 steps\n")
    change(*MENDED)
    ran = verify(*args)
    assert ran.code == codes[2]
    assert ran.out == "NO LONGER VIOLATED: all 3 steps can be taken, and whole is not violated\n"
    change(*REFUSED)
    ran = verify(*args)
    assert ran.code == codes[1]
    assert ran.out == 'NO LONGER POSSIBLE: step 3 refused by guard "below the limit"\n'


def test_on_another_variant(verify: Verify, recorded: str) -> None:
    ran = verify("replay", recorded, "--protocol", "mine.py", "--variant", "sound", "--expect", "holds")
    assert ran.code == 0


def test_quiet(verify: Verify, recorded: str) -> None:
    assert verify("replay", recorded, "--protocol", "mine.py", "--quiet").out == "REPRODUCES\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "out/x.itf.json: cannot be read: No such file"),
        ("", "out/x.itf.json"),
        ("nonsense", "out/x.itf.json"),
        ("[]", "out/x.itf.json"),
        ("HALF", "out/x.itf.json"),
        ("OTHER", "it is a trace of 'kounter', not of 'counter'"),
    ],
)
def test_a_file_that_is_no_such_trace(verify: Verify, recorded: str, text: str | None, complaint: str) -> None:
    path = Path("out/x.itf.json")
    whole = Path(recorded).read_text()
    if text is not None:
        path.write_text(
            {"HALF": whole[: len(whole) // 2], "OTHER": whole.replace("counter", "kounter")}.get(text, text)
        )
    ran = verify("replay", str(path), "--protocol", "mine.py")
    assert (ran.code, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.startswith("verify: ")
    assert ran.err.count("\n") == 1


def test_bad_input(verify: Verify, recorded: str) -> None:
    for args, complaint in (
        (["replay"], "Missing argument 'TRACE'."),
        (["replay", recorded], "unknown protocol 'counter'; "),
        (["replay", recorded, "--expect", "holdz"], "unknown choice for --expect 'holdz'; did you mean 'holds'?"),
        (["replay", recorded, "--protocol", "mine.py", "--variant", "soun"], "did you mean 'sound'?"),
    ):
        ran = verify(*args)
        assert (ran.code, ran.out) == (2, "")
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
