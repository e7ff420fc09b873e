"""Symbolic evaluation of expressions, with their obligations.

An evaluation keeps the conditions under which it is reached. An obligation that could fail is
noted with the condition under which it is reached and fails, in the order of evaluation: the
first that holds is the one the interpreter would report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import assert_never

from attrs import field, mutable

from fencepost.ir.expr import (
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Member,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.sorts import BoolSort, SetSort, Sort, sort_name
from fencepost.smt import values
from fencepost.smt.bits import Bit, conj, disj, neg
from fencepost.smt.values import Members, Num, Value

Store = dict[Var, tuple[Value, ...]]
"""A symbolic state: for each variable its elements, row-major."""


@mutable(eq=False)
class Frame:
    """What an expression may refer to, the conditions under which it is reached, and what it obliges."""

    where: str
    params: Mapping[str, Value]
    epochs: dict[int, Store]
    loops: dict[int, Value] = field(factory=dict)
    path: list[Bit] = field(factory=list)
    obligations: list[tuple[str, Bit]] = field(factory=list)

    @contextmanager
    def under(self, condition: Bit) -> Iterator[None]:
        """Evaluate only where the condition holds."""
        self.path.append(condition)
        try:
            yield
        finally:
            self.path.pop()

    def oblige(self, name: str, holds: Bit) -> None:
        """Note an obligation of what is evaluated now."""
        if holds is not True:
            self.obligations.append((name, conj((*self.path, neg(holds)))))

    def within(self, sort: Sort, value: Value, what: str) -> Value:
        """The value as one of `sort`, obliged to be one."""
        if isinstance(value, Members) or isinstance(sort, SetSort):
            return values.members(value)
        if isinstance(sort, BoolSort) and not isinstance(value, Num):
            return value
        num = values.number(value)
        self.oblige(f"range:{self.where}/{what}", values.inside(num, sort.lo, sort.hi))
        inner = values.narrow(num, sort.lo, sort.hi)
        return values.is_value(inner, 1) if isinstance(sort, BoolSort) else inner

    def indices(self, var: Var, indices: Sequence[Expr]) -> tuple[Num, ...]:
        """The indices of an element, each obliged to be within its dimension."""
        return tuple(
            values.number(self.within(dim, evaluate(index, self), f"{var.name}[{dim.name}]"))
            for dim, index in zip(var.dims, indices, strict=True)
        )


def evaluate(expr: Expr, frame: Frame) -> Value:  # noqa: PLR0911 - one case a node
    """The value of an expression; what it obliges goes to the frame."""
    match expr:
        case Const(value, sort):
            return values.constant(value, sort)
        case Param(name):
            return frame.params[name]
        case LoopVar(id=loop):
            return frame.loops[loop]
        case Read():
            return _read(expr, frame)
        case Not(operand):
            return neg(condition(operand, frame))
        case And(operands):
            return conj(_lazily(operands, frame, goes_on=True))
        case Or(operands):
            return disj(_lazily(operands, frame, goes_on=False))
        case Compare(relation, left, right):
            return _compare(relation, evaluate(left, frame), evaluate(right, frame))
        case Add(left, right):
            return values.add(_number(left, frame), _number(right, frame))
        case Sub(left, right):
            return values.add(_number(left, frame), values.minus(_number(right, frame)))
        case Ite():
            return _ite(expr, frame)
        case Cast(sort, operand, what):
            return frame.within(sort, evaluate(operand, frame), what or sort_name(sort))
        case Member(item, of):
            mask = values.members(evaluate(of, frame))
            return values.member(_number(item, frame), mask)
        case SetWith(of, item, present):
            mask = values.members(evaluate(of, frame))
            return values.with_member(mask, _number(item, frame), present=present)
        case Quantified():
            return _quantified(expr, frame)
        case _:
            assert_never(expr)


def condition(expr: Expr, frame: Frame) -> Bit:
    """The value of a Boolean expression."""
    return values.bit(evaluate(expr, frame))


def _number(expr: Expr, frame: Frame) -> Num:
    return values.number(evaluate(expr, frame))


def _read(read: Read, frame: Frame) -> Value:
    indices = frame.indices(read.var, read.indices)
    if read.live is not None:
        frame.oblige(f"dead:{frame.where}/{read.var.name}", condition(read.live, frame))
    counts = [dim.count for dim in read.var.dims]
    return _element(frame.epochs[read.epoch][read.var], counts, indices)


def _element(items: Sequence[Value], counts: Sequence[int], indices: Sequence[Num]) -> Value:
    if not indices:
        return items[0]
    stride = len(items) // counts[0]
    first = indices[0]
    reachable = [
        _element(items[at * stride : (at + 1) * stride], counts[1:], indices[1:])
        if first.lo <= at <= first.hi
        else items[at * stride]
        for at in range(counts[0])
    ]
    return values.select(first, reachable)


def _lazily(operands: Sequence[Expr], frame: Frame, *, goes_on: bool) -> list[Bit]:
    """The operands' values, each evaluated where all before it had the value that lets it go on."""
    depth = len(frame.path)
    found: list[Bit] = []
    for operand in operands:
        value = condition(operand, frame)
        found.append(value)
        if value is (not goes_on):
            break
        frame.path.append(value if goes_on else neg(value))
    del frame.path[depth:]
    return found


def _compare(relation: Relation, left: Value, right: Value) -> Bit:
    match relation:
        case Relation.EQ:
            return values.equal(left, right)
        case Relation.LT:
            return values.less(values.number(left), values.number(right))
        case Relation.LE:
            return neg(values.less(values.number(right), values.number(left)))
        case _:
            assert_never(relation)


def _ite(expr: Ite, frame: Frame) -> Value:
    cond = condition(expr.cond, frame)
    if isinstance(cond, bool):
        return evaluate(expr.then if cond else expr.orelse, frame)
    with frame.under(cond):
        then = evaluate(expr.then, frame)
    with frame.under(neg(cond)):
        orelse = evaluate(expr.orelse, frame)
    return values.choose(cond, then, orelse)


def _quantified(expr: Quantified, frame: Frame) -> Value:
    found: list[Value] = []
    for value in expr.var.sort.values():
        frame.loops[expr.var.id] = values.constant(value, expr.var.sort)
        found.append(evaluate(expr.body, frame))
    match expr.quantifier:
        case Quantifier.FORALL:
            return conj(map(values.bit, found))
        case Quantifier.EXISTS:
            return disj(map(values.bit, found))
        case Quantifier.SUM:
            return values.total([values.number(value) for value in found])
        case _:
            assert_never(expr.quantifier)
