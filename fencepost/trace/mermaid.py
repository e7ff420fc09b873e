"""A trace as a Mermaid sequence diagram: a life line an actor, a note an event."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.trace.escape import mermaid
from fencepost.trace.fold import Fold, Scene, actors, scenes
from fencepost.trace.model import Trace
from fencepost.trace.text import event_text


def render_mermaid(trace: Trace) -> str:
    """The diagram's text, without a fence. Steps between milestones are folded."""
    return "".join(f"{line}\n" for line in _lines(trace))


def _lines(trace: Trace) -> Iterator[str]:
    names = {actor: f"A{number}" for number, actor in enumerate(actors(trace))}
    yield "sequenceDiagram"
    for actor, name in names.items():
        yield f"    participant {name} as {mermaid(actor)}"
    loop = None if trace.lasso is None or trace.lasso.back == len(trace.steps) else trace.lasso.back + 1
    for scene in scenes(trace, folded=True):
        if loop is not None and (scene.first if isinstance(scene, Fold) else scene.number) == loop:
            yield "    loop for ever"
        match scene:
            case Fold(steps=steps):
                label = f"{scene.numbers}. ... {len(steps)} {'step' if len(steps) == 1 else 'steps'}"
                yield f"    Note over {_span([names[step.actor] for step in steps])}: {mermaid(label)}"
            case Scene(number, step):
                told = [step.call, *map(event_text, step.notes), *([step.broken] if step.broken else [])]
                label = "<br/>".join(mermaid(text) for text in (f"{number}. {told[0]}", *told[1:]))
                yield f"    Note over {names[step.actor]}: {label}"
    if loop is not None:
        yield "    end"
    if names:
        yield f"    Note over {_span(list(names.values()))}: {mermaid(f'{trace.header.violated} is violated')}"


def _span(names: list[str]) -> str:
    """The leftmost and the rightmost of the participants."""
    ordered = sorted(set(names), key=lambda name: int(name[1:]))
    return ordered[0] if len(ordered) == 1 else f"{ordered[0]},{ordered[-1]}"
