"""Dropping the variables that never change: parts of a protocol that an absent feature left unused."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from fencepost.ir.expr import TRUE, Compare, Const, Expr, Ite, Read, Relation, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions_of, map_model, statements, substitute, walk


def fold_unassigned(model: Model) -> Model:
    """The model without its constant variables: each read of one becomes its value.

    A variable is constant if every value assigned to it is the one that all its elements start
    with, or if nothing assigns it at all. It is kept where a read of it can break an obligation, so
    every reader still sees the same obligations.
    """
    constant = _constant(model)

    def replace(expr: Expr) -> Expr | None:
        if not isinstance(expr, Read) or expr.var not in constant or not _is_safe(expr):
            return None
        return _element(expr.var, tuple(substitute(index, replace) for index in expr.indices))

    folded = map_model(model, replace)
    read = {node.var for expr in expressions_of(folded) for node in walk(expr) if isinstance(node, Read)}
    gone = constant - read
    return _without_assignments(evolve(folded, vars=tuple(var for var in model.vars if var not in gone)), gone)


def _constant(model: Model) -> set[Var]:
    """The variables that nothing changes: the greatest set in which every assignment keeps the initial value."""
    assignments = [
        stmt for action in model.actions for stmt in statements(action.body) if isinstance(stmt, Assign)
    ]
    constant = set(model.vars)
    while changed := {stmt.var for stmt in assignments if stmt.var in constant and not _keeps(stmt, constant)}:
        constant -= changed
    return constant


def _keeps(stmt: Assign, constant: set[Var]) -> bool:
    """Whether the statement assigns what all elements of its variable have, and can break no obligation."""
    if not all(isinstance(index.sort, IndexSort) for index in stmt.indices) or len(set(stmt.var.init)) > 1:
        return False
    match stmt.value:
        case Const(value):
            return value == stmt.var.init[0]
        case Read(var=var) as read:
            return var in constant and set(var.init) == {stmt.var.init[0]} and _is_safe(read)
        case _:
            return False


def _element(var: Var, indices: tuple[Expr, ...], position: int = 0) -> Expr:
    """The constant element at `indices`, as a choice over the positions where elements differ."""
    if not indices:
        return Const(var.init[position], var.sort)
    dim = var.dims[-len(indices)]
    options = [_element(var, indices[1:], position * dim.count + i) for i in range(dim.count)]
    chosen = options[-1]
    for i in reversed(range(dim.count - 1)):
        if options[i] != chosen:
            here = Compare(Relation.EQ, indices[0], Const(i, dim))
            chosen = Ite(here, options[i], chosen, var.sort)
    return chosen


def _without_assignments(model: Model, gone: set[Var]) -> Model:
    """The model without the (idle) assignments to variables that are gone."""

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        kept: list[Stmt] = []
        for stmt in body:
            match stmt:
                case Assign(var=var, epoch=epoch) if var in gone:
                    kept.append(If(TRUE, (), (), epoch))  # later reads may name its epoch
                case If(then=then, orelse=orelse):
                    kept.append(evolve(stmt, then=block(then), orelse=block(orelse)))
                case For(body=inner):
                    kept.append(evolve(stmt, body=block(inner)))
                case Assign() | Note():
                    kept.append(stmt)
                case _:
                    assert_never(stmt)
        return tuple(kept)

    return evolve(model, actions=tuple(evolve(action, body=block(action.body)) for action in model.actions))


def _is_safe(read: Read) -> bool:
    """Whether no obligation of the read can break, nor one of its indices' own."""
    return read.live is None and all(
        isinstance(index.sort, IndexSort) and not any(isinstance(node, Read) and node.live for node in walk(index))
        for index in read.indices
    )
