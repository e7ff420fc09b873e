"""Which earlier steps a value comes from: a dynamic slice, followed forwards while a run is taken again.

A value comes from the step that assigned it and from the steps that the values come from of which
it was made: those that were read for it, for its place and for the branches around it. Guards are
not among them: that a step could be taken says when a value came about, not what it is.
"""

from __future__ import annotations

from collections.abc import Collection

from attrs import field, mutable

from fencepost.ir.expr import Var

Steps = frozenset[int]
"""Numbers of steps, from 1."""

NONE: Steps = frozenset()

Element = tuple[Var, int]
"""A variable, and the row-major position in it."""


@mutable
class Origins:
    """Where the elements' values come from, told by the interpreter step by step."""

    number: int = 0
    now: dict[Element, Steps] = field(factory=dict)
    _at: dict[int, dict[Element, Steps]] = field(factory=dict)
    _read: list[Steps] = field(factory=list)
    _seen: list[Element] = field(factory=list)
    _branches: list[Steps] = field(factory=list)

    def begin(self, number: int) -> None:
        """The step of that number begins."""
        self.number, self._at, self._branches = number, {}, []
        self._read.clear()
        self._seen.clear()
        self.reached(0)

    def read(self, var: Var, position: int, epoch: int) -> None:
        self._seen.append((var, position))
        self._read.append(self._at[epoch].get((var, position), NONE))

    def guarded(self) -> None:
        self._read.clear()

    def assigned(self, var: Var, position: int) -> None:
        self.now[var, position] = self._taken().union((self.number,), *self._branches)

    def entered(self) -> None:
        self._branches.append(self._taken())

    def left(self) -> None:
        self._branches.pop()

    def reached(self, epoch: int) -> None:
        self._at[epoch] = dict(self.now)

    def of(self, elements: Collection[str]) -> Steps:
        """The steps that the values of these elements come from; they are named as in traces."""
        return NONE.union(*(steps for (var, at), steps in self.now.items() if var.element(at) in elements))

    def of_reads(self) -> Steps:
        """The steps that all comes from which the step under way has read so far."""
        return NONE.union(*(self.now.get(element, NONE) for element in self._seen))

    def _taken(self) -> Steps:
        """The origins of all that was read since the last call."""
        taken = NONE.union(*self._read)
        self._read.clear()
        return taken
