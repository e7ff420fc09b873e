"""Facts about timing-only signals and Timestamps: what breaks them, how soon, and what prevents what does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones, taken

OWN = "times-are-of-their-own-operation"
SMALL = {"handles": 2}
TIMES = ["handler", "timing"]
CALLBACKS = ["callbacks", "handler", "timing"]
FAILURES = ["device-failures", "host-pool", "timing"]


def built(
    variant: str | None = None,
    features: list[str] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Model:
    return find("timing-pool").build(variant=variant, sizes=sizes or {}, features=features)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("rearm-before-timing", "no-hang", 30),
        ("read-index-is-proof", OWN, 19),
        ("fallback-swapped", "one-failed-batch-is-kept", 22),
        ("stale-entry", OWN, 30),
        ("wait-next-takes-all-times", OWN, 21),
        ("handler-registered-early", "listed-while-nobody-reads", 16),
        ("signal-lock-first", "no-hang", 14),
        ("callback-waited-for", "no-hang", 14),
        ("cached-times-kept", OWN, 36),
        ("not-swapped-back", "signal-where-the-use-wants-it", 25),
        ("timing-only-not-shared", "timing-only-signal-means-its-own-use", 23),
        ("left-in-its-pool", "signal-in-one-place", 3),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("timing-pool").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("rearm-before-timing", "no-timestamp-lists-an-armed-signal", 19),
        ("rearm-before-timing", OWN, 25),
        ("rearm-before-timing", "no-gpu-wait-under-a-timestamp-lock", 25),
        ("stale-entry", "no-timestamp-lists-an-armed-signal", 22),
        ("signal-lock-first", "timestamp-lock-before-signal-lock", 10),
        ("callback-waited-for", "callback-signal-not-waited-for", 13),
        ("timing-only-not-shared", "pools-hold-armed-unshared-signals", 26),
    ],
)
def test_what_else_a_variant_breaks(variant: str, broken: str, length: int) -> None:
    assert lengths(run(built(variant), depth=length, properties=[broken])) == {broken: length}


@pytest.mark.parametrize(
    ("features", "sizes"),
    [
        (["events", "handler", "timing"], {"handles": 3}),
        (["handler", "host-pool", "interrupts", "timing"], {}),
        (["any-order", "handler", "timing"], SMALL),
        (FAILURES, {"handles": 5}),
        (["host-pool", "pins", "timing"], {"queues": 2, "slots": 1, "handles": 3}),
    ],
)
def test_merged_holds_in_every_state(features: list[str], sizes: dict[str, int]) -> None:
    model = built(features=features, sizes=sizes)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


# A signal is armed before its times are taken.


def test_the_handler_waits_for_a_signal_of_which_the_next_use_needs_the_timestamp() -> None:
    model = built("rearm-before-timing")
    outcome = run(model, depth=30, properties=["no-hang"])
    steps, story = taken(model, outcome, "no-hang"), milestones(model, outcome, "no-hang")
    assert steps[-1] == "handler_locks_signal"
    assert "lock_timestamp" not in steps
    assert story.index("ARMED (=1)") < story.index("handler holds the lock of Timestamp 0")


# A batch that falls back.


def test_each_use_that_may_be_waited_for_takes_a_host_signal_for_a_host_signal() -> None:
    broken = "one-failed-batch-is-kept"
    model = built("fallback-swapped")
    outcome = run(model, depth=22, properties=[broken])
    assert taken(model, outcome, broken).count("place_on_device") == 3
    assert milestones(model, outcome, broken).count("fell back to host memory") == 4


def test_a_batch_that_fell_back_is_asked_for_once_and_kept() -> None:
    outcome = run(built(features=FAILURES, sizes={"handles": 5}))
    assert outcome.stop is Stop.EXHAUSTED
    assert "one-failed-batch-is-kept" in outcome.twins
    assert not outcome.cut


# Callbacks.


def test_a_marker_with_a_blocking_callback_loses_its_times() -> None:
    model = built(features=CALLBACKS, sizes=SMALL)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {"no-times-lost": 13}
    assert taken(model, outcome, "no-times-lost")[-1] == "handler_leaves_out"


def test_repaired_holds_in_every_state() -> None:
    model = built("repaired")
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


def test_a_callback_loses_no_more_times_with_a_launch_before_it() -> None:
    outcome = run(built(features=[*CALLBACKS, "interrupts"], sizes={"handles": 3, "timestamps": 2}))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {"no-times-lost": 13}


# LegacySignalTracker.


@pytest.mark.parametrize(("features", "lost"), [(None, {}), ([*CALLBACKS, "legacy-tracker"], {"no-times-lost": 13})])
def test_wait_next_may_take_the_times_of_what_it_has_waited_for(
    features: list[str] | None, lost: dict[str, int]
) -> None:
    outcome = run(built("wait-next-takes-its-times", features))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == lost


def test_wait_next_reads_times_of_a_running_marker() -> None:
    model = built("wait-next-takes-all-times")
    steps = taken(model, run(model, depth=21, properties=[OWN]), OWN)
    assert steps[-1] == "next_takes_times"
    assert steps.count("complete") == 1
    assert steps.count("publish") == 2
