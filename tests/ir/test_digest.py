"""The digest follows what a model means, and nothing else."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from fencepost.errors import Location
from fencepost.ir.digest import digest
from fencepost.ir.expr import TRUE, And, Const, Expr, LoopVar, Not, Or, Quantified, Quantifier, Read
from fencepost.ir.model import Actor, Fairness, GuardKind, Kind, Model
from fencepost.ir.sorts import IntSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions_of, map_model, substitute, walk
from tests.strategies import models
from tests.trace.toy import ARM, BUDGET, DESTROY, MENDED, NO_HANG, NOT_DESTROYED, PAUSE, PAUSED, TOY, same, with_action


def test_form() -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", digest(TOY))
    assert digest(TOY) == digest(evolve(TOY))


def renumbered(model: Model, by: int) -> Model:
    """The same model by a builder that counts loops and epochs from elsewhere, and in other places of the source."""

    def expr(node: Expr) -> Expr | None:
        match node:
            case LoopVar():
                return evolve(node, id=node.id + by, name=f"{node.name}x")
            case Read(indices=indices, live=live):
                return evolve(
                    node,
                    indices=tuple(inside(index) for index in indices),
                    live=None if live is None else inside(live),
                    epoch=node.epoch and node.epoch + by,
                    at=Location("else.py", by),
                )
            case Quantified(quantifier, var, body):
                return Quantified(quantifier, evolve(var, id=var.id + by, name=f"{var.name}x"), inside(body))
            case _:
                return None

    def inside(node: Expr) -> Expr:
        return substitute(node, expr)

    def stmt(old: Stmt) -> Stmt:
        match old:
            case Assign():
                return evolve(old, epoch=old.epoch + by, at=Location("else.py", by))
            case If():
                then, orelse = tuple(map(stmt, old.then)), tuple(map(stmt, old.orelse))
                return evolve(old, then=then, orelse=orelse, epoch=old.epoch + by)
            case For():
                var = evolve(old.var, id=old.var.id + by)
                return evolve(old, var=var, body=tuple(map(stmt, old.body)), head=old.head + by, epoch=old.epoch + by)
            case Note():
                return old

    mapped = map_model(model, expr)
    actions = tuple(evolve(action, body=tuple(map(stmt, action.body))) for action in mapped.actions)
    return evolve(mapped, actions=actions)


@given(models(), st.integers(1, 50))
def test_numbers_and_places_do_not_matter(model: Model, by: int) -> None:
    other = renumbered(model, by)
    assert digest(other) == digest(model)


def test_words_do_not_matter() -> None:
    arm = evolve(ARM, body=(Note("hello"), *ARM.body[:-1]), src="x", doc="y", actor=Actor("z"), at=Location("f", 1))
    reworded = with_action(evolve(TOY, protocol="other", variant=None, sizes=(), features=()), arm)
    properties = tuple(evolve(prop, statement="S", protects="P") for prop in reworded.properties)
    assert digest(evolve(reworded, properties=properties)) == digest(TOY)


LOOP = LoopVar(9, "i", IntSort(0, 2))
OTHERS: dict[str, Model] = {
    "a guard": MENDED,
    "a guard's name": with_action(TOY, evolve(ARM, guards=(evolve(ARM.guards[0], name="x"), ARM.guards[1]))),
    "a guard's kind": with_action(
        TOY, evolve(ARM, guards=(ARM.guards[0], evolve(ARM.guards[1], kind=GuardKind.REQUIRE)))
    ),
    "no guards": with_action(TOY, evolve(ARM, guards=())),
    "an action's name": evolve(TOY, actions=(evolve(ARM, name="x"), *TOY.actions[1:])),
    "an action's kind": with_action(TOY, evolve(ARM, kind=Kind.PROGRESS)),
    "an action's fairness": with_action(TOY, evolve(ARM, fair=Fairness.STRONG)),
    "an action less": evolve(TOY, actions=TOY.actions[1:]),
    "the order of actions": evolve(TOY, actions=TOY.actions[::-1]),
    "a parameter's name": with_action(TOY, evolve(ARM, params=(evolve(ARM.params[0], name="x"),))),
    "a statement less": with_action(TOY, evolve(PAUSE, body=())),
    "an assigned value": with_action(TOY, evolve(PAUSE, body=(Assign(PAUSED, (), TRUE, 1),))),
    "another branch": with_action(
        TOY,
        evolve(
            DESTROY, body=tuple(evolve(s, then=(), orelse=s.then) if isinstance(s, If) else s for s in DESTROY.body)
        ),
    ),
    "a range": evolve(TOY, vars=tuple(evolve(v, sort=IntSort(0, 4)) if v == BUDGET else v for v in TOY.vars)),
    "an initial value": evolve(TOY, vars=tuple(evolve(v, init=(2,)) if v == BUDGET else v for v in TOY.vars)),
    "a ghost": evolve(TOY, vars=tuple(evolve(v, ghost=True) if v == BUDGET else v for v in TOY.vars)),
    "a variable less": evolve(TOY, vars=TOY.vars[:-1]),
    "what holds": evolve(TOY, properties=(evolve(NOT_DESTROYED, holds=TRUE), NO_HANG)),
    "a twin": evolve(TOY, properties=(evolve(NOT_DESTROYED, twin=TRUE), NO_HANG)),
    "a property's name": evolve(TOY, properties=(evolve(NOT_DESTROYED, name="x"), NO_HANG)),
    "a property less": evolve(TOY, properties=(NO_HANG,)),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_meaning_matters(other: Model) -> None:
    assert digest(other) != digest(TOY)


def test_epoch_of_a_read_matters() -> None:
    def reading(epoch: int) -> Model:
        first, second = Assign(PAUSED, (), TRUE, 1), Assign(PAUSED, (), Not(Read(PAUSED, (), epoch)), 2)
        return with_action(TOY, evolve(PAUSE, body=(first, second)))

    assert digest(reading(0)) != digest(reading(1))


def test_all_differ() -> None:
    assert len({digest(model) for model in OTHERS.values()}) == len(OTHERS)


def test_which_of_two_bound_variables_is_meant_matters() -> None:
    other = LoopVar(10, "j", IntSort(0, 2))

    def nested(body: Expr) -> Model:
        forall = Quantified(Quantifier.FORALL, LOOP, Quantified(Quantifier.FORALL, other, body))
        return evolve(TOY, properties=(evolve(NO_HANG, holds=forall),))

    zero = Const(0, IntSort(0, 0))
    assert digest(nested(same(LOOP, zero))) != digest(nested(same(other, zero)))


def noted_in(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """What notes say, those in branches and loops too."""
    for stmt in body:
        match stmt:
            case Note(values=values, subject=subject):
                yield from values if subject is None else (*values, subject)
            case If(then=then, orelse=orelse):
                yield from noted_in(then + orelse)
            case For(body=inner):
                yield from noted_in(inner)
            case Assign():
                pass


@given(models(), st.data())
def test_any_change_of_a_node_matters(model: Model, data: st.DataObject) -> None:
    """A connective turned into its dual, or a negation dropped, anywhere in the model."""
    places = [n for expr in expressions_of(model) for n in walk(expr) if isinstance(n, And | Or | Not)]
    noted = [n for action in model.actions for expr in noted_in(action.body) for n in walk(expr)]
    assume(places and not any(isinstance(n, And | Or | Not) for n in noted))
    at, passed = data.draw(st.integers(0, len(places) - 1)), itertools.count()

    def change(node: Expr) -> Expr | None:
        if not isinstance(node, And | Or | Not) or next(passed) != at:
            return None
        match node:
            case And(operands):
                return Or(operands)
            case Or(operands):
                return And(operands)
            case Not(operand):
                return operand

    changed = map_model(model, change)
    if changed != model:
        assert digest(changed) != digest(model)
