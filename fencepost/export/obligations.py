"""Which obligations of an expression can break at all, from the bounds of sorts alone."""

from __future__ import annotations

from fencepost.ir.expr import Cast, Expr, Read
from fencepost.ir.sorts import Sort
from fencepost.ir.visit import walk


def fits(inner: Sort, outer: Sort) -> bool:
    """Whether every value of one sort lies within the other."""
    return outer.lo <= inner.lo and inner.hi <= outer.hi


def is_total(expr: Expr) -> bool:
    """Whether evaluating the expression breaks no obligation, whatever the state."""
    return all(map(_breaks_nothing, walk(expr)))


def _breaks_nothing(node: Expr) -> bool:
    match node:
        case Read(var=var, indices=indices, live=live):
            return live is None and all(fits(index.sort, dim) for index, dim in zip(indices, var.dims, strict=True))
        case Cast(sort, operand):
            return fits(operand.sort, sort)
        case _:
            return True
