"""Lowering of an action's body: loops written out, epochs turned into packed states and pending stores."""

from __future__ import annotations

from typing import assert_never

from fencepost.exec.facts import implied
from fencepost.exec.low import Lit, Low
from fencepost.exec.low_build import sub
from fencepost.exec.low_code import Let, When
from fencepost.exec.lower_expr import lower, oblige, position
from fencepost.exec.scope import Scope, Snapshot
from fencepost.ir.stmt import Assign, For, If, Note, Stmt


def lower_body(body: tuple[Stmt, ...], state: Snapshot, scope: Scope) -> Snapshot:
    """Append the body's code to the scope; the state after it."""
    for stmt in body:
        match stmt:
            case Assign(epoch=epoch):
                state = scope.epochs[epoch] = _assign(stmt, state, scope)
            case If(epoch=epoch):
                state = scope.epochs[epoch] = _branch(stmt, state, scope)
            case For(var, inner, head, epoch):
                for value in var.sort.values():
                    scope.loops[var.id] = value
                    scope.epochs[head] = state
                    state = lower_body(inner, state, scope)
                scope.epochs[epoch] = state
            case Note():
                pass
            case _:
                assert_never(stmt)
    return state


def _assign(stmt: Assign, state: Snapshot, scope: Scope) -> Snapshot:
    slot = scope.layout.slots[stmt.var]
    where = position(stmt.var, stmt.indices, scope)
    if where.fails:
        where = scope.keep(where)
    value = oblige(lower(stmt.value, scope), stmt.var.sort, stmt.var.name, scope)
    packed = scope.keep(sub(value, Lit(slot.lo)))
    if isinstance(where, Lit):
        return scope.store(state, slot.at(where.value), slot, packed)
    return scope.store_dynamic(state, where, slot, packed)


def _branch(stmt: If, state: Snapshot, scope: Scope) -> Snapshot:
    cond = lower(stmt.cond, scope)
    if isinstance(cond, Lit):
        return lower_body(stmt.then if cond.value else stmt.orelse, state, scope)
    then, orelse = scope.child(), scope.child()
    then.learn(implied(cond))
    orelse.learn(implied(cond, holds=False))
    ends = (lower_body(stmt.then, state, then), lower_body(stmt.orelse, state, orelse))
    merged = _merge(ends, (then, orelse), scope)
    if then.code or orelse.code or cond.fails:
        scope.code.append(When(cond, then.block(), orelse.block()))
    return merged


def _merge(ends: tuple[Snapshot, Snapshot], branches: tuple[Scope, Scope], scope: Scope) -> Snapshot:
    """One state for after the branches: an element on which they differ gets a name that each assigns."""
    left, right = ends
    if left == right:
        return left
    slots = {at: slot for end in ends for at, (_, slot) in end.pending.items()}
    values = {at: tuple(b.field(end, at, slots[at]) for end, b in zip(ends, branches, strict=True)) for at in slots}
    if left.base != right.base or sum(a != b for a, b in values.values()) > scope.few:
        return _settled(ends, branches, scope)
    pending = {at: (_phi(pair, branches, scope), slots[at]) for at, pair in sorted(values.items())}
    return Snapshot(left.base, left.dirty, pending)


def _phi(values: tuple[Low, ...], branches: tuple[Scope, Scope], scope: Scope) -> Low:
    """The value that an element has after the branches."""
    if values[0] == values[1]:
        return values[0]
    local = scope.names.local_between(min(v.lo for v in values), max(v.hi for v in values))
    for value, branch in zip(values, branches, strict=True):
        branch.code.append(Let(local, value))
    return local


def _settled(ends: tuple[Snapshot, Snapshot], branches: tuple[Scope, Scope], scope: Scope) -> Snapshot:
    local = scope.names.local_between(0, scope.start.base.hi)
    for end, branch in zip(ends, branches, strict=True):
        branch.code.append(Let(local, branch.packed(end)))
    dirty = ends[0].dirty | ends[1].dirty | ends[0].pending.keys() | ends[1].pending.keys()
    return Snapshot(local, dirty)
