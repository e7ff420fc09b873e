"""Facts about the pool of a graph's signals: what breaks it, how soon, what repairs it, and what prevents what.

Sizes are the smallest at which a fact shows, so that every search ends within a few seconds.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, taken

ONE = {"launches": 1, "sets": 1}


def built(
    variant: str | None = None,
    features: list[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    without: tuple[str, ...] = (),
) -> Model:
    return find("graph-pool").build(variant=variant, sizes=sizes or {}, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("device-arena-under-a-monitor", "memory-mapped-while-polled", 32),
        ("device-signals-under-a-tool", "host-atomics-on-host-memory-only", 9),
        ("flush-skipped", "wait-passes-after-its-segment", 30),
        ("set-reused-in-flight", "set-of-one-launch", 9),
        ("patched-once", "packets-carry-their-own-set", 14),
        ("arena-goes-with-batch", "memory-kept-while-signals-live", 3),
        ("arena-goes-with-last-slot", "memory-kept-while-signals-live", 6),
        ("batch-handle-kept", "nothing-is-leaked", 8),
        ("leaf-not-awaited", "released-when-nothing-refers-to-it", 14),
        ("launch-holds-no-reference", "signals-outlive-their-packets", 11),
        ("destroyed-armed", "no-hang", 4),
        ("set-released-twice", "destroyed-once", 20),
        ("failed-launch-keeps-set", "pool-is-bounded", 14),
        ("batch-for-each-launch", "no-batch-for-one-launch", 4),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("graph-pool").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


def test_launches_that_do_not_fail_are_clean_with_every_property_exercised() -> None:
    model = built(features=[])
    outcome = run(model)
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})
    assert set(outcome.twins) == {prop.name for prop in model.properties}


def test_so_is_the_profiler() -> None:
    model = built(features=["atomics", "monitor"], sizes={"launches": 1, "sets": 1})
    outcome = run(model)
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})
    assert {"memory-mapped-while-polled", "host-atomics-on-host-memory-only"} <= set(outcome.twins)


def test_a_set_of_one_launch_goes_with_it_and_costs_no_batch() -> None:
    outcome = run(built(features=["child-graph"]))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})
    assert {"no-batch-for-one-launch", "signals-outlive-their-packets"} <= set(outcome.twins)
    assert outcome.actions["return_set"].fired == 0 < outcome.actions["destroy_own"].fired


def test_a_batch_for_each_launch_only_costs() -> None:
    outcome = run(built("batch-for-each-launch"))
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == {"no-batch-for-one-launch"}


@pytest.mark.parametrize("variant", ["repaired", "tool-spares-device-signals", "single-signals-under-a-tool"])
def test_each_repair_holds(variant: str) -> None:
    outcome = run(built(variant, sizes={"launches": 1, "sets": 2}))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


# A launch that fails.


def test_the_leaf_is_left_waiting_for_a_signal_that_was_armed_anew() -> None:
    model = built(sizes=ONE)
    outcome = run(model)
    assert lengths(outcome) == {
        "released-when-nothing-refers-to-it": 14,
        "launch-leaves-nothing": 18,
        "no-hang": 19,
        "segment-not-taken-for-complete": 20,
        "armed-before-decremented": 20,
        "signals-outlive-their-packets": 21,
        "taken-armed": 23,
        "wait-passes-after-its-segment": 32,
        "launch-completes": 34,
    }
    steps = taken(model, outcome, "no-hang")
    assert "leaf_sees_fork" not in steps
    assert [step for step in steps if step in {"fail_segment", "enqueue_marker", "complete_join", "rearm"}] == [
        "fail_segment",
        "enqueue_marker",
        "complete_join",
        "rearm",
        "rearm",
    ]


def test_with_a_profiler_it_is_left_holding_a_signal_that_was_returned() -> None:
    model = built(features=["failures", "atomics"], sizes=ONE)
    outcome = run(model, depth=14, properties=["released-when-nothing-refers-to-it"])
    assert lengths(outcome) == {"released-when-nothing-refers-to-it": 14}


# A profiler.


def test_attached_late_it_meets_device_signals_and_the_graph_hangs() -> None:
    model = built(features=["atomics", "late-attach"], sizes=ONE)
    found = run(model, depth=19)
    assert lengths(found) == {"host-atomics-on-host-memory-only": 9, "no-hang": 19, "launch-completes": 19}
    steps = taken(model, found, "no-hang")
    load, store = steps.index("tool_adds"), steps.index("tool_add_lands")
    assert "complete_first" in steps[load:store]


def test_a_host_batch_that_is_unmapped_faults_under_the_monitor() -> None:
    outcome = run(built(features=["monitor", "host-unmap"], sizes=ONE))
    assert lengths(outcome) == {"memory-mapped-while-polled": 29}


def test_signals_of_their_own_never_do() -> None:
    """Their blocks stay mapped: a late poll reads whatever lies there by then, and nobody notices."""
    model = built("single-signals-under-a-tool", ["monitor", "host-unmap"], ONE)
    outcome = run(model)
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})
    assert "memory-mapped-while-polled" in outcome.twins


# What guards are for.


@pytest.mark.parametrize(
    ("guard", "broken", "length"),
    [
        ("begin_launch:calls on one graph are serialized", "packets-carry-their-own-set", 10),
        ("begin_cleanup:complete", "released-when-nothing-refers-to-it", 10),
        ("flush:all stores landed", "armed-before-decremented", 29),
    ],
)
def test_without_a_guard(guard: str, broken: str, length: int) -> None:
    outcome = run(built(features=[], without=(guard,)), properties=[broken], depth=length)
    assert lengths(outcome) == {broken: length}


def test_without_the_flush_it_takes_rings_in_system_memory() -> None:
    outcome = run(built("flush-skipped"), depth=30, properties=["wait-passes-after-its-segment"])
    [(action, args), *_] = outcome.findings[0].path
    assert (action, args) == ("instantiate", (True,))


# What waits goes on.


@pytest.mark.parametrize(
    ("variant", "broken"),
    [
        ("destroyed-armed", {"destruction-ends": 4}),
        ("flush-skipped", {"destruction-ends": 27, "launch-completes": 36}),
    ],
)
def test_whoever_waits_for_a_signal_that_stays_armed_waits_for_ever(variant: str, broken: dict[str, int]) -> None:
    responses = ["destruction-ends", "launch-completes"]
    outcome = run(built(variant), properties=responses)
    assert {name: steps for name, steps in lengths(outcome).items() if name in responses} == broken


def test_every_launch_and_every_destruction_ends() -> None:
    outcome = run(built(features=[]), properties=["destruction-ends", "launch-completes"])
    assert outcome.stop is Stop.EXHAUSTED
    assert (lengths(outcome), outcome.partial) == ({}, {})
