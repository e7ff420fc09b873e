"""Facts about the serializer protocol: what breaks it, how soon, and what does not.

Sizes are the smallest at which a fact shows, so that every search ends within a few seconds.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones

SMALL = {"slots": 3, "handles": 1, "kernels": 1}
ONE_KERNEL = {"kernels": 1}


def built(
    variant: str | None = None,
    sizes: Mapping[str, int] | None = None,
    features: list[str] | None = None,
    without: tuple[str, ...] = (),
) -> Model:
    return find("serializer").build(variant=variant, sizes=sizes or {}, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length", "sizes"),
    [
        ("retire-at-complete", "no-hang", 22, {}),
        ("leak-when-tagged", "no-signal-leaked", 19, ONE_KERNEL),
        ("no-remove-on-teardown", "tag-will-be-dropped", 9, SMALL),
        ("drain-without-count", "no-handle-destroyed-while-referenced", 20, {}),
        ("drain-at-any-completion", "no-handle-destroyed-while-referenced", 20, {}),
        ("token-before-count", "no-handle-destroyed-while-referenced", 20, {}),
        ("status-at-completion", "no-hang", 22, SMALL),
        ("owner-not-looked-at", "one-serialized-kernel-at-a-time", 24, {}),
        ("transition-packet-behind-work-only", "modes-do-not-overlap", 18, {}),
        ("repaired-start-only", "no-hang", 22, ONE_KERNEL),
        ("repaired-end-only", "no-hang", 12, SMALL),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int, sizes: dict[str, int]) -> None:
    protocol = find("serializer").protocol
    outcome = run(built(variant, sizes), depth=length, properties=[broken])
    assert protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


def test_the_deadlock_of_the_report_with_its_events_in_order() -> None:
    model = built("retire-at-complete")
    notes = milestones(model, run(model, depth=22, properties=["no-hang"]), "no-hang")
    told = [
        "RESUME",
        "Q0 dispatches 1 kernel",
        "PAUSE",
        "Q0 still has 1 in flight",
        "ARMED (=1)",
        "Q1 dispatches 1 kernel + the transition packet",
        "Q0 kernel completes",
        "CLEARED (=0)",
        "RESUME",
        "DESTROYS",
        "REUSES",
        "Q1 still has 1 in flight",
        "ARMED again (=1)",
        "DEADLOCK",
    ]
    rest = iter(notes)
    assert all(any(event in note for note in rest) for event in told), notes


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("retire-at-complete", "every-packet-gets-going", 22),
        ("retire-at-complete", "every-barrier-clears", 22),
        ("status-at-completion", "every-packet-gets-going", 21),
        ("status-at-completion", "token-comes-round", 25),
    ],
)
def test_what_hangs_leaves_its_responses_waiting(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), properties=[broken])
    assert [(finding.name, finding.loop) for finding in outcome.findings] == [(broken, length)]
    assert lengths(outcome) == {broken: length}


def test_merged_counts_a_dispatch_that_is_not_built_yet() -> None:
    outcome = run(built(sizes=SMALL), depth=12)
    assert lengths(outcome) == {
        "armed-barrier-waits-for-something": 9,
        "barrier-counts-what-is-ahead-of-it": 9,
        "every-barrier-clears": 12,
        "every-packet-gets-going": 12,
        "no-hang": 12,
    }


def test_the_counter_has_dispatches_that_the_serializer_does_not_know() -> None:
    model = built("repaired-both-ends", ONE_KERNEL)
    outcome = run(model, depth=16, properties=["no-hang"])
    assert lengths(outcome) == {"no-hang": 16}
    assert [note for note in milestones(model, outcome, "no-hang") if "not known" in note]


def test_moving_both_ends_of_the_counter_is_enough_without_tracing() -> None:
    outcome = run(built("repaired-both-ends", ONE_KERNEL, ["unlocked-count"]))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_repaired_holds_in_every_state_and_meets_every_situation() -> None:
    model = built("repaired", ONE_KERNEL)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


def test_repaired_holds_with_every_option() -> None:
    options = ["drain-last", "endless", "sync-timeout", "teardown", "tracing", "unlocked-count"]
    outcome = run(built("repaired", {"handles": 1, "kernels": 1}, options))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


@pytest.mark.parametrize("variant", ["drain-without-count", "token-before-count", "drain-while-armed"])
def test_harmless_where_the_drain_comes_first(variant: str) -> None:
    outcome = run(built(variant, features=[]), depth=20, properties=["no-handle-destroyed-while-referenced"])
    assert lengths(outcome) == {}


def test_a_synced_queue_leaves_no_tag_but_one_given_up_does() -> None:
    synced = run(built(sizes=SMALL, features=["teardown"]))
    assert synced.stop is Stop.EXHAUSTED
    assert lengths(synced) == {}
    given_up = run(
        built(sizes=SMALL, features=["teardown", "sync-timeout"]), depth=9, properties=["tag-will-be-dropped"]
    )
    assert lengths(given_up) == {"tag-will-be-dropped": 9}


def test_the_waits_of_packets_keep_kernels_apart() -> None:
    model = built("repaired", ONE_KERNEL, without=("see_dependency:satisfied",))
    outcome = run(model, depth=22, properties=["one-serialized-kernel-at-a-time", "modes-do-not-overlap"])
    assert set(lengths(outcome)) == {"one-serialized-kernel-at-a-time", "modes-do-not-overlap"}


def test_the_read_index_is_left_out() -> None:
    model = built()
    assert "release_slot" not in [action.name for action in model.actions]
    assert not [var.name for var in model.vars if var.name.endswith(".released")]
