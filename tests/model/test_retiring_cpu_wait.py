"""Facts about the retiring tracker under a CPU wait: what breaks it, how soon, and what one mistake leads to."""

from __future__ import annotations

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones, taken

SUBJECT = "retiring-cpu-wait"


def built(variant: str | None = None, features: list[str] | None = None, **sizes: int) -> Model:
    return find(SUBJECT).build(variant=variant, sizes=sizes, features=features)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("signal-not-held", "held-signal-not-rearmed", 17),
        ("shared-signal-rearmed", "marker-wait-sees-its-own-use", 29),
        ("wait-holding-execution", "no-wait-holding-execution", 7),
        ("reset-though-newer", "reset-only-when-drained", 23),
        ("error-ignored", "retired-implies-complete", 11),
        ("proof-of-the-newest", "retired-implies-complete", 23),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find(SUBJECT).protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize("features", [[], ["second"]])
def test_merged_breaks_nothing(features: list[str]) -> None:
    outcome = run(built(features=features, handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_merged_meets_every_situation() -> None:
    model = built(features=["errors"])
    assert set(run(model, depth=30).twins) == {prop.name for prop in model.properties}


def test_a_signal_that_nobody_holds_is_armed_under_the_waiter_when_the_ring_wraps() -> None:
    model = built("signal-not-held")
    outcome = run(model, depth=17, properties=["held-signal-not-rearmed"])
    told = milestones(model, outcome, "held-signal-not-rearmed")
    assert told.index("held by the marker") < told.index("dispatch (barrier bit false, timed false)", 1)
    assert told[-1] == "ARMED (=1)"
    assert "wait_for_marker" not in taken(model, outcome, "held-signal-not-rearmed")


def test_with_the_signal_armed_anew_the_waiter_may_wait_for_ever_and_prove_what_is_not_complete() -> None:
    outcome = run(built("signal-not-held"), depth=28, properties=["no-hang", "retired-implies-complete"])
    assert lengths(outcome) == {"no-hang": 25, "retired-implies-complete": 28}


def test_a_wait_may_go_on_for_ever_while_the_ring_wraps_again_and_again() -> None:
    outcome = run(built("signal-not-held"), depth=40, properties=["marker-wait-returns"])
    assert lengths(outcome) == {"marker-wait-returns": 39}
    assert lengths(run(built(features=[], handles=2), properties=["marker-wait-returns"])) == {}


def test_a_held_signal_is_parked_and_comes_back_once_nobody_waits() -> None:
    model = built(features=[])
    assert "held-signal-not-rearmed" in run(model, depth=18).twins  # parked while the marker holds it
    used = {action.name for action in model.actions}
    assert {"park", "reuse_parked"} <= used


def test_nobody_waits_for_the_gpu_under_the_lock_to_synchronize() -> None:
    assert "call_synchronize" not in {action.name for action in built().actions}
