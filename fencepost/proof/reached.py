"""The states that a search reaches, as sets of bits: which clauses hold in all of them is seen there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from fencepost.aig.circuit import Circuit
from fencepost.aig.cone import support
from fencepost.aig.graph import TRUE
from fencepost.errors import InternalError
from fencepost.exec.layout import WORD
from fencepost.proof.clause import Clause, Literal, Membership, ordered
from fencepost.verdict import Path

Set = NDArray[np.uint64]
"""A set of states, a bit a state."""

_CHUNK = 1024
"""Words of sets that a condition is evaluated over at a time."""


@frozen(eq=False)
class Column:
    """An element of the state, or one index of a set: in which states it has each (packed) value."""

    at: int
    item: int | None
    first: int
    """Its lowest latch."""
    width: int
    lo: int
    seen: Mapping[int, Set]
    counts: Mapping[int, int]

    def unlike(self, values: Collection[int], size: int) -> Literal | Membership:
        """That it has none of these values."""
        if self.item is not None:
            return Membership(self.at, self.item, 0 in values)
        return Literal(self.at, tuple(v + self.lo for v in range(size) if v not in values))


Cube = dict[int, frozenset[int]]
"""By the number of a column, which values it has."""


@define(eq=False)
class Reached:
    """Every state that can be reached, numbered as they were found."""

    count: int
    columns: tuple[Column, ...]
    sizes: tuple[int, ...]
    """How many values each column's sort has."""
    path: Callable[[int], Path]
    """A shortest run to a state."""
    close: Callable[[], None]
    _latches: dict[int, Set] = field(factory=dict)

    def first(self, circuit: Circuit, literal: int) -> int | None:
        """The first state in which a condition on the state holds; the circuit is that of the model."""
        if literal <= TRUE:
            return 0 if literal == TRUE else None
        seen: set[int] = set()
        support(circuit.graph, [literal], seen)
        gates = [(var, pair) for var in sorted(seen) if (pair := circuit.graph.gate(2 * var)) is not None]
        latches = {one.literal >> 1: n for n, one in enumerate(circuit.latches) if one.literal >> 1 in seen}
        for start in range(0, -(-self.count // WORD), _CHUNK):
            values = {var: self._latch(place)[start : start + _CHUNK] for var, place in latches.items()}
            for var, (a, b) in gates:
                values[var] = _signed(values[a >> 1], a) & _signed(values[b >> 1], b)
            hits = np.flatnonzero(
                np.unpackbits(_signed(values[literal >> 1], literal).view(np.uint8), bitorder="little")
            )
            if len(hits) and start * WORD + hits[0] < self.count:
                return int(start * WORD + hits[0])
        return None

    def _latch(self, place: int) -> Set:
        if place not in self._latches:
            column = next(c for c in self.columns if c.first <= place < c.first + c.width)
            ones = [states for value, states in column.seen.items() if value >> (place - column.first) & 1]
            self._latches[place] = _union(ones, self._words)
        return self._latches[place]

    @property
    def _words(self) -> int:
        return -(-self.count // WORD)

    def against(self, values: Sequence[int], among: Collection[int]) -> Clause:
        """A clause that holds in every reached state, but not where some columns, by number, have these values.

        Few literals are chosen, and each is then made as strong as it can be.

        Raises:
            InternalError: there is such a state.
        """
        cube = self._few(values, among)
        for number in [*cube]:
            rest = {other: vals for other, vals in cube.items() if other != number}
            if rest and self._meet(rest) is None:
                cube = rest
        for number in [*cube]:
            met = self._meet({other: vals for other, vals in cube.items() if other != number})
            seen = self.columns[number].seen
            left = [v for v, states in seen.items() if met is None or (met[1] & states[met[0]]).any()]
            cube[number] = frozenset(range(1 << self.columns[number].width)) - frozenset(left)
        return ordered(self.columns[number].unlike(vals, self.sizes[number]) for number, vals in cube.items())

    def _few(self, values: Sequence[int], among: Collection[int]) -> Cube:
        """Columns whose values no reached state has together: the rarest first, then what leaves fewest states."""
        waiting = sorted(among, key=lambda number: (self.columns[number].counts.get(values[number], 0), number))
        cube: Cube = {}
        places, left = np.arange(0), np.zeros(0, dtype=np.uint64)
        while waiting:
            if cube:
                sets = [left & self.columns[n].seen[values[n]][places] for n in waiting]
                sizes = [int(np.bitwise_count(states).sum()) for states in sets]
                best = min(range(len(waiting)), key=sizes.__getitem__)
                number, left = waiting.pop(best), sets[best]
            else:
                number, best = waiting.pop(0), 0
                states = self.columns[number].seen.get(values[number])
                if states is None:
                    return {number: frozenset([values[number]])}
                places, left = np.flatnonzero(states), states[states != 0]
            cube[number] = frozenset([values[number]])
            some = left != 0
            places, left = places[some], left[some]
            if not len(places):
                return cube
        raise InternalError("a step leads from a reached state to one that was not reached")

    def _meet(self, cube: Cube) -> tuple[NDArray[np.intp], Set] | None:
        """The states in which all columns of a cube have these values, as places of words and words; None if none."""
        met: tuple[NDArray[np.intp], Set] | None = None
        for number in sorted(cube, key=lambda n: sum(self.columns[n].counts.get(v, 0) for v in cube[n])):
            sets = [self.columns[number].seen[v] for v in sorted(cube[number]) if v in self.columns[number].seen]
            if met is None:
                states = _union(sets, self._words)
                places = np.flatnonzero(states)
                met = places, states[places]
            else:
                places, states = met
                states = states & _union([each[places] for each in sets], len(places))
                some = states != 0
                met = places[some], states[some]
            if not len(met[0]):
                return None
        return met


def _union(sets: Sequence[Set], words: int) -> Set:
    if len(sets) == 1:
        return sets[0]
    total: Set = np.zeros(words, dtype=np.uint64)
    for each in sets:
        total |= each
    return total


def _signed(states: Set, literal: int) -> Set:
    return ~states if literal & 1 else states
