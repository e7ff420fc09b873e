"""What a condition tells of the values in it where it is true, so that they need not be asked for again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from fencepost.exec.low import All, Any, Choose, Compare, Linear, Lit, Low, Not, Relation
from fencepost.exec.low_build import NEGATED

Bounds = tuple[int, int]
"""Least and greatest value, both included."""


@frozen
class Fact:
    """A pure expression's relation to a constant."""

    node: Low
    relation: Relation
    value: int

    def narrow(self, bounds: Bounds) -> Bounds:
        """The part of `bounds` in which the fact can be true; of a gap inside them nothing is kept."""
        lo, hi = bounds
        match self.relation:
            case Relation.EQ:
                return self.value, self.value
            case Relation.NE:
                return lo + (lo == self.value), hi - (hi == self.value)
            case Relation.LT:
                return lo, min(hi, self.value - 1)
            case Relation.LE:
                return lo, min(hi, self.value)
            case Relation.GT:
                return max(lo, self.value + 1), hi
            case Relation.GE:
                return max(lo, self.value), hi


def implied(cond: Low, holds: bool = True) -> Iterator[Fact]:
    """What is true where `cond` is (or, without `holds`, is not)."""
    match cond:
        case Not(operand):
            yield from implied(operand, not holds)
        case All(operands) if holds:
            for operand in operands:
                yield from implied(operand)
        case Any(operands) if not holds:
            for operand in operands:
                yield from implied(operand, holds=False)
        case Compare(relation, left, Lit(value)) if not left.fails:
            yield Fact(left, relation if holds else NEGATED[relation], value)
        case _ if (cond.lo, cond.hi) == (0, 1) and not cond.fails:
            yield Fact(cond, Relation.EQ, int(holds))
        case _:
            return


def bounds(node: Low, known: Mapping[Low, Bounds]) -> Bounds:
    """The node's bounds, given those of some expressions."""
    if node in known:
        return known[node]
    match node:
        case Linear(terms, constant):
            parts = [(factor, *bounds(term, known)) for factor, term in terms]
            return (
                constant + sum(f * (lo if f > 0 else hi) for f, lo, hi in parts),
                constant + sum(f * (hi if f > 0 else lo) for f, lo, hi in parts),
            )
        case Choose(_, then, orelse):
            sides = bounds(then, known), bounds(orelse, known)
            return min(lo for lo, _ in sides), max(hi for _, hi in sides)
        case _:
            return node.lo, node.hi
