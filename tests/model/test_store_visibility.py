"""Facts about the store path: what breaks it, how soon, what prevents what does not, and the tracker on top of it.

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

ALONE = "store-visibility"
TRACKER = "retiring-store-visibility"
ONE_CORE = {"cores": 1, "handles": 1}


def built(
    protocol: str,
    variant: str | None = None,
    features: list[str] | None = None,
    sizes: Mapping[str, int] | None = None,
) -> Model:
    return find(protocol).build(variant=variant, sizes=sizes or {}, features=features)


@pytest.mark.parametrize(
    ("protocol", "variant", "broken", "length"),
    [
        (ALONE, "flush-elided", "armed-before-decremented", 8),
        (ALONE, "fence-elided", "peer-wait-not-early", 8),
        (ALONE, "copy-unflushed", "armed-before-decremented", 5),
        (ALONE, "tool-on-device-signals", "no-hang", 15),
        (ALONE, "read-index-is-proof", "complete-implies-not-owed", 12),
        (ALONE, "skipped-doorbell-unfenced", "no-hang", 16),
        (ALONE, "header-unfenced", "launched-packet-is-whole", 10),
        (ALONE, "ring-overrun", "slot-not-overwritten", 20),
        (TRACKER, "flush-after-hand-out", "armed-before-decremented", 21),
        (TRACKER, "flush-before-fence", "packet-wait-not-early", 28),
        (TRACKER, "copy-unflushed", "armed-before-decremented", 18),
        (TRACKER, "fence-elided", "peer-wait-not-early", 19),
        (TRACKER, "fence-covers-copies", "no-rearm-under-a-copy", 13),
    ],
)
def test_each_variant_breaks_its_property(protocol: str, variant: str, broken: str, length: int) -> None:
    outcome = run(built(protocol, variant), depth=length, properties=[broken])
    assert find(protocol).protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize(
    ("protocol", "features", "sizes"),
    [
        (ALONE, ["hdp", "barriers", "copy", "peer", "system-ring"], {"cores": 1}),
        (ALONE, ["barriers", "peer"], {}),
        (ALONE, ["hdp", "barriers", "tool"], {}),
        (ALONE, ["hdp", "callback"], {"cores": 1}),
        (ALONE, ["hdp", "barriers"], {"cores": 1, "queues": 2}),
        (TRACKER, ["hdp"], {"cores": 1}),
        (TRACKER, ["hdp", "copy", "system-ring"], {"cores": 1}),
    ],
)
def test_the_merged_code_is_clean(protocol: str, features: list[str] | None, sizes: dict[str, int]) -> None:
    outcome = run(built(protocol, features=features, sizes=sizes))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


def test_the_merged_code_is_clean_with_every_property_exercised_and_every_action_taken() -> None:
    model = built(ALONE)
    outcome = run(model, compile_after=None)
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})
    assert set(outcome.twins) == {prop.name for prop in model.properties}
    assert [name for name, count in outcome.actions.items() if not count.fired] == []


# A device ring orders packets behind the stores that arm their signals, by the BAR; a peer does not read them so.


def test_a_peer_passes_early_while_the_arming_is_on_the_bus() -> None:
    model = built(ALONE, features=["hdp", "peer"], sizes=ONE_CORE)
    outcome = run(model)
    assert lengths(outcome) == {"peer-wait-not-early": 8}
    assert taken(model, outcome, "peer-wait-not-early") == [
        "arm",
        "fence_stores",
        "reserve",
        "write_body",
        "write_header",
        "ring_doorbell",
        "make_peer_wait",
        "pass_peer",
    ]


def test_a_flush_for_peers_repairs_that() -> None:
    outcome = run(built(ALONE, "flush-for-peers", sizes={"cores": 1}))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


def test_the_tracker_has_it_too() -> None:
    model = built(TRACKER, features=["hdp", "events", "peer"], sizes={"cores": 1})
    outcome = run(model, depth=22, properties=["peer-wait-not-early"])
    assert lengths(outcome) == {"peer-wait-not-early": 22}


@pytest.mark.deep
def test_a_flush_for_peers_repairs_the_tracker() -> None:
    outcome = run(built(TRACKER, "flush-for-peers"))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


# A callback adds 1 to a signal that is in device memory.


def test_an_add_for_a_callback_lands_late_where_rings_are_in_system_memory() -> None:
    model = built(ALONE, features=["hdp", "system-ring", "callback"], sizes=ONE_CORE)
    outcome = run(model)
    assert lengths(outcome) == {"armed-before-decremented": 11, "completion-not-lost": 12, "no-hang": 13}
    assert taken(model, outcome, "no-hang")[-2:] == ["complete", "store_lands"]


def test_a_flush_after_the_add_repairs_that() -> None:
    outcome = run(built(ALONE, "flush-after-add"))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


# Without the fence in FlushStores.


def test_on_one_core_the_fences_of_publication_do_instead() -> None:
    """The fence before a packet's header, and before its doorbell, take along what armed its signal."""
    outcome = run(built(ALONE, "fence-elided", ["peer"], ONE_CORE))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


