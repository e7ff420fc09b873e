"""Random models with responses: those of `tests.strategies`, and small tangles of loops in which fairness decides."""

from __future__ import annotations

from attrs import evolve
from hypothesis import strategies as st

from fencepost.ir.expr import (
    TRUE,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    Var,
)
from fencepost.ir.model import Action, Actor, Fairness, Guard, GuardKind, Kind, Model, Property, PropertyKind, Response
from fencepost.ir.sorts import BOOL, IndexSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.ir.visit import substitute
from tests.random_expr import Scope
from tests.strategies import _ModelMaker, models

WHO = IndexSort("Who", 2)
PLACES = 7
PLACE = IntSort(0, PLACES - 1)
PARAMS = ((), (Param("who", WHO),), (Param("choice", BOOL),), (Param("who", WHO), Param("choice", BOOL)))


@st.composite
def live_models(draw: st.DrawFn) -> Model:
    """A random model with one random response."""
    model = draw(models())
    maker = _ModelMaker(draw)
    maker.vars = model.vars
    maker.loop_ids = 100
    over = (LoopVar(90, "who", maker.pick([var.sort for var in model.vars])),) if maker.chance(1, 2) else ()
    over = tuple(var for var in over if var.sort.size <= 4)
    scope = Scope(loops=over, ghosts=True)
    trigger, goal = maker.boolean(2, scope), maker.boolean(2, scope)
    return evolve(model, properties=(response(trigger, goal, over),))


@st.composite
def tangles(draw: st.DrawFn) -> Model:
    """Actions that lead from place to place by a random table, for each of two who act and each of two choices."""
    at = Var("at", PLACE)
    actions = tuple(draw(_actions(at, number)) for number in range(draw(st.sampled_from((4, 3, 5, 2, 1)))))
    place = LoopVar(1, "place", PLACE)
    over: tuple[LoopVar, ...] = (place,) if draw(st.booleans()) else ()
    trigger = Compare(Relation.EQ, Read(at), place) if over else _in(at, draw(_places(1, 4)))
    return Model("tangle", None, (), (), (at,), actions, (response(trigger, _in(at, draw(_places(0, 2))), over),))


def response(trigger: Expr, goal: Expr, over: tuple[LoopVar, ...] = ()) -> Property:
    """A response with its twin."""
    twin = trigger
    for var in over:
        fresh = LoopVar(var.id + 1000, var.name, var.sort)
        twin = Quantified(Quantifier.EXISTS, fresh, _renamed(twin, var, fresh))
    return Property(
        "answers", TRUE, twin, "It answers.", "f()", PropertyKind.RESPONSE, response=Response(over, trigger, goal)
    )


def _renamed(expr: Expr, var: LoopVar, fresh: LoopVar) -> Expr:
    return substitute(expr, lambda node: fresh if node == var else None)


def _places(least: int = 0, most: int = 3) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, PLACES - 1), min_size=least, max_size=most)


def _in(at: Var, places: frozenset[int]) -> Expr:
    return Or(tuple(Compare(Relation.EQ, Read(at), Const(place, PLACE)) for place in sorted(places)))


FAIR = (Fairness.STRONG, Fairness.WEAK, Fairness.STRONG, Fairness.NONE, Fairness.WEAK, Fairness.STRONG)
"""Strong ones more often: they matter only where a loop passes by a state in which they are enabled."""


@st.composite
def _actions(draw: st.DrawFn, at: Var, number: int) -> Action:
    params = () if number == 0 else draw(st.sampled_from(PARAMS))
    # The first one is mostly enabled in most places, so that a run seldom stops for want of a step.
    runs = number == 0 and draw(st.integers(0, 3)) > 0
    guards = [Guard("here", _in(at, draw(_places(PLACES - 1, PLACES) if runs else _places(1, 4))))]
    for param in params:
        chosen = Compare(Relation.EQ, param, Const(draw(st.integers(0, 1)), param.sort))
        guards.append(Guard(f"not {param.name}", Or((chosen, _in(at, draw(_places(0, 3)))))))
    if draw(st.integers(0, 3)) == 0:
        guards.append(Guard("bound", _in(at, draw(_places(3, PLACES))), GuardKind.BOUND))
    # Mostly on to a place near by, so that there are loops of several places.
    ahead = draw(st.integers(1, 3))
    near = st.integers(0, PLACES - 1) if draw(st.integers(0, 2)) == 0 else None
    target: Expr = Const(0, PLACE)
    for place in range(PLACES):
        to = (place + ahead) % PLACES if near is None else draw(near)
        target = Ite(Compare(Relation.EQ, Read(at), Const(place, PLACE)), Const(to, PLACE), target, PLACE)
    if params and draw(st.booleans()):
        first = Compare(Relation.EQ, params[0], Const(0, params[0].sort))
        target = Ite(first, target, Const(draw(st.integers(0, PLACES - 1)), PLACE), PLACE)
    fair, kind = Fairness.WEAK if runs else draw(st.sampled_from(FAIR)), draw(st.sampled_from(tuple(Kind)))
    return Action(
        f"act{number}", params, tuple(guards), (Assign(at, (), target, 1),), Actor("worker"), "f()", kind, fair
    )
