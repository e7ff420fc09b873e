"""The checker accepts what is well-formed and refuses one planted fault of each kind."""

from __future__ import annotations

import itertools

import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from fencepost.errors import Location, ModelError
from fencepost.ir.check import check
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
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Var,
)
from fencepost.ir.model import Action, Actor, Guard, GuardKind, Model, Property
from fencepost.ir.sorts import BOOL, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions_of, map_model, walk
from tests.strategies import models

QUEUE = IndexSort("Queue", 2)
HANDLE = IndexSort("Handle", 3)
PHASE = EnumSort("Phase", ("FREE", "ARMED"))
SMALL = IntSort(0, 3)
BUSY = Var("busy", BOOL)
COUNT = Var("count[]", SMALL, (QUEUE,), (0, 0))
PHASES = Var("phase", PHASE)
OWNER = Var("owner", OptionSort(QUEUE), (), (-1,))
LAST = Var("last", QUEUE)
HELD = Var("held", SetSort(QUEUE))
GHOST = Var("seen", BOOL, ghost=True)
VARIABLES = (BUSY, COUNT, PHASES, OWNER, LAST, HELD, GHOST)
Q = Param("q", QUEUE)
AT = Location("toy.py", 7)


def number(value: int) -> Const:
    return Const(value, IntSort(value, value))


def same(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.EQ, left, right)


def action(*body: Stmt, guards: tuple[Guard, ...] = (), params: tuple[Param, ...] = (Q,), name: str = "step") -> Action:
    return Action(name, params, guards, body, Actor("worker"), "f()", at=AT)


def model(*actions: Action, prop: Expr = TRUE, variables: tuple[Var, ...] = VARIABLES) -> Model:
    properties = (Property("good", prop, TRUE, "It is good.", "f()", at=AT),)
    return Model("toy", None, (), (), variables, actions, properties)


def assigned(value: Expr, var: Var = BUSY, *indices: Expr) -> Model:
    return model(action(Assign(var, indices, value, 1)))


def required(cond: Expr) -> Model:
    return model(action(Assign(BUSY, (), TRUE, 1), guards=(Guard("g", cond, GuardKind.REQUIRE),)))


@given(models())
def test_random_models_are_accepted(random: Model) -> None:
    check(random)


@given(models(), st.data())
def test_a_fault_anywhere_in_a_random_model_is_found(random: Model, data: st.DataObject) -> None:
    places = [node for expr in expressions_of(random) for node in walk(expr) if isinstance(node, Read | LoopVar)]
    assume(places)
    at = data.draw(st.integers(0, len(places) - 1))
    passed = itertools.count()

    def spoil(node: Expr) -> Expr | None:
        if not isinstance(node, Read | LoopVar) or next(passed) != at:
            return None
        return evolve(node, epoch=999) if isinstance(node, Read) else evolve(node, id=999)

    with pytest.raises(ModelError):
        check(map_model(random, spoil))


LOOP = LoopVar(1, "i", QUEUE)
IN_BRANCH = Assign(BUSY, (), TRUE, 2)
READ_IN_BRANCH = Assign(BUSY, (), Read(BUSY, (), 2), 4)

