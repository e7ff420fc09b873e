"""Generic traversal: the children of a node, rebuilding a node with other children, and walks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import evolve

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
from fencepost.ir.stmt import Assign, For, If, Note, Stmt


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of a node, in evaluation order."""
    match expr:
        case Const() | Param() | LoopVar():
            return ()
        case Read(indices=indices, live=live):
            return indices if live is None else (*indices, live)
        case Not(operand) | Cast(operand=operand):
            return (operand,)
        case And(operands) | Or(operands):
            return operands
        case Compare(left=left, right=right) | Add(left, right) | Sub(left, right):
            return (left, right)
        case Ite(cond, then, orelse):
            return (cond, then, orelse)
        case Member(item, of):
            return (item, of)
        case SetWith(of, item):
            return (of, item)
        case Quantified(body=body):
            return (body,)
        case _:
            assert_never(expr)


def rebuild(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:  # noqa: PLR0911 - one case a node
    """The same node with `change` applied to each direct operand."""
    match expr:
        case Const() | Param() | LoopVar():
            return expr
        case Read(indices=indices, live=live):
            return evolve(expr, indices=tuple(map(change, indices)), live=None if live is None else change(live))
        case Not(operand):
            return Not(change(operand))
        case Cast(operand=operand):
            return evolve(expr, operand=change(operand))
        case And(operands):
            return And(tuple(map(change, operands)))
        case Or(operands):
            return Or(tuple(map(change, operands)))
        case Compare(relation, left, right):
            return Compare(relation, change(left), change(right))
        case Add(left, right):
            return Add(change(left), change(right))
        case Sub(left, right):
            return Sub(change(left), change(right))
        case Ite(cond, then, orelse, sort):
            return Ite(change(cond), change(then), change(orelse), sort)
        case Member(item, of):
            return Member(change(item), change(of))
        case SetWith(of, item, present):
            return SetWith(change(of), change(item), present)
        case Quantified(quantifier, var, body):
            return Quantified(quantifier, var, change(body))
        case _:
            assert_never(expr)


def substitute(expr: Expr, replace: Callable[[Expr], Expr | None]) -> Expr:
    """Replace every node for which `replace` gives another, from the top down."""
    found = replace(expr)
    return found if found is not None else rebuild(expr, lambda child: substitute(child, replace))


def walk(expr: Expr) -> Iterator[Expr]:
    """The node and everything below it, each before its operands."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement of a body, nested ones after the one that holds them."""
    for stmt in body:
        yield stmt
        match stmt:
            case If(then=then, orelse=orelse):
                yield from statements(then)
                yield from statements(orelse)
            case For(body=inner):
                yield from statements(inner)
            case Assign() | Note():
                pass
            case _:
                assert_never(stmt)


def own_epochs(stmt: Stmt) -> tuple[int, ...]:
    """The numbers of the states that a statement itself passes: a loop's head and end, or the end alone."""
    match stmt:
        case Assign(epoch=epoch) | If(epoch=epoch):
            return (epoch,)
        case For(head=head, epoch=epoch):
            return (head, epoch)
        case Note():
            return ()
        case _:
            assert_never(stmt)


def epochs(body: tuple[Stmt, ...]) -> Iterator[int]:
    """The numbers of all states that a body passes, those within branches and loops too."""
    for stmt in statements(body):
        yield from own_epochs(stmt)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement itself evaluates (not those of nested statements)."""
    match stmt:
        case Assign(indices=indices, value=value):
            return (*indices, value)
        case If(cond=cond):
            return (cond,)
        case For():
            return ()
        case Note(values=values, subject=subject):
            return values if subject is None else (*values, subject)
        case _:
            assert_never(stmt)


Replace = Callable[[Expr], Expr | None]
"""What `substitute` asks for each node: another in its place, or None to look inside it."""


def map_statement(stmt: Stmt, replace: Replace) -> Stmt:
    """The statement with `replace` applied to all its expressions, nested statements' too."""

    def change(expr: Expr) -> Expr:
        return substitute(expr, replace)

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map_statement(inner, replace) for inner in body)

    match stmt:
        case Assign(indices=indices, value=value):
            return evolve(stmt, indices=tuple(map(change, indices)), value=change(value))
        case If(cond=cond, then=then, orelse=orelse):
            return evolve(stmt, cond=change(cond), then=block(then), orelse=block(orelse))
        case For(body=inner):
            return evolve(stmt, body=block(inner))
        case Note(values=values, subject=subject):
            return evolve(stmt, values=tuple(map(change, values)), subject=None if subject is None else change(subject))
        case _:
            assert_never(stmt)


def map_action(action: Action, replace: Replace) -> Action:
    """The action with `replace` applied to all its expressions."""
    return evolve(
        action,
        guards=tuple(evolve(guard, cond=substitute(guard.cond, replace)) for guard in action.guards),
        body=tuple(map_statement(stmt, replace) for stmt in action.body),
    )


def map_property(prop: Property, replace: Replace) -> Property:
    """The property with `replace` applied to all its expressions."""
    asked = prop.response
    if asked is not None:
        asked = evolve(asked, trigger=substitute(asked.trigger, replace), goal=substitute(asked.goal, replace))
    return evolve(prop, holds=substitute(prop.holds, replace), twin=substitute(prop.twin, replace), response=asked)


def map_model(model: Model, replace: Replace) -> Model:
    """The model with `replace` applied to all its expressions."""
    return evolve(
        model,
        actions=tuple(map_action(action, replace) for action in model.actions),
        properties=tuple(map_property(prop, replace) for prop in model.properties),
        lemmas=tuple(map_property(lemma, replace) for lemma in model.lemmas),
    )


def expressions_of(model: Model) -> Iterator[Expr]:
    """Every outermost expression of the model."""
    for action in model.actions:
        yield from (guard.cond for guard in action.guards)
        for stmt in statements(action.body):
            yield from expressions(stmt)
    for prop in (*model.properties, *model.lemmas):
        yield prop.holds
        yield prop.twin
        if prop.response is not None:
            yield from (prop.response.trigger, prop.response.goal)
