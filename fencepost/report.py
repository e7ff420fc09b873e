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
from fencepost.trace.induction import render_induction
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
    yield Text()
    if check.counted:
        yield from _actions(check)
    else:
        yield Text(_UNCOUNTED, style="dim")
    for decision in check.decisions:
        for number, trace in enumerate(decision.traces, 1):
            yield Text()
            if number > 1:
                yield Text(f"Of another cause ({number}):", style="bold")
            yield Text(render_text(trace).rstrip("\n"))
    yield from _gaps(check)


_UNCOUNTED = "no actions were counted: which of them never fire is told by explore, walk and verify coverage"

_GAPS = 3
"""Of what is no lemma, so many gaps are shown."""


def _gaps(check: Check) -> Iterator[Line]:
    """Where a proof by induction came to nothing: for each lemma, and for the first of the others."""
    gaps = [gap for run in check.runs for gap in run.gaps]
    others = [gap for gap in gaps if not gap.lemma]
    stated = {prop.name: prop.statement for prop in (*check.model.properties, *check.model.lemmas)}
    for gap in [gap for gap in gaps if gap.lemma] + others[:_GAPS]:
        fails = f"{gap.name}: {stated[gap.name]}" if gap.name in stated else gap.name
        yield Text()
        wrong = gap.state == tuple(var.init for var in check.model.vars)
        what = "is violated, so it helps nobody" if wrong else "does not follow by induction"
        yield Text(f"{'lemma ' * gap.lemma}{gap.name} {what}", style="yellow")
        yield Text(render_induction(check.model, gap.state, gap.path, fails).rstrip("\n"))
    if more := [gap.name for gap in others[_GAPS:]]:
        yield Text()
        yield Text(f"nor do {', '.join(more)}", style="yellow")


def title(model: Model, default: str) -> str:
    """The protocol and its variant; `default` is the name of the protocol without one."""
    return f"{model.protocol}, {f'variant {model.variant}' if model.variant else default}"


def in_one_line(decision: Decision, prop: Property | None) -> str:
    """A decision where there is no table to put it in. `prop` is its property, if it is of one."""
    statement = f" {prop.statement}" if prop is not None else ""
    return f"{decision.name}: {verdict_words(decision)}, {remark(decision, several=False)}.{statement}"


ATTENTION = {Verdict.VIOLATED: "error", Verdict.INCONCLUSIVE: "warning", Verdict.VACUOUS: "warning"}
"""How much attention a verdict needs, in the words of tools that show findings; the others need none."""


def about(model: Model, decision: Decision) -> tuple[str, Location | None]:
    """What a decision is about, and where that is written: the run's last action; without a run, the property.

    A file outside the working directory has no address that means anything elsewhere: then it is nowhere.
    """
    prop = property_of(model, decision)
    if decision.trace is not None and decision.trace.steps:
        action = model.action(decision.trace.steps[-1].action.name)
        return action.name, within_reach(action.at)
    return (model.protocol, None) if prop is None else (prop.name, within_reach(prop.at))


def within_reach(at: Location | None) -> Location | None:
    """The place, if it is below the working directory."""
    return None if at is None or PurePath(at.file).is_absolute() else at


def property_of(model: Model, decision: Decision) -> Property | None:
    """The property that was decided; None for obligations."""
    return next((prop for prop in model.properties if prop.name == decision.name), None)


def instances(model: Model) -> int:
    """How many actions with arguments the model has."""
    total = 0
    for action in model.actions:
        count = 1
        for param in action.params:
            count *= param.sort.size
        total += count
    return total


def amount(number: int, what: str) -> str:
    """A number of things, such as `8,100 states` or `1 state`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[list[str]]:
    """The cells of a table padded to their columns' widths; columns in `right` are set flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


