"""Generic traversal of the low form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import evolve

from fencepost.exec.low import (
    All,
    Any,
    Bind,
    Bit,
    Choose,
    Compare,
    Dynamic,
    Fail,
    Field,
    Linear,
    Lit,
    Local,
    Low,
    Not,
    Patch,
    Shifted,
    WithBit,
    Within,
)
from fencepost.exec.low_code import Attempt, Block, Close, Code, Enabled, Fire, Hit, Let, Open, Stopped, When


def operands(node: Low) -> tuple[tuple[Low, ...], tuple[Low, ...]]:
    """The direct operands: those always evaluated with the node, and those that may be skipped."""
    match node:
        case Lit() | Local() | Fail():
            return (), ()
        case Field(state):
            return (state,), ()
        case Dynamic(state, at):
            return (state, at), ()
        case Linear(terms):
            return tuple(term for _, term in terms), ()
        case Shifted(value, by):
            return (value, by), ()
        case Patch(state, _, add):
            return (state, add), ()
        case Compare(_, left, right):
            return (left, right), ()
        case Not(operand) | Within(operand):
            return (operand,), ()
        case All(parts, strict) | Any(parts, strict):
            return (parts, ()) if strict else (parts[:1], parts[1:])
        case Choose(cond, then, orelse):
            return (cond,), (then, orelse)
        case Bit(of, item) | WithBit(of, item):
            return (of, item), ()
        case Bind(_, value, body):
            # The body speaks of the bound local, so nothing of it may be moved out.
            return (value,), (body,)
        case _:
            assert_never(node)


def rebuild(node: Low, change: Callable[[Low], Low]) -> Low:  # noqa: PLR0911 - one case a node
    """The node with `change` applied to each direct operand that is not a packed state."""
    match node:
        case Lit() | Local() | Fail() | Field():
            return node
        case Dynamic(at=at):
            return evolve(node, at=change(at))
        case Linear(terms, constant):
            return Linear(tuple((factor, change(term)) for factor, term in terms), constant)
        case Shifted(value, by):
            return Shifted(change(value), change(by))
        case Patch(add=add):
            return evolve(node, add=change(add))
        case Compare(relation, left, right):
            return Compare(relation, change(left), change(right))
        case Not(operand):
            return Not(change(operand))
        case Within(operand=operand):
            return evolve(node, operand=change(operand))
        case All(parts, strict):
            return All(tuple(map(change, parts)), strict)
        case Any(parts, strict):
            return Any(tuple(map(change, parts)), strict)
        case Choose(cond, then, orelse):
            return Choose(change(cond), change(then), change(orelse))
        case Bit(of, item):
            return Bit(change(of), change(item))
        case WithBit(of=of, item=item):
            return evolve(node, of=change(of), item=change(item))
        case Bind(local, value, body):
            return Bind(local, change(value), change(body))
        case _:
            assert_never(node)


def parts(code: Code) -> tuple[tuple[Low, ...], tuple[Block, ...]]:
    """The expressions that a statement itself evaluates, and the blocks nested in it."""
    match code:
        case Let(value=value):
            return (value,), ()
        case Fire(state=state):
            return (state,), ()
        case When(cond, then, orelse):
            return (cond,), (then, orelse)
        case Attempt(body=body, rescue=rescue):
            return (), (body, rescue)
        case Enabled() | Stopped() | Hit() | Open() | Close():
            return (), ()
        case _:
            assert_never(code)


def expressions(block: Block) -> Iterator[Low]:
    """Every expression that a statement of the block or of a nested one evaluates."""
    for code in block:
        own, nested = parts(code)
        yield from own
        for inner in nested:
            yield from expressions(inner)


def rewrite(code: Code, expr: Callable[[Low], Low], block: Callable[[Block], Block]) -> Code:
    """The statement with its own expressions and its nested blocks changed."""
    match code:
        case Let(local, value):
            return Let(local, expr(value))
        case Fire(item, state):
            return Fire(item, expr(state))
        case When(cond, then, orelse):
            return When(expr(cond), block(then), block(orelse))
        case Attempt(body, items, rescue):
            return Attempt(block(body), items, block(rescue))
        case Enabled() | Stopped() | Hit() | Open() | Close():
            return code
        case _:
            assert_never(code)
