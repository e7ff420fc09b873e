"""Whom a scheduler owes a turn: an action with one choice of its parameters of Index sorts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from attrs import field, frozen

from fencepost.ir.model import Action, Fairness, Model
from fencepost.ir.sorts import IndexSort, show

Args = tuple[int, ...]


@frozen
class Group:
    """All instances of an action with these values of its Index parameters; they say who acts."""

    action: Action
    who: Args
    """The values, in the order of the parameters."""

    @property
    def fair(self) -> Fairness:
        """What it is owed."""
        return self.action.fair

    @property
    def label(self) -> str:
        """Such as `take(thread=1)`, or the action's name alone."""
        named = [param for param in self.action.params if isinstance(param.sort, IndexSort)]
        pairs = ", ".join(
            f"{param.name}={show(param.sort, value)}" for param, value in zip(named, self.who, strict=True)
        )
        return f"{self.action.name}({pairs})" if named else self.action.name

    def instances(self) -> Iterator[Args]:
        """The arguments of each instance."""
        who = iter(self.who)
        ranges = [
            [next(who)] if isinstance(param.sort, IndexSort) else list(param.sort.values())
            for param in self.action.params
        ]
        yield from itertools.product(*ranges)


@frozen
class Groups:
    """The groups of a model that are owed anything, numbered."""

    every: tuple[Group, ...]
    _numbers: dict[tuple[str, Args], int] = field(eq=False, repr=False)

    @classmethod
    def of(cls, model: Model) -> Groups:
        """In the order of the actions."""
        every = []
        for action in model.actions:
            if action.fair is not Fairness.NONE:
                sorts = [param.sort for param in action.params if isinstance(param.sort, IndexSort)]
                every += [Group(action, who) for who in itertools.product(*(sort.values() for sort in sorts))]
        return cls(tuple(every), {(group.action.name, group.who): number for number, group in enumerate(every)})

    def number(self, action: Action, args: Args) -> int:
        """The group of an instance; -1 if nobody owes it anything."""
        pairs = zip(action.params, args, strict=True)
        who = tuple(value for param, value in pairs if isinstance(param.sort, IndexSort))
        return self._numbers.get((action.name, who), -1)