def _header(check: Check, default: str) -> Iterator[Line]:
    model = check.model
    yield Text(title(model, default), style="bold")
    rows = [
        ["sizes", " ".join(f"{name}={count}" for name, count in model.sizes) or "none"],
        ["features", " ".join(model.features) or "none"],
        ["model", _size(model)],
        *([["guards off", " ".join(model.without)]] if model.without else []),
        *([run.engine, _what_it_did(run)] for run in check.runs if run.stop is not Stop.MISSING),
        *([name, f"MISSING: {reason}"] for name, reason in check.missing.items()),
        *(["symmetry", f"{name} left out: {why}"] for name, why in check.symmetry_left_out.items()),
        *([["first", " and ".join(check.first)]] if check.first else []),
    ]
    cut = max((run.cut or 0 for run in check.runs), default=0)
    if cut:
        rows.append(["cut", f"{amount(cut, 'state')} stopped by a bound alone"])
    for label, text in columns(rows):
        yield Text(f"{_MARGIN}{label}  {text}".rstrip())


def _size(model: Model) -> str:
    parts = ((model.bits, "bit"), (len(model.actions), "action"), (instances(model), "action instance"))
    return ", ".join(amount(number, what) for number, what in parts)


def _what_it_did(run: Run) -> str:
    of = "orbit" if run.symmetry else "state"
    counts = [amount(n, what) for n, what in ((run.states, of), (run.transitions, "transition")) if n is not None]
    if run.depth > 0:
        counts.append(f"depth {run.depth}")
    if run.symmetry:
        counts.append(f"under symmetry of {' and '.join(run.symmetry)}")
    because = f" ({run.reason})" if run.reason else ""
    did = f"{_stopped(run.stop)}{because}" + (": " + ", ".join(counts) if counts else "")
    return "; ".join((did, *(f"nothing of {', '.join(names)}: {why}" for why, names in _silent(run).items())))


def _silent(run: Run) -> dict[str, list[str]]:
    """The properties of which an engine that came to its end says nothing, by the reason why."""
    reasons: dict[str, list[str]] = {}
    if run.stop not in (Stop.INTERRUPTED, Stop.MEMORY, Stop.CANCELLED):
        for name, why in run.partial.items():
            if run.bounds.get(name, -1) < 0:
                reasons.setdefault(why, []).append(name)
    return reasons


def _stopped(stop: Stop) -> str:
    match stop:
        case Stop.EXHAUSTED:
            return "every state reached"
        case Stop.DEPTH:
            return "to the depth asked for"
        case Stop.SAMPLED:
            return "sampled"
        case Stop.DECIDED:
            return "every property decided"
        case Stop.TIMEOUT:
            return "stopped by the time limit"
        case Stop.MEMORY:
            return "stopped by the memory limit"
        case Stop.INTERRUPTED:
            return "interrupted"
        case Stop.CANCELLED:
            return "cancelled"
        case Stop.FAILED:
            return "failed"
        case Stop.MISSING:
            return "MISSING"
        case _:
            assert_never(stop)


def _verdicts(check: Check) -> Iterator[Line]:
    several = len(check.runs) > 1
    rows = [[decision.name, verdict_words(decision), remark(decision, several=several)] for decision in check.decisions]
    for decision, (name, verdict, why) in zip(check.decisions, columns(rows), strict=True):
        line = Text(f"{name}  ")
        line.append(verdict, style=_style(decision.verdict))
        line.append(f"  {why}".rstrip())
        yield line
    if not check.model.properties:
        yield Text("no properties: only ranges, indices and live fields were checked", style="yellow")


def _unreached(check: Check) -> Iterator[Line]:
    """Where each property is written that says nothing, and what to do about it."""
    for decision in check.decisions:
        prop = property_of(check.model, decision)
        if decision.verdict is Verdict.VACUOUS and prop is not None:
            at = within_reach(prop.at)
            yield Text()
            yield Text(
                f"{'' if at is None else f'{at}: '}{prop.name} says nothing: no step leads to what it speaks of; "
                "mend its twin or the guards on the way there, or choose sizes and features at which it happens"
            )


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
