"""Facts about a pool in chunks: what breaks it, how soon, what a move costs, and what prevents what does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import calls, lengths, milestones, taken

ROOM = "room-of-nobody-else"
OWED = "armed-when-nothing-is-owed"
WIDE = {"slots": 6}
"""Packets enough for two chunks of two kernels each, with their barriers."""
ONE = {"units": 1}


def built(
    variant: str | None = None,
    features: list[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    without: tuple[str, ...] = (),
) -> Model:
    return find("chunks").build(variant=variant, sizes=sizes or {}, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("reset-though-newer", ROOM, 9),
        ("rearm-unflushed", "armed-before-decremented", 11),
        ("rearm-through-rocr", "one-load-to-move-on", 8),
        ("checked-before-waiting", "one-load-to-move-on", 8),
        ("flushed-always", "flushes-for-system-rings-only", 10),
        ("copies-not-awaited", ROOM, 15),
        ("next-chunk-not-awaited", OWED, 16),
        ("barrier-bit-clear", ROOM, 16),
        ("doorbell-left", "no-hang", 14),
        ("repaired-reset-only", ROOM, 14),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("chunks").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize("features", [["hdp", "staging"], ["hdp", "staging", "system-ring"], ["staging"]])
def test_merged_breaks_nothing_where_a_kernel_takes_room_once(features: list[str]) -> None:
    model = built(features=features, sizes=WIDE)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_merged_meets_every_situation() -> None:
    model = built(features=["hdp", "staging"], sizes=WIDE)
    assert set(run(model).twins) == {prop.name for prop in model.properties}


def test_with_signals_in_host_memory_a_move_costs_no_load_across_pcie() -> None:
    outcome = run(built(features=["hdp", "staging", "host-signals"], sizes=WIDE))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert not {"one-load-to-move-on", "flushes-for-system-rings-only"} & set(outcome.twins)


# Findings.


def test_a_kernel_that_takes_room_twice_is_not_covered_by_the_barrier_between() -> None:
    model = built(features=["twice"], sizes=ONE)
    outcome = run(model, depth=13)
    assert lengths(outcome) == {ROOM: 13}
    steps = taken(model, outcome, ROOM)
    assert steps.index("close_chunk") < steps.index("publish_kernel")


def test_so_it_is_with_more_chunks_and_later() -> None:
    assert lengths(run(built(features=["twice"], sizes=ONE | {"chunks": 3}), depth=16)) == {ROOM: 16}


def test_a_chunk_is_waited_for_holding_the_lock_that_ends_the_kernel() -> None:
    model = built(features=["host-kernel"], sizes=ONE)
    outcome = run(model, depth=13)
    assert lengths(outcome) == {"no-hang": 13}
    steps = taken(model, outcome, "no-hang")
    assert steps[-1] == "close_chunk"
    assert "set_flag" not in steps


def test_arguments_that_are_not_launched_are_not_covered() -> None:
    reset = built(features=["early-arguments"])
    outcome = run(reset, depth=8, properties=[ROOM])
    assert lengths(outcome) == {ROOM: 8}
    assert "reset_pool 1" in calls(reset, outcome, ROOM) or "reset_pool 0" in calls(reset, outcome, ROOM)
    moved = built("repaired-reset-only")
    outcome = run(moved, depth=14, properties=[ROOM])
    assert lengths(outcome) == {ROOM: 14}
    assert "launch_with_arguments" not in taken(moved, outcome, ROOM)


def test_a_failed_launch_leaves_a_barrier_that_no_synchronization_waits_for() -> None:
    model = built(features=["failed-launch"], sizes=ONE)
    outcome = run(model, depth=17)
    assert lengths(outcome) == {OWED: 17, "packets-name-who-waits": 11}
    steps = taken(model, outcome, OWED)
    assert steps.index("fail_launch") < steps.index("reset_pool")
    assert "the pool is set back to its beginning" in milestones(model, outcome, OWED)


@pytest.mark.parametrize(
    ("features", "sizes"),
    [
        (["twice", "host-kernel"], {}),
        (["early-arguments", "failed-launch"], ONE),
        (["hdp", "staging", "twice"], {}),
    ],
)
def test_repaired_holds_in_every_state(features: list[str], sizes: dict[str, int]) -> None:
    outcome = run(built("repaired", features, sizes))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert outcome.actions["let_go_to_wait"].fired > 0


# What prevents what does not fail.


def test_kernels_need_no_barrier_that_waits_for_copies() -> None:
    outcome = run(built("copies-not-awaited", ["hdp"], WIDE))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_a_doorbell_left_is_rung_by_the_next_kernel_and_by_no_copy() -> None:
    """With kernels alone nothing hangs; that the wait begins before its packet is there is a fault all the same."""
    kernels = run(built("doorbell-left", []))
    assert kernels.stop is Stop.EXHAUSTED
    assert lengths(kernels) == {"submissions-take-turns": 7}


def test_an_unflushed_arming_is_overtaken_and_ends_no_wait() -> None:
    model = built("rearm-unflushed")
    outcome = run(model, depth=22)
    assert lengths(outcome) == {
        "armed-before-decremented": 11,
        "awaited-barrier-is-published": 16,
        "no-hang": 22,
    }


def test_the_wait_is_what_keeps_a_chunk_that_is_read() -> None:
    model = built(features=[], sizes=ONE | WIDE, without=("wait_for_chunk:complete",))
    outcome = run(model, depth=16)
    assert lengths(outcome)["chunk-wait-not-early"] == 13
    assert lengths(outcome)[ROOM] == 13
    assert lengths(outcome)[OWED] == 16