ACCEPTED = {
    "an option as an index": assigned(Read(COUNT, (Read(OWNER),)), COUNT, Q),
    "an option as an index of the target": assigned(number(1), COUNT, Read(OWNER)),
    "an index assigned to an option": assigned(Q, OWNER),
    "an option assigned to an index": assigned(Read(OWNER), LAST),
    "an integer of any range assigned": assigned(number(9), COUNT, Q),
    "a read at the epoch of the statement before": model(
        action(Assign(BUSY, (), TRUE, 1), Assign(BUSY, (), Read(BUSY, (), 1), 2))
    ),
    "a read in a branch of an epoch of the same branch": model(
        action(If(TRUE, (IN_BRANCH, Assign(BUSY, (), Read(BUSY, (), 2), 4)), (), 3))
    ),
    "a read at a branch's own epoch": model(
        action(If(TRUE, (IN_BRANCH,), (), 3), Assign(BUSY, (), Read(BUSY, (), 3), 4))
    ),
    "a read at a loop's head inside it": model(action(For(LOOP, (Assign(BUSY, (), Read(BUSY, (), 1), 2),), 1, 3))),
    "one loop variable in two loops that follow each other": required(
        And((Quantified(Quantifier.EXISTS, LOOP, TRUE), Quantified(Quantifier.FORALL, LOOP, TRUE)))
    ),
    "ghosts read by ghosts, notes and properties": model(
        action(
            If(Read(GHOST), (Assign(GHOST, (), Not(Read(GHOST)), 1), Note("x")), (), 2),
            Note("{}", (Read(GHOST),)),
        ),
        prop=Read(GHOST),
    ),
    "braces in a note": model(action(Note("{{{}}}", (Q,), Q))),
    "a cast of an index to a number": assigned(Cast(SMALL, Q), COUNT, Q),
}


