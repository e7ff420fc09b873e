"""RetiringSignalTracker's AcquireSlot: slots are armed ahead, and the next one is taken armed.

Of `retiring` only what the failure meets: a use is retired by a load of its own signal, which operations of an
engine need anyway, since no fence of the queue covers them; slots are armed in any call, up to the first that
is in use; a pin lasts exactly as long as a packet waits.
"""

from __future__ import annotations

from fencepost import Bool, Step, exists, forall
from fencepost_rocm.hardware import Handle
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.issued_ops.declare import HOST, protocol
from fencepost_rocm.issued_ops.references import arm
from fencepost_rocm.issued_ops.state import CallPc, State, is_shared
from fencepost_rocm.issued_ops.submit import begin_use


def _is_held(s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker holds a reference, or a pin protects what waits for it or is about to."""
    return is_shared(s, handle) | s.gpu.waits_for(handle) | (s.call.dep == handle)


def _is_next_to_arm(s: State, slot: RingSlot) -> Bool:
    """The walk is at this slot: all before it are armed, and it is not."""
    slots, armed = s.tracker.ring.slots, s.tracker.armed
    return (
        slots[slot].is_some
        & ~armed.has(slots[slot].get)
        & forall(RingSlot, lambda other: (other.ordinal < slot.ordinal).implies(armed.has(slots[other].get)))
    )


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (confirm)")
def retire(m: Step, s: State, slot: RingSlot) -> None:
    """One load of the signal of the oldest use that is not armed: 0 proves it complete."""
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(_is_next_to_arm(s, slot), "next to arm")
    signal = s.tracker.ring.slots[slot].get
    m.require(~s.tracker.retired.has(signal), "in use")
    m.require(s.gpu.value(signal) == 0, "complete")
    m.note("retired", of=signal)
    s.tracker.retired = s.tracker.retired.adding(signal)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (arm)")
def rearm(m: Step, s: State, slot: RingSlot) -> None:
    """Arm a retired slot that nobody else holds, with a direct store of 1."""
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(_is_next_to_arm(s, slot), "next to arm")
    signal = s.tracker.ring.slots[slot].get
    m.require(s.tracker.retired.has(signal), "retired")
    m.require(~_is_held(s, signal), "unshared")
    arm(m, s, signal, 1)
    _is_armed_now(s, signal)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (park, a batch of spares)")
def park(m: Step, s: State, slot: RingSlot) -> None:
    """Give a slot whose signal is still held a new armed one; the old signal is parked."""
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(_is_next_to_arm(s, slot), "next to arm")
    signal = s.tracker.ring.slots[slot].get
    m.require(s.tracker.retired.has(signal), "retired")
    m.require(_is_held(s, signal), "shared")
    m.require(~_has_reusable(s), "no parked signal to use again")
    m.bound(s.gpu.pool.can_create(), "handles")
    _park(m, s, slot)
    spare = s.gpu.create(m, 1)
    m.note("CREATED (=1)", of=spare)
    s.tracker.ring.slots[slot] = spare
    _is_armed_now(s, spare)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (park, parked)")
def park_for_parked(m: Step, s: State, slot: RingSlot, spare: Handle) -> None:
    """The same with a parked signal that only the tracker holds by now, armed anew."""
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(_is_next_to_arm(s, slot), "next to arm")
    signal = s.tracker.ring.slots[slot].get
    m.require(s.tracker.retired.has(signal), "retired")
    m.require(_is_held(s, signal), "shared")
    m.require(_is_reusable(s, spare), "parked and unshared")
    s.tracker.parked = s.tracker.parked.removing(spare)
    _park(m, s, slot)
    arm(m, s, spare, 1)
    s.tracker.ring.slots[slot] = spare
    _is_armed_now(s, spare)


def _park(m: Step, s: State, slot: RingSlot) -> None:
    signal = s.tracker.ring.slots[slot].get
    m.note("PARKED", of=signal)
    s.tracker.parked = s.tracker.parked.adding(signal)
    s.tracker.retired = s.tracker.retired.removing(signal)


def _is_armed_now(s: State, signal: Handle) -> None:
    s.tracker.retired = s.tracker.retired.removing(signal)
    s.tracker.armed = s.tracker.armed.adding(signal)


def _is_reusable(s: State, handle: Handle) -> Bool:
    return s.tracker.parked.has(handle) & ~_is_held(s, handle)


def _has_reusable(s: State) -> Bool:
    return exists(Handle, lambda handle: _is_reusable(s, handle))


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (grow)")
def grow_armed(m: Step, s: State) -> None:
    """The next slot is busy: a new slot with an armed spare begins its use. At the cap `retiring` goes on."""
    oldest = s.tracker.ring.oldest()
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(s.tracker.is_in_use(oldest) & (s.gpu.value(oldest) > 0), "still busy")
    m.bound(s.tracker.ring.has_room(), "below the cap")
    m.bound(s.gpu.pool.can_create(), "handles")
    spare = s.gpu.create(m, 1)
    m.note("CREATED (=1)", of=spare)
    s.tracker.ring.append(spare)
    begin_use(m, s)


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot, BeginUse")
def acquire_slot(m: Step, s: State) -> None:
    """The next slot is armed: take it, store the initial value where that is not 1, and attach it to the command."""
    oldest = s.tracker.ring.oldest()
    m.require(s.call.pc == CallPc.ACQUIRE, "acquires")
    m.require(s.tracker.armed.has(oldest), "armed")
    s.tracker.ring.rotate(m)
    s.tracker.armed = s.tracker.armed.removing(oldest)
    begin_use(m, s)
