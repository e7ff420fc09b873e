"""A digest of what a model means: the same for two models that behave alike step by step.

Left out is what only speaks to people: locations, documentation, statements, notes, actors, and
the numbers that a builder happened to give to epochs and loop variables.
"""

from __future__ import annotations

import hashlib
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
    Read,
    SetWith,
    Sub,
)
from fencepost.ir.model import Action, Model, Property
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt

DIGITS = 16

Form = str | int | None | tuple["Form", ...]
"""Nested tuples: a canonical form whose `repr` is the same on every run."""


def digest(model: Model) -> str:
    """16 hexadecimal digits that change when the model's variables, actions or properties do."""
    form: Form = (
        tuple((var.name, _sort(var.sort), tuple(map(_sort, var.dims)), var.init, int(var.ghost)) for var in model.vars),
        tuple(map(_action, model.actions)),
        tuple(map(_property, model.properties)),
    )
    return hashlib.sha256(repr(form).encode()).hexdigest()[:DIGITS]


def _property(prop: Property) -> Form:
    form: Form = (prop.name, prop.kind.value, _Canon().expr(prop.holds), _Canon().expr(prop.twin))
    if prop.response is None:
        return form
    canon, asked = _Canon(), prop.response
    over: Form = tuple((canon.bind(var), _sort(var.sort)) for var in asked.over)
    return (form, over, canon.expr(asked.trigger), canon.expr(asked.goal))


def _action(action: Action) -> Form:
    canon = _Canon()
    return (
        action.name,
        action.kind.value,
        action.fair.value,
        tuple((param.name, _sort(param.sort)) for param in action.params),
        tuple((guard.name, guard.kind.value, canon.expr(guard.cond)) for guard in action.guards),
        canon.block(action.body),
    )


def _sort(sort: Sort) -> Form:
    match sort:
        case BoolSort():
            return "bool"
        case IntSort(lo, hi):
            return ("int", lo, hi)
        case EnumSort(name, members):
            return ("enum", name, members)
        case IndexSort(name, count):
            return ("index", name, count)
        case OptionSort(of):
            return ("option", _sort(of))
        case SetSort(of):
            return ("set", _sort(of))
        case _:
            assert_never(sort)


@mutable
class _Canon:
    """Numbers loop variables and epochs in the order in which they are met."""

    loops: dict[int, int] = field(factory=dict)
    epochs: dict[int, int] = field(factory=lambda: {0: 0})
    bound: int = 0

    def bind(self, var: LoopVar) -> int:
        # One number used by two loops, one after the other, is two variables.
        self.bound += 1
        self.loops[var.id] = self.bound
        return self.bound

    def epoch(self, epoch: int) -> int:
        return self.epochs.setdefault(epoch, len(self.epochs))

    def exprs(self, exprs: tuple[Expr, ...]) -> Form:
        return tuple(self.expr(expr) for expr in exprs)

    def expr(self, expr: Expr) -> Form:  # noqa: PLR0911 - one case a node
        match expr:
            case Const(value, sort):
                return ("const", value, _sort(sort))
            case Param(name):
                return ("param", name)
            case LoopVar():
                return ("loop", self.loops[expr.id])
            case Read(var, indices, epoch, live):
                return (
                    "read",
                    var.name,
                    self.exprs(indices),
                    self.epoch(epoch),
                    None if live is None else self.expr(live),
                )
            case Not(operand):
                return ("not", self.expr(operand))
            case And(operands):
                return ("and", self.exprs(operands))
            case Or(operands):
                return ("or", self.exprs(operands))
            case Compare(relation, left, right):
                return (relation.value, self.expr(left), self.expr(right))
            case Add(left, right):
                return ("+", self.expr(left), self.expr(right))
            case Sub(left, right):
                return ("-", self.expr(left), self.expr(right))
            case Ite(cond, then, orelse):
                return ("ite", self.expr(cond), self.expr(then), self.expr(orelse))
            case Cast(sort, operand, what):
                return ("cast", _sort(sort), self.expr(operand), what)
            case Member(item, of):
                return ("in", self.expr(item), self.expr(of))
            case SetWith(of, item, present):
                return ("with" if present else "without", self.expr(of), self.expr(item))
            case Quantified(quantifier, var, body):
                return (quantifier.value, self.bind(var), _sort(var.sort), self.expr(body))
            case _:
                assert_never(expr)

    def block(self, body: tuple[Stmt, ...]) -> Form:
        return tuple(form for stmt in body if (form := self.stmt(stmt)) is not None)

    def stmt(self, stmt: Stmt) -> Form:
        match stmt:
            case Assign(var, indices, value, epoch):
                form: Form = ("assign", var.name, self.exprs(indices), self.expr(value))
                return (form, self.epoch(epoch))
            case If(cond, then, orelse, epoch):
                form = ("if", self.expr(cond), self.block(then), self.block(orelse))
                return (form, self.epoch(epoch))
            case For(var, body, head, epoch):
                form = ("for", self.bind(var), _sort(var.sort), self.epoch(head), self.block(body))
                return (form, self.epoch(epoch))
            case Note():
                return None
            case _:
                assert_never(stmt)
