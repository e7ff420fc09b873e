"""A trace for a pull request: what is violated, what happens in a column an actor, why, and how to replay it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from fencepost.trace.causes import SAME_RUN, Reasons, steps_named
from fencepost.trace.escape import block, code, line, prose
from fencepost.trace.fold import Fold, Scene, actors, scenes
from fencepost.trace.lifecycle import Life, lives, subject_name
from fencepost.trace.mermaid import render_mermaid
from fencepost.trace.model import Blocked, Event, Explanation, Header, Lasso, Reading, Starved, Trace
from fencepost.trace.text import for_ever, never


def replay_command(file: str, protocol: str = "") -> str:
    """What replays the trace in `file`; `protocol` is the file of a protocol that is not installed."""
    where = ["--protocol", protocol] if protocol else []
    return " ".join(shlex.quote(line(word)) for word in ("verify", "replay", file, *where))


def render_markdown(trace: Trace, why: Reasons | None = None, *, command: str = "verify replay TRACE.itf.json") -> str:
    """The trace as a Markdown page. `why` is left out where the trace's model is not there; `command` replays it."""
    sections = [
        _top(trace),
        f"## What happens\n\n{_table(_events(trace))}{_ending(trace)}",
        f"## Why\n\n{_lines(_why(trace.explanation, trace.lasso, why))}",
        *_lifecycle(lives(trace)),
        f"## Sequence\n\n{block(render_mermaid(trace), 'mermaid')}",
        _details("Every step, what it changes and the code it stands for", _table(_steps(trace))),
        f"## Replay\n\n{block(command, 'sh')}",
    ]
    return "\n".join(sections)


def _top(trace: Trace) -> str:
    header, count = trace.header, len(trace.steps)
    title = (
        f"# {code(header.violated)} is violated after {count} {'step' if count == 1 else 'steps'}{for_ever(trace)}\n"
    )
    return f"{title}\n> {prose(header.statement)}\n\n{_lines(_setting(header))}"


def _ending(trace: Trace) -> str:
    return f"\n{trace.ending[0].upper()}{trace.ending[1:]}.\n" if trace.ending else ""


def _setting(header: Header) -> Iterator[str]:
    variant = "" if header.variant is None else f", variant {code(header.variant)}"
    yield f"- Protocol: {code(header.protocol)}{variant}"
    if header.sizes:
        yield f"- Sizes: {', '.join(f'{prose(name)} {count}' for name, count in header.sizes)}"
    if header.features:
        yield f"- With: {', '.join(map(code, header.features))}"
    if header.without:
        yield f"- Guards switched off: {', '.join(map(code, header.without))}"
    if header.protects:
        yield f"- Protects: {code(header.protects)}"


def _events(trace: Trace) -> Iterator[list[str]]:
    """A row an event, in the column of its actor; the steps between two events share a row."""
    columns = actors(trace)
    yield ["#", *map(prose, columns)]
    for scene in scenes(trace, folded=True):
        match scene:
            case Fold():
                made = {actor: [code(s.call) for s in scene.steps if s.actor == actor] for actor in columns}
                yield [scene.numbers, *(f"… {', '.join(calls)}" if calls else "" for calls in made.values())]
            case Scene(number, step):
                told = "<br>".join([code(step.call), *_milestones(step.notes, step.broken)])
                yield [str(number), *(told if actor == step.actor else "" for actor in columns)]


def _milestones(notes: Iterable[Event], broken: str) -> Iterator[str]:
    for note in notes:
        subject = "" if note.subject is None else f"{prose(subject_name(note.subject))}: "
        yield f"**{subject}{prose(note.text)}**"
    if broken:
        yield f"**{prose(broken)}**"


def _steps(trace: Trace) -> Iterator[list[str]]:
    yield ["#", "Actor", "Step", "Changes", "Stands for"]
    for number, step in enumerate(trace.steps, 1):
        changes = [f"{code(c.element)}: {code(c.old)} → {code(c.new)}" for c in trace.changes(number)]
        changed = prose(step.broken) if step.broken else "<br>".join(changes)
        yield [str(number), prose(step.actor), code(step.call), changed, code(step.action.src)]


def _why(explanation: Explanation, lasso: Lasso | None, why: Reasons | None) -> Iterator[str]:
    yield f"- Fails: {code(explanation.fails)}{'' if lasso is None else never(lasso)}"
    if explanation.bindings:
        yield f"- For {', '.join(f'{code(bound.name)} = {code(bound.value)}' for bound in explanation.bindings)}"
    for given in explanation.given:
        yield f"- Although {code(given)}"
    if explanation.readings:
        yield f"- Where {_values(explanation.readings)}"
    for starved in () if lasso is None else lasso.starved:
        yield f"- {_turn(starved)}"
    for blocked in explanation.blocked:
        yield f"- {_refusal(blocked)}"
    if explanation.earlier:
        yield f"- and {explanation.earlier} more refused earlier"
    if why is not None:
        yield from _reasons(why)


def _reasons(why: Reasons) -> Iterator[str]:
    for wait in why.waits:
        yield f"- {prose(wait.actor)} waits for {prose(wait.waits_for)}: {'; '.join(map(code, wait.steps))}"
    if why.causes:
        yield f"- These values come from {steps_named(why.causes)}"
    for parting in why.partings:
        yield f"- With {code(why.other or '')}, step {parting.step} {prose(parting.why)}"
    if why.other is not None and not why.partings:
        yield f"- {code(why.other)} {SAME_RUN}"


def _turn(starved: Starved) -> str:
    at = f"after step {starved.after}" if starved.after else "at the start"
    where = f": {_values(starved.readings)}" if starved.readings else ""
    told = f"is owed no turn: it can be taken now and then, but {at} {code(starved.guard)} does not hold{where}"
    return f"{code(starved.call)} {told}"


def _refusal(blocked: Blocked) -> str:
    where = f": {_values(blocked.readings)}" if blocked.readings else ""
    return f"{code(blocked.call)} cannot be taken, {code(blocked.guard)} does not hold{where}"


def _values(readings: Iterable[Reading]) -> str:
    return ", ".join(f"{code(reading.element)} is {code(reading.value)}" for reading in readings)


def _lifecycle(told: tuple[Life, ...]) -> Iterator[str]:
    if told:
        lines = _lines(line(life.line) + ("   <- at fault" if life.at_fault else "") for life in told)
        yield f"## Lifecycle\n\n{block(lines, 'text')}"


def _details(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"


def _table(rows: Iterable[list[str]]) -> str:
    """A table whose first row is its head and whose first column is numbers."""
    head, *body = rows
    rule = ["--:", *(["---"] * (len(head) - 1))]
    return _lines(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{text}\n" for text in lines)
