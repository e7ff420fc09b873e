"""Reclaim's walk: arm retired slots anew, oldest first, and stop at the first busy one.

Taking a slot's times, under the Timestamp's lock, is a step of its own. Looking at the references of
a signal and storing the value that arms it are one: nobody takes a new reference without
execution(), so what is unshared stays so until the store.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost import Bool, Fairness, Step, count
from fencepost_rocm.hardware import Handle, host_sees_done
from fencepost_rocm.retiring import costs
from fencepost_rocm.retiring.declare import HOST, protocol
from fencepost_rocm.retiring.dispatch import begin_use
from fencepost_rocm.retiring.retire import direct_proof
from fencepost_rocm.retiring.state import (
    HostPc,
    RingSlot,
    State,
    UsePhase,
    any_slot,
    in_ring,
    newest,
    older_are_armed,
)

SPARE_BATCH = 2
"""Signals that one batch allocation gives (64)."""


def arm(m: Step, s: State, handle: Handle) -> None:
    """Store 1: whoever still refers to the signal's last use is stale from now on."""
    m.note("ARMED (=1)", of=handle)
    s.gpu.arm(m, handle, 1)
    s.note_rearmed(m, handle)
    if m.variant("each-signal-read"):
        costs.count_read(m, s.cost)
    costs.count_store(m, s.cost)


def is_shared_for_tracker(m: Step, s: State, handle: Handle) -> Bool:
    """What the tracker sees as shared."""
    if m.variant("shared-signal-rearmed"):
        return (s.tracker.pin.signal == handle) | (s.handler.signal == handle)
    if m.variant("handler-holds-no-reference"):
        return (s.event.signal == handle) | (s.tracker.pin.signal == handle)
    return s.is_held(m, handle)


def is_next_to_arm(s: State, slot: RingSlot) -> Bool:
    """The walk is at this slot, and its use is retired."""
    return in_ring(s, slot) & (s.tracker.ring[slot].phase == UsePhase.RETIRED) & older_are_armed(s, slot)


def has_timing_to_collect(m: Step, s: State, slot: RingSlot) -> Bool:
    """A Timestamp lists the slot's signal, and its times have to be taken first."""
    if m.variant("rearm-before-timing"):
        return Bool.constant(False)
    return s.timestamp.listed.has(s.tracker.ring[slot].signal)


def unpin_is_due(m: Step, s: State) -> Bool:
    """The packet that waits for the pinned signal has passed, and every earlier use is retired."""
    pin = s.tracker.pin

    def is_retired_consumer(slot: RingSlot) -> Bool:
        use = s.tracker.ring[slot]
        passed = (pin.consumer == use.signal) & (use.phase == UsePhase.RETIRED)
        if m.variant("unpin-on-read-index"):
            passed = (pin.consumer == use.signal) & s.gpu.read_index_passed(use.signal)
        if m.variant("unpin-early"):
            return passed
        return passed & ~any_slot(s, lambda other: (other.ordinal < slot.ordinal) & s.tracker.ring[other].is_in_use())

    return pin.signal.is_some & any_slot(s, is_retired_consumer)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (pins)")
def unpin(m: Step, s: State) -> None:
    """Drop the reference that protected a GPU wait."""
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(unpin_is_due(m, s), "consumer passed")
    m.clear(s.tracker.pin)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (timing)", fair=Fairness.STRONG)
def collect_timing(m: Step, s: State, slot: RingSlot) -> None:
    """Take the slot's times before its signal is armed anew, under the Timestamp's lock."""
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(is_next_to_arm(s, slot), "next to arm")
    m.require(has_timing_to_collect(m, s, slot), "listed")
    m.require(~s.timestamp.held_by_handler, "Timestamp lock free")
    s.timestamp.listed = s.timestamp.listed.removing(s.tracker.ring[slot].signal)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (arm)")
