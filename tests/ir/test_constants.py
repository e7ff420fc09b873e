"""Dropping constant variables changes nothing else: the same steps, refusals, obligations and properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

import pytest
from hypothesis import HealthCheck, example, given, settings

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Outcome, Refused, State, Stepped
from fencepost.ir.check import check
from fencepost.ir.constants import fold_unassigned
from fencepost.ir.expr import Cast, Compare, Const, Param, Read, Relation, Var
from fencepost.ir.model import Action, Actor, Guard, Model, Property
from fencepost.ir.sorts import IndexSort, IntSort, OptionSort
from fencepost.ir.stmt import Assign, If
from tests.strategies import models

QUEUE = IndexSort("Queue", 2)
SMALL = IntSort(0, 3)
TICKS = Var("ticks", SMALL)
SIZE = Var("size[]", SMALL, (QUEUE,), (2, 2))
LIMIT = Var("limit[]", SMALL, (QUEUE,), (1, 3))
OWNER = Var("owner", OptionSort(QUEUE), (), (-1,))
Q = Param("q", QUEUE)


def model(*body: Assign | If, guard: Compare | None = None, variables: tuple[Var, ...] = (TICKS, SIZE, LIMIT)) -> Model:
    guards = () if guard is None else (Guard("g", guard),)
    action = Action("tick", (Q,), guards, body, Actor("clock"), "tick()")
    return Model("toy", None, (), (), variables, (action,))


def at_most(left: Read | Const | Cast, right: Read | Const) -> Compare:
    return Compare(Relation.LE, left, right)


def number(value: int) -> Const:
    return Const(value, SMALL)


READS_DEAD_END = model(Assign(TICKS, (), Read(SIZE, (Cast(QUEUE, Read(TICKS), "Queue"),)), 1))
"""Reads a constant array at an index that can be out of it, once ticks is 2."""

ASSIGNS_DEAD_END = model(
    Assign(SIZE, (Cast(QUEUE, Read(TICKS), "Queue"),), number(2), 1), Assign(TICKS, (), number(3), 2)
)
"""Assigns a constant array what it has, at an index that can be out of it."""

READS_AT_NONE = model(Assign(TICKS, (), Read(SIZE, (Read(OWNER),)), 1), variables=(TICKS, SIZE, OWNER))
"""Reads a constant array at an index that is none."""


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(models())
@example(READS_DEAD_END)
@example(ASSIGNS_DEAD_END)
@example(READS_AT_NONE)
def test_the_folded_model_takes_the_same_steps(model: Model) -> None:
    folded = fold_unassigned(model)
    check(folded)
    assert list(differences(model, folded)) == []


def test_constants_are_gone_and_their_values_stand_in_for_them() -> None:
    folded = fold_unassigned(model(Assign(TICKS, (), number(1), 1), guard=at_most(Read(SIZE, (Q,)), Read(TICKS))))
    assert folded.vars == (TICKS,)
    assert folded.actions[0].guards[0].cond == at_most(number(2), Read(TICKS))


def test_an_array_of_several_constants_becomes_a_choice() -> None:
    folded = fold_unassigned(model(Assign(TICKS, (), number(1), 1), guard=at_most(Read(LIMIT, (Q,)), Read(TICKS))))
    assert folded.vars == (TICKS,)
    interpreter = Interpreter(folded)
    outcomes = [type(interpreter.fire(((2,),), folded.actions[0], (q,))) for q in (0, 1)]
    assert outcomes == [Stepped, Refused]


def test_a_variable_that_is_assigned_what_it_has_is_constant() -> None:
    folded = fold_unassigned(model(Assign(SIZE, (Q,), number(2), 1), Assign(TICKS, (), number(1), 2)))
    assert folded.vars == (TICKS,)


def test_a_variable_that_is_assigned_anything_else_stays() -> None:
    folded = fold_unassigned(model(Assign(SIZE, (Q,), number(1), 1)))
    assert SIZE in folded.vars


def test_a_variable_whose_reads_can_be_dead_stays() -> None:
    alive = Read(SIZE, (Q,), 0, live=Compare(Relation.EQ, Read(TICKS), number(0)))
    folded = fold_unassigned(model(Assign(TICKS, (), alive, 1)))
    assert SIZE in folded.vars


@pytest.mark.parametrize("model", [READS_DEAD_END, ASSIGNS_DEAD_END, READS_AT_NONE])
def test_an_obligation_of_an_index_outlives_the_constant_array(model: Model) -> None:
    folded = fold_unassigned(model)
    assert SIZE not in folded.vars
    assert any(isinstance(outcome, Broken) for _, outcome in explored(folded, 8))


def explored(model: Model, at_most: int) -> Iterator[tuple[State, Outcome]]:
    """The outcomes in the first states that the interpreter reaches, instances in order."""
    interpreter = Interpreter(model)
    found = [interpreter.initial()]
    for state in found:
        for action, args in interpreter.instances():
            outcome = interpreter.fire(state, action, args)
            yield state, outcome
            if isinstance(outcome, Stepped) and outcome.state not in found and len(found) < at_most:
                found.append(outcome.state)


def differences(model: Model, folded: Model) -> Iterator[object]:
    kept = [position for position, var in enumerate(model.vars) if var in folded.vars]

    def seen(state: State) -> State:
        return tuple(state[position] for position in kept)

    assert seen(Interpreter(model).initial()) == Interpreter(folded).initial()
    one, two = Interpreter(model), Interpreter(folded)
    for state in {state for state, _ in explored(model, 12)}:
        for (action, args), (other, _) in zip(one.instances(), two.instances(), strict=True):
            expected, got = one.fire(state, action, args), two.fire(seen(state), other, args)
            if told(expected, seen) != told(got, lambda state: state):
                yield state, action.name, args, expected, got
        for prop, other_prop in zip(model.properties, folded.properties, strict=True):
            if truth(one, state, prop) != truth(two, seen(state), other_prop):
                yield state, prop.name


def told(outcome: Outcome, seen: Callable[[State], State]) -> object:
    match outcome:
        case Stepped(state):
            return seen(state)
        case Refused(guard):
            return guard.name
        case Broken(obligation):
            return f"broken {obligation}"
        case _:
            assert_never(outcome)


def truth(interpreter: Interpreter, state: State, prop: Property) -> list[object]:
    found: list[object] = []
    for expr in (prop.holds, prop.twin):
        try:
            found.append(interpreter.evaluate(state, expr, prop.name))
        except ObligationBroken as broken:
            found.append(broken.name)
    return found
