"""What a condition tells of the state where it holds, so that it need not be asked again."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.exec.low import All, Any, Compare, Field, Lit, Low, Not, Relation


def implied(cond: Low, holds: bool = True) -> Iterator[tuple[Field, Lit]]:
    """The fields whose value is known where `cond` is true (or false)."""
    match cond:
        case Field(hi=1):
            yield cond, Lit(int(holds))
        case Not(operand):
            yield from implied(operand, not holds)
        case All(operands) if holds:
            for operand in operands:
                yield from implied(operand)
        case Any(operands) if not holds:
            for operand in operands:
                yield from implied(operand, holds=False)
        case Compare(Relation.EQ, Field() as field, Lit() as value) if holds:
            yield field, value
        case Compare(Relation.NE, Field() as field, Lit() as value) if not holds:
            yield field, value
        case Compare(Relation.GT | Relation.NE, Field() as field, Lit(0)) if not holds:
            yield field, Lit(0)
        case Compare(Relation.LT, Field() as field, Lit(1)) | Compare(Relation.LE, Field() as field, Lit(0)) if holds:
            yield field, Lit(0)
        case _:
            return
