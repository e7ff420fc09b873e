"""What need not be said: conditions that are known, branches never taken, loops that do nothing.

A protocol's variants and features leave constants in its model, and fields with a life leave resets
that most assignments do not need. Our own readers fold such things as they go; a text for others is
shorter without. Nothing that can break an obligation is left out.

This works on actions as `current` makes them, where every read is of the value at that point.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from attrs import evolve

from fencepost.export.obligations import fits, is_total
from fencepost.ir.expr import (
    FALSE,
    TRUE,
    And,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    Var,
    negate,
)
from fencepost.ir.model import Action
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import map_statement, rebuild, statements

Known = Mapping[tuple[Var, tuple[Expr, ...]], Const]
"""Elements whose value is known, at places that no statement changes."""


def simplified(expr: Expr, known: Known | None = None, true: frozenset[Expr] = frozenset()) -> Expr:
    """The expression, with what is known of it folded; `true` are conditions that hold where it is evaluated."""
    match expr:
        case And(operands):
            return _joined(_in_turn(operands, known, true, holds=True), And, neutral=TRUE)
        case Or(operands):
            return _joined(_in_turn(operands, known, true, holds=False), Or, neutral=FALSE)
        case Ite(cond, then, orelse):
            cond = simplified(cond, known, true)
            then = simplified(then, known, true | {cond})
            orelse = simplified(orelse, known, true | {negate(cond)})
            return (then if cond.value else orelse) if isinstance(cond, Const) else Ite(cond, then, orelse, expr.sort)
        case _:
            return _folded(rebuild(expr, lambda child: simplified(child, known, true)), known, true)


def _folded(expr: Expr, known: Known | None, true: frozenset[Expr]) -> Expr:
    """One node whose operands are folded."""
    match expr:
        case Read(var, indices, live=live):
            if live == TRUE or live in true:
                expr = evolve(expr, live=None)
            if known and expr.live is None and (var, indices) in known:
                return known[var, indices]
            return expr
        case Not(operand):
            return negate(operand)
        case Compare():
            return _compared(expr)
        case Quantified(Quantifier.FORALL | Quantifier.EXISTS, _, Const() as body):
            return body
        case _:
            return expr


def _in_turn(
    operands: tuple[Expr, ...], known: Known | None, true: frozenset[Expr], *, holds: bool
) -> tuple[Expr, ...]:
    """Operands from left to right: a later one is evaluated only where the earlier ones hold, or do not."""
    made: list[Expr] = []
    for operand in operands:
        made.append(simplified(operand, known, true))
        true |= frozenset(_parts(made[-1] if holds else negate(made[-1])))
    return tuple(made)


def _parts(cond: Expr) -> tuple[Expr, ...]:
    """The conditions that hold where a conjunction does."""
    match cond:
        case And(operands):
            return (cond, *operands)
        case Not(Or(operands)):
            return (cond, *(negate(operand) for operand in operands))
        case _:
            return (cond,)


def _joined(operands: tuple[Expr, ...], join: type[And | Or], neutral: Const) -> Expr:
    """Operands that change nothing left out, and those that come after one that decides."""
    kept: list[Expr] = []
    for operand in operands:
        inner = operand.operands if isinstance(operand, join) else (operand,)
        for each in inner:
            if each != neutral and each not in kept:
                kept.append(each)
            if each == negate(neutral):
                break
        if kept and kept[-1] == negate(neutral):
            break
    while len(kept) > 1 and kept[-1] == negate(neutral) and is_total(kept[-2]):
        del kept[-2]
    return neutral if not kept else kept[0] if len(kept) == 1 else join(tuple(kept))


def _compared(expr: Compare) -> Expr:
    match expr.left, expr.right:
        case Const(left), Const(right):
            holds = {Relation.EQ: left == right, Relation.LT: left < right, Relation.LE: left <= right}
            return TRUE if holds[expr.relation] else FALSE
        case left, right if left == right and is_total(left):
            return FALSE if expr.relation is Relation.LT else TRUE
        case _:
            return expr


def simplified_action(action: Action) -> Action:
    """The action, with what its guards and its own statements say taken as known further on."""
    conds = _in_turn(tuple(guard.cond for guard in action.guards), None, frozenset(), holds=True)
    guards = tuple(evolve(guard, cond=cond) for guard, cond in zip(action.guards, conds, strict=True))
    known: dict[tuple[Var, tuple[Expr, ...]], Const] = {}
    for guard in guards:
        known |= _told(guard.cond)
    return evolve(action, guards=guards, body=tuple(_block(action.body, known)))


def _block(body: tuple[Stmt, ...], known: dict[tuple[Var, tuple[Expr, ...]], Const]) -> Iterator[Stmt]:
    for stmt in body:
        match stmt:
            case Assign(var):
                assigned = map_statement(stmt, lambda expr: simplified(expr, known))
                assert isinstance(assigned, Assign)
                _forget(known, (var,))
                if (
                    isinstance(assigned.value, Const)
                    and _stays(assigned.indices)
                    and fits(assigned.value.sort, var.sort)
                ):
                    known[var, assigned.indices] = assigned.value
                yield assigned
            case If(cond):
                yield from _branch(stmt, simplified(cond, known), known)
            case For(var, looped):
                _forget(known, _assigned(looped))
                inner = tuple(_block(looped, dict(known)))
                if inner:
                    yield evolve(stmt, body=inner)
            case Note():
                yield stmt
            case _:
                assert_never(stmt)


def _branch(stmt: If, cond: Expr, known: dict[tuple[Var, tuple[Expr, ...]], Const]) -> Iterator[Stmt]:
    if isinstance(cond, Const):
        yield from _block(stmt.then if cond.value else stmt.orelse, known)
        return
    then = tuple(_block(stmt.then, {**known, **_told(cond)}))
    orelse = tuple(_block(stmt.orelse, {**known, **_told(negate(cond))}))
    _forget(known, (*_assigned(stmt.then), *_assigned(stmt.orelse)))
    if then or orelse or not is_total(cond):
        yield evolve(stmt, cond=cond, then=then, orelse=orelse)


def _told(cond: Expr) -> dict[tuple[Var, tuple[Expr, ...]], Const]:
    """The values that a condition tells where it holds."""
    match cond:
        case And(operands):
            return {place: value for operand in operands for place, value in _told(operand).items()}
        case Compare(Relation.EQ, Read(var, indices, live=None), Const() as value) if _stays(indices):
            return {(var, indices): value}
        case Compare(Relation.EQ, Const() as value, Read(var, indices, live=None)) if _stays(indices):
            return {(var, indices): value}
        case Read(var, indices, live=None) if _stays(indices):
            return {(var, indices): TRUE}
        case Not(Read(var, indices, live=None)) if _stays(indices):
            return {(var, indices): FALSE}
        case _:
            return {}


def _stays(indices: tuple[Expr, ...]) -> bool:
    return all(isinstance(index, Const | Param | LoopVar) for index in indices)


def _forget(known: dict[tuple[Var, tuple[Expr, ...]], Const], changed: tuple[Var, ...]) -> None:
    for place in [place for place in known if place[0] in changed]:
        del known[place]


def _assigned(body: tuple[Stmt, ...]) -> tuple[Var, ...]:
    return tuple(stmt.var for stmt in statements(body) if isinstance(stmt, Assign))
