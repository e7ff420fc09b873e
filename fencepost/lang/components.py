"""The actions that components bring into a protocol, as actions of the protocol's own."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from attrs import evolve, frozen

from fencepost.lang.definitions import ActionDefinition, marked_actions
from fencepost.lang.records import Component, Part, Record, TableField, declared
from fencepost.lang.step import Step
from fencepost.lang.values import Index


@frozen
class _Instance:
    """Where a component lies in the state: the fields that lead to it, and the index classes on the way."""

    path: tuple[str, ...]
    indices: tuple[type[Index], ...]
    component: type[Component]

    def find(self, state: Record, args: tuple[Any, ...]) -> Component:
        """The component's record; `args` begin with its indices."""
        record: Any = state
        remaining = iter(args)
        for name in self.path:
            record = getattr(record, name)
            if not isinstance(record, Record):
                record = record[next(remaining)]
        assert isinstance(record, Component)
        return record

    def lanes(self) -> tuple[tuple[str, type[Index]], ...]:
        """The indices as parameters: named for their class, and numbered where a class comes twice."""
        names = [cls.__name__.lower() for cls in self.indices]
        return tuple(
            (name if names.count(name) == 1 else f"{name}{position}", cls)
            for position, (name, cls) in enumerate(zip(names, self.indices, strict=True))
        )


def component_actions(state: type[Record]) -> Iterator[ActionDefinition]:
    """Every component's actions, in the order of the state.

    An action is called by its own name, after those of the records that lead to it from the
    outermost one on; where two would be called the same, the outermost one's comes first too.
    """
    found = [
        (instance, definition) for instance in _instances(state) for definition in marked_actions(instance.component)
    ]
    short = [".".join((*instance.path[1:], definition.name)) for instance, definition in found]
    times = Counter(short)
    for (instance, definition), name in zip(found, short, strict=True):
        full = name if times[name] == 1 else f"{instance.path[0]}.{name}"
        yield evolve(definition, name=full, function=_placed(instance, definition), lanes=instance.lanes())


def _instances(
    state: type[Record], path: tuple[str, ...] = (), indices: tuple[type[Index], ...] = ()
) -> Iterator[_Instance]:
    for name, field in declared(state):
        if isinstance(field, Part | TableField):
            inner = (*indices, field.index) if isinstance(field, TableField) else indices
            if issubclass(field.record, Component):
                yield _Instance((*path, name), inner, field.record)
            yield from _instances(field.record, (*path, name), inner)


def _placed(instance: _Instance, definition: ActionDefinition) -> Callable[..., None]:
    @functools.wraps(definition.function)
    def function(m: Step, s: Record, *args: Any) -> None:
        definition.function(instance.find(s, args), m, *args[len(instance.indices) :])

    return function
