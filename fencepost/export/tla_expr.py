"""Expressions in TLA+, and what they oblige to.

TLA+ gives a value to everything, so an index out of its domain breaks nothing there. What an
expression obliges to is therefore a condition of its own, in the order in which it is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from attrs import evolve, field, frozen

from fencepost.export.naming import Names
from fencepost.export.tla_state import Layout, Sorts, literal
from fencepost.export.tla_text import (
    Binding,
    Bound,
    Choice,
    Doc,
    Implies,
    Infix,
    Joined,
    Let,
    LetIn,
    Negated,
    Text,
    conj,
    flat,
)
from fencepost.ir.expr import (
    FALSE,
    TRUE,
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
    negate,
)
from fencepost.ir.show import ONE, ZERO
from fencepost.ir.sorts import NONE, IndexSort, OptionSort, Sort

Versions = Mapping[str, str]
"""By root, what its value is called at one point of an action."""

LONG = 40
"""From so many columns on, what is written more than once gets a name."""

_INFIX = {Relation.EQ: "=", Relation.LT: "<", Relation.LE: "<="}
_NOT_INFIX = {Relation.EQ: "#", Relation.LT: ">=", Relation.LE: ">"}


@frozen
class Scope:
    """What an expression may refer to at its place."""

    layout: Layout
    sorts: Sorts
    names: Names = field(eq=False, repr=False)
    """What is taken; bound variables get names of their own."""
    epochs: Mapping[int, Versions]
    called: Mapping[str | int, str] = field(factory=dict)
    """Parameters by name, loop variables by number."""
    quantified: frozenset[str] = frozenset()
    """Names that a quantifier around this place binds."""
    short: Callable[[str, IndexSort], str] | None = field(default=None, eq=False, repr=False)
    """Gives a long index a name, for places where it can be defined."""

    def bind(self, key: str | int, name: str) -> tuple[Scope, str]:
        """Inside something that binds a variable, and what the variable is called there."""
        inner = self.names.inner()
        found = inner.fresh(name)
        scope = evolve(self, names=inner, called={**self.called, key: found}, quantified=self.quantified | {found})
        return scope, found

    def index(self, expr: Expr, dim: IndexSort) -> str:
        """An index of an element, by its name if it has one."""
        text = flat(say(expr, self))
        if self.short is None or len(text) < LONG or not self.quantified.isdisjoint(re.findall(r"\w+", text)):
            return text
        return self.short(text, dim)

    def at(self, epoch: int, versions: Versions) -> Scope:
        """After an epoch."""
        return evolve(self, epochs={**self.epochs, epoch: versions})


def say(expr: Expr, scope: Scope) -> Doc:  # noqa: PLR0911 - one case a node
    """The expression as TLA+."""
    match expr:
        case Const(value, sort):
            return _number(literal(sort, value))
        case Param(name):
            return Text(scope.called[name])
        case LoopVar(id=number):
            return Text(scope.called[number])
        case Read(var, indices, epoch):
            place = scope.layout.places[var]
            at = [scope.index(index, dim) for index, dim in zip(indices, var.dims, strict=True)]
            return Text(scope.epochs[epoch][place.root] + place.path(at))
        case Not(operand):
            return _negated(operand, scope)
        case And(operands):
            return _joined("/\\", operands, scope)
        case Or(operands):
            return _or(operands, scope)
        case Compare(relation, left, right):
            return _compared(_INFIX[relation], left, right, scope)
        case Add(left, right):
            return Infix("+", say(left, scope), say(right, scope), Binding.SUM)
        case Sub(left, right):
            return Infix("-", say(left, scope), say(right, scope), Binding.SUM)
        case Ite(cond, then, orelse):
            return Choice(say(cond, scope), say(then, scope), say(orelse, scope))
        case Cast(operand=operand):
            return say(operand, scope)
        case Member(item, of):
            return Infix("\\in", say(item, scope), say(of, scope), Binding.COMPARE)
        case SetWith(of, item, present):
            one = Text(f"{{{flat(say(item, scope))}}}")
            return Infix("\\cup" if present else "\\", say(of, scope), one, Binding.SET)
        case Quantified():
            return _quantified(expr, scope)
        case _:
            assert_never(expr)


def _number(text: str) -> Text:
    return Text(text, Binding.SUM if text.startswith("-") else Binding.ATOM)


def _negated(operand: Expr, scope: Scope) -> Doc:
    match operand:
        case Compare(relation, left, right) if TRUE not in (left, right) and FALSE not in (left, right):
            return _compared(_NOT_INFIX[relation], left, right, scope)
        case Member(item, of):
            return Infix("\\notin", say(item, scope), say(of, scope), Binding.COMPARE)
        case _:
            return Negated(say(operand, scope))


def _compared(op: str, left: Expr, right: Expr, scope: Scope) -> Doc:
    for one, other in ((left, right), (right, left)):
        if op == "=" and other in (TRUE, FALSE):
            return say(one if other == TRUE else negate(one), scope)
    return Infix(op, say(left, scope), say(right, scope), Binding.COMPARE)


def _joined(op: str, operands: Sequence[Expr], scope: Scope) -> Doc:
    items: list[Doc] = []
    for operand in operands:
        item = say(operand, scope)
        items += item.items if isinstance(item, Joined) and item.op == op else (item,)
    return items[0] if len(items) == 1 else Joined(op, tuple(items))


def _or(operands: tuple[Expr, ...], scope: Scope) -> Doc:
    if isinstance(operands[0], Not) and len(operands) > 1:
        return Implies(say(operands[0].operand, scope), _or(operands[1:], scope))
    return _joined("\\/", operands, scope)


def _quantified(expr: Quantified, scope: Scope) -> Doc:
    inner, name = scope.bind(expr.var.id, expr.var.name)
    values = scope.sorts.values(expr.var.sort)
    match expr.quantifier:
        case Quantifier.FORALL:
            return Bound(f"\\A {name} \\in {values}", say(expr.body, inner))
        case Quantifier.EXISTS:
            return Bound(f"\\E {name} \\in {values}", say(expr.body, inner))
        case Quantifier.SUM:
            match expr.body:
                case Ite(cond, then, orelse) if (then, orelse) == (ONE, ZERO):
                    return Text(f"Cardinality({{{name} \\in {values} : {flat(say(cond, inner))}}})")
                case body:
                    return Text(f"Sum([{name} \\in {values} |-> {flat(say(body, inner))}])")
        case _:
            assert_never(expr.quantifier)


Facts = frozenset[str]
"""Conditions that are known to hold where something is evaluated, as text."""


def facts(cond: Expr, scope: Scope) -> Facts:
    """What is known where the condition holds."""
    match cond:
        case And(operands):
            return frozenset().union(*(facts(operand, scope) for operand in operands))
        case Not(Or(operands)):
            return frozenset().union(*(facts(negate(operand), scope) for operand in operands))
        case Compare(Relation.EQ, left, right):
            given = {flat(say(cond, scope))}
            for one, other in ((left, right), (right, left)):
                if isinstance(one.sort, OptionSort) and (
                    isinstance(other.sort, IndexSort) or (isinstance(other, Const) and other.value != NONE)
                ):
                    given.add(flat(_is_some(one, scope)))
            return frozenset(given)
        case _:
            return frozenset({flat(say(cond, scope))})


def _is_some(option: Expr, scope: Scope) -> Doc:
    return Infix("#", say(option, scope), Text("None"), Binding.COMPARE)


def within(sort: Sort, value: Expr, scope: Scope, known: Facts) -> list[Doc]:
    """That a value is one of the sort; nothing if its own sort or what is known says so."""
    own = value.sort
    if sort.lo <= own.lo and own.hi <= sort.hi:
        return []
    if isinstance(own, OptionSort) and own.of == sort:
        asked = _is_some(value, scope)
    else:
        asked = Infix("\\in", say(value, scope), Text(scope.sorts.values(sort), Binding.SET), Binding.COMPARE)
    return [] if flat(asked) in known else [asked]


def obliged(expr: Expr, scope: Scope, known: Facts = frozenset()) -> list[Doc]:
    """What must hold so that evaluating the expression breaks nothing."""
    match expr:
        case Const() | Param() | LoopVar():
            return []
        case Read(var, indices, _, live):
            found = [one for index in indices for one in obliged(index, scope, known)]
            for dim, index in zip(var.dims, indices, strict=True):
                found += within(dim, index, scope, known)
            if live is not None:
                found += obliged(live, scope, known)
                if not facts(live, scope) <= known:
                    found.append(say(live, scope))
            return found
        case And(operands):
            return in_order(operands, scope, known)
        case Or(operands):
            return in_order(tuple(map(negate, operands)), scope, known)
        case Ite(cond, then, orelse):
            return [*obliged(cond, scope, known), *_either(cond, then, orelse, scope, known)]
        case Cast(sort, operand):
            return [*obliged(operand, scope, known), *within(sort, operand, scope, known)]
        case Not(operand):
            return obliged(operand, scope, known)
        case Compare(left=left, right=right) | Add(left, right) | Sub(left, right):
            return [*obliged(left, scope, known), *obliged(right, scope, known)]
        case Member(item, of) | SetWith(of, item):
            return [*obliged(of, scope, known), *obliged(item, scope, known)]
        case Quantified(var=var, body=body):
            inner, name = scope.bind(var.id, var.name)
            below = obliged(body, inner, known)
            return [Bound(f"\\A {name} \\in {scope.sorts.values(var.sort)}", conj(below))] if below else []
        case _:
            assert_never(expr)


def _either(cond: Expr, then: Expr, orelse: Expr, scope: Scope, known: Facts) -> list[Doc]:
    found: list[Doc] = []
    for side, holds in ((then, cond), (orelse, negate(cond))):
        given = facts(holds, scope)
        below = obliged(side, scope, known | given)
        if below:
            found += below if given <= known else [Implies(say(holds, scope), conj(below))]
    return found


def in_order(conditions: Sequence[Expr], scope: Scope, known: Facts) -> list[Doc]:
    """What conditions oblige to of which each is evaluated where all before it hold."""
    scope = evolve(scope, names=scope.names.inner())
    found: list[tuple[int, Doc]] = []
    for number, condition in enumerate(conditions):
        below = obliged(condition, scope, known)
        if below:
            found.append((number, conj(below)))
        known |= facts(condition, scope)
    lets: list[Let] = []
    given: list[Doc] = []
    for number, condition in enumerate(conditions):
        said = say(condition, scope)
        if sum(number < at for at, _ in found) > 1 and len(flat(said)) > LONG:
            lets.append(Let(scope.names.fresh(f"holds_{number + 1}"), (), said))
            said = Text(lets[-1].name)
        given.append(said)
    items = [Implies(conj(given[:number]), below) if number else below for number, below in found]
    return [LetIn(tuple(lets), conj(items))] if lets else items
