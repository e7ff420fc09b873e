"""Symbolic execution of an action's guards and body, for given arguments.

Loops run turn by turn, since their range is known; the two branches of an `If` run one after
the other from the same state and are merged element by element where they differ.
"""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from fencepost.ir.expr import Expr
from fencepost.ir.model import Action, GuardKind
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.smt import values
from fencepost.smt.bits import Bit, conj, disj, neg
from fencepost.smt.discharge import Filter, Obligations, keep_all
from fencepost.smt.evaluate import Frame, Store, condition, evaluate
from fencepost.smt.values import Num, Value

Broken = dict[str, Bit]
"""For each obligation, by name, the condition under which it is the first to break."""


@frozen(eq=False)
class Outcome:
    """What one action with given arguments does to a symbolic state.

    `enabled`: every guard holds and no obligation breaks; then `after` is the next state. `held`: the
    first guard that does not hold is a bound.
    """

    enabled: Bit
    held: Bit
    broken: Broken
    after: Store


@frozen(eq=False)
class Judgement:
    """A closed condition in a symbolic state: when it holds, when it does not, and what breaks instead."""

    holds: Bit
    fails: Bit
    broken: Broken


def fire(action: Action, args: tuple[int, ...], before: Store, still_open: Filter = keep_all) -> Outcome:
    """One step, symbolically; `still_open` may drop obligations that cannot break."""
    params = {param.name: values.constant(arg, param.sort) for param, arg in zip(action.params, args, strict=True)}
    frame = Frame(action.name, params, {0: before})
    guards: list[Bit] = []
    held: list[Bit] = []
    for guard in action.guards:
        holds = condition(guard.cond, frame)
        if guard.kind is GuardKind.BOUND:
            held.append(conj((*guards, neg(holds))))
        guards.append(holds)
        if holds is False:
            break
        frame.path.append(holds)
    after = before if guards and guards[-1] is False else _run(action.body, before, frame)
    broken, unbroken = _first(still_open(frame.obligations))
    return Outcome(conj((*guards, unbroken)), disj(held), broken, after)


def judge(expr: Expr, state: Store, where: str, still_open: Filter = keep_all) -> Judgement:
    """A closed Boolean expression in a state; `still_open` may drop obligations that cannot break."""
    frame = Frame(where, {}, {0: state})
    value = condition(expr, frame)
    broken, unbroken = _first(still_open(frame.obligations))
    return Judgement(conj((value, unbroken)), conj((neg(value), unbroken)), broken)


def _first(obligations: Obligations) -> tuple[Broken, Bit]:
    """By name, when an obligation is the first to break; and that none breaks."""
    causes: dict[str, list[Bit]] = {}
    earlier: list[Bit] = []
    for name, breaks in obligations:
        if breaks is not False:
            causes.setdefault(name, []).append(conj((breaks, *map(neg, earlier))))
            earlier.append(breaks)
    return {name: disj(found) for name, found in causes.items()}, neg(disj(earlier))


def _run(body: tuple[Stmt, ...], state: Store, frame: Frame) -> Store:
    for stmt in body:
        match stmt:
            case Assign(epoch=epoch):
                state = frame.epochs[epoch] = _assign(stmt, state, frame)
            case If(epoch=epoch):
                state = frame.epochs[epoch] = _branch(stmt, state, frame)
            case For(var, inner, head, epoch):
                for value in var.sort.values():
                    frame.loops[var.id] = values.constant(value, var.sort)
                    frame.epochs[head] = state
                    state = _run(inner, state, frame)
                frame.epochs[epoch] = state
            case Note():
                pass
            case _:
                assert_never(stmt)
    return state


def _assign(stmt: Assign, state: Store, frame: Frame) -> Store:
    indices = frame.indices(stmt.var, stmt.indices)
    value = frame.within(stmt.var.sort, evaluate(stmt.value, frame), stmt.var.name)
    counts = [dim.count for dim in stmt.var.dims]
    return {**state, stmt.var: _updated(state[stmt.var], counts, indices, value)}


def _updated(items: tuple[Value, ...], counts: list[int], indices: tuple[Num, ...], value: Value) -> tuple[Value, ...]:
    """The elements with one of them replaced."""
    chosen: list[Bit] = [True]
    for count, index in zip(counts, indices, strict=True):
        hits = values.positions(index, count)
        chosen = [conj((outer, hit)) for outer in chosen for hit in hits]
    return tuple(values.choose(hit, value, old) for hit, old in zip(chosen, items, strict=True))


def _branch(stmt: If, state: Store, frame: Frame) -> Store:
    cond = condition(stmt.cond, frame)
    if isinstance(cond, bool):
        return _run(stmt.then if cond else stmt.orelse, state, frame)
    with frame.under(cond):
        then = _run(stmt.then, state, frame)
    with frame.under(neg(cond)):
        orelse = _run(stmt.orelse, state, frame)
    merged = {}
    for var, old in state.items():
        left, right = then[var], orelse[var]
        merged[var] = old if left is right is old else tuple(map(values.choose, (cond,) * len(left), left, right))
    return merged
