"""LegacySignalTracker's ActiveSignal: the next slot, proven free by waiting, made unshared, and armed.

As in `legacy`, with signals of one type and no times.
"""

from __future__ import annotations

from fencepost import Step
from fencepost_rocm.hardware import host_sees_done
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.issued_ops.declare import HOST, protocol
from fencepost_rocm.issued_ops.references import let_go
from fencepost_rocm.issued_ops.state import CallPc, State, current, is_shared
from fencepost_rocm.issued_ops.submit import begin_use


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (peek two slots ahead)")
def peek(m: Step, s: State) -> None:
    """Load the signal after the next one: above 0, the ring shall grow; else the next slot becomes the current one."""
    m.require(s.call.pc == CallPc.PEEK, "peek")
    with m.when(s.gpu.value(s.tracker.ring.slots[RingSlot.at(1)].get) > 0):
        s.call.pc = CallPc.GROW
    with m.otherwise():
        s.tracker.ring.rotate(m)
        s.call.pc = CallPc.WAIT_CURRENT


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (grow)")
def grow(m: Step, s: State) -> None:
    """Insert a new signal before the oldest slot. It has no use behind it, so nothing is waited for."""
    m.require(s.call.pc == CallPc.GROW, "grow")
    m.bound(s.tracker.ring.has_room(), "room in the ring")
    m.bound(s.gpu.pool.can_create(), "handles")
    handle = s.gpu.create(m, 0)
    m.note("CREATED", of=handle)
    s.tracker.ring.append(handle)
    s.call.pc = CallPc.ARM


@protocol.action(by=HOST, src="HwQueueTracker::CpuWaitForSignal")
def wait_current(m: Step, s: State) -> None:
    """Wait, holding execution(), until the slot's last use is complete."""
    m.require(s.call.pc == CallPc.WAIT_CURRENT, "CpuWait")
    m.require(host_sees_done(s.gpu.value(current(s))), "complete")
    s.call.pc = CallPc.WAIT_NEXT


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext")
def wait_next(m: Step, s: State) -> None:
    """Wait for the value of the next slot's signal: the GPU waiter of this one has passed by then."""
    m.require(s.call.pc == CallPc.WAIT_NEXT, "WaitNext")
    m.require(host_sees_done(s.gpu.value(s.tracker.ring.oldest())), "complete")
    s.call.pc = CallPc.SHARING


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (referenceCount)")
def look_at_references(m: Step, s: State) -> None:
    """A signal that somebody else still holds cannot be armed anew."""
    m.require(s.call.pc == CallPc.SHARING, "references")
    s.call.pc = CallPc.ARM
    with m.when(is_shared(s, current(s))):
        s.call.pc = CallPc.REPLACE


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (CreateSignal, ProfilingSignal::release)")
def replace_shared(m: Step, s: State) -> None:
    """A new signal, which nobody has yet, in place of the shared one, which the tracker lets go of."""
    m.require(s.call.pc == CallPc.REPLACE, "replace")
    m.bound(s.gpu.pool.can_create(), "handles")
    shared = current(s)
    fresh = s.gpu.create(m, 0)
    m.note("CREATED in place of signal {}", shared, of=fresh)
    s.tracker.ring.replace_current(fresh)
    let_go(m, s, shared)
    s.call.pc = CallPc.ARM


@protocol.action(by=HOST, src="LegacySignalTracker::BeginUse")
def begin_legacy_use(m: Step, s: State) -> None:
    """Store the initial value, and attach the signal to the command."""
    m.require(s.call.pc == CallPc.ARM, "store")
    begin_use(m, s)