def rearm(m: Step, s: State, slot: RingSlot) -> None:
    """Arm a retired slot that nobody else holds, with a direct store."""
    use = s.tracker.ring[slot]
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(is_next_to_arm(s, slot), "next to arm")
    m.require(~unpin_is_due(m, s), "pins looked at")
    m.require(~has_timing_to_collect(m, s, slot), "timing collected")
    m.require(~is_shared_for_tracker(m, s, use.signal), "unshared")
    arm(m, s, use.signal)
    use.phase = UsePhase.ARMED


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (park)")
def park(m: Step, s: State, slot: RingSlot, spare: Handle) -> None:
    """Give a slot whose signal is still shared an armed spare; the old signal is parked."""
    use = s.tracker.ring[slot]
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(is_next_to_arm(s, slot), "next to arm")
    m.require(~unpin_is_due(m, s), "pins looked at")
    m.require(~has_timing_to_collect(m, s, slot), "timing collected")
    m.require(is_shared_for_tracker(m, s, use.signal), "shared")
    m.require(s.tracker.spares.has(spare), "spare")
    m.note("PARKED", of=use.signal)
    s.tracker.parked = s.tracker.parked.adding(use.signal)
    s.tracker.spares = s.tracker.spares.removing(spare)
    use.signal = spare
    use.phase = UsePhase.ARMED


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (parked)")
def reuse_parked(m: Step, s: State, handle: Handle) -> None:
    """A parked signal to which the tracker holds the last reference is armed and becomes a spare."""
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(s.tracker.parked.has(handle), "parked")
    m.require(~is_shared_for_tracker(m, s, handle), "unshared")
    arm(m, s, handle)
    s.tracker.parked = s.tracker.parked.removing(handle)
    s.tracker.spares = s.tracker.spares.adding(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (a batch of spares)")
def allocate_spares(m: Step, s: State) -> None:
    """No spare is left where one is needed: create a batch of armed signals."""
    m.require(needs_spare(m, s), "needed")
    m.require(s.tracker.spares.is_empty, "no spare left")
    m.bound(can_create(s), "signals left")

    def to_spares(handle: Handle) -> None:
        s.tracker.spares = s.tracker.spares.adding(handle)

    create_batch(m, s, SPARE_BATCH, to_spares)


def needs_spare(m: Step, s: State) -> Bool:
    """The walk is at a slot whose signal is shared, or the ring is to grow."""
    tracker = s.tracker
    needed = any_slot(s, lambda slot: is_next_to_arm(s, slot) & is_shared_for_tracker(m, s, tracker.ring[slot].signal))
    grows = (s.host.pc == HostPc.BUSY) & may_grow(m, s)
    return ((s.host.pc == HostPc.WALK) & needed) | grows


def may_grow(m: Step, s: State) -> Bool:
    """The ring is below its cap: as many slots as it has places, but for one with `room-beyond-cap`."""
    if m.variant("grows-beyond-cap"):
        return Bool.constant(True)
    return s.tracker.length < RingSlot.count() - (1 if m.has("room-beyond-cap") else 0)


def can_create(s: State) -> Bool:
    """A signal can be made. Memory has no such limit: use it in `m.bound`."""
    return count(Handle, lambda handle: ~s.tracker.created.has(handle)) > 0


def create_batch(m: Step, s: State, size: int, put: Callable[[Handle], None]) -> None:
    """Make so many armed signals, or as many as can be made; each goes where `put` puts it."""
    tracker = s.tracker
    created = tracker.created
    for handle in m.each(Handle):
        free_before = count(Handle, lambda other: (other.ordinal < handle.ordinal) & ~created.has(other))
        with m.when(~created.has(handle) & (free_before < size)):
            m.note("CREATED (=1)", of=handle)
            s.gpu.provide(m, handle, 1)
            tracker.created = tracker.created.adding(handle)
            put(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (stop)")
def end_walk(m: Step, s: State) -> None:
    """The walk is at a busy slot, or through the ring; here the stores are flushed."""
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(~unpin_is_due(m, s), "pins looked at")
    m.require(~any_slot(s, lambda slot: is_next_to_arm(s, slot)), "nothing to arm")
    costs.end_walk(m, s.cost)
    with m.when(s.tracker.ring[RingSlot.at(0)].phase == UsePhase.ARMED):
        s.host.pc = HostPc.ACQUIRE
    with m.otherwise():
        s.host.pc = HostPc.BUSY


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (grow)")
def grow(m: Step, s: State, spare: Handle) -> None:
    """The next slot is busy and the ring is below its cap: a new slot with an armed spare begins its use."""
    m.require(s.host.pc == HostPc.BUSY, "still busy")
    m.require(may_grow(m, s), "below the cap")
    m.require(s.tracker.spares.has(spare), "spare")
    if m.variant("grows-beyond-cap"):
        m.bound(s.tracker.length < RingSlot.count(), "room beyond the cap")
    s.tracker.spares = s.tracker.spares.removing(spare)
    s.tracker.length = s.tracker.length + 1
    begin_use(m, s, newest(s), spare)


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (wait)")
def wait_for_oldest(m: Step, s: State) -> None:
    """At the cap: wait for the oldest use, holding execution(). Its completion is a direct proof."""
    oldest = RingSlot.at(0)
    m.require(s.host.pc == HostPc.BUSY, "still busy")
    m.require(~may_grow(m, s), "at the cap")
    m.require(host_sees_done(s.gpu.value(s.tracker.ring[oldest].signal)), "complete")
    costs.wait_at_cap(m, s.cost)
    direct_proof(m, s, oldest)
    s.host.pc = HostPc.WALK
