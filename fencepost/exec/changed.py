"""What differs between two states of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from fencepost.exec.interpreter import State
from fencepost.ir.expr import Var
from fencepost.ir.sorts import show


@frozen
class Changed:
    """An element and its two values. `number` is its place in the whole state, `position` that in its variable."""

    number: int
    var: Var
    position: int
    before: int
    after: int

    @property
    def element(self) -> str:
        """Its name, such as `queues[1].waits`."""
        return self.var.element(self.position)

    @property
    def old(self) -> str:
        """The value before, as shown."""
        return show(self.var.sort, self.before)

    @property
    def new(self) -> str:
        """The value after, as shown."""
        return show(self.var.sort, self.after)


def changed(variables: Sequence[Var], before: State, after: State) -> Iterator[Changed]:
    """The elements that have another value in the second state, in the order of the variables."""
    first = 0
    for var, olds, news in zip(variables, before, after, strict=True):
        for position, (old, new) in enumerate(zip(olds, news, strict=True)):
            if old != new:
                yield Changed(first + position, var, position, old, new)
        first += len(olds)
