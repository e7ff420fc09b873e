"""The IR as readable text, close to how the source of a protocol reads."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import assert_never

from attrs import evolve, field, frozen

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
from fencepost.ir.model import Action, Model, Property, PropertyKind, Response
from fencepost.ir.sorts import IndexSort, IntSort, show, sort_name
from fencepost.ir.stmt import Assign, For, If, Note, Stmt

MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
ONE, ZERO = Const(1, IntSort(1, 1)), Const(0, IntSort(0, 0))


class Binding(enum.IntEnum):
    """How tightly an operator binds; a looser one inside a tighter one needs parentheses."""

    LOOSE = 0
    """Quantifiers and if-expressions: everything to their right is theirs."""
    IMPLIES = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARE = 5
    SUM = 6
    ATOM = 7


@frozen
class Shown:
    """What a place in the text knows: names of bound variables, and the epoch that a bare read means.

    `taken` are names that no bound variable may have: the parameters.
    """

    names: Mapping[int, str] = field(factory=dict)
    epoch: int = 0
    taken: frozenset[str] = frozenset()

    def bind(self, var: LoopVar) -> Shown:
        """Inside a loop or quantifier: its name, numbered where another one of that name is in scope."""
        name, taken = var.name, self.taken.union(self.names.values())
        number = 2
        while name in taken:
            name, number = f"{var.name}{number}", number + 1
        return evolve(self, names={**self.names, var.id: name})


def show_expr(expr: Expr, shown: Shown | None = None) -> str:
    """One line of text for an expression.

    A read at another epoch than `shown.epoch` carries it: `count@3`. Casts are left out: what they
    oblige to is told where it is broken.
    """
    return _text(expr, shown or Shown())[0]


def _text(expr: Expr, shown: Shown) -> tuple[str, Binding]:
    match expr:
        case Const() | Param() | LoopVar() | Read():
            return _atom(expr, shown), Binding.ATOM
        case Cast(operand=operand):
            return _text(operand, shown)
        case Quantified():
            return _quantified(expr, shown), Binding.LOOSE
        case Ite(cond, then, orelse):
            parts = [_within(part, Binding.IMPLIES, shown) for part in (then, cond, orelse)]
            return "{} if {} else {}".format(*parts), Binding.LOOSE
        case Not() | And() | Or():
            return _logical(expr, shown)
        case Compare(relation, left, right):
            return _comparison(relation.value, left, right, shown)
        case Member(item, of):
            return _infix("in", item, of, Binding.COMPARE, shown)
        case Add(left, right):
            return _infix("+", left, right, Binding.SUM, shown)
        case Sub(left, right):
            return _infix("-", left, right, Binding.SUM, shown)
        case SetWith(of, item, present):
            text = f"{_within(of, Binding.SUM, shown)} {'+' if present else '-'} {{{show_expr(item, shown)}}}"
            return text, Binding.SUM
        case _:
            assert_never(expr)


def _atom(expr: Const | Param | LoopVar | Read, shown: Shown) -> str:
    match expr:
        case Const(value, sort):
            return show(sort, value)
        case Param(name):
            return name
        case LoopVar(id=number, name=name):
            return shown.names.get(number, name)
        case Read(var, indices, epoch):
            at = "" if epoch == shown.epoch else f"@{epoch}"
            return var.subscripted(*(show_expr(index, shown) for index in indices)) + at
        case _:
            assert_never(expr)


def _within(expr: Expr, least: Binding, shown: Shown) -> str:
    """The text, in parentheses if it binds less tightly than its place needs."""
    text, binding = _text(expr, shown)
    return text if binding >= least else f"({text})"


def _comparison(operator: str, left: Expr, right: Expr, shown: Shown) -> tuple[str, Binding]:
    if isinstance(left, Const) and not isinstance(right, Const):
        left, right, operator = right, left, MIRRORED[operator]
    return _infix(operator, left, right, Binding.COMPARE, shown)


def _infix(operator: str, left: Expr, right: Expr, binding: Binding, shown: Shown) -> tuple[str, Binding]:
    # Chained comparison means something else in Python, and a - (b - c) is not a - b - c.
    first = binding if binding is Binding.SUM else Binding.SUM
    second = Binding.ATOM if binding is Binding.SUM else Binding.SUM
    return f"{_within(left, first, shown)} {operator} {_within(right, second, shown)}", binding


def _logical(expr: Not | And | Or, shown: Shown) -> tuple[str, Binding]:
    match expr:
        case Not(Compare(Relation.EQ, left, right)):
            return _comparison("!=", left, right, shown)
        case Not(Compare(Relation.LT, left, right)):
            return _comparison(">=", left, right, shown)
        case Not(Compare(Relation.LE, left, right)):
            return _comparison(">", left, right, shown)
        case Not(Member(item, of)):
            return _infix("not in", item, of, Binding.COMPARE, shown)
        case Not(operand):
            return f"not {_within(operand, Binding.NOT, shown)}", Binding.NOT
        case And(operands):
            return " and ".join(_within(operand, Binding.NOT, shown) for operand in operands), Binding.AND
        case Or((Not(first), *rest)) if rest:
            then = rest[0] if len(rest) == 1 else Or(tuple(rest))
            least = Binding.LOOSE if isinstance(then, Quantified) else Binding.OR
            return f"{_within(first, Binding.OR, shown)} implies {_within(then, least, shown)}", Binding.IMPLIES
        case Or(operands):
            return " or ".join(_within(operand, Binding.AND, shown) for operand in operands), Binding.OR
        case _:
            assert_never(expr)


def _quantified(expr: Quantified, shown: Shown) -> str:
    """Nested quantifiers of one kind share a head: `forall q: Queue, s: Slot. ...`."""
    word, heads = expr.quantifier.value, []
    body: Expr = expr
    while isinstance(body, Quantified) and body.quantifier is expr.quantifier:
        shown = shown.bind(body.var)
        heads.append(f"{shown.names[body.var.id]}: {sort_name(body.var.sort)}")
        body = body.body
    match expr.quantifier, body:
        case Quantifier.SUM, Ite(cond, then, orelse) if (then, orelse) == (ONE, ZERO):
            word, body = "count", cond
        case _:
            pass
    return f"{word} {', '.join(heads)}. {show_expr(body, shown)}"


def show_action(action: Action) -> str:
    """An action as a block of text: guards, then the body in the order of its statements."""
    params = ", ".join(f"{param.name}: {sort_name(param.sort)}" for param in action.params)
    lane = f"[{action.actor.lane}]" if action.actor.lane is not None else ""
    lines = [f"action {action.name}({params})  by {action.actor.name}{lane}, {action.kind.value}, for {action.src}"]
    shown = Shown(taken=frozenset(param.name for param in action.params))
    lines += [f"    {guard.kind.value} {show_expr(guard.cond, shown)}  -- {guard.name}" for guard in action.guards]
    lines += _block(action.body, 1, shown)
    return "\n".join(lines) + "\n"


def _block(body: tuple[Stmt, ...], depth: int, shown: Shown) -> Iterator[str]:
    """The lines of a block. Reads at the epoch just before a statement are bare, as in the source."""
    pad = "    " * depth
    for stmt in body:
        match stmt:
            case Assign(var, indices, value, epoch):
                target = var.subscripted(*(show_expr(index, shown) for index in indices))
                yield f"{pad}{target} = {show_expr(value, shown)}  -- @{epoch}"
                shown = evolve(shown, epoch=epoch)
            case If(cond, then, orelse, epoch):
                yield f"{pad}when {show_expr(cond, shown)}:"
                yield from _block(then, depth + 1, shown)
                if orelse:
                    yield f"{pad}otherwise:"
                    yield from _block(orelse, depth + 1, shown)
                yield f"{pad}-- @{epoch}"
                shown = evolve(shown, epoch=epoch)
            case For(var, looped, head, epoch):
                inner = evolve(shown.bind(var), epoch=head)
                yield f"{pad}for {inner.names[var.id]} in {sort_name(var.sort)}:  -- @{head}"
                yield from _block(looped, depth + 1, inner)
                yield f"{pad}-- @{epoch}"
                shown = evolve(shown, epoch=epoch)
            case Note(text, values, subject):
                of = "" if subject is None else f" of {show_expr(subject, shown)}"
                yield f"{pad}note {text.format(*(f'<{show_expr(value, shown)}>' for value in values))!r}{of}"
            case _:
                assert_never(stmt)


def show_property(prop: Property) -> str:
    """A property as a block of text: its sentence, what holds, its twin.

    Of a hang, only what is outstanding: the rest of what holds is every progress action's guards.
    """
    head = f"{prop.kind.value} {prop.name}: {prop.statement}\n"
    match prop.kind:
        case PropertyKind.INVARIANT:
            return f"{head}    holds {show_expr(prop.holds)}\n    twin {show_expr(prop.twin)}\n"
        case PropertyKind.HANG:
            return f"{head}    outstanding {show_expr(prop.twin)}\n"
        case PropertyKind.RESPONSE:
            return f"{head}{''.join(_response(prop.response)) if prop.response is not None else ''}"
        case _:
            assert_never(prop.kind)


def _response(asked: Response) -> Iterator[str]:
    shown = Shown()
    for var in asked.over:
        shown = shown.bind(var)
    if asked.over:
        yield f"    for {', '.join(f'{shown.names[var.id]} in {sort_name(var.sort)}' for var in asked.over)}\n"
    yield f"    whenever {show_expr(asked.trigger, shown)}\n"
    yield f"    some time {show_expr(asked.goal, shown)}\n"


def show_var(var: Var) -> str:
    """A variable's declaration on one line."""
    dims = "".join(f"[{_dim(dim)}]" for dim in var.dims)
    first = var.init[0]
    start = show(var.sort, first) if all(value == first for value in var.init) else _listed(var)
    return f"{'ghost ' if var.ghost else ''}var {var.name}: {sort_name(var.sort)}{dims} = {start}"


def _dim(dim: IndexSort) -> str:
    return f"{dim.name} 0..{dim.hi}"


def _listed(var: Var) -> str:
    return ", ".join(show(var.sort, value) for value in var.init)


def show_model(model: Model) -> str:
    """The whole model as text, for a person to read."""
    sizes = "".join(f" {name}={count}" for name, count in model.sizes)
    head = f"protocol {model.protocol} variant {model.variant or 'default'}{sizes}\n"
    blocks = ["".join(f"{show_var(var)}\n" for var in model.vars)]
    blocks += [show_action(action) for action in model.actions]
    blocks += [show_property(prop) for prop in model.properties]
    return "\n".join([head, *blocks])
