"""The retiring tracker's next slot: armed ahead, parked where it is shared, replaced by a spare.

One slot at a time here, the one that is needed: `retiring` has the walk over the ring, and what proves a use
complete. There the proof is a load of the signal itself.
"""

from __future__ import annotations

from fencepost import Bool, Step, exists
from fencepost_rocm.hardware import Handle, host_sees_done
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.submission_batch.declare import HOST, protocol
from fencepost_rocm.submission_batch.references import arm, require_feature
from fencepost_rocm.submission_batch.state import Pc, State, is_complete, is_shared

SPARE_BATCH = 2
"""Signals that one batch gives (64)."""


def require_retiring(m: Step, *features: str) -> None:
    """The action is of this tracker, and of these optional parts."""
    require_feature(m, "retiring", *features)


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot")
def take_armed(m: Step, s: State) -> None:
    """The next slot is armed: it becomes the current one."""
    require_retiring(m)
    m.require(s.call.pc == Pc.SLOT, "next slot")
    signal = s.tracker.ring.oldest()
    m.require(s.tracker.armed.has(signal), "armed")
    m.note("takes signal {}", signal, of=signal)
    s.tracker.armed = s.tracker.armed.removing(signal)
    s.tracker.ring.rotate(m)
    s.call.pc = Pc.PLACE if m.has("host-fallback") else Pc.PUBLISH


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim")
def find_complete(m: Step, s: State) -> None:
    """The next slot's use is complete."""
    require_retiring(m)
    m.require(s.call.pc == Pc.SLOT, "next slot")
    m.require(is_complete(s, s.tracker.ring.oldest()), "complete")
    s.call.pc = Pc.PARKED


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (busy)")
def find_busy(m: Step, s: State) -> None:
    """The next slot is still in use: a longer ring, up to its cap, or a wait."""
    require_retiring(m)
    tracker = s.tracker
    signal = tracker.ring.oldest()
    m.require(s.call.pc == Pc.SLOT, "next slot")
    m.require(~tracker.armed.has(signal) & (s.gpu.value(signal) > 0), "busy")
    with m.when(tracker.ring.has_room()):
        s.call.pc = Pc.GROW
    with m.otherwise():
        m.note("waits for signal {}, holding execution()", signal, of=signal)
        s.call.pc = Pc.OLDEST


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (wait)")
def wait_for_oldest(m: Step, s: State) -> None:
    """At the cap: wait for the oldest use, holding execution()."""
    require_retiring(m)
    m.require(s.call.pc == Pc.OLDEST, "waits")
    m.require(host_sees_done(s.gpu.value(s.tracker.ring.oldest())), "complete")
    s.call.pc = Pc.PARKED


# What is parked.


def is_reclaimable(s: State, handle: Handle) -> Bool:
    """It is parked, and the tracker holds the last reference."""
    return s.tracker.parked.has(handle) & ~is_shared(s, handle)


