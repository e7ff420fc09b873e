"""The line on a terminal."""

from __future__ import annotations

import io
import re

import pytest
from attrs import evolve

from fencepost import progress
from fencepost.progress import ProgressBlock, ProgressLine, describe
from fencepost.verdict import ProgressEvent

EXPLORE = ProgressEvent("explore", 12, 1_200_000, 5_000, 2.0, 310 << 20)
BMC = ProgressEvent("bmc", 4, 0, 3, 1.0, 80 << 20)


def test_words() -> None:
    assert describe(EXPLORE) == "explore: depth 12, 1,200,000 states, 5,000 to expand, 600,000/s, 310 MiB, 2 s"
    told = describe(evolve(EXPLORE, expected=3_000_000))
    assert told == f"{describe(EXPLORE)}, about 3,000,000 in all, 3 s left"
    assert describe(BMC) == "bmc: depth 4, 80 MiB, 1 s"


def test_one_line_for_all_engines_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setenv("COLUMNS", "60")
    stream = io.StringIO()
    line = ProgressLine(stream)
    line(EXPLORE)
    line(BMC)
    line.clear()
    drawn = stream.getvalue().split("\r\x1b[K")
    both = f"{describe(BMC)}   {describe(EXPLORE)}"
    assert drawn == ["", describe(EXPLORE)[:59], both[:59], ""]


def test_it_is_drawn_no_oftener_than_an_eye_can_see() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    for _ in range(1000):
        line(EXPLORE)
    assert stream.getvalue().count("\x1b[K") < 900


def test_nothing_drawn_nothing_cleared() -> None:
    stream = io.StringIO()
    ProgressLine(stream).clear()
    assert stream.getvalue() == ""


class Gone(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError("the terminal went away")


def test_a_terminal_that_went_away_stops_nothing() -> None:
    line = ProgressLine(Gone())
    line(EXPLORE)
    line.clear()


def screen(written: str, height: int = 20) -> list[str]:
    """What a terminal shows after that: it knows the three moves that a block makes."""
    lines, row = [""] * height, 0
    for part in re.findall(r"\x1b\[\d*[AJ]|\r|\n|[^\x1b\r\n]+", written):
        if part.endswith("A") and part.startswith("\x1b"):
            row -= int(part[2:-1])
        elif part == "\x1b[J":
            lines[row:] = [""] * (height - row)
        elif part == "\n":
            row += 1
        elif part != "\r":
            lines[row] = part
    return lines[: max((i for i, line in enumerate(lines) if line), default=-1) + 1]


def test_a_block_has_a_line_for_each_thing_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "4")
    stream = io.StringIO()
    block = ProgressBlock(stream)
    for name in ("one", "two", "one", "three"):
        block.tell(name, "depth 1, and a long tail")
    assert screen(stream.getvalue()) == ["one: depth 1, and a", "two: depth 1, and a", "three: depth 1, and"]
    block.tell("four", "is one too many for the terminal")
    assert len(screen(stream.getvalue())) == 3
    block.drop("one")
    assert screen(stream.getvalue()) == []
    stream.write("two: as pinned\n")
    block.tell("two", "depth 2")
    assert screen(stream.getvalue()) == ["two: as pinned", "two: depth 2", "three: depth 1, and", "four: is one too ma"]


def test_a_block_of_which_nothing_was_drawn_clears_nothing() -> None:
    stream = io.StringIO()
    ProgressBlock(stream).drop("one")
    assert stream.getvalue() == ""