def test_on_two_cores_nothing_does() -> None:
    found = lengths(run(built(ALONE, "fence-elided", ["hdp"], {"cores": 2, "handles": 1}), depth=10))
    assert found["complete-implies-not-owed"] == 7
    assert found["armed-before-decremented"] == 10


def test_without_the_fence_a_callback_may_run_early() -> None:
    assert lengths(run(built(ALONE, "fence-elided"), depth=8))["callback-not-early"] == 8


def test_with_rings_in_system_memory_a_flush_is_worth_nothing_without_the_fence() -> None:
    found = lengths(run(built(ALONE, "fence-elided", ["hdp", "system-ring"], ONE_CORE)))
    assert found["armed-before-decremented"] == 9


@pytest.mark.deep
def test_a_tracker_that_makes_no_copies_needs_no_fence_of_its_own() -> None:
    """Each call that arms signals ends with a packet, and the fences of its publication."""
    outcome = run(built(TRACKER, "fence-elided", ["events", "peer"], {"cores": 2}))
    assert (outcome.stop, lengths(outcome)) == (Stop.EXHAUSTED, {})


# What else the properties see.


def test_a_copy_needs_the_flush_for_what_it_waits_for_too() -> None:
    found = lengths(run(built(ALONE, "copy-unflushed"), depth=10))
    assert found["packet-wait-not-early"] == 10


def test_a_barrier_of_the_tracker_passes_early_without_the_flush() -> None:
    model = built(TRACKER, "flush-after-hand-out", ["hdp", "system-ring", "pins"], {"queues": 2})
    found = lengths(run(model, depth=27, properties=["packet-wait-not-early"]))
    assert found == {"packet-wait-not-early": 27}


def test_a_store_that_lands_late_loses_the_completion() -> None:
    found = lengths(run(built(ALONE, "flush-elided")))
    assert found == {
        "armed-before-decremented": 8,
        "value-not-negative": 8,
        "completion-not-lost": 9,
        "no-hang": 10,
    }


def test_a_host_atomic_on_host_memory_is_one_step() -> None:
    model = built(ALONE, features=["hdp", "tool"])
    assert not {"tool_add_lands", "tool_subtraction_lands", "store_lands"} & {action.name for action in model.actions}


def test_the_tracker_without_the_path_is_as_it_was() -> None:
    """Composing takes actions over as they are."""
    base, composed = find("retiring").protocol, find(TRACKER).protocol
    functions = {action.name: action.function for action in composed.actions}
    changed = {action.name for action in base.actions if functions[action.name] is not action.function}
    components = {"launch", "see_dependency", "complete", "release_slot"}
    assert changed == components | {"end_walk", "publish", "release_event"}