def unpin_is_due(m: Step, s: State, handle: Handle) -> Bool:
    """The slot behind the pinned signal's has been proven complete: what waited for the signal has passed."""
    if m.variant("pins-never-released"):
        return Bool.constant(False)
    return s.tracker.pinned.has(handle) & s.tracker.parked.has(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (pins)")
def unpin(m: Step, s: State, handle: Handle) -> None:
    """A parked signal's successor in the ring is complete: drop the reference that protected the waiter."""
    require_retiring(m, "pins")
    m.require(s.call.pc == Pc.PARKED, "reclaims")
    m.require(unpin_is_due(m, s, handle), "consumer passed")
    m.note("unpinned", of=handle)
    s.tracker.pinned = s.tracker.pinned.removing(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (parked)")
def reuse_parked(m: Step, s: State, handle: Handle) -> None:
    """A parked signal to which the tracker holds the last reference is armed and becomes a spare."""
    require_retiring(m)
    tracker = s.tracker
    m.require(s.call.pc == Pc.PARKED, "reclaims")
    m.require(is_reclaimable(s, handle), "unshared")
    if m.variant("batch-before-parked"):
        m.require(~tracker.spares.is_empty, "spares")
    m.require(~exists(Handle, lambda other: (other.ordinal < handle.ordinal) & is_reclaimable(s, other)), "the first")
    arm(m, s, handle)
    tracker.armed = tracker.armed.adding(handle)
    tracker.parked = tracker.parked.removing(handle)
    tracker.spares = tracker.spares.adding(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (parked, end)")
def end_parked(m: Step, s: State) -> None:
    """All that is parked is held by somebody."""
    require_retiring(m)
    m.require(s.call.pc == Pc.PARKED, "reclaims")
    if m.variant("batch-before-parked"):
        none_left = s.tracker.spares.is_empty | ~exists(Handle, lambda handle: is_reclaimable(s, handle))
    else:
        none_left = ~exists(Handle, lambda handle: is_reclaimable(s, handle) | unpin_is_due(m, s, handle))
    m.require(none_left, "looked at all")
    s.tracker.looked = True
    s.call.pc = Pc.SHARING


# The slot's signal.


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (arm)")
def rearm(m: Step, s: State) -> None:
    """Nobody else holds the signal: arm it."""
    require_retiring(m)
    signal = s.tracker.ring.oldest()
    m.require(s.call.pc == Pc.SHARING, "references")
    if not m.variant("shared-signal-rearmed"):
        m.require(~is_shared(s, signal), "unshared")
    arm(m, s, signal)
    s.tracker.armed = s.tracker.armed.adding(signal)
    _reclaimed(s)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (references)")
def find_shared(m: Step, s: State) -> None:
    """Somebody still holds the signal: the slot needs a spare."""
    require_retiring(m)
    m.require(s.call.pc == Pc.SHARING, "references")
    m.require(not m.variant("shared-signal-rearmed"), "looks")
    m.require(is_shared(s, s.tracker.ring.oldest()), "shared")
    s.call.pc = Pc.SPARE


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (park)")
def park(m: Step, s: State, spare: Handle) -> None:
    """The slot gets an armed spare; the old signal is parked."""
    require_retiring(m)
    m.require(s.call.pc == Pc.SPARE, "needs a spare")
    m.require(is_next_spare(s, spare), "spare")
    tracker = s.tracker
    signal = tracker.ring.oldest()
    m.note("PARKED", of=signal)
    tracker.parked = tracker.parked.adding(signal)
    _take_spare(s, spare)
    tracker.ring.slots[RingSlot.at(0)] = spare
    _reclaimed(s)


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (grow)")
def grow(m: Step, s: State, spare: Handle) -> None:
    """A new slot with an armed spare becomes the current one."""
    require_retiring(m)
    m.require(s.call.pc == Pc.GROW, "grow")
    m.require(is_next_spare(s, spare), "spare")
    tracker = s.tracker
    m.note("a longer ring, with signal {}", spare, of=spare)
    tracker.armed = tracker.armed.removing(spare)
    _take_spare(s, spare)
    tracker.ring.append(spare)
    s.call.pc = Pc.PLACE if m.has("host-fallback") else Pc.PUBLISH


def is_next_spare(s: State, spare: Handle) -> Bool:
    """It is a spare. Of several the one with the lowest number: which one does not matter."""
    spares = s.tracker.spares
    return spares.has(spare) & ~exists(Handle, lambda other: (other.ordinal < spare.ordinal) & spares.has(other))


def _take_spare(s: State, spare: Handle) -> None:
    s.tracker.spares = s.tracker.spares.removing(spare)
    s.tracker.fruitless = 0


_NONE: list[Handle] = []


def _reclaimed(s: State) -> None:
    s.tracker.looked = False
    s.tracker.let_go_since = _NONE
    s.call.pc = Pc.SLOT


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (a batch of spares)")
def allocate_spares(m: Step, s: State) -> None:
    """No spare is left where one is needed: a batch of armed signals."""
    require_retiring(m)
    m.require(s.call.pc.is_in(Pc.SPARE, Pc.GROW), "needed")
    m.require(s.tracker.spares.is_empty, "no spare left")
    m.bound(s.gpu.pool.depth() >= SPARE_BATCH, "signals left")
    allocate(m, s)


def allocate(m: Step, s: State) -> None:
    """A batch, in device memory or, one by one, in host memory."""
    tracker = s.tracker
    for _ in range(SPARE_BATCH):
        fresh = s.gpu.create(m, 1)
        m.note("CREATED (=1)", of=fresh)
        tracker.armed = tracker.armed.adding(fresh)
        tracker.spares = tracker.spares.adding(fresh)


# Where the signal is: in host memory all of them, if every batch in device memory fails.


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (allocation)")
def ask_for_device_signal(m: Step, s: State) -> None:
    """The use may be waited for, and its signal is in host memory: ask for a batch, which falls back."""
    require_retiring(m, "host-fallback")
    m.require(s.call.pc == Pc.PLACE, "place")
    m.require(s.tracker.spares.is_empty, "no spare left")
    m.bound(s.gpu.pool.depth() >= SPARE_BATCH, "signals left")
    allocate(m, s)
    with m.when(s.tracker.fruitless < 2):
        s.tracker.fruitless = s.tracker.fruitless + 1


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (keep)")
def keep_signal(m: Step, s: State) -> None:
    """The replacement is in host memory too: the slot keeps what it has."""
    require_retiring(m, "host-fallback")
    m.require(not m.variant("swap-despite-fallback"), "keeps")
    m.require(s.call.pc == Pc.PLACE, "place")
    m.require(~s.tracker.spares.is_empty, "replacement")
    s.call.pc = Pc.PUBLISH


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (swap)")
def swap_signal(m: Step, s: State, spare: Handle) -> None:
    """As it was: the slot gets the replacement, and its own signal goes to the pool for timing-only uses."""
    require_retiring(m, "host-fallback")
    m.require(m.variant("swap-despite-fallback"), "swaps")
    m.require(s.call.pc == Pc.PLACE, "place")
    m.require(is_next_spare(s, spare), "replacement")
    tracker = s.tracker
    signal = tracker.ring.current()
    m.note("to the pool for timing-only uses", of=signal)
    tracker.timing = tracker.timing.adding(signal)
    tracker.armed = tracker.armed.removing(spare).adding(signal)
    tracker.spares = tracker.spares.removing(spare)
    tracker.ring.replace_current(spare)
    s.call.pc = Pc.PUBLISH
