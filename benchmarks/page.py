"""What was measured as Markdown: tables, figures, and sections between markers of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from benchmarks.timing import FLOOR

END = "<!-- end -->"


@frozen
class Section:
    """A part of the page, and drawings that it shows, by the name of their files."""

    text: str
    drawings: Mapping[str, str] = field(factory=dict)


@frozen
class Target:
    """Something that was aimed at, what was measured in its place, and whether that is enough; None: not measured."""

    what: str
    measured: str
    met: bool | None

    @property
    def row(self) -> tuple[str, str, str]:
        """As a row of a table."""
        return self.what, self.measured, {True: "met", False: "NOT met", None: "not measured"}[self.met]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown; columns whose cells are figures are set to the right.

    Raises:
        ValueError: a row has more or fewer cells than the head.
    """
    if any(len(row) != len(head) for row in rows):
        raise ValueError(f"not every row has {len(head)} cells")
    lines = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    right = [all(re.match(r"[\d.~<]|-$|not |over ", row[at]) for row in rows) for at in range(len(head))]
    rule = ["--:" if is_right else "---" for is_right in right]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def targets(*each: Target) -> str:
    """A table of what was aimed at."""
    return table(("target", "measured", ""), [target.row for target in each])


OURS = "ours"
"""What the names of our subjects begin with."""


def ahead(groups: Mapping[str, Mapping[str, float]]) -> str:
    """Who of the others took less than the best of ours, by what was asked for."""
    told = []
    for what, figures in groups.items():
        mine = min((figure for name, figure in figures.items() if name.startswith(OURS)), default=None)
        quicker = sorted(
            (figure, name)
            for name, figure in figures.items()
            if mine is not None and not name.startswith(OURS) and figure < mine
        )
        if quicker and mine is not None:
            others = ", ".join(f"{name} {seconds(figure)}" for figure, name in quicker)
            told.append(f"{what}: {others} (ours {seconds(mine)})")
    return f"**Ahead of ours**, by CPU seconds: {'; '.join(told)}." if told else "Nobody is ahead of ours here."


def put(page: str, name: str, text: str) -> str:
    """The page with a section's text in place of what stood between its markers.

    Raises:
        ValueError: the page has not exactly one such place.
    """
    begin = f"<!-- benchmark: {name} -->"
    parts = page.split(begin)
    if len(parts) != 2 or END not in parts[1]:
        raise ValueError(f"the page must have one place between {begin} and {END}")
    _, _, rest = parts[1].partition(END)
    return f"{parts[0]}{begin}\n{text.strip()}\n{END}{rest}"


def million(value: float) -> str:
    """A rate: 7.42 M, 83 k."""
    if value >= 1e6:
        return f"{value / 1e6:.2f} M"
    return f"{value / 1e3:.0f} k" if value >= 1e4 else f"{value:,.0f}"


def seconds(value: float) -> str:
    """As many digits as are worth it."""
    return f"{value:.3f}" if value < 0.1 else f"{value:.2f}" if value < 10 else f"{value:.1f}"


def mebibytes(value: float) -> str:
    """Of the bytes that a process held."""
    return f"{value / 2**20:,.0f}" if value >= FLOOR else f"< {FLOOR >> 20}"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}"
