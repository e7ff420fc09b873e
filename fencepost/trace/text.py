"""A trace for a terminal: one line a step, then what fails and why."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.trace.escape import line
from fencepost.trace.fold import Fold, Scene, scenes
from fencepost.trace.lifecycle import lives, subject_name
from fencepost.trace.model import Blocked, Event, Explanation, Header, Lasso, Reading, Starved, Trace

LONG = 24
"""Traces of more steps than this are folded unless the caller says otherwise."""
WIDEST = 36
"""A column is padded at most to this."""


def render_text(trace: Trace, *, folded: bool | None = None) -> str:
    """The trace as lines of text. `folded` hides the steps between milestones; None for long traces only."""
    if folded is None:
        folded = len(trace.steps) > LONG
    ending = [f"  {trace.ending}"] if trace.ending else []
    lines = [*summary(trace), "", *step_lines(trace, folded), *ending, "", *why(trace.explanation, trace.lasso)]
    told = [f"  {life.line}{'   <- at fault' if life.at_fault else ''}" for life in lives(trace)]
    if told:
        lines += ["", "Lifecycle", *told]
    return "".join(f"{line(text).rstrip()}\n" for text in lines)


def summary(trace: Trace) -> Iterator[str]:
    """What is violated, and by which model."""
    header, count = trace.header, len(trace.steps)
    yield f"{header.violated} is violated after {count} {'step' if count == 1 else 'steps'}{for_ever(trace)}"
    yield f"  {header.statement}"
    yield f"  {'; '.join(setting(header))}"


def for_ever(trace: Trace) -> str:
    """Which of the steps are taken again and again, to be added to how many there are."""
    if trace.lasso is None:
        return ""
    loop = len(trace.steps) - trace.lasso.back
    if not loop:
        return ", and nothing more happens"
    if loop == len(trace.steps):
        return ", taken for ever"
    return f", the last {f'{loop} of them' if loop > 1 else 'one'} for ever"


def setting(header: Header) -> Iterator[str]:
    """The model's name and what was chosen about it."""
    yield header.protocol if header.variant is None else f"{header.protocol}, variant {header.variant}"
    if header.sizes:
        yield " ".join(f"{name}={count}" for name, count in header.sizes)
    if header.features:
        yield f"with {', '.join(header.features)}"
    if header.without:
        yield f"without {', '.join(header.without)}"


def step_lines(trace: Trace, folded: bool) -> Iterator[str]:
    """One line a step, in columns; under it a line for each of its notes."""
    columns = [step.actor for step in trace.steps], [step.call for step in trace.steps]
    widths = [len(str(len(trace.steps)))]
    widths += [min(WIDEST, max(map(len, column), default=0)) for column in columns]
    for scene in scenes(trace, folded=folded):
        match scene:
            case Fold():
                yield f"  {scene.numbers.rjust(widths[0])}  {_folded(scene)}"
            case Scene(number, step, event):
                cells = (str(number).rjust(widths[0]), step.actor.ljust(widths[1]), step.call.ljust(widths[2]))
                changed = ", ".join(f"{c.element}: {c.old} -> {c.new}" for c in trace.changes(number))
                yield f"  {'  '.join(cells)}  {step.broken or changed or 'no change'}  [{step.action.src}]"
                for note in step.notes:
                    yield f"  {' ' * widths[0]}  ({event}) {event_text(note)}"


def _folded(fold: Fold) -> str:
    """The steps of a fold by actor, in the order of their first step."""
    calls: dict[str, list[str]] = {}
    for step in fold.steps:
        calls.setdefault(step.actor, []).append(step.call)
    return "... " + "; ".join(f"{actor}: {', '.join(made)}" for actor, made in calls.items())


def event_text(note: Event) -> str:
    """A note, after the subject that it tells of."""
    return note.text if note.subject is None else f"{subject_name(note.subject)}: {note.text}"


def why(explanation: Explanation, lasso: Lasso | None = None) -> Iterator[str]:
    """What fails, for which values, and what it looked at; of a run without an end, who is owed no turn."""
    yield f"Fails: {explanation.fails}{'' if lasso is None else never(lasso)}"
    if explanation.bindings:
        yield f"  for {', '.join(f'{bound.name} = {bound.value}' for bound in explanation.bindings)}"
    for given in explanation.given:
        yield f"  although {given}"
    for reading in explanation.readings:
        yield f"  {_value(reading)}"
    for starved in () if lasso is None else lasso.starved:
        yield f"  {turn(starved)}"
        if starved.readings:
            yield f"      {', '.join(map(_value, starved.readings))}"
    for blocked in explanation.blocked:
        yield f"  {refusal(blocked)}"
        if blocked.readings:
            yield f"      {', '.join(map(_value, blocked.readings))}"
    if explanation.earlier:
        yield f"  and {explanation.earlier} more refused earlier"


def never(lasso: Lasso) -> str:
    """From when on the goal is waited for."""
    return f", from step {lasso.since} on" if lasso.since else ", from the start on"


def turn(starved: Starved) -> str:
    """Why a step that is enabled now and then is owed no turn."""
    at = f"after step {starved.after}" if starved.after else "at the start"
    return f'{starved.call} is owed no turn: it can be taken now and then, but {at} "{starved.guard}" does not hold'


def refusal(blocked: Blocked) -> str:
    """Which step cannot be taken, and by which guard."""
    return f'{blocked.call} cannot be taken: "{blocked.guard}" does not hold'


def _value(reading: Reading) -> str:
    return f"{reading.element} = {reading.value}"
