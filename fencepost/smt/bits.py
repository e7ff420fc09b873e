"""Booleans over Z3, folded as they are built.

A `Bit` is a Python `bool` when its value is known and a Z3 Boolean otherwise; every operation
folds what it can, so that a term that reaches Z3 depends on the state.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.smt import kernel
from fencepost.smt.kernel import BoolTerm

Bit = bool | BoolTerm


def term(bit: Bit) -> BoolTerm:
    """The bit as a Z3 Boolean."""
    return kernel.truth(bit) if isinstance(bit, bool) else bit


def same(a: Bit, b: Bit) -> bool:
    """Whether the two are one and the same term."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return a is b or a.eq(b)


def neg(bit: Bit) -> Bit:
    """Negation."""
    return not bit if isinstance(bit, bool) else kernel.negation(bit)


def conj(bits: Iterable[Bit]) -> Bit:
    """Conjunction of any number of bits."""
    unknown: dict[int, BoolTerm] = {}
    for bit in bits:
        if not isinstance(bit, bool):
            unknown[bit.get_id()] = bit
        elif not bit:
            return False
    if len(unknown) > 1:
        return kernel.all_of([*unknown.values()])
    return next(iter(unknown.values()), True)


def disj(bits: Iterable[Bit]) -> Bit:
    """Disjunction of any number of bits."""
    unknown: dict[int, BoolTerm] = {}
    for bit in bits:
        if not isinstance(bit, bool):
            unknown[bit.get_id()] = bit
        elif bit:
            return True
    if len(unknown) > 1:
        return kernel.any_of([*unknown.values()])
    return next(iter(unknown.values()), False)


def implies(condition: Bit, consequence: Bit) -> Bit:
    """Implication."""
    return disj((neg(condition), consequence))


def iff(a: Bit, b: Bit) -> Bit:
    """Equivalence."""
    if isinstance(a, bool):
        return b if a else neg(b)
    if isinstance(b, bool):
        return a if b else neg(a)
    return True if same(a, b) else kernel.equals(a, b)


def choose_bit(cond: Bit, then: Bit, orelse: Bit) -> Bit:
    """`then` where `cond`, else `orelse`."""
    if isinstance(cond, bool):
        return then if cond else orelse
    if same(then, orelse):
        return then
    if isinstance(then, bool):
        return disj((cond, orelse)) if then else conj((neg(cond), orelse))
    if isinstance(orelse, bool):
        return disj((neg(cond), then)) if orelse else conj((cond, then))
    return kernel.if_bool(cond, then, orelse)