@pytest.mark.parametrize("good", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_well_formed(good: Model) -> None:
    check(good)


REFUSED: dict[str, tuple[Model, str]] = {
    # Sorts
    "condition": (required(number(1)), "the guard 'g' is a Range(1..1), not a Bool"),
    "operand of not": (required(Not(number(1))), "operand of `not` is a Range"),
    "operand of and": (required(And((TRUE, Q))), "an operand of `and` or `or` is a Queue"),
    "empty and": (required(And(())), "no operands"),
    "comparison": (required(same(Read(PHASES), TRUE)), "Phase is compared with Bool"),
    "comparison of other indices": (required(same(Q, Const(0, HANDLE))), "Queue is compared with Handle"),
    "order of enums": (required(Compare(Relation.LT, Read(PHASES), Read(PHASES))), "left side of < is a Phase"),
    "order of indices": (required(Compare(Relation.LE, number(1), Q)), "right side of <= is a Queue"),
    "sum of indices": (required(same(Add(number(1), Q), number(1))), "an operand of + or - is a Queue"),
    "sum over conditions": (
        required(same(Quantified(Quantifier.SUM, LOOP, TRUE), number(1))),
        "the body of a sum is a Bool",
    ),
    "quantified number": (required(Quantified(Quantifier.FORALL, LOOP, number(1))), "the body of forall is a Range"),
    "narrow if-expression": (
        assigned(Ite(TRUE, number(1), number(2), IntSort(0, 1)), COUNT, Q),
        "an if-expression of Range(0..1) has a side of Range(2..2)",
    ),
    "if-expression with an option side": (assigned(Ite(TRUE, Q, Read(OWNER), QUEUE), LAST), "a side of Maybe[Queue]"),
    "if-expression's condition": (assigned(Ite(Q, Q, Q, QUEUE), LAST), "the condition of an if-expression is a Queue"),
    "cast between indices": (assigned(Cast(HANDLE, Q), LAST), "Queue is cast to Handle"),
    "cast of a set": (assigned(Cast(SMALL, Read(HELD)), COUNT, Q), "SetOf[Queue] is cast"),
    "member of another sort": (required(Member(Const(0, HANDLE), Read(HELD))), "Handle is put into or looked for"),
    "an option as a member": (required(Member(Read(OWNER), Read(HELD))), "Maybe[Queue] is put into or looked for"),
    "a number as a set": (assigned(SetWith(number(1), Q, present=True), HELD), "Range(1..1) is used as a set"),
    "an option put into a set": (assigned(SetWith(Read(HELD), Read(OWNER), present=True), HELD), "Maybe[Queue] is put"),
    "assigned sort": (assigned(TRUE, PHASES), "phase is given a Bool; give it a Phase"),
    "constant": (assigned(Const(2, PHASE), PHASES), "the constant 2 is not in Phase; it has 0..1"),
    "number of indices": (assigned(number(1), COUNT), "count[] has 1 dimensions but 0 indices"),
    "index of another sort": (assigned(number(1), COUNT, Const(0, HANDLE)), "an index of count[] is a Handle"),
    "a number as an index": (assigned(Read(COUNT, (number(1),)), COUNT, Q), "an index of count[] is a Range(1..1)"),
    "an optional index of another sort": (
        assigned(number(1), COUNT, Const(-1, OptionSort(HANDLE))),
        "an index of count[] is a Maybe[Handle]",
    ),
    "live condition": (assigned(Read(BUSY, (), 0, Q)), "the condition under which busy is live is a Queue"),
    "branch condition": (model(action(If(Q, (), (), 1))), "the condition of a branch is a Queue"),
    "empty range": (assigned(Cast(IntSort(2, 1), number(1)), COUNT, Q), "Range(2..1) has no values"),
    # Names
    "two variables": (model(variables=(BUSY, BUSY)), "two variables are called 'busy'"),
    "two actions": (model(action(), action()), "two actions are called 'step'"),
    "two parameters": (model(action(params=(Q, Q))), "two parameters of action step are called 'q'"),
    "an action called as a property": (model(action(name="good")), "two properties or actions are called 'good'"),
    "two guards": (model(action(guards=(Guard("g", TRUE), Guard("g", FALSE)))), "two guards of action step"),
    "two sizes of one sort": (
        model(action(params=(Param("r", IndexSort("Queue", 5)),))),
        "two different sorts are called 'Queue'",
    ),
    "unknown variable": (assigned(Read(Var("lost", BOOL))), "lost is not a variable of the model"),
    "variable of another shape": (assigned(Read(evolve(BUSY, init=(1,)))), "busy is not a variable of the model"),
    "unknown target": (assigned(TRUE, Var("lost", BOOL)), "lost is not a variable of the model"),
    "unknown parameter": (required(same(Param("r", QUEUE), Q)), "r is not a parameter here"),
    "parameter in a property": (model(prop=same(Q, Q)), "property good: q is not a parameter here"),
    "unknown lane": (
        model(evolve(action(), actor=Actor("worker", "r"))),
        "its actor's lane 'r' is not one of its parameters",
    ),
    # Initial values
    "too few initial values": (model(variables=(evolve(COUNT, init=(0,)),)), "2 elements but 1 initial values"),
    "initial value out of range": (
        model(variables=(evolve(COUNT, init=(0, 4)),)),
        "initial value 4 of count[1] is not in",
    ),
    "two members of one name": (model(variables=(Var("v", EnumSort("E", ("A", "A"))),)), "two members of one name"),
    # Epochs
    "epoch of a branch read after it": (
        model(action(If(TRUE, (IN_BRANCH,), (), 3), READ_IN_BRANCH)),
        "busy is read at epoch 2, which is not passed on every way to here",
    ),
    "epoch of the other branch": (model(action(If(TRUE, (IN_BRANCH,), (READ_IN_BRANCH,), 3))), "epoch 2"),
    "epoch of a loop's body read after it": (
        model(action(For(LOOP, (IN_BRANCH,), 1, 3), READ_IN_BRANCH)),
        "read at epoch 2",
    ),
    "head of a loop read after it": (
        model(action(For(LOOP, (), 1, 3), Assign(BUSY, (), Read(BUSY, (), 1), 4))),
        "read at epoch 1",
    ),
    "own epoch": (model(action(Assign(BUSY, (), Read(BUSY, (), 1), 1))), "read at epoch 1"),
    "own epoch of a branch": (model(action(If(Read(BUSY, (), 1), (), (), 1))), "read at epoch 1"),
    "epoch of a later statement in a live condition": (
        assigned(Read(BUSY, (), 0, Read(BUSY, (), 1))),
        "read at epoch 1",
    ),
    "epoch in a guard": (required(Read(BUSY, (), 1)), "read at epoch 1"),
    "epoch in a property": (model(prop=Read(BUSY, (), 1)), "read at epoch 1"),
    "one epoch twice": (
        model(action(Assign(BUSY, (), TRUE, 1), Assign(BUSY, (), TRUE, 1))),
        "two states are called epoch 1",
    ),
    "one epoch in two branches": (model(action(If(TRUE, (IN_BRANCH,), (IN_BRANCH,), 3))), "called epoch 2"),
    "epoch 0 assigned": (model(action(Assign(BUSY, (), TRUE, 0))), "two states are called epoch 0"),
    "head is the end": (model(action(For(LOOP, (), 1, 1))), "two states are called epoch 1"),
    # Loops
    "loop variable outside": (required(same(LOOP, Q)), "the loop variable i is used outside of its loop"),
    "loop variable after its loop": (
        model(action(For(LOOP, (), 1, 2), Assign(LAST, (), LOOP, 3))),
        "the loop variable i is used outside of its loop",
    ),
    "loop variable with another sort": (
        required(Quantified(Quantifier.EXISTS, LOOP, same(LoopVar(1, "i", HANDLE), Const(0, HANDLE)))),
        "the loop variable i is used outside",
    ),
    "loop variable bound inside itself": (
        required(Quantified(Quantifier.EXISTS, LOOP, Quantified(Quantifier.EXISTS, LOOP, TRUE))),
        "bound inside itself",
    ),
    "quantifier over a loop's variable inside the loop": (
        model(action(For(LOOP, (Assign(BUSY, (), Quantified(Quantifier.EXISTS, LOOP, TRUE), 2),), 1, 3))),
        "bound inside itself",
    ),
    # Guards and ghosts
    "require after a bound": (
        model(action(guards=(Guard("b", TRUE, GuardKind.BOUND), Guard("g", TRUE)))),
        "the guard 'g' comes after a bound",
    ),
    "ghost in a guard": (required(Read(GHOST)), "the guard 'g' reads ghost state"),
    "ghost in a live condition of a guard": (required(Read(BUSY, (), 0, Read(GHOST))), "reads ghost state"),
    "ghost assigned to another": (assigned(Read(GHOST)), "busy is assigned from ghost state"),
    "ghost in a target's index": (
        assigned(number(1), COUNT, Ite(Read(GHOST), Q, Q, QUEUE)),
        "count[] is assigned from ghost state",
    ),
    "branch on a ghost": (
        model(action(If(Read(GHOST), (), (Assign(BUSY, (), TRUE, 1),), 2))),
        "a branch on ghost state assigns busy",
    ),
    "branch on a ghost around another branch": (
        model(action(If(Read(GHOST), (If(TRUE, (Assign(BUSY, (), TRUE, 1),), (), 2),), (), 3))),
        "a branch on ghost state assigns busy",
    ),
    "branch on a ghost around a loop": (
        model(action(If(Read(GHOST), (For(LOOP, (Assign(BUSY, (), TRUE, 2),), 1, 3),), (), 4))),
        "a branch on ghost state assigns busy",
    ),
    # Notes
    "values of a note": (model(action(Note("{} {}", (Q,)))), "the note '{} {}' has 1 values"),
    "named hole in a note": (model(action(Note("{x}", (Q,)))), "write one {} for each value"),
    "stray brace in a note": (model(action(Note("}"))), "stray brace"),
    "subject of a note": (model(action(Note("x", (), Read(OWNER)))), "the subject of the note is a Maybe[Queue]"),
    "epoch in a note": (model(action(Note("{}", (Read(BUSY, (), 1),)))), "read at epoch 1"),
}


@pytest.mark.parametrize(("bad", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_planted_fault(bad: Model, problem: str) -> None:
    with pytest.raises(ModelError) as refused:
        check(bad)
    assert problem in str(refused.value)


def test_the_nearest_place_is_named() -> None:
    inner = Location("toy.py", 42)
    with pytest.raises(ModelError, match=r"^toy\.py:42: action step: busy is read at epoch 5"):
        check(model(action(Assign(BUSY, (), Read(BUSY, (), 5, at=inner), 1, at=Location("toy.py", 41)))))
    with pytest.raises(ModelError, match=r"^toy\.py:41: action step: busy is given a Queue"):
        check(model(action(Assign(BUSY, (), Q, 1, at=Location("toy.py", 41)))))
    with pytest.raises(ModelError, match=r"^toy\.py:7: action step: the guard"):
        check(required(Q))
