"""Printed IR reads like its source, with parentheses where they are needed and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given

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
    Var,
)
from fencepost.ir.model import Action, Actor, Guard, GuardKind, Kind, Model, Property
from fencepost.ir.show import Shown, show_action, show_expr, show_model, show_property, show_var
from fencepost.ir.sorts import BOOL, NONE, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.ir.stmt import Assign, For, If, Note
from tests.goldens import expect_golden
from tests.strategies import models
from tests.trace.toy import TOY

QUEUE, SLOT = IndexSort("Queue", 2), IndexSort("Slot", 3)
PHASE = EnumSort("Phase", ("FREE", "ARMED"))
P, R = Read(Var("p", BOOL)), Read(Var("r", BOOL))
N, K = Read(Var("n", IntSort(0, 3))), Read(Var("k", IntSort(0, 3)))
HELD = Read(Var("held", SetSort(QUEUE)))
OWNER = Read(Var("owner", OptionSort(QUEUE)))
Q, S = Param("queue", QUEUE), Param("slot", SLOT)
USE = Var("queues[].ring[].phase", PHASE, (QUEUE, SLOT), (0,) * 6)
GRID = Var("grid", BOOL, (QUEUE, SLOT), (0,) * 6)
I, J = LoopVar(1, "queue", QUEUE), LoopVar(2, "queue", QUEUE)  # noqa: E741 - as in the language


def eq(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.EQ, left, right)


def lt(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.LT, left, right)


def le(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.LE, left, right)


def number(value: int) -> Const:
    return Const(value, IntSort(value, value))


def quantified(quantifier: Quantifier, var: LoopVar, body: Expr) -> Expr:
    return Quantified(quantifier, var, body)


FORALL, EXISTS, SUM = Quantifier.FORALL, Quantifier.EXISTS, Quantifier.SUM
EXPRESSIONS: list[tuple[Expr, str]] = [
    (eq(Read(USE, (Q, S)), Const(1, PHASE)), "queues[queue].ring[slot].phase == ARMED"),
    (Read(USE, (Q, S), 4), "queues[queue].ring[slot].phase@4"),
    (Read(GRID, (Q, Const(2, SLOT))), "grid[queue][2]"),
    (Read(GRID, (Cast(QUEUE, OWNER), S)), "grid[owner][slot]"),
    (Not(P), "not p"),
    (Not(Not(P)), "not not p"),
    (Not(eq(N, K)), "n != k"),
    (Not(lt(N, K)), "n >= k"),
    (Not(le(N, K)), "n > k"),
    (lt(number(0), N), "n > 0"),
    (le(number(0), N), "n >= 0"),
    (Not(lt(number(0), N)), "n <= 0"),
    (eq(number(0), number(1)), "0 == 1"),
    (eq(OWNER, Const(NONE, OptionSort(QUEUE))), "owner == none"),
    (eq(HELD, Const(0, SetSort(QUEUE))), "held == {}"),
    (Member(Q, HELD), "queue in held"),
    (Not(Member(Q, HELD)), "queue not in held"),
    (SetWith(SetWith(HELD, Q, present=True), Q, present=False), "held + {queue} - {queue}"),
    (And((P, Or((R, P)))), "p and (r or p)"),
    (Or((And((P, R)), P)), "p and r or p"),
    (Not(And((P, R))), "not (p and r)"),
    (And((Not(P), R)), "not p and r"),
    (Or((Not(P), R)), "p implies r"),
    (Or((Not(P), R, P)), "p implies r or p"),
    (Or((Not(Or((P, R))), P)), "p or r implies p"),
    (And((Or((Not(P), R)), P)), "(p implies r) and p"),
    (Or((Not(Or((Not(P), R))), P)), "(p implies r) implies p"),
    (Or((R, Not(P))), "r or not p"),
    (eq(eq(N, K), P), "(n == k) == p"),
    (eq(P, And((P, R))), "p == (p and r)"),
    (Sub(N, Sub(K, N)), "n - (k - n)"),
    (Sub(Add(N, K), N), "n + k - n"),
    (lt(Add(N, number(1)), K), "n + 1 < k"),
    (Ite(P, N, K, IntSort(0, 3)), "n if p else k"),
    (Add(Ite(P, N, K, IntSort(0, 3)), N), "(n if p else k) + n"),
    (Ite(P, Ite(R, N, K, IntSort(0, 3)), K, IntSort(0, 3)), "(n if r else k) if p else k"),
    (quantified(FORALL, I, Member(I, HELD)), "forall queue: Queue. queue in held"),
    (
        quantified(FORALL, I, quantified(FORALL, J, eq(I, J))),
        "forall queue: Queue, queue2: Queue. queue == queue2",
    ),
    (
        quantified(FORALL, I, quantified(EXISTS, J, eq(I, J))),
        "forall queue: Queue. exists queue2: Queue. queue == queue2",
    ),
    (And((quantified(EXISTS, I, P), R)), "(exists queue: Queue. p) and r"),
    (Or((Not(P), quantified(FORALL, I, R))), "p implies forall queue: Queue. r"),
    (Or((Not(quantified(EXISTS, I, P)), R)), "(exists queue: Queue. p) implies r"),
    (quantified(SUM, I, N), "sum queue: Queue. n"),
    (
        le(quantified(SUM, I, Ite(P, number(1), number(0), IntSort(0, 1))), number(1)),
        "(count queue: Queue. p) <= 1",
    ),
    (And((TRUE, FALSE)), "true and false"),
]


@pytest.mark.parametrize(("expr", "text"), EXPRESSIONS, ids=[text for _, text in EXPRESSIONS])
def test_expressions(expr: Expr, text: str) -> None:
    assert show_expr(expr) == text


def test_bound_variables_do_not_take_a_parameters_name() -> None:
    shown = Shown(taken=frozenset({"queue"}))
    assert show_expr(quantified(EXISTS, I, eq(I, Q)), shown) == "exists queue2: Queue. queue2 == queue"


def test_variables() -> None:
    assert show_var(USE) == "var queues[].ring[].phase: Phase[Queue 0..1][Slot 0..2] = FREE"
    assert (
        show_var(Var("h", IntSort(0, 2), (QUEUE,), (0, 2), ghost=True)) == "ghost var h: Range(0..2)[Queue 0..1] = 0, 2"
    )


STEP = Action(
    "step",
    (Q,),
    (Guard("free", Not(P)), Guard("few", lt(N, number(3)), GuardKind.BOUND)),
    (
        Assign(Var("n", IntSort(0, 3)), (), Add(N, number(1)), 1),
        If(
            eq(Read(Var("n", IntSort(0, 3)), (), 1), N),
            (Assign(Var("p", BOOL), (), TRUE, 2), Note("took {} of {{all}}", (N,), Q)),
            (Note("nothing"),),
            3,
        ),
        For(I, (Assign(Var("owner", OptionSort(QUEUE)), (), I, 5),), 4, 6),
        Assign(Var("p", BOOL), (), Read(Var("p", BOOL), (), 6), 7),
    ),
    Actor("worker", "queue"),
    "Worker::step",
    Kind.ENVIRONMENT,
)


def test_action() -> None:
    assert show_action(STEP) == (
        "action step(queue: Queue)  by worker[queue], environment, for Worker::step\n"
        "    require not p  -- free\n"
        "    bound n < 3  -- few\n"
        "    n = n + 1  -- @1\n"
        "    when n == n@0:\n"
        "        p = true  -- @2\n"
        "        note 'took <n@0> of {all}' of queue\n"
        "    otherwise:\n"
        "        note 'nothing'\n"
        "    -- @3\n"
        "    for queue2 in Queue:  -- @4\n"
        "        owner = queue2  -- @5\n"
        "    -- @6\n"
        "    p = p  -- @7\n"
    )


def test_property() -> None:
    assert show_property(Property("calm", Not(P), P, "Nothing is busy.", "f()")) == (
        "invariant calm: Nothing is busy.\n    holds not p\n    twin p\n"
    )


def test_model() -> None:
    expect_golden("ir/toy.txt", show_model(TOY))


@given(models())
def test_random_models_are_shown(model: Model) -> None:
    text = show_model(model)
    assert all(f"action {action.name}(" in text for action in model.actions)
