"""Tiny models by hand, whose answers can be seen by looking at them."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.ir.expr import (
    TRUE,
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
    LoopVar,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    Var,
)
from fencepost.ir.model import Action, Actor, Guard, Model, Property
from fencepost.ir.sorts import BOOL, IndexSort, IntSort
from fencepost.ir.stmt import Assign, Stmt

ONE = Const(1, IntSort(1, 1))


def number(value: int) -> Const:
    return Const(value, IntSort(value, value))


def equals(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.EQ, left, right)


def below(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.LT, left, right)


def action(name: str, body: Sequence[Stmt], *guards: Expr) -> Action:
    return Action(name, (), tuple(Guard(f"g{i}", cond) for i, cond in enumerate(guards)), tuple(body), Actor("a"), "f")


def prop(name: str, holds: Expr, twin: Expr = TRUE) -> Property:
    return Property(name, holds, twin, "It holds.", "f")


def model(variables: Sequence[Var], actions: Sequence[Action], *properties: Property) -> Model:
    return Model("tiny", None, (), (), tuple(variables), tuple(actions), properties)


def counter(top: int, *properties: Property, guarded: bool = True) -> Model:
    """`x` counts from 0 to `top`; unguarded, the next step walks out of its range."""
    x = Var("x", IntSort(0, top))
    step = Assign(x, (), Add(Read(x), ONE), 1)
    guards = (below(Read(x), number(top)),) if guarded else ()
    return model([x], [action("tick", [step], *guards)], *properties)


def never(top: int, value: int, name: str = "never") -> Property:
    """The counter never has the value; its twin is having the value before."""
    x = Read(Var("x", IntSort(0, top)))
    return prop(name, Not(equals(x, number(value))), equals(x, number(max(0, value - 1))))


FLAG = Var("flag", BOOL)


def looping(*properties: Property) -> Model:
    """`flag` flips for ever."""
    return model([FLAG], [action("flip", [Assign(FLAG, (), Not(Read(FLAG)), 1)])], *properties)


def pigeons(holes: int) -> Model:
    """One pigeon more than holes goes into a hole each; that some hole is shared is hard to see for a solver."""
    hole, pigeon = IndexSort("Hole", holes), IndexSort("Pigeon", holes + 1)
    at, placed = Var("at", hole, (pigeon,), (0,) * (holes + 1)), Var("placed", IntSort(0, holes + 1))
    into = Param("into", hole)
    put = Action(
        "put",
        (into,),
        (Guard("left", below(Read(placed), number(holes + 1))),),
        (Assign(at, (Cast(pigeon, Read(placed)),), into, 1), Assign(placed, (), Add(Read(placed), ONE), 2)),
        Actor("a"),
        "f",
    )
    one, other = LoopVar(1, "one", pigeon), LoopVar(2, "other", pigeon)
    shared = And((below(one, other), equals(Read(at, (one,)), Read(at, (other,)))))
    some = Quantified(Quantifier.EXISTS, one, Quantified(Quantifier.EXISTS, other, shared))
    return model([at, placed], [put], prop("some-hole-is-shared", Or((below(Read(placed), number(holes + 1)), some))))
