"""The report for a person: plain text whose words do not depend on the terminal, only its colours do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import assert_never

from rich.console import Console
from rich.text import Text

from fencepost.check import Check, Decision
from fencepost.errors import Location
from fencepost.ir.model import Model, Property
from fencepost.trace.text import render_text
from fencepost.verdict import Run, Stop, Verdict

Line = Text
_MARGIN = "  "


def print_report(check: Check, console: Console, *, default: str, quiet: bool = False) -> None:
    """Print the whole report, or with `quiet` the verdicts alone.

    `default` is the name of the protocol without a variant.
    """
    for line in _verdicts(check) if quiet else report(check, default):
        console.print(line, soft_wrap=True, highlight=False)


def report(check: Check, default: str) -> Iterator[Line]:
    """The report, line by line."""
    yield from _header(check, default)
    yield Text()
    yield from _verdicts(check)
    yield from _unreached(check)
    yield from _beyond(check)
    if check.counted:
        yield Text()
        yield from _actions(check)
    for decision in check.decisions:
        for number, trace in enumerate(decision.traces, 1):
            yield Text()
            if number > 1:
                yield Text(f"Of another cause ({number}):", style="bold")
            yield Text(render_text(trace).rstrip("\n"))


_LEVELS = 8
"""Levels whose numbers of states are shown, the last ones."""


def _beyond(check: Check) -> Iterator[Line]:
    """Where a verdict holds to a depth alone, since a search went no further: how the states grow, what is beyond."""
    open_ = any(decision.verdict is Verdict.NO_VIOLATION for decision in check.decisions)
    run = next((run for run in check.runs if run.levels and run.stop not in (Stop.EXHAUSTED, Stop.DECIDED)), None)
    if not open_ or run is None:
        return
    levels = run.levels[: run.depth + 1]
    first = max(0, len(levels) - _LEVELS)
    numbers = ", ".join(f"{number:,}" for number in levels[first:])
    found = (run.states or 0) - sum(levels)
    looked = f"{amount(found, 'state')} of depth {run.depth + 1}, not all of them checked" if found else "no state"
    yield Text()
    yield Text(f"To depth {run.depth} says nothing of a violation that takes more steps (docs/limits.md).")
    yield Text(f"{_MARGIN}new states at depth {first} to {len(levels) - 1}: {numbers}{_growth(levels)}")
    yield Text(f"{_MARGIN}found beyond it: {looked}")


def _growth(levels: Sequence[int]) -> str:
    """How the last level compares with the one before it."""
    if len(levels) < 2:
        return ""
    factor = levels[-1] / levels[-2]
    return f"; the last level has {factor:.2f} times the states of the one before"


def verdict_words(decision: Decision) -> str:
    """The verdict with its bound."""
    word: str = decision.verdict.value
    return f"{word} {decision.depth}" if decision.verdict is Verdict.NO_VIOLATION else word


def remark(decision: Decision, *, several: bool) -> str:
    """What stands beside the verdict; where `several` engines ran, which gave it."""
    parts = [decision.why] if decision.why else []
    if several and decision.engines:
        parts.append(f"by {' and '.join(decision.engines)}")
    if decision.reached is not None and decision.verdict is not Verdict.VIOLATED:
        steps = decision.reached.steps
        parts.append(
            f"exercised from depth {steps}" if decision.reached.least else f"exercised within {amount(steps, 'step')}"
        )
    if decision.anchor is not None:
        parts.append(f"see docs/findings.md#{decision.anchor}")
    return ", ".join(parts)


def _style(verdict: Verdict) -> str:
    match verdict:
        case Verdict.PROVED | Verdict.EXHAUSTED | Verdict.NO_VIOLATION:
            return "green"
        case Verdict.VIOLATED:
            return "bold red"
        case Verdict.INCONCLUSIVE | Verdict.VACUOUS:
            return "yellow"
        case _:
            assert_never(verdict)


def _actions(check: Check) -> Iterator[Line]:
    counts = check.actions
    rows = [["action", "actor", "kind", "enabled", "fired"]]
    for action in check.model.actions:
        count = counts[action.name]
        rows.append([action.name, action.actor.name, action.kind.value, f"{count.enabled:,}", f"{count.fired:,}"])
    padded = columns(rows, right=(3, 4))
    yield Text("  ".join(padded[0]).rstrip(), style="dim")
    for action, cells in zip(check.model.actions, padded[1:], strict=True):
        fired = counts[action.name].fired
        yield Text("  ".join(cells) + ("" if fired else "  never fired"), style="" if fired else "yellow")
