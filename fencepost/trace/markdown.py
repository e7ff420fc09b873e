"""A trace for a pull request: what is violated, what happens in a column an actor, why, and how to replay it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from fencepost.trace.escape import block, code, line, prose
from fencepost.trace.fold import Fold, Scene, actors, scenes
from fencepost.trace.lifecycle import Life, lives, subject_name
from fencepost.trace.mermaid import render_mermaid
from fencepost.trace.model import Blocked, Event, Explanation, Header, Reading, Trace


def render_markdown(trace: Trace, *, file: str = "TRACE.itf.json", protocol: str = "") -> str:
    """The trace as a Markdown page.

    `file` is where the trace itself lies, and `protocol` the file of a protocol that is not
    installed, for the command to replay it.
    """
    where = ["--protocol", protocol] if protocol else []
    command = " ".join(shlex.quote(line(word)) for word in ("verify", "replay", file, *where))
    sections = [
        _top(trace),
        f"## What happens\n\n{_table(_events(trace))}",
        f"## Why\n\n{_lines(_why(trace.explanation))}",
        *_lifecycle(lives(trace)),
        f"## Sequence\n\n{block(render_mermaid(trace), 'mermaid')}",
        _details("Every step, what it changes and the code it stands for", _table(_steps(trace))),
        f"## Replay\n\n{block(command, 'sh')}",
    ]
    return "\n".join(sections)


def _top(trace: Trace) -> str:
    header, count = trace.header, len(trace.steps)
    title = f"# {code(header.violated)} is violated after {count} {'step' if count == 1 else 'steps'}\n"
    return f"{title}\n> {prose(header.statement)}\n\n{_lines(_setting(header))}"


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


def _why(explanation: Explanation) -> Iterator[str]:
    yield f"- Fails: {code(explanation.fails)}"
    if explanation.bindings:
        yield f"- For {', '.join(f'{code(bound.name)} = {code(bound.value)}' for bound in explanation.bindings)}"
    for given in explanation.given:
        yield f"- Although {code(given)}"
    if explanation.readings:
        yield f"- Where {_values(explanation.readings)}"
    for blocked in explanation.blocked:
        yield f"- {_refusal(blocked)}"
    if explanation.earlier:
        yield f"- and {explanation.earlier} more refused earlier"


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
