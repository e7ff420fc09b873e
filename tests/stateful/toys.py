"""Small models whose violations are known by hand."""

from __future__ import annotations

from attrs import evolve

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.ir.expr import TRUE, Add, Cast, Compare, Const, Expr, Not, Param, Read, Relation, Var
from fencepost.ir.model import Action, Actor, Guard, Model, Property
from fencepost.ir.sorts import BOOL, IndexSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.verdict import Finding, Path

QUEUE = IndexSort("Queue", 3)
TICKS = Var("ticks", IntSort(0, 40))
LIGHT = Var("light", BOOL)
LEVEL = Var("level[]", IntSort(0, 2), (QUEUE,), (0, 0, 0))
Q = Param("q", QUEUE)


def number(value: int) -> Const:
    return Const(value, IntSort(value, value))


def plus_one(var: Var, *indices: Expr) -> Add:
    return Add(Read(var, indices), number(1))


def action(name: str, *body: Assign, params: tuple[Param, ...] = (), guard: Expr | None = None) -> Action:
    guards = () if guard is None else (Guard("may", guard),)
    return Action(name, params, guards, body, Actor("hand"), f"{name}()")


def prop(name: str, holds: Expr, twin: Expr) -> Property:
    return Property(name, holds, twin, f"{name} holds.", "toy()")


def below(left: Expr, right: int) -> Compare:
    return Compare(Relation.LT, left, number(right))


TICK = action("tick", Assign(TICKS, (), plus_one(TICKS), 1), guard=below(Read(TICKS), 40))
FLIP = action("flip", Assign(LIGHT, (), Not(Read(LIGHT)), 1))
RAISE = action("raise", Assign(LEVEL, (Q,), plus_one(LEVEL, Q), 1), params=(Q,))

CLOCK = Model(
    "clock",
    None,
    (),
    (),
    (TICKS, LIGHT),
    (FLIP, TICK),
    (
        prop("early", below(Read(TICKS), 6), Read(LIGHT)),
        prop("dark", Not(Read(LIGHT)), Read(LIGHT)),
        prop("never", below(Read(TICKS), 41), below(number(40), 0)),
    ),
)
"""`early` breaks after six ticks, `dark` after a flip; `never` holds, and nothing makes it interesting."""

LEVELS = Model("levels", None, (), (), (LEVEL,), (RAISE,))
"""No property; raising a level a third time breaks `range:raise/level[]`."""

BOUNDED = evolve(
    LEVELS,
    protocol="bounded",
    actions=(evolve(RAISE, guards=(Guard("may", below(Read(LEVEL, (Q,)), 2)),)),),
    properties=(prop("full", Not(Compare(Relation.EQ, Read(LEVEL, (Const(2, QUEUE),)), number(2))), Const(0, BOOL)),),
)
"""`full` breaks once level 2 is raised twice; what others raise is beside the point."""

LOST = evolve(
    BOUNDED,
    protocol="lost",
    properties=(
        prop("pointed", below(Read(LEVEL, (Cast(QUEUE, plus_one(LEVEL, Const(0, QUEUE)), "next"),)), 3), TRUE),
    ),
)
"""`pointed` reads the level after level 0's value: once that is 2, it breaks `range:pointed/next` itself."""

STILL = Model("still", None, (), (), (TICKS,), (action("never", guard=Const(0, BOOL)),))
"""Nothing can ever happen."""


def ends(model: Model, path: Path) -> str | State:
    """Where the interpreter comes to: the last state, or the name of an obligation that the last step breaks."""
    interpreter = Interpreter(model)
    state = interpreter.initial()
    for position, (name, args) in enumerate(path):
        match interpreter.fire(state, model.action(name), args):
            case Stepped(after):
                state = after
            case Broken(obligation) if position == len(path) - 1:
                return obligation
            case Refused() | Broken():
                return "refused"
    return state


def violates(model: Model, finding: Finding) -> bool:
    """Whether the finding's run ends in what it says, by the interpreter alone."""
    end = ends(model, finding.path)
    if isinstance(end, str):
        return end == finding.name
    for found in model.properties:
        for side in (found.holds, found.twin):
            try:
                value = Interpreter(model).evaluate(end, side, found.name)
            except ObligationBroken as broken:
                if broken.name == finding.name:
                    return True
            else:
                if side is found.holds and not value and found.name == finding.name:
                    return True
    return False
