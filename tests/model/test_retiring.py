"""Facts about the retiring tracker: that it grows to its cap and no further, and that what waits goes on."""

from __future__ import annotations

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths

RESPONSES = {"every-operation-completes", "call-returns", "event-wait-returns", "registered-handler-runs"}


def built(variant: str | None = None, features: list[str] | None = None, **sizes: int) -> Model:
    return find("retiring").build(variant=variant, sizes=sizes, features=features)


def responses_of(model: Model) -> list[str]:
    return [prop.name for prop in model.properties if prop.name in RESPONSES]


# The cap.


def test_growth_without_a_look_at_the_cap_goes_beyond_it() -> None:
    outcome = run(built("grows-beyond-cap"))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {"grows-only-to-the-cap": 15}


def test_the_ring_comes_to_its_cap_and_stays_there_though_there_is_room() -> None:
    outcome = run(built(features=["room-beyond-cap"], queues=1, ring=1, cap=3, handles=3))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert outcome.twins["grows-only-to-the-cap"] == 9


def test_without_room_beyond_it_growth_past_the_cap_is_an_obligation() -> None:
    model = find("retiring").build(
        sizes={"queues": 1, "ring": 2, "cap": 3, "handles": 4}, features=[], without=("grow:below the cap",)
    )
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {"range:grow/tracker.length": 21}


# Responses.


@pytest.mark.parametrize(
    ("variant", "broken"),
    [
        ("no-pin", {"every-operation-completes": 22, "call-returns": 23}),
        ("rearm-before-timing", {"call-returns": 21, "registered-handler-runs": 21}),
    ],
)
def test_a_variant_after_which_nothing_more_happens(variant: str, broken: dict[str, int]) -> None:
    model = built(variant)
    outcome = run(model, properties=responses_of(model))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == broken
    assert all(finding.loop == len(finding.path) for finding in outcome.findings)


@pytest.mark.parametrize(
    ("variant", "starved"),
    [("shared-signal-rearmed", "event-wait-returns"), ("handler-holds-no-reference", "registered-handler-runs")],
)
def test_a_signal_armed_again_and_again_starves_whoever_polls_for_its_first_use(variant: str, starved: str) -> None:
    """Everybody else goes on: nothing hangs, and calls return."""
    model = built(variant)
    (finding,) = run(model, properties=responses_of(model)).findings
    assert finding.name == starved
    assert finding.loop is not None
    around = [name for name, _ in finding.path[finding.loop :]]
    assert {"call_dispatch", "rearm", "publish", "complete"} <= set(around)


def test_what_is_parked_is_forgotten_unless_a_walk_looks_at_it() -> None:
    entry = find("retiring-submission-batch")
    name = "free-parked-signal-is-reclaimed"
    assert lengths(run(entry.build(), depth=32, properties=[name])) == {}
    assert lengths(run(entry.build(variant="parked-left-behind"), depth=32)) == {name: 32}
