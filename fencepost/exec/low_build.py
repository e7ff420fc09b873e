"""Constructors of low expressions that fold what is known, and never drop an obligation.

A node that may fail is kept, in its place, even where its value does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.exec.low import (
    All,
    Any,
    Bit,
    Choose,
    Compare,
    Fail,
    Linear,
    Lit,
    Low,
    Not,
    Relation,
    Shifted,
    WithBit,
    Within,
)

ZERO = Lit(0)
ONE = Lit(1)

NEGATED = {
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
    Relation.LT: Relation.GE,
    Relation.GE: Relation.LT,
    Relation.LE: Relation.GT,
    Relation.GT: Relation.LE,
}


def linear(parts: Iterable[tuple[int, Low]], constant: int = 0) -> Low:
    """`constant + sum(factor * term)`: nested sums flattened, equal pure terms merged."""
    place: dict[Low, int] = {}
    terms: list[tuple[int, Low]] = []
    for factor, part in parts:
        match part:
            case Lit(value):
                constant += factor * value
            case Linear(inner, inner_constant):
                constant += factor * inner_constant
                terms.extend((factor * f, t) for f, t in inner)
            case _:
                terms.append((factor, part))
    result: list[tuple[int, Low]] = []
    for factor, term in terms:
        if not term.fails and term in place:
            result[place[term]] = (result[place[term]][0] + factor, term)
        else:
            place[term] = len(result)
            result.append((factor, term))
    kept = tuple((f, t) for f, t in result if f or t.fails)
    if not kept:
        return Lit(constant)
    if not constant and len(kept) == 1 and kept[0][0] == 1:
        return kept[0][1]
    return Linear(kept, constant)


def add(left: Low, right: Low) -> Low:
    """`left + right`."""
    return linear(((1, left), (1, right)))


def sub(left: Low, right: Low) -> Low:
    """`left - right`."""
    return linear(((1, left), (-1, right)))


def compare(relation: Relation, left: Low, right: Low) -> Low:
    """`left relation right`, decided by bounds where they suffice."""
    if not (left.fails or right.fails):
        known = decided(relation, (left.lo, left.hi), (right.lo, right.hi))
        if left == right:
            known = relation in (Relation.EQ, Relation.LE, Relation.GE)
        if known is not None:
            return Lit(int(known))
    match left, right:
        case Linear(((1, term),), constant), Lit(value):
            return compare(relation, term, Lit(value - constant))
        case Lit(), _ if not isinstance(right, Lit):
            return compare(_mirrored(relation), right, left)
        case _:
            return _truth(relation, left, right)


def _mirrored(relation: Relation) -> Relation:
    mirrored = {Relation.LT: Relation.GT, Relation.GT: Relation.LT, Relation.LE: Relation.GE, Relation.GE: Relation.LE}
    return mirrored.get(relation, relation)


def _truth(relation: Relation, left: Low, right: Low) -> Low:
    """A comparison with a constant at the edge of a Boolean's range is the Boolean or its negation."""
    truth = (left.lo, left.hi) == (0, 1) and relation in (Relation.EQ, Relation.NE)
    if truth and isinstance(right, Lit) and right.value in (0, 1):
        return left if (relation is Relation.EQ) == (right.value == 1) else negate(left)
    return Compare(relation, left, right)


def decided(relation: Relation, left: tuple[int, int], right: tuple[int, int]) -> bool | None:
    """What the bounds of both sides say of a comparison; None where they leave it open."""
    match relation:
        case Relation.EQ:
            return False if left[1] < right[0] or right[1] < left[0] else True if len({*left, *right}) == 1 else None
        case Relation.LT:
            return True if left[1] < right[0] else False if left[0] >= right[1] else None
        case Relation.LE:
            return True if left[1] <= right[0] else False if left[0] > right[1] else None
        case Relation.NE | Relation.GE | Relation.GT:
            opposite = decided(NEGATED[relation], left, right)
            return None if opposite is None else not opposite


def negate(operand: Low) -> Low:
    """Logical negation."""
    match operand:
        case Lit(value):
            return Lit(1 - value)
        case Not(inner):
            return inner
        case Compare(relation, left, right):
            return Compare(NEGATED[relation], left, right)
        case _:
            return Not(operand)


def all_of(operands: Iterable[Low]) -> Low:
    """Lazy conjunction."""
    return _junction(operands, All, decisive=0)


def any_of(operands: Iterable[Low]) -> Low:
    """Lazy disjunction."""
    return _junction(operands, Any, decisive=1)


def _junction(operands: Iterable[Low], kind: type[All | Any], decisive: int) -> Low:
    kept: list[Low] = []
    for operand in operands:
        parts = operand.operands if isinstance(operand, kind) and not operand.strict else (operand,)
        for part in parts:
            if isinstance(part, Lit):
                if part.value == decisive:
                    # What follows is never evaluated; what went before counts only if it may fail.
                    while kept and not kept[-1].fails:
                        kept.pop()
                    return kind((*kept, part)) if kept else part
            elif part.fails or part not in kept:
                kept.append(part)
    return Lit(1 - decisive) if not kept else kept[0] if len(kept) == 1 else kind(tuple(kept))


def every_of(operands: tuple[Low, ...], conjunction: bool) -> Low:
    """Conjunction or disjunction that evaluates every operand; lazy where that makes no difference."""
    if not any(operand.fails for operand in operands):
        return all_of(operands) if conjunction else any_of(operands)
    if len(operands) == 1:
        return operands[0]
    return All(operands, strict=True) if conjunction else Any(operands, strict=True)


def choose(cond: Low, then: Low, orelse: Low) -> Low:
    """`then if cond else orelse`."""
    match cond:
        case Lit(value):
            return then if value else orelse
        case Not(inner):
            return choose(inner, orelse, then)
        case _ if then == orelse and not cond.fails:
            return then
        case _ if (then, orelse) == (ONE, ZERO):
            return cond
        case _ if (then, orelse) == (ZERO, ONE):
            return negate(cond)
        case _:
            return Choose(cond, then, orelse)


def within(operand: Low, least: int, most: int, obligation: int) -> Low:
    """The operand, obliged to be in `least..most`; no obligation where its bounds say so."""
    if least <= operand.lo and operand.hi <= most:
        return operand
    if not operand.fails and (operand.hi < least or operand.lo > most):
        return Fail(obligation, least, most)
    return Within(operand, least, most, obligation)


def bit(of: Low, item: Low) -> Low:
    """Membership."""
    if isinstance(of, Lit) and isinstance(item, Lit):
        return Lit(of.value >> item.value & 1)
    if of == ZERO and not item.fails:
        return ZERO
    return Bit(of, item)


def with_bit(of: Low, item: Low, present: bool, most: int) -> Low:
    """A set with a member added or taken out; `most` is the full set."""
    if isinstance(of, Lit) and isinstance(item, Lit):
        mask = 1 << item.value
        return Lit(of.value | mask if present else of.value & ~mask)
    return WithBit(of, item, present, most)


def shifted(value: Low, by: Low) -> Low:
    """`value << by`."""
    if isinstance(by, Lit):
        return linear(((1 << by.value, value),))
    if value == ZERO and not by.fails:
        return ZERO
    return Shifted(value, by)
