"""Lowering of expressions: IR to the low form, in a scope."""

from __future__ import annotations

from typing import assert_never

from fencepost.exec.facts import implied
from fencepost.exec.low import Bind, Compare, Fail, Lit, Low, Relation
from fencepost.exec.low_build import (
    add,
    all_of,
    any_of,
    bit,
    choose,
    compare,
    decided,
    every_of,
    linear,
    negate,
    sub,
    with_bit,
    within,
)
from fencepost.exec.scope import Scope
from fencepost.ir import expr as ir
from fencepost.ir.sorts import Sort, sort_name

_RELATIONS = {ir.Relation.EQ: Relation.EQ, ir.Relation.LT: Relation.LT, ir.Relation.LE: Relation.LE}


def lower(expr: ir.Expr, scope: Scope) -> Low:  # noqa: PLR0911 - one case a node
    """The expression at this place: parameters and loop variables constant, quantifiers written out."""
    match expr:
        case ir.Const(value):
            return Lit(value)
        case ir.Param(name):
            return Lit(scope.params[name])
        case ir.LoopVar(id=loop):
            return Lit(scope.loops[loop])
        case ir.Read():
            return _read(expr, scope)
        case ir.Not(operand):
            return negate(lower(operand, scope))
        case ir.And(operands):
            return all_of(_in_turn(operands, scope, going_on=True))
        case ir.Or(operands):
            return any_of(_in_turn(operands, scope, going_on=False))
        case ir.Compare(relation, left, right):
            return _decide(compare(_RELATIONS[relation], lower(left, scope), lower(right, scope)), scope)
        case ir.Add(left, right):
            return add(lower(left, scope), lower(right, scope))
        case ir.Sub(left, right):
            return sub(lower(left, scope), lower(right, scope))
        case ir.Ite(cond, then, orelse):
            test = lower(cond, scope)
            return choose(test, _given(test, True, then, scope), _given(test, False, orelse, scope))
        case ir.Cast(sort, operand, what):
            return oblige(lower(operand, scope), sort, what or sort_name(sort), scope)
        case ir.Member(item, of):
            members = lower(of, scope)
            return bit(members, lower(item, scope))
        case ir.SetWith(of, item, present):
            members = lower(of, scope)
            return with_bit(members, lower(item, scope), present, of.sort.hi)
        case ir.Quantified():
            return _quantified(expr, scope)
        case _:
            assert_never(expr)


def _in_turn(operands: tuple[ir.Expr, ...], scope: Scope, going_on: bool) -> list[Low]:
    """Each operand, knowing that those before it came out so that it is looked at."""
    lowered: list[Low] = []
    with scope.assuming() as assume:
        for operand in operands:
            lowered.append(lower(operand, scope))
            assume(implied(lowered[-1], holds=going_on))
    return lowered


def _given(test: Low, holds: bool, expr: ir.Expr, scope: Scope) -> Low:
    with scope.assuming() as assume:
        assume(implied(test, holds))
        return lower(expr, scope)


def _decide(low: Low, scope: Scope) -> Low:
    """The comparison, or what is known of its sides here decides it."""
    if isinstance(low, Compare) and not low.fails:
        known = decided(low.relation, scope.bounds(low.left), scope.bounds(low.right))
        return low if known is None else Lit(int(known))
    return low


def oblige(value: Low, sort: Sort, what: str, scope: Scope) -> Low:
    """The value, obliged to be one of `sort`; `what` names it in a violation."""
    lo, hi = scope.bounds(value)
    if sort.lo <= lo and hi <= sort.hi:
        return value
    return within(value, sort.lo, sort.hi, scope.names.obligation(f"range:{scope.where}/{what}"))


def position(var: ir.Var, indices: tuple[ir.Expr, ...], scope: Scope) -> Low:
    """The row-major position of an element, each index obliged to be within its dimension."""
    parts: list[tuple[int, Low]] = []
    stride = var.count
    for dim, index in zip(var.dims, indices, strict=True):
        stride //= dim.count
        parts.append((stride, oblige(lower(index, scope), dim, f"{var.name}[{dim.name}]", scope)))
    return linear(parts)


def _read(read: ir.Read, scope: Scope) -> Low:
    slot = scope.layout.slots[read.var]
    where = position(read.var, read.indices, scope)
    if isinstance(where, Lit):
        raw = scope.field(scope.epochs[read.epoch], slot.at(where.value), slot)
        return _alive(read, add(raw, Lit(slot.lo)), scope)
    if not where.fails:
        return _alive(read, add(scope.dynamic(read.epoch, where, slot), Lit(slot.lo)), scope)
    if read.live is None and slot.width:
        return add(scope.dynamic(read.epoch, where, slot), Lit(slot.lo))
    # The index comes first, then the liveness, then the value: so the index needs a name.
    index = scope.names.local(where)
    value = add(scope.dynamic(read.epoch, index, slot), Lit(slot.lo))
    return Bind(index, where, _alive(read, value, scope))


def _alive(read: ir.Read, value: Low, scope: Scope) -> Low:
    if read.live is None:
        return value
    obligation = scope.names.obligation(f"dead:{scope.where}/{read.var.name}")
    return choose(lower(read.live, scope), value, Fail(obligation, value.lo, value.hi))


def _quantified(expr: ir.Quantified, scope: Scope) -> Low:
    bodies: list[Low] = []
    for value in expr.var.sort.values():
        scope.loops[expr.var.id] = value
        bodies.append(lower(expr.body, scope))
    match expr.quantifier:
        case ir.Quantifier.FORALL:
            return every_of(tuple(bodies), conjunction=True)
        case ir.Quantifier.EXISTS:
            return every_of(tuple(bodies), conjunction=False)
        case ir.Quantifier.SUM:
            return linear((1, body) for body in bodies)
        case _:
            assert_never(expr.quantifier)
