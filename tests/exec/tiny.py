"""Tiny models made by hand, one for each rule of the semantics that is easy to get wrong.

Each says what must happen, worked out on paper from the rules in the architecture.
"""

from __future__ import annotations

from attrs import frozen

from fencepost.exec.interpreter import State
from fencepost.ir.expr import (
    FALSE,
    TRUE,
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
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
from fencepost.ir.model import Action, Actor, Guard, GuardKind, Model
from fencepost.ir.sorts import BOOL, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.ir.stmt import Assign, For, If, Stmt

SLOT = IndexSort("Slot", 3)
COUNT = IntSort(0, 2)
REFUSED = "refused"

N = Var("n", COUNT)
M = Var("m", COUNT)
ON = Var("on", BOOL)
RING = Var("ring", COUNT, (SLOT,), (0, 1, 2))
HEAD = Var("head", OptionSort(SLOT), (), (-1,))
HELD = Var("held", SetSort(SLOT))
LOW = Var("low", IntSort(-3, -1), (), (-2,))
TURN = LoopVar(0, "i", SLOT)


@frozen
class Tiny:
    """One action, and what it does in some states: the next state, REFUSED, or a broken obligation's name."""

    name: str
    vars: tuple[Var, ...]
    action: Action
    outcomes: tuple[tuple[State, tuple[int, ...], State | str], ...]

    @property
    def model(self) -> Model:
        return Model(self.name, None, (), (), self.vars, (self.action,))


def action(*body: Stmt, guards: tuple[Guard, ...] = (), params: tuple[Param, ...] = ()) -> Action:
    return Action("act", params, guards, body, Actor("worker"), "act()")


def number(value: int, sort: Sort | None = None) -> Const:
    return Const(value, sort or IntSort(value, value))


def equals(left: Expr, right: Expr) -> Compare:
    return Compare(Relation.EQ, left, right)


def as_slot(value: Expr) -> Cast:
    return Cast(SLOT, value, "slot")


TINY: tuple[Tiny, ...] = (
    Tiny(
        "a read keeps its value",
        (N, M),
        action(Assign(N, (), Read(M, (), 0), 1), Assign(M, (), Read(N, (), 0), 2)),
        ((((1,), (2,)), (), ((2,), (1,))),),
    ),
    Tiny(
        "a later read sees the assignment",
        (N, M),
        action(Assign(N, (), Read(M, (), 0), 1), Assign(M, (), Read(N, (), 1), 2)),
        ((((1,), (2,)), (), ((2,), (2,))),),
    ),
    Tiny(
        "a value out of range breaks the step",
        (N,),
        action(Assign(N, (), Add(Read(N), number(1)), 1)),
        ((((1,),), (), ((2,),)), (((2,),), (), "range:act/n")),
    ),
    Tiny(
        "guards go in order and the first false one ends the evaluation",
        (N, RING),
        action(
            guards=(
                Guard("below", Compare(Relation.LT, Read(N), number(2))),
                Guard("next", equals(Read(RING, (as_slot(Sub(Read(N), number(1))),)), number(0)), GuardKind.BOUND),
            )
        ),
        (
            (((2,), (0, 0, 0)), (), REFUSED),
            (((1,), (0, 1, 0)), (), ((1,), (0, 1, 0))),
            (((1,), (1, 1, 0)), (), REFUSED),
            (((0,), (0, 0, 0)), (), "range:act/slot"),
        ),
    ),
    Tiny(
        "and and or look no further than they must",
        (N, RING),
        action(
            guards=(
                Guard(
                    "either",
                    Or(
                        (
                            equals(Read(N), number(2)),
                            And((equals(Read(N), number(1)), equals(Read(RING, (as_slot(number(3)),)), number(0)))),
                        )
                    ),
                ),
            )
        ),
        (
            (((0,), (0, 0, 0)), (), REFUSED),
            (((1,), (0, 0, 0)), (), "range:act/slot"),
            (((2,), (0, 0, 0)), (), ((2,), (0, 0, 0))),
        ),
    ),
    Tiny(
        "or looks no further than it must",
        (N, RING),
        action(
            guards=(
                Guard(
                    "either",
                    Or(
                        (equals(Read(N), number(2)), equals(Read(RING, (as_slot(Add(Read(N), number(2))),)), number(0)))
                    ),
                ),
            )
        ),
        (
            (((0,), (1, 1, 0)), (), ((0,), (1, 1, 0))),
            (((1,), (0, 0, 0)), (), "range:act/slot"),
            (((2,), (1, 1, 1)), (), ((2,), (1, 1, 1))),
        ),
    ),
    Tiny(
        "what a condition says holds in its own branch only",
        (N, M, RING),
        action(
            If(
                And(
                    (
                        Not(equals(Read(N), number(0))),
                        equals(Read(RING, (as_slot(Sub(Read(N), number(1))),)), number(1)),
                    )
                ),
                (Assign(M, (), Sub(Read(N), number(1)), 1),),
                (),
                2,
            ),
            Assign(N, (), Sub(Read(N, (), 2), number(1)), 3),
        ),
        (
            (((2,), (0,), (0, 1, 0)), (), ((1,), (1,), (0, 1, 0))),
            (((2,), (0,), (1, 0, 1)), (), ((1,), (0,), (1, 0, 1))),
            (((0,), (2,), (1, 1, 1)), (), "range:act/n"),
        ),
    ),
    Tiny(
        "a quantifier goes on after it is decided",
        (ON, N, RING),
        action(
            Assign(
                ON,
                (),
                Quantified(
                    Quantifier.EXISTS,
                    TURN,
                    equals(Read(RING, (as_slot(Add(TURN, Read(N))),)), number(0)),
                ),
                1,
            )
        ),
        ((((0,), (0,), (0, 1, 1)), (), ((1,), (0,), (0, 1, 1))), (((0,), (1,), (0, 0, 0)), (), "range:act/slot")),
    ),
    Tiny(
        "a store to a computed place changes that place alone",
        (RING, HEAD),
        action(Assign(RING, (Cast(SLOT, Read(HEAD), "head"),), Read(RING, (number(0, SLOT),), 0), 1)),
        (
            (((2, 1, 0), (-1,)), (), "range:act/head"),
            (((2, 1, 0), (1,)), (), ((2, 2, 0), (1,))),
            (((2, 1, 0), (2,)), (), ((2, 1, 2), (2,))),
        ),
    ),
    Tiny(
        "each turn of a loop sees what the turns before it did",
        (N, RING),
        action(For(TURN, (Assign(N, (), Add(Read(N, (), 1), Read(RING, (TURN,), 0)), 2),), 1, 3)),
        ((((0,), (1, 0, 1)), (), ((2,), (1, 0, 1))), (((0,), (2, 1, 0)), (), "range:act/n")),
    ),
    Tiny(
        "branches meet in one epoch",
        (ON, N, M, RING),
        action(
            If(
                Read(ON),
                (Assign(N, (), number(2), 1), Assign(RING, (as_slot(Read(M)),), number(1), 2)),
                (Assign(N, (), number(1), 3),),
                4,
            ),
            Assign(M, (), Read(N, (), 4), 5),
        ),
        (
            (((1,), (0,), (0,), (0, 0, 0)), (), ((1,), (2,), (2,), (1, 0, 0))),
            (((0,), (0,), (0,), (0, 0, 0)), (), ((0,), (1,), (1,), (0, 0, 0))),
        ),
    ),
    Tiny(
        "a branch that stores what the other knows",
        (N,),
        action(If(equals(Read(N), number(1)), (), (Assign(N, (), number(1), 1),), 2)),
        ((((0,),), (), ((1,),)), (((1,),), (), ((1,),)), (((2,),), (), ((1,),))),
    ),
    Tiny(
        "a dead field may not be read",
        (ON, N),
        action(Assign(ON, (), equals(Read(N, (), 0, Read(ON)), number(0)), 1)),
        ((((1,), (0,)), (), ((1,), (0,))), (((0,), (0,)), (), "dead:act/n")),
    ),
    Tiny(
        "the index is looked at before the life",
        (ON, HEAD, RING),
        action(Assign(ON, (), equals(Read(RING, (Cast(SLOT, Read(HEAD), "head"),), 0, Read(ON)), number(0)), 1)),
        (
            (((0,), (-1,), (0, 0, 0)), (), "range:act/head"),
            (((0,), (1,), (0, 0, 0)), (), "dead:act/ring"),
            (((1,), (1,), (0, 0, 0)), (), ((1,), (1,), (0, 0, 0))),
        ),
    ),
    Tiny(
        "sets and options",
        (HELD, HEAD),
        action(
            Assign(HELD, (), SetWith(SetWith(Read(HELD), Param("p", SLOT), True), number(0, SLOT), False), 1),
            Assign(HEAD, (), Param("p", SLOT), 2),
            guards=(Guard("not held", Not(Member(Param("p", SLOT), Read(HELD)))),),
            params=(Param("p", SLOT),),
        ),
        (
            (((0b001,), (-1,)), (2,), ((0b100,), (2,))),
            (((0b101,), (-1,)), (2,), REFUSED),
            (((0b000,), (1,)), (0,), ((0b000,), (0,))),
        ),
    ),
    Tiny(
        "values below zero",
        (LOW, N),
        action(
            Assign(LOW, (), Sub(Read(LOW), Read(N)), 1),
            guards=(Guard("low", Compare(Relation.LE, Read(LOW), number(-2))),),
        ),
        ((((-2,), (1,)), (), ((-3,), (1,))), (((-3,), (1,)), (), "range:act/low"), (((-1,), (0,)), (), REFUSED)),
    ),
    Tiny("a guard that is never true", (N,), action(guards=(Guard("never", FALSE),)), ((((0,),), (), REFUSED),)),
    Tiny("a step that changes nothing", (N,), action(guards=(Guard("ever", TRUE),)), ((((2,),), (), ((2,),)),)),
)
