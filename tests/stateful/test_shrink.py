"""Runs get shorter and plainer, each way of shrinking by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import evolve

from fencepost.clock import Clock
from fencepost.ir.expr import And, Compare, Const, Not, Quantified, Quantifier, Read, Relation
from fencepost.ir.expr import LoopVar as Loop
from fencepost.ir.model import Model
from fencepost.ir.stmt import Assign
from fencepost.stateful.player import Goal, Items, Player
from fencepost.stateful.shrink import Shrinker
from fencepost.verdict import Finding
from tests.stateful.toys import BOUNDED, CLOCK, LEVEL, LEVELS, LIGHT, QUEUE, TICKS, action, below, number, prop

THREE_TICKS_IN_THE_DARK = evolve(
    CLOCK,
    properties=(prop("lit", Not(And((Not(below(Read(TICKS), 3)), Not(Read(LIGHT))))), Read(LIGHT)),),
)
"""`lit` breaks where there are three ticks and no light: a light that was put on has to be put out."""

LEAP = action(
    "leap",
    Assign(TICKS, (), number(5), 1),
    guard=Compare(Relation.EQ, Read(TICKS), Const(0, TICKS.sort)),
)
LEAPING = evolve(CLOCK, actions=(*CLOCK.actions, LEAP), properties=CLOCK.properties[:1])
"""`early` breaks after six ticks, or after a leap and one tick."""

Q = Loop(1, "q", QUEUE)
ANY_LEVEL = evolve(
    BOUNDED,
    properties=(prop("low", Quantified(Quantifier.FORALL, Q, below(Read(LEVEL, (Q,)), 2)), Const(0, LIGHT.sort)),),
)
"""`low` breaks once any level is 2; the plainest way is by level 0."""


def shrinker(model: Model, name: str, seconds: float | None = None) -> Shrinker:
    player = Player.of(model)
    goal = Goal.of(Finding(name, ()), model, player.steps.layout)
    return Shrinker(player, goal, Clock(seconds))


def numbers(player: Player, *steps: tuple[str, Sequence[int]]) -> Items:
    known = {instance.label: instance.number for instance in player.steps.instances}
    return tuple(known[name, tuple(args)] for name, args in steps)


def shown(shrinker: Shrinker, items: Items) -> list[str]:
    return [name + "".join(map(str, args)) for name, args in shrinker.player.path(items)]


def test_steps_that_have_no_part_in_it_are_left_out() -> None:
    shrinks = shrinker(CLOCK, "early")
    run = numbers(shrinks.player, *[("flip", ()), ("tick", ()), ("flip", ()), ("flip", ())] * 6)
    assert shown(shrinks, shrinks.without_steps(run)) == ["tick"] * 6


def test_two_steps_that_need_each_other_are_left_out_together() -> None:
    shrinks = shrinker(THREE_TICKS_IN_THE_DARK, "lit")
    run = numbers(shrinks.player, ("flip", ()), ("tick", ()), ("tick", ()), ("flip", ()), ("tick", ()))
    assert shown(shrinks, shrinks.without_steps(run)) == ["tick"] * 3


def test_a_detour_is_cut_off() -> None:
    shrinks = shrinker(LEAPING, "early")
    run = numbers(shrinks.player, *[("tick", ())] * 6)
    assert shrinks.without_steps(run) == run
    assert shown(shrinks, shrinks.without_detours(run)) == ["leap", "tick"]


def test_hypothesis_finds_a_plainer_run_of_the_same_length() -> None:
    shrinks = shrinker(ANY_LEVEL, "low")
    run = numbers(shrinks.player, ("raise", (2,)), ("raise", (2,)))
    assert shown(shrinks, shrinks.simplest(run)) == ["raise0", "raise0"]


def test_a_broken_obligation_is_a_goal_like_another() -> None:
    shrinks = shrinker(LEVELS, "range:raise/level[]")
    run = numbers(shrinks.player, *[("raise", (q,)) for q in (0, 1, 2, 1, 0, 1)])
    assert shown(shrinks, shrinks.without_steps(run)) == ["raise1"] * 3
    assert shown(shrinks, shrinks.shrink(run)) == ["raise0"] * 3


def test_a_run_ends_where_it_first_comes_to_its_goal() -> None:
    shrinks = shrinker(CLOCK, "dark", seconds=0)
    run = numbers(shrinks.player, ("tick", ()), ("flip", ()), ("tick", ()), ("flip", ()))
    assert shown(shrinks, shrinks.shrink(run)) == ["tick", "flip"]


def test_a_run_that_does_not_come_to_its_goal_is_no_finding() -> None:
    shrinks = shrinker(CLOCK, "dark")
    with pytest.raises(AssertionError, match="the run does not come to dark"):
        shrinks.shrink(numbers(shrinks.player, ("tick", ())))


def test_the_end_of_time_loses_no_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    shrinks = shrinker(CLOCK, "early")
    run = numbers(shrinks.player, *[("flip", ()), ("tick", ()), ("flip", ()), ("flip", ())] * 6)
    left = iter([False] * 12)
    monkeypatch.setattr(Clock, "over", property(lambda _: next(left, True)))
    shorter = shrinks.shrink(run)
    assert 6 < len(shorter) < len(run)
    assert shown(shrinks, shorter).count("tick") == 6
