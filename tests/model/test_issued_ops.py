"""Facts about operations that share a signal: what breaks them, how soon, in which tracker, and what does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost import Bool, Step
from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from fencepost_rocm.issued_ops import State, protocol
from fencepost_rocm_properties.issued_ops import properties
from tests.model.facts import lengths, milestones

SMALL = {"handles": 2, "room": 2}
OWED = "rolled-back-only-when-nothing-is-owed"


def built(
    variant: str | None = None,
    sizes: Mapping[str, int] | None = None,
    features: list[str] | None = None,
    without: tuple[str, ...] = (),
) -> Model:
    return find("issued-ops").build(variant=variant, sizes=sizes or {}, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("reset-at-once", OWED, 6),
        ("wait-for-zero", "no-hang", 5),
        ("wait-in-one-tracker", OWED, 10),
        ("roll-back-then-wait", OWED, 6),
        ("signal-not-cleared", "no-hang", 9),
        ("slot-not-rolled-back", "last-signal-covers-all-work", 11),
        ("taken-off-by-the-host", "no-hang", 12),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("issued-ops").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


def test_merged_holds_in_every_state_and_meets_every_situation() -> None:
    model = built(sizes=SMALL)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


def test_a_late_decrement_completes_the_next_use_and_then_is_one_too_many() -> None:
    model = built("reset-at-once", SMALL)
    outcome = run(model, depth=19)
    assert lengths(outcome)["completion-decrements-its-own-use"] == 12
    assert lengths(outcome)["range:complete/gpu.pool.signals[].value"] == 19


def test_a_late_decrement_hits_a_signal_that_was_destroyed() -> None:
    broken = "no-handle-destroyed-while-owed"
    model = built("reset-at-once")
    outcome = run(model, depth=19, properties=[broken])
    assert lengths(outcome)[broken] == 19
    notes = milestones(model, outcome, broken)
    assert notes.index("DESTROYED") > notes.index("ROCr refuses, after 1 were issued")


def of_one_tracker(variant: str, *, device: bool) -> Model:
    """The protocol with one of the two trackers alone."""
    narrowed = protocol.extend("one-tracker")

    @narrowed.guard("create_tracker", "this tracker")
    def this_tracker(m: Step, s: State, device_memory: Bool) -> Bool:
        return device_memory if device else ~device_memory

    return narrowed.build(variant=variant, sizes=SMALL, properties=[properties])


def test_the_tracker_that_waits_needs_no_other_guard() -> None:
    retiring = run(of_one_tracker("wait-in-one-tracker", device=True))
    assert retiring.stop is Stop.EXHAUSTED
    assert lengths(retiring) == {}
    legacy = run(of_one_tracker("wait-in-one-tracker", device=False), depth=10, properties=[OWED])
    assert lengths(legacy) == {OWED: 10}


def test_a_failed_copy_waits_for_a_kernel_that_waits_for_the_lock() -> None:
    outcome = run(built(features=["host-kernel"]), depth=11, properties=["no-hang"])
    assert lengths(outcome) == {"no-hang": 11}


def test_repaired_holds_in_every_state() -> None:
    outcome = run(built("repaired", SMALL))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert outcome.actions["stand_in"].fired > 0


def test_subtracting_what_was_not_issued_is_wrong_in_device_memory_alone() -> None:
    host = run(of_one_tracker("taken-off-by-the-host", device=False))
    assert host.stop is Stop.EXHAUSTED
    assert lengths(host) == {}
    device = run(of_one_tracker("taken-off-by-the-host", device=True), depth=12, properties=["no-hang"])
    assert lengths(device) == {"no-hang": 12}
