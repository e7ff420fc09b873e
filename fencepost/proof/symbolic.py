"""Clauses over a symbolic state, and the state after a step as the same kind of thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.ir.sorts import BoolSort, SetSort
from fencepost.proof.clause import Clause, Literal, Membership
from fencepost.smt import values
from fencepost.smt.bits import Bit, conj, disj, neg
from fencepost.smt.system import Instance, Slot, System
from fencepost.smt.values import Num, Value


def holds(clause: Clause, state: Sequence[Value]) -> Bit:
    """That a symbolic state, element by element, satisfies the clause."""
    return disj(_literal(literal, state[literal.at]) for literal in clause)


def _literal(literal: Literal | Membership, value: Value) -> Bit:
    if isinstance(literal, Membership):
        bit = values.members(value).bits[literal.item]
        return bit if literal.present else neg(bit)
    if not isinstance(value, Num):
        bit = values.bit(value)
        return bit if literal.values == (1,) else neg(bit)
    return disj(values.is_value(value, v) for v in literal.values)


def before(system: System) -> tuple[Value, ...]:
    """The state that the constants stand for."""
    return tuple(slot.value for slot in system.slots)


def after(system: System, instance: Instance) -> tuple[Value, ...]:
    """The state after a step, as it is packed into the constants."""
    return tuple(
        _packed(slot, instance.changes[at]) if at in instance.changes else slot.value
        for at, slot in enumerate(system.slots)
    )


def _packed(slot: Slot, value: Value) -> Value:
    match slot.sort:
        case BoolSort() | SetSort():
            return value
        case sort if sort.width == 0:
            return slot.value
        case sort:
            return Num(sort.lo, sort.hi, values.distance(values.number(value), sort.lo, sort.width))


def within_sorts(system: System, state: Sequence[Value], among: Sequence[int] | None = None) -> Bit:
    """That the elements (or those at some places) are within their sorts, which their bits may not be."""
    return conj(_within(system, state, range(len(system.slots)) if among is None else among))


def _within(system: System, state: Sequence[Value], among: Sequence[int]) -> Iterator[Bit]:
    for at in among:
        value, sort = state[at], system.slots[at].sort
        if isinstance(value, Num) and value.offset is not None:
            every = Num(sort.lo, sort.lo + (1 << sort.width) - 1, value.offset)
            yield values.inside(every, sort.lo, sort.hi)
