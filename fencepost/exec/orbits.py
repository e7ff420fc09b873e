"""How to come from a state to the one that stands for its orbit: all that differ by names of indices alone.

What a state says of one index of a role is a key: the elements that it is the index of, and for each
element that may hold it, whether it does. Where no variable has the role twice, and none has it
together with another role that is sorted, the keys tell all there is: indices are renamed by the
order of their keys. The other roles are tried in each order (of those that sort what their own indices
say by themselves), and the least state wins.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from fencepost.exec.layout import WORD, Layout, Slot
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.ir.symmetry import VALUE, Role, roles

MOST_ORDERS = 720
"""Orders of the roles that are not sorted, all combined; a role that would make more of them is not renamed."""

_WIDEST = 32
"""Bits of a state that a key takes at once."""


@frozen
class Field:
    """Bits of a key that lie in the state as they are: for each index, from which bit on."""

    to: int
    width: int
    at: tuple[int, ...]


@frozen
class Mark:
    """A bit of a key: whether an element of the state holds the index. `base` is what is packed for index 0."""

    to: int
    at: int
    width: int
    base: int


@frozen
class Key:
    """What a state says of each index of a role. Nothing of it lies across two words."""

    count: int
    parts: tuple[Field | Mark, ...]
    words: int

    @classmethod
    def of(cls, role: Role, variables: Sequence[Var], layout: Layout, most: int | None = None) -> Key:
        """The key of a role's indices, of some variables; at most so many words of it."""
        parts: list[Field | Mark] = []
        end = 0
        for var in variables:
            for make, width in _parts(role, var, layout.slots[var]):
                if end // WORD != (end + width - 1) // WORD:
                    end += -end % WORD
                if most is not None and end + width > most * WORD:
                    return cls(role.sort.count, tuple(parts), most)
                parts.append(make(end))
                end += width
        return cls(role.sort.count, tuple(parts), -(-end // WORD))


_Part = tuple[Callable[[int], Field | Mark], int]
"""A part of a key, once it is known at which bit of it; and how many bits it takes."""


def _parts(role: Role, var: Var, slot: Slot) -> Iterator[_Part]:
    if slot.width == 0:
        return
    if (var, VALUE) in role.places:
        yield from _held(role.sort, var, slot)
        return
    (dim,) = (dim for dim in range(len(var.dims)) if (var, dim) in role.places)
    inner = math.prod(each.count for each in var.dims[dim + 1 :]) * slot.width
    for outer in range(math.prod(each.count for each in var.dims[:dim])):
        starts = [slot.offset + (outer * role.sort.count + index) * inner for index in range(role.sort.count)]
        for first in range(0, inner, _WIDEST):
            yield _field(min(_WIDEST, inner - first), tuple(start + first for start in starts))


def _field(width: int, at: tuple[int, ...]) -> _Part:
    return lambda to: Field(to, width, at), width


def _mark(at: int, slot: Slot) -> _Part:
    return lambda to: Mark(to, at, slot.width, -slot.lo), 1


def _held(sort: IndexSort, var: Var, slot: Slot) -> Iterator[_Part]:
    for at in map(slot.at, range(slot.count)):
        match var.sort:
            case SetSort():
                yield _field(1, tuple(at + index for index in range(sort.count)))
            case IndexSort() | OptionSort():
                yield _mark(at, slot)
            case BoolSort() | IntSort() | EnumSort():
                raise AssertionError("no index is the value of such a variable")


@frozen
class Orders:
    """A role whose indices are tried in each order that sorts their keys; and the variables in which it is renamed."""

    role: Role
    key: Key


@frozen
class Orbits:
    """How a model's states are renamed: first the roles that are tried in each order, then those that are sorted."""

    layout: Layout
    tried: tuple[Orders, ...]
    sorted: tuple[tuple[Role, Key], ...]
    left_out: tuple[str, ...] = ()
    """Sorts that are symmetric and not renamed: there would be too many orders."""

    @property
    def names(self) -> tuple[str, ...]:
        """The sorts that are renamed."""
        every = (*(orders.role for orders in self.tried), *(role for role, _ in self.sorted))
        return tuple(sorted({role.sort.name for role in every}))


def orbits(model: Model, layout: Layout) -> Orbits | None:
    """How to rename what the model declares symmetric; None where there is nothing of it.

    Raises:
        ModelError: what is declared is not so.
    """
    every = list(roles(model))
    left_out: list[str] = []
    while every:
        chosen = _sortable(every)
        tried = [role for role in every if role not in chosen]
        if math.prod(math.factorial(role.sort.count) for role in tried) <= MOST_ORDERS:
            return Orbits(
                layout,
                tuple(Orders(role, Key.of(role, _alone(role, every), layout, most=1)) for role in tried),
                tuple((role, Key.of(role, _mentioned(role), layout)) for role in chosen),
                tuple(left_out),
            )
        largest = max(tried, key=lambda role: role.sort.count)
        every.remove(largest)
        left_out.append(largest.sort.name)
    return None


def _mentions(role: Role) -> list[Var]:
    """The variables with the role, once for each time."""
    return sorted((var for var, _ in role.places), key=lambda var: var.name)


def _mentioned(role: Role) -> list[Var]:
    return list(dict.fromkeys(_mentions(role)))


def _alone(role: Role, every: Sequence[Role]) -> list[Var]:
    """The variables that have the role once, and no other one."""
    others = [var for each in every for var in _mentions(each)]
    return [var for var in _mentioned(role) if others.count(var) == 1]


def _sortable(every: Sequence[Role]) -> list[Role]:
    """Roles that can be sorted, each without a thought of the others: those that leave the fewest orders to try."""
    once = [role for role in every if len(_mentions(role)) == len(_mentioned(role))]
    choices = (list(some) for size in range(len(once), -1, -1) for some in itertools.combinations(once, size))
    apart = (some for some in choices if _are_apart(some))
    return max(apart, key=lambda some: math.prod(math.factorial(role.sort.count) for role in some))


def _are_apart(some: Sequence[Role]) -> bool:
    pairs = itertools.combinations(some, 2)
    return all(set(_mentions(one)).isdisjoint(_mentions(other)) for one, other in pairs)
