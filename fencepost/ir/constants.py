"""Dropping the variables that never change: parts of a protocol that an absent feature left unused."""

from __future__ import annotations

from typing import assert_never

from attrs import evolve

from fencepost.ir.expr import TRUE, Cast, Compare, Const, Expr, Ite, Read, Relation, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions_of, map_model, statements, substitute, walk


def fold_unassigned(model: Model) -> Model:
    """The model without its constant variables: each read of one becomes its value.

    A variable is constant if every value assigned to it is the one that all its elements start
    with, or if nothing assigns it at all. Every obligation outlives it: those of its indices go into
    what stands for its value or for an assignment, and it is kept where a read of it can be dead.
    """
    constant = _constant(model)

    def replace(expr: Expr) -> Expr | None:
        if not isinstance(expr, Read) or expr.var not in constant or expr.live is not None:
            return None
        return _element(expr.var, tuple(substitute(index, replace) for index in expr.indices))

    folded = map_model(model, replace)
    read = {node.var for expr in expressions_of(folded) for node in walk(expr) if isinstance(node, Read)}
    gone = constant - read
    return _without_assignments(evolve(folded, vars=tuple(var for var in model.vars if var not in gone)), gone)


def _constant(model: Model) -> set[Var]:
    """The variables that nothing changes: the greatest set in which every assignment keeps the initial value."""
    assignments = [stmt for action in model.actions for stmt in statements(action.body) if isinstance(stmt, Assign)]
    constant = set(model.vars)
    while changed := {stmt.var for stmt in assignments if stmt.var in constant and not _keeps(stmt, constant)}:
        constant -= changed
    return constant


def _keeps(stmt: Assign, constant: set[Var]) -> bool:
    """Whether the statement assigns what all elements of its variable have."""
    start = set(stmt.var.init)
    match stmt.value:
        case Const(value):
            return start == {value}
        case Read(var=var, live=None):
            return var in constant and start == set(var.init) and len(start) == 1
        case _:
            return False


def _element(var: Var, indices: tuple[Expr, ...], position: int = 0) -> Expr:
    """The constant element at `indices`, as a choice over the positions where elements differ."""
    if not indices:
        return Const(var.init[position], var.sort)
    dim = var.dims[-len(indices)]
    index = indices[0]
    if not isinstance(index.sort, IndexSort):
        index = Cast(dim, index, f"{var.name}[{dim.name}]")
    options = [_element(var, indices[1:], position * dim.count + i) for i in range(dim.count)]
    chosen = options[-1]
    for i in reversed(range(dim.count - 1)):
        if options[i] != chosen:
            chosen = Ite(_is_at(index, i, dim), options[i], chosen, var.sort)
    if len(set(options)) == 1 and not _is_total(index):
        return Ite(_is_at(index, 0, dim), chosen, chosen, var.sort)  # for the index's obligations alone
    return chosen


def _is_at(index: Expr, position: int, dim: IndexSort) -> Expr:
    return Compare(Relation.EQ, index, Const(position, dim))


def _without_assignments(model: Model, gone: set[Var]) -> Model:
    """The model without the (idle) assignments to variables that are gone."""

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        kept: list[Stmt] = []
        for stmt in body:
            match stmt:
                case Assign(var=var, indices=indices, value=value, epoch=epoch) if var in gone:
                    # Later reads may name its epoch, and its obligations stay.
                    same = Compare(Relation.EQ, _element(var, indices), value)
                    kept.append(If(TRUE if _is_total(same) else same, (), (), epoch))
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


def _is_total(expr: Expr) -> bool:
    """Whether evaluating the expression can break no obligation."""
    return all(map(_breaks_nothing, walk(expr)))


def _breaks_nothing(node: Expr) -> bool:
    match node:
        case Read(indices=indices, live=live):
            return live is None and all(isinstance(index.sort, IndexSort) for index in indices)
        case Cast(sort, operand):
            return sort.lo <= operand.sort.lo and operand.sort.hi <= sort.hi
        case _:
            return True
