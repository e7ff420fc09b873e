"""Every way into the violation of a property, the shortest first: steps from where it holds to where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fencepost.exec.codegen import Steps, compile_steps, compile_watches
from fencepost.exec.lower_model import Watch
from fencepost.ir.model import Model, Property
from fencepost.verdict import Label, Path

_BATCH = 1024
"""States between two pauses."""


def ways(model: Model, prop: Property, depth: int | None, pause: Callable[[], None]) -> Iterator[Path]:
    """Runs of at most `depth` steps of which the last is the first to violate the property, in generated Python.

    A violating state is reported once, by a shortest run to it, and not gone on from: what follows is no
    other violation. `pause` is called now and then, and raises to end the search. Where an obligation of
    the property breaks, it is not said to be violated.
    """
    steps = compile_steps(model)
    watches = compile_watches(steps.layout, [Watch(prop.name, prop.holds, False)])
    violating: set[int] = set()

    def note(state: int, _watch: int, obligation: int) -> None:
        if obligation < 0:
            violating.add(state)

    start = steps.layout.pack(tuple(var.init for var in model.vars))
    parents: dict[int, tuple[int, Label] | None] = {start: None}
    level, length = [start], 0
    while level:
        violating.clear()
        watches.check(level, note)
        yield from (_path(parents, state) for state in level if state in violating)
        if length == depth:
            return
        level = _expanded(steps, [state for state in level if state not in violating], parents, pause)
        length += 1


def _expanded(
    steps: Steps, level: list[int], parents: dict[int, tuple[int, Label] | None], pause: Callable[[], None]
) -> list[int]:
    """The states that are new a step on."""
    new = []
    for number, state in enumerate(level):
        if number % _BATCH == 0:
            pause()
        for instance, after in steps.successors(state)[0]:
            if after not in parents:
                parents[after] = (state, steps.instances[instance].label)
                new.append(after)
    return new


def _path(parents: dict[int, tuple[int, Label] | None], state: int) -> Path:
    labels = []
    while (before := parents[state]) is not None:
        state, label = before
        labels.append(label)
    return tuple(reversed(labels))
