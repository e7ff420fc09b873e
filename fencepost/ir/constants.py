"""Dropping the variables that never change: parts of a protocol that an absent feature left unused."""

from __future__ import annotations

from attrs import evolve

from fencepost.ir.expr import Const, Expr, Read
from fencepost.ir.model import Model
from fencepost.ir.sorts import IndexSort
from fencepost.ir.stmt import Assign
from fencepost.ir.visit import expressions_of, map_model, statements, walk


def fold_unassigned(model: Model) -> Model:
    """The model without its constant variables: each read of one becomes its value.

    A variable is kept if its elements differ, or if a read of it can break an obligation, so
    every reader still sees the same obligations.
    """
    assigned = {stmt.var for action in model.actions for stmt in statements(action.body) if isinstance(stmt, Assign)}
    constant = {
        var: Const(var.init[0], var.sort) for var in model.vars if var not in assigned and len(set(var.init)) == 1
    }

    def replace(expr: Expr) -> Expr | None:
        return constant[expr.var] if isinstance(expr, Read) and expr.var in constant and _is_safe(expr) else None

    folded = map_model(model, replace)
    read = {node.var for expr in expressions_of(folded) for node in walk(expr) if isinstance(node, Read)}
    return evolve(folded, vars=tuple(var for var in model.vars if var not in constant or var in read))


def _is_safe(read: Read) -> bool:
    """Whether no obligation of the read can break, nor one of its indices' own."""
    return read.live is None and all(
        isinstance(index.sort, IndexSort) and not any(isinstance(node, Read) and node.live for node in walk(index))
        for index in read.indices
    )
