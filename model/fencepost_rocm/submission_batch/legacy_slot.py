"""The legacy tracker's next slot: waited for, replaced where it is shared, of the type that is asked for.

`legacy` has the rest of that tracker.
"""

from __future__ import annotations

from fencepost import Bool, Step, exists
from fencepost_rocm.hardware import Handle, host_sees_done
from fencepost_rocm.submission_batch.declare import HOST, protocol
from fencepost_rocm.submission_batch.references import arm, let_go, require_feature
from fencepost_rocm.submission_batch.state import Operation, Pc, State, is_shared


def require_legacy(m: Step, *features: str) -> None:
    """The action is of this tracker, and of these optional parts."""
    if m.has("retiring"):
        m.require(False, "legacy tracker")
    require_feature(m, *features)


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (WaitCurrent)")
def take_slot(m: Step, s: State) -> None:
    """The next slot's last use is complete: it becomes the current one."""
    require_legacy(m)
    m.require(s.call.pc == Pc.SLOT, "next slot")
    m.require(host_sees_done(s.gpu.value(s.tracker.ring.oldest())), "its last use is complete")
    s.tracker.ring.rotate(m)
    s.call.pc = Pc.SHARING


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (insert)")
def insert_slot(m: Step, s: State) -> None:
    """The next slot is busy: a new signal, in a longer ring."""
    require_legacy(m)
    m.require(s.call.pc == Pc.SLOT, "next slot")
    m.require(s.gpu.value(s.tracker.ring.oldest()) > 0, "busy")
    m.bound(s.tracker.ring.has_room(), "room in the ring")
    m.bound(s.gpu.pool.can_create(), "signals left")
    s.tracker.ring.append(_create(m, s, interrupt=Bool.constant(False)))
    s.call.pc = Pc.SHARING


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (referenceCount)")
def look_at_references(m: Step, s: State) -> None:
    """A signal that a command still holds cannot be armed anew."""
    require_legacy(m)
    m.require(s.call.pc == Pc.SHARING, "references")
    s.call.pc = Pc.TYPE if m.has("interrupts") else Pc.ARM
    with m.when(is_shared(s, s.tracker.ring.current())):
        s.call.pc = Pc.REPLACE


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (CreateSignal, ProfilingSignal::release)")
def replace_shared(m: Step, s: State) -> None:
    """A new signal of the same type in place of the shared one, which the tracker lets go of."""
    require_legacy(m)
    m.require(s.call.pc == Pc.REPLACE, "replace")
    m.bound(s.gpu.pool.can_create(), "signals left")
    shared = s.tracker.ring.current()
    same = Bool.constant(False) if m.variant("wrong-interrupt-type") else s.tracker.with_interrupt.has(shared)
    s.tracker.ring.replace_current(_create(m, s, interrupt=same))
    let_go(m, s, shared)
    s.call.pc = Pc.TYPE if m.has("interrupts") else Pc.ARM


def _create(m: Step, s: State, *, interrupt: Bool) -> Handle:
    fresh = s.gpu.create(m, 0)
    m.note("CREATED", of=fresh)
    if m.has("interrupts"):
        s.tracker.with_interrupt = s.tracker.with_interrupt.removing(fresh)
        with m.when(interrupt):
            s.tracker.with_interrupt = s.tracker.with_interrupt.adding(fresh)
    return fresh


# The type.


def wants_interrupt(s: State) -> Bool:
    """A marker's handler needs one."""
    return s.call.operation != Operation.RECORD


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (interrupt type)")
def keep_type(m: Step, s: State) -> None:
    """The signal has an interrupt just if one is needed."""
    require_legacy(m, "interrupts")
    m.require(s.call.pc == Pc.TYPE, "type")
    m.require(s.tracker.with_interrupt.has(s.tracker.ring.current()) == wants_interrupt(s), "right type")
    s.call.pc = Pc.ARM


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (pools)")
def change_type(m: Step, s: State, handle: Handle) -> None:
    """A signal of the right type comes from its pool; the slot's own is set aside in the other one."""
    require_legacy(m, "interrupts")
    tracker = s.tracker
    current = tracker.ring.current()
    wanted = wants_interrupt(s)
    m.require(s.call.pc == Pc.TYPE, "type")
    m.require(tracker.with_interrupt.has(current) != wanted, "wrong type")
    m.require((wanted & tracker.interrupt.has(handle)) | (~wanted & tracker.plain.has(handle)), "in the pool")
    others = exists(
        Handle,
        lambda other: (
            (other.ordinal < handle.ordinal)
            & ((wanted & tracker.interrupt.has(other)) | (~wanted & tracker.plain.has(other)))
        ),
    )
    m.require(~others, "the first there")
    tracker.interrupt = tracker.interrupt.removing(handle)
    tracker.plain = tracker.plain.removing(handle)
    with m.when(wanted):
        tracker.plain = tracker.plain.adding(current)
    with m.otherwise():
        tracker.interrupt = tracker.interrupt.adding(current)
    tracker.ring.replace_current(handle)
    s.call.pc = Pc.ARM


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (pools, CreateSignal)")
def fill_pool(m: Step, s: State) -> None:
    """The pool of the right type is empty: a new signal for it."""
    require_legacy(m, "interrupts")
    tracker = s.tracker
    wanted = wants_interrupt(s)
    m.require(s.call.pc == Pc.TYPE, "type")
    m.require(tracker.with_interrupt.has(tracker.ring.current()) != wanted, "wrong type")
    m.require((wanted & tracker.interrupt.is_empty) | (~wanted & tracker.plain.is_empty), "pool empty")
    m.bound(s.gpu.pool.can_create(), "signals left")
    fresh = _create(m, s, interrupt=wanted)
    with m.when(wanted):
        tracker.interrupt = tracker.interrupt.adding(fresh)
    with m.otherwise():
        tracker.plain = tracker.plain.adding(fresh)


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (hsa_signal_silent_store)")
def arm_current(m: Step, s: State) -> None:
    """Store 1."""
    require_legacy(m)
    m.require(s.call.pc == Pc.ARM, "store")
    arm(m, s, s.tracker.ring.current())
    s.call.pc = Pc.PUBLISH
