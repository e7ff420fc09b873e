"""Facts about the legacy tracker: what breaks it, how soon, and what does not.

Where no sizes are given, the variant's own or the defaults are small enough for a search of a few seconds.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones

SMALLEST = {"ring": 2, "room": 2, "handles": 2}
SMALL = {"ring": 2, "room": 3, "handles": 3}


def built(
    variant: str | None = None, sizes: Mapping[str, int] | None = None, features: list[str] | None = None
) -> Model:
    return find("legacy").build(variant=variant, sizes=sizes or {}, features=features)


def in_order(events: list[str], notes: list[str]) -> bool:
    rest = iter(notes)
    return all(any(event == note for note in rest) for event in events)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("no-wait-next", "rearmed-only-when-free", 28),
        ("shared-signal-not-replaced", "event-sees-its-own-use", 38),
        ("raw-handle-cached", "idle-check-reads-a-live-signal", 40),
        ("wrong-interrupt-type", "stacks-are-bounded", 37),
        ("stale-timing-entry", "times-taken-before-rearm", 34),
        ("times-when-asked-for", "no-destroyed-signal-is-listed", 31),
        ("no-waits", "completion-decrements-its-own-use", 22),
        ("grows-before-current", "ring-keeps-submission-order", 20),
        ("reset-keeps-slot", "copy-starts-after-earlier-work", 23),
        ("waiter-holds-nothing", "no-handle-destroyed-while-referenced", 35),
        ("type-before-sharing", "stacks-hold-idle-signals", 31),
        ("replacement-failure-ignored", "rearmed-only-when-free", 33),
        ("handler-takes-execution", "no-hang", 16),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("legacy").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


def test_every_situation_comes_up_soon() -> None:
    model = built()
    outcome = run(model, depth=15)
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


@pytest.mark.parametrize("feature", ["timing", "callbacks", "any-order"])
def test_situations_of_the_other_features(feature: str) -> None:
    model = built(features=["copies", "events", "failures", feature])
    outcome = run(model, depth=15)
    assert lengths(outcome) == {}
    assert set(outcome.twins) == {prop.name for prop in model.properties}


def test_part_1_holds_to_a_depth() -> None:
    assert lengths(run(built(), depth=32)) == {}


def test_interrupt_signals_and_handlers_do_no_harm() -> None:
    outcome = run(built(sizes={**SMALL, "handles": 4}, features=["callbacks", "failures"]))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


# The first finding: what WaitNext is to prove does not hold behind a prefetch.


def test_a_prefetch_completes_the_next_slot_while_a_waiter_of_this_one_is_left() -> None:
    model = built(sizes=SMALLEST, features=["prefetch"])
    outcome = run(model)
    assert lengths(outcome) == {
        "wait-next-proves-the-waiter-passed": 28,
        "rearmed-only-when-free": 30,
        "no-hang": 32,
        "wait-satisfied-by-its-own-arming": 35,
        "every-operation-completes": 32,
        "call-returns": 33,
    }
    told = [
        "queue 1 gets an operation with signal 0",
        "kernel without a signal",
        "queue 0 gets a barrier packet that waits for signal 0",
        "prefetch",
        "queue 1 gets an operation with signal 1",
        "ARMED (=1)",
        "queue 0 gets a packet with signal 0",
    ]
    assert in_order(told, milestones(model, outcome, "no-hang"))


def test_without_prefetches_wait_next_does_what_it_is_for() -> None:
    outcome = run(built(sizes=SMALL, features=["copies", "events", "failures"]))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_the_peek_makes_wait_next_unnecessary_until_a_signal_cannot_be_created() -> None:
    model = built("no-wait-next", SMALL, ["copies", "events"])
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


# The second finding: a copy that ROCr does not take leaves its signal listed.


def test_a_failed_copy_takes_the_times_of_an_earlier_one() -> None:
    model = built(sizes=SMALL, features=["copies", "failures", "timing"])
    outcome = run(model, depth=33, properties=["times-are-of-an-operation-that-ran"])
    assert lengths(outcome) == {"times-are-of-an-operation-that-ran": 33}
    told = ["listed in the Timestamp", "listed in the Timestamp", "ROCr fails: RESET (=0)"]
    assert in_order(told, milestones(model, outcome, "times-are-of-an-operation-that-ran"))


# The third finding: the last packet's signal tells idle only if the packet waited for all others.


def test_a_kernel_launched_in_any_order_makes_a_busy_queue_idle() -> None:
    outcome = run(built(features=["any-order", "idle-check"]))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {"idle-means-no-packet": 19}


@pytest.mark.parametrize(
    ("features", "sizes"),
    [
        (["prefetch", "failures"], SMALLEST),
        (["copies", "prefetch", "events"], SMALL),
        (["any-order", "idle-check"], {}),
        (["copies", "failures", "timing"], SMALLEST),
    ],
)
def test_repaired_holds_in_every_state(features: list[str], sizes: dict[str, int]) -> None:
    outcome = run(built("repaired", sizes, features))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


# What waits goes on.

RESPONSES = ("every-operation-completes", "call-returns", "handler-returns", "timestamp-lock-is-released")


@pytest.mark.parametrize(
    ("variant", "sizes", "broken"),
    [
        ("handler-takes-execution", {}, {"call-returns": 16, "handler-returns": 16}),
        ("stale-timing-entry", {**SMALL, "room": 2}, {"call-returns": 28, "timestamp-lock-is-released": 28}),
    ],
)
def test_two_threads_that_wait_for_each_other(variant: str, sizes: dict[str, int], broken: dict[str, int]) -> None:
    model = built(variant, sizes)
    outcome = run(model, properties=[prop.name for prop in model.properties if prop.name in RESPONSES])
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == broken


def test_with_handlers_and_blocking_callbacks_every_call_and_every_handler_returns() -> None:
    model = built(sizes={**SMALL, "stack": 1, "handles": 4}, features=["callbacks", "failures"])
    outcome = run(model, properties=[prop.name for prop in model.properties if prop.name in RESPONSES])
    assert outcome.stop is Stop.EXHAUSTED
    assert (lengths(outcome), outcome.partial) == ({}, {})
