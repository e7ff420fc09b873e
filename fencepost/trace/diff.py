"""Two traces side by side: the steps they share, those that only one takes, and where they end up differently."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from attrs import frozen

from fencepost.ir.sorts import show
from fencepost.trace.escape import line
from fencepost.trace.model import Change, Trace

WIDEST = 46
"""A column is padded at most to this."""


@frozen
class Pair:
    """A step of the left trace, of the right one, or one that both take; numbers are from 1, None where there is none.

    `apart` says of a shared step that the states after it differ.
    """

    left: int | None
    right: int | None
    apart: bool = False


def pairs(left: Trace, right: Trace) -> Iterator[Pair]:
    """The steps of both in order; the longest runs of the same steps are put beside each other."""
    mine, theirs = ([(step.actor, step.call) for step in trace.steps] for trace in (left, right))
    for tag, a, a_end, b, b_end in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            for one, other in zip(range(a + 1, a_end + 1), range(b + 1, b_end + 1), strict=True):
                yield Pair(one, other, bool(differences(left, one, right, other)))
        else:
            yield from (Pair(number, None) for number in range(a + 1, a_end + 1))
            yield from (Pair(None, number) for number in range(b + 1, b_end + 1))


def differences(left: Trace, after: int, right: Trace, other: int) -> tuple[Change, ...]:
    """Elements of both traces that differ after these steps: the left's value (`old`) and the right's (`new`)."""
    mine, theirs = _values(left, after), _values(right, other)
    return tuple(Change(name, value, theirs[name]) for name, value in mine.items() if theirs.get(name, value) != value)


def render_diff(left: Trace, right: Trace) -> str:
    """Both as text: `=` both take the step, `~` and are then in different states, `<` and `>` one alone takes it."""
    rows = list(pairs(left, right))
    cells = [(_cell(left, row.left), _cell(right, row.right)) for row in rows]
    width = min(WIDEST, max([len(cell) for cell, _ in cells] + [len(left.header.violated)]))
    lines = [f"   {left.header.violated.ljust(width)}   {right.header.violated}"]
    for row, (mine, theirs) in zip(rows, cells, strict=True):
        lines.append(f"{_mark(row)}  {mine.ljust(width)}   {theirs}".rstrip())
    ends = differences(left, len(left.steps), right, len(right.steps))
    lines += ["", "At the ends" if ends else "They end in the same state"]
    lines += [f"  {change.element}: {change.old} on the left, {change.new} on the right" for change in ends]
    return "".join(f"{line(text)}\n" for text in lines)


def _mark(row: Pair) -> str:
    if row.left is None:
        return ">"
    if row.right is None:
        return "<"
    return "~" if row.apart else "="


def _cell(trace: Trace, number: int | None) -> str:
    if number is None:
        return ""
    step = trace.steps[number - 1]
    return f"{str(number).rjust(len(str(len(trace.steps))))}  {step.actor}  {step.call}"


def _values(trace: Trace, after: int) -> dict[str, str]:
    return {
        var.element(at): show(var.sort, value)
        for var, values in zip(trace.vars, trace.states[after], strict=True)
        for at, value in enumerate(values)
    }
