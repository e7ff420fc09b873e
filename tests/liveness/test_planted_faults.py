"""One fault in each rule of fair loops; the reference or the replay must see it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from fencepost.errors import InternalError
from fencepost.explore import lassos
from fencepost.explore.around import Round
from fencepost.ir import fairness
from fencepost.ir.fairness import Groups
from fencepost.ir.model import Fairness, Model
from fencepost.smt import kernel, lasso, system
from tests.liveness.agreement import checks_like_the_reference, explores_like_the_reference
from tests.liveness.examples import every

Plant = Callable[[pytest.MonkeyPatch], None]


def _with_fairness(change: Callable[[Fairness], Fairness]) -> Plant:
    def plant(patch: pytest.MonkeyPatch) -> None:
        of = Groups.of

        def changed(model: Model) -> Groups:
            return of(evolve(model, actions=tuple(evolve(each, fair=change(each.fair)) for each in model.actions)))

        patch.setattr(Groups, "of", changed)

    return plant


def weak_as_strong(patch: pytest.MonkeyPatch) -> None:
    _with_fairness(lambda fair: Fairness.STRONG if fair is Fairness.WEAK else fair)(patch)


def strong_as_weak(patch: pytest.MonkeyPatch) -> None:
    _with_fairness(lambda fair: Fairness.WEAK if fair is Fairness.STRONG else fair)(patch)


def fairness_ignored(patch: pytest.MonkeyPatch) -> None:
    _with_fairness(lambda fair: Fairness.NONE)(patch)


def fair_to_everybody(patch: pytest.MonkeyPatch) -> None:
    _with_fairness(lambda fair: Fairness.STRONG if fair is Fairness.NONE else fair)(patch)


def bounds_are_guards(patch: pytest.MonkeyPatch) -> None:
    of = lassos.Owed.of
    patch.setattr(lassos.Owed, "of", lambda found, *, bounded: of(found, bounded=True))


def loop_left_open(patch: pytest.MonkeyPatch) -> None:
    loop = Round.loop
    patch.setattr(Round, "loop", lambda self, most=1: loop(self, most)[:-1])


def loop_that_pays_nothing(patch: pytest.MonkeyPatch) -> None:
    loop = Round.loop
    patch.setattr(Round, "loop", lambda self, most=1: loop(evolve(self, enabled={}), most))


def goal_in_the_loop(patch: pytest.MonkeyPatch) -> None:
    of = lassos.Waiting.of
    patch.setattr(lassos.Waiting, "of", lambda g, q: of(g, evolve(q, goal=np.zeros_like(q.goal))))


def trigger_not_needed(patch: pytest.MonkeyPatch) -> None:
    of = lassos.Waiting.of
    patch.setattr(lassos.Waiting, "of", lambda g, q: of(g, evolve(q, trigger=np.ones_like(q.trigger))))


def not_taken_apart_again(patch: pytest.MonkeyPatch) -> None:
    """A component with a strong debt is given up, though a part of it may have none."""
    components, decompose = lassos.fair_components, lassos.connected_components

    def once(waiting: Any, owed: Any) -> Any:
        counts: list[int] = []

        def counted(*args: Any, **options: Any) -> Any:
            found = decompose(*args, **options)
            counts.append(found[0])
            return found

        patch.setattr(lassos, "connected_components", counted)
        found = components(waiting, owed)
        return evolve(found, of=np.where(found.of >= counts[0], -1, found.of)) if counts else found

    patch.setattr(lassos, "fair_components", once)


def each_choice_is_owed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(fairness, "IndexSort", object)


MODELS = every()


DEPTH = 6


def paid_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lasso, "_paid", lambda group, frame: True)


def loop_goes_back_anywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lasso.Lassos, "_is_begin", lambda self, frame: True)


def never_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lasso.Lassos, "_took", lambda self, group, at: False)


def taken_before_the_loop(patch: pytest.MonkeyPatch) -> None:
    took = lasso.Lassos._took
    patch.setattr(lasso.Lassos, "again", lambda self, frame: kernel.truth(True))
    patch.setattr(lasso.Lassos, "_took", took)


def met_all_the_same(patch: pytest.MonkeyPatch) -> None:
    asked = system.Asked
    patch.setattr(system, "Asked", lambda trigger, unmet: asked(trigger, True))


def asked_all_the_time(patch: pytest.MonkeyPatch) -> None:
    asked = system.Asked
    patch.setattr(system, "Asked", lambda trigger, unmet: asked(True, unmet))


def a_bound_is_a_guard(patch: pytest.MonkeyPatch) -> None:
    instance = system.Instance
    patch.setattr(system, "Instance", lambda label, enabled, wanted, *rest: instance(label, enabled, enabled, *rest))


SYMBOLIC = [
    weak_as_strong,
    strong_as_weak,
    fairness_ignored,
    fair_to_everybody,
    each_choice_is_owed,
    paid_at_once,
    loop_goes_back_anywhere,
    never_taken,
    taken_before_the_loop,
    met_all_the_same,
    asked_all_the_time,
    a_bound_is_a_guard,
]


def agree() -> None:
    """The explorer and the reference agree on all examples."""
    for model in MODELS:
        explores_like_the_reference(model)


def agree_within_a_depth() -> None:
    """The bounded check and the reference agree on all examples."""
    for model in MODELS:
        checks_like_the_reference(model, DEPTH)


FAULTS = [
    weak_as_strong,
    strong_as_weak,
    fairness_ignored,
    fair_to_everybody,
    bounds_are_guards,
    loop_left_open,
    loop_that_pays_nothing,
    goal_in_the_loop,
    trigger_not_needed,
    not_taken_apart_again,
    each_choice_is_owed,
]


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_the_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, InternalError)):
        agree()


@pytest.mark.parametrize("plant", SYMBOLIC, ids=lambda plant: plant.__name__)
def test_the_fault_is_seen_in_the_bounded_check(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, InternalError)):
        agree_within_a_depth()
