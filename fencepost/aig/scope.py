"""Scopes in which no state is ever packed: each element of it has an expression of its own.

Packing is arithmetic on the whole state, which is cheap for a machine and dear in single bits. So a
store to a computed place is one store for each place, and a read from one is a choice among them.
"""

from __future__ import annotations

import math

from attrs import mutable

from fencepost.exec.layout import Slot
from fencepost.exec.low import Bind, Linear, Lit, Low, Relation
from fencepost.exec.low_build import all_of, choose, compare
from fencepost.exec.scope import Scope, Snapshot


@mutable
class OpenScope(Scope):
    """A scope of `exec` that keeps every store pending."""

    few: float = math.inf

    def dynamic(self, epoch: int, position: Low, slot: Slot) -> Low:
        """The packed value of the element at a computed place: a choice among all that it can be."""
        if slot.width == 0:
            return Lit(0)
        if position.fails:
            index = self.names.local(position)
            return Bind(index, position, self._chosen(self.epochs[epoch], index, slot))
        return self._chosen(self.epochs[epoch], position, slot)

    def _chosen(self, snapshot: Snapshot, position: Low, slot: Slot) -> Low:
        places = self._places(position, slot)
        result = self.field(snapshot, slot.at(places[-1]), slot)
        for place in reversed(places[:-1]):
            result = choose(at_place(position, place), self.field(snapshot, slot.at(place), slot), result)
        return result

    def _places(self, position: Low, slot: Slot) -> range:
        lo, hi = self.bounds(position)
        return range(max(lo, 0), min(hi, slot.count - 1) + 1) or range(1)

    def store_dynamic(self, snapshot: Snapshot, position: Low, slot: Slot, value: Low) -> Snapshot:
        """The state after a store of a packed value to a computed place."""
        if slot.width == 0:
            return snapshot
        value = self.keep(value)
        for place in self._places(position, slot):
            offset = slot.at(place)
            new = choose(at_place(position, place), value, self.field(snapshot, offset, slot))
            snapshot = self.store(snapshot, offset, slot, new)
        return snapshot


def at_place(position: Low, place: int) -> Low:
    """Whether a row-major position is a given one: one comparison an index, where they can be told apart."""
    if not isinstance(position, Linear):
        return compare(Relation.EQ, position, Lit(place))
    rest = place - position.constant - sum(factor * term.lo for factor, term in position.terms)
    found: list[Low] = []
    room = sum(abs(factor) * (term.hi - term.lo) for factor, term in position.terms)
    for factor, term in sorted(position.terms, key=lambda pair: -abs(pair[0])):
        room -= abs(factor) * (term.hi - term.lo)
        if factor <= room or term.fails:
            return compare(Relation.EQ, position, Lit(place))
        digit, rest = divmod(rest, factor)
        found.append(compare(Relation.EQ, term, Lit(term.lo + digit)))
    return all_of([*found, Lit(int(rest == 0))])
