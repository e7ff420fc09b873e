"""What the exporters leave out changes no value, and hides no obligation that breaks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.exec.interpreter import Interpreter, ObligationBroken, State
from fencepost.export.current import current
from fencepost.export.simplify import simplified, simplified_action
from fencepost.ir.expr import FALSE, TRUE, And, Cast, Compare, Const, Expr, Ite, Not, Or, Read, Relation, Var
from fencepost.ir.model import Action, Actor, Guard, Model
from fencepost.ir.sorts import BOOL, IndexSort, IntSort, OptionSort
from fencepost.ir.stmt import Assign, If
from tests.profile import examples
from tests.strategies import models, states

A, B = Var("a", BOOL), Var("b", BOOL)
N = Var("n", IntSort(0, 3))
SLOT = IndexSort("Slot", 2)
HEAD = Var("head", OptionSort(SLOT), (), (-1,))
GET = Compare(Relation.EQ, Cast(SLOT, Read(HEAD)), Const(0, SLOT))
"""Breaks its obligation where the head is none."""


def value(model: Model, state: State, expr: Expr) -> int | str:
    try:
        return Interpreter(model).evaluate(state, expr, "here")
    except ObligationBroken as broken:
        return broken.name


@settings(max_examples=examples(100), deadline=None)
@given(st.data())
def test_a_simplified_condition_has_the_same_value(data: st.DataObject) -> None:
    model = data.draw(models())
    state = data.draw(states(model))
    for prop in model.properties:
        assert value(model, state, simplified(prop.holds)) == value(model, state, prop.holds)


def test_what_may_break_stays() -> None:
    assert simplified(And((GET, FALSE))) == And((GET, FALSE))
    assert simplified(Or((GET, TRUE))) == Or((GET, TRUE))
    assert simplified(And((Read(A), FALSE))) == FALSE
    assert simplified(And((FALSE, GET))) == FALSE
    assert simplified(Compare(Relation.EQ, Cast(SLOT, Read(HEAD)), Cast(SLOT, Read(HEAD)))) != TRUE


def test_what_is_known_goes() -> None:
    assert simplified(And((Read(A), TRUE, Read(A)))) == Read(A)
    assert simplified(Or((Not(Read(A)), FALSE))) == Not(Read(A))
    assert simplified(Ite(TRUE, Read(A), Read(B), BOOL)) == Read(A)
    alive = Read(N, live=Read(A))
    shown = simplified(And((Read(A), Compare(Relation.LT, alive, Const(2, IntSort(2, 2))))))
    assert shown == And((Read(A), Compare(Relation.LT, Read(N), Const(2, IntSort(2, 2)))))
    assert simplified(Or((Read(A), Compare(Relation.LT, alive, Const(2, IntSort(2, 2)))))) != shown


def action(*body: Assign | If) -> Action:
    return Action("act", (), (Guard("on", Read(A)),), body, Actor("x"), "f()")


def test_a_branch_that_is_decided_by_what_was_assigned_goes() -> None:
    kept = Assign(B, (), FALSE, 3)
    after = simplified_action(
        action(Assign(A, (), FALSE, 1), If(Read(A, epoch=0), (Assign(B, (), TRUE, 2),), (), 4), kept)
    )
    assert after.body == (Assign(A, (), FALSE, 1), kept)


def test_what_is_assigned_in_a_branch_is_no_longer_known() -> None:
    branch = If(Read(B), (Assign(A, (), FALSE, 1),), (), 2)
    asks = If(Read(A), (Assign(B, (), FALSE, 3),), (), 4)
    assert simplified_action(action(branch, asks)).body == (branch, asks)


def test_a_value_read_before_it_changed_is_saved() -> None:
    changed = action(Assign(A, (), Not(Read(A)), 1), Assign(B, (), Read(A, epoch=0), 2))
    kept = current(changed)
    ((local, var),) = kept.locals.items()
    assert var == A
    assert kept.action.body[0] == Assign(local, (), Read(A), 0)
    assert kept.action.body[2] == Assign(B, (), Read(local), 2)


def test_a_value_that_has_not_changed_is_read_where_it_is() -> None:
    assert current(action(Assign(B, (), Read(B, epoch=0), 1), Assign(B, (), Read(A, epoch=0), 2))).locals == {}
