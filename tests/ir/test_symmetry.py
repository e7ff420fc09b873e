"""What may be renamed: whatever a renamed state does is the renamed of what the state does."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fencepost.errors import ModelError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Outcome, Refused, State, Stepped
from fencepost.ir import symmetry, turns
from fencepost.ir.expr import (
    FALSE,
    TRUE,
    Add,
    Cast,
    Compare,
    Const,
    Expr,
    LoopVar,
    Param,
    Read,
    Relation,
    Sub,
    Var,
)
from fencepost.ir.model import Action, Actor, Model, Property
from fencepost.ir.sorts import BOOL, IndexSort, IntSort, OptionSort
from fencepost.ir.stmt import Assign, For
from fencepost.ir.symmetry import roles
from tests.profile import examples
from tests.strategies import states
from tests.symmetric import Renaming, renamed, renamings, symmetric_models

RANDOM = settings(
    deadline=None, max_examples=examples(150), phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def shown(model: Model, outcome: Outcome, new: Renaming) -> object:
    """An outcome under other names; which of several obligations broke first may depend on names."""
    match outcome:
        case Stepped(state):
            return renamed(model, state, new)
        case Refused(guard):
            return guard.name
        case Broken():
            return "broken"


def outcomes(model: Model, state: State, new: Renaming) -> Counter[object]:
    interpreter = Interpreter(model)
    return Counter(
        (action.name, shown(model, interpreter.fire(state, action, args), new))
        for action, args in interpreter.instances()
    )


def value(model: Model, state: State, expr: Expr) -> object:
    try:
        return Interpreter(model).evaluate(state, expr, "property")
    except ObligationBroken:
        return "broken"


def differs(model: Model, state: State, new: Renaming) -> bool:
    """Whether a renamed state behaves otherwise."""
    same = {role: tuple(range(role.sort.count)) for role in new}
    other = renamed(model, state, new)
    if outcomes(model, state, new) != outcomes(model, other, same):
        return True
    conditions = (cond for prop in model.properties for cond in (prop.holds, prop.twin))
    return any(value(model, state, cond) != value(model, other, cond) for cond in conditions)


@st.composite
def anywhere(draw: st.DrawFn) -> tuple[Model, State, Renaming]:
    """A model, a state of it and other names."""
    model = draw(symmetric_models())
    new = {role: tuple(draw(st.permutations(range(role.sort.count)))) for role in roles(model)}
    return model, draw(states(model)), new


@RANDOM
@given(anywhere())
def test_what_is_renamed_behaves_alike(case: tuple[Model, State, Renaming]) -> None:
    assert not differs(*case)


PLACE = IndexSort("Handle", 3)
SMALL = IntSort(0, 3)
FLAGS, LEVELS = Var("flags", BOOL, (PLACE,), (0, 0, 0)), Var("levels", SMALL, (PLACE,), (0, 0, 0))
LAST, ONE, OTHER = Var("last", SMALL), Var("one", PLACE), Var("other", PLACE)
P, EACH = Param("p", PLACE), LoopVar(1, "each", PLACE)
STATE = ((1, 1, 0), (1, 2, 3), (0,), (0,), (0,))


def made(*body: Assign | For, holds: Expr = TRUE) -> Model:
    action = Action("act", (P,), (), body, Actor("actor"), "nothing")
    prop = Property("property", holds, TRUE, "It holds.", "nothing")
    return Model("made", None, (), (), (FLAGS, LEVELS, LAST, ONE, OTHER), (action,), (prop,), (), ("Handle",))


def each(*body: Assign) -> For:
    return For(EACH, body, 10, 11)


LEVEL = Read(LEVELS, (EACH,), 10)
NUMBER = made(Assign(LAST, (), Cast(IntSort(0, 2), P), 1), Assign(FLAGS, (P,), TRUE, 2))
CONSTANT = made(Assign(FLAGS, (Const(0, PLACE),), TRUE, 1))
LAST_TURN_WINS = made(each(Assign(LAST, (), LEVEL, 1)))
LATER_TURN_READS = made(each(Assign(LEVELS, (P,), LEVEL, 1)))
ONE_IS_OTHER = made(holds=Compare(Relation.EQ, Read(ONE), Read(OTHER)))


def lets_pass(model: Model) -> bool:
    """Whether something may be renamed that behaves otherwise then."""
    try:
        every = roles(model)
    except ModelError:
        return False
    return any(differs(model, STATE, new) for new in renamings(every))


@pytest.mark.parametrize(
    ("place", "name", "does", "model"),
    [
        (symmetry._Places, "cast", lambda self, sort, operand, at: self.expr(operand), NUMBER),
        (symmetry._Places, "constant", lambda self, expr, sort, value: None, CONSTANT),
        (symmetry, "matters", lambda loop: None, LAST_TURN_WINS),
        (turns._Turns, "is_own", lambda self, var: bool(var.dims), LATER_TURN_READS),
        (turns._Turns, "_same_in_all", lambda self, value: True, LAST_TURN_WINS),
        (symmetry._Places, "joined", lambda self, a, b, ordered=False: (self.expr(a), self.expr(b))[0], ONE_IS_OTHER),
    ],
    ids=["numbers", "constants", "turns", "own", "same", "what meets"],
)
def test_a_check_that_lets_pass_is_seen(
    place: object, name: str, does: object, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not lets_pass(model)
    monkeypatch.setattr(place, name, does)
    assert lets_pass(model)


def test_two_places_that_never_meet_are_renamed_apart() -> None:
    """A stack of handles: its places are counted, what lies there is not."""
    stack = Var("stack", OptionSort(PLACE), (PLACE,), (2, 1, 0))
    top = Cast(PLACE, Read(LAST), "top")
    action = Action("free", (P,), (), (Assign(stack, (top,), P, 1), Assign(FLAGS, (P,), FALSE, 2)), Actor("a"), "b")
    model = Model("stack", None, (), (), (stack, FLAGS, LAST), (action,), (), (), ("Handle",))
    assert [sorted((var.name, where) for var, where in role.places) for role in roles(model)] == [
        [("flags", 0), ("stack", symmetry.VALUE)]
    ]


ADDED = Assign(LAST, (), Add(Read(LAST, (), 10), Const(1, IntSort(1, 1))), 1)
TAKEN = Assign(LAST, (), Sub(Read(LAST, (), 10), Const(1, IntSort(1, 1))), 2)


@pytest.mark.parametrize(
    ("loop", "in_any_order"),
    [
        (each(Assign(FLAGS, (EACH,), Compare(Relation.EQ, Read(FLAGS, (EACH,), 10), TRUE), 1)), True),
        (each(Assign(FLAGS, (EACH,), Read(FLAGS, (P,), 10), 1)), False),
        (each(Assign(FLAGS, (EACH,), Read(FLAGS, (P,), 0), 1)), True),
        (each(Assign(FLAGS, (P,), TRUE, 1)), True),
        (each(Assign(FLAGS, (P,), TRUE, 1), Assign(FLAGS, (P,), FALSE, 2)), False),
        (each(ADDED), True),
        (each(ADDED, TAKEN), False),
        (each(ADDED, Assign(LEVELS, (EACH,), Read(LAST, (), 10), 2)), False),
    ],
)
def test_turns_in_any_order(loop: For, in_any_order: bool) -> None:
    assert (turns.matters(loop) is None) is in_any_order
