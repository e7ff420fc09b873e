"""RetiringSignalTracker, as far as a pending handler meets it: the next slot, and who else holds its signal.

Every use has the barrier bit. The ring does not grow. Slots come into use in the order of the ring, so where the
oldest one is not armed none is, and the current one is the newest use.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Step, count, exists, forall
from fencepost_rocm.async_handler.declare import HOST, protocol
from fencepost_rocm.async_handler.references import arm, create, let_go
from fencepost_rocm.async_handler.state import HandlerPc, Pc, Registration, State, Stream, is_shared, running
from fencepost_rocm.hardware import Handle, HwQueue, host_sees_done
from fencepost_rocm.hardware.ring import RingSlot


def _at(m: Step, s: State, queue: HwQueue, pc: Pc) -> Stream:
    stream = s.streams[queue]
    m.require(stream.pc == pc, "the call is there")
    return stream


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (Confirm, ProbeFence)")
def acquire_slot(m: Step, s: State, queue: HwQueue) -> None:
    """Take the oldest slot if it is armed; else load the newest use's signal, which proves all uses or none."""
    stream = _at(m, s, queue, Pc.SLOT)
    oldest = stream.ring.oldest()
    proof = s.gpu.value(stream.ring.current()) == 0
    stream.pc = Pc.WAIT
    with m.when(stream.armed.has(oldest)):
        stream.pc = Pc.BEGIN
    with m.otherwise():
        with m.when(proof):
            for handle in m.each(Handle):
                with m.when(stream.ring.has(handle) & ~stream.armed.has(handle)):
                    stream.retired = stream.retired.adding(handle)
        with m.when(stream.retired.has(oldest)):
            stream.pc = _after_proof(m)


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot (wait for the oldest)")
def wait_for_oldest(m: Step, s: State, queue: HwQueue) -> None:
    """At the cap: wait for the oldest use's own signal, holding execution()."""
    stream = _at(m, s, queue, Pc.WAIT)
    oldest = stream.ring.oldest()
    m.require(host_sees_done(s.gpu.value(oldest)), "complete")
    stream.retired = stream.retired.adding(oldest)
    stream.pc = _after_proof(m)


def _after_proof(m: Step) -> Pc:
    return Pc.SHARING if m.variant("armed-before-timing") else Pc.TIMES


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (Timestamp::checkGpuTime)", fair=Fairness.STRONG)
def take_times(m: Step, s: State, queue: HwQueue) -> None:
    """Take the times of the retired use, under the lock of the Timestamp that lists it."""
    stream = _at(m, s, queue, Pc.TIMES)
    oldest = stream.ring.oldest()
    m.require(~_handler_has_timestamp(s, oldest), "Timestamp's lock free")
    if not m.variant("requeue-for-ever"):
        stream.listed = stream.listed.removing(oldest)
        for place in m.each(Registration):
            registered = s.registrations[place]
            with m.when(registered.is_there()):
                registered.listed = registered.listed.removing(oldest)
    stream.pc = Pc.BEGIN if m.variant("armed-before-timing") else Pc.SHARING


def _handler_has_timestamp(s: State, handle: Handle) -> Bool:
    """The handler holds the lock of the Timestamp that lists the signal."""
    return (s.handler.pc == HandlerPc.COLLECT) & running(s).listed.has(handle)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (referenceCount)")
def look_at_sharing(m: Step, s: State, queue: HwQueue) -> None:
    """Ask whether somebody else holds the signal. Nobody but this thread takes a new reference."""
    stream = _at(m, s, queue, Pc.SHARING)
    stream.pc = Pc.REARM
    with m.when(is_shared(m, s, stream.ring.oldest())):
        stream.pc = Pc.SPARE


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (store)")
def rearm(m: Step, s: State, queue: HwQueue) -> None:
    """Arm the signal for the slot's next use."""
    stream = _at(m, s, queue, Pc.REARM)
    oldest = stream.ring.oldest()
    arm(m, s, oldest)
    stream.retired = stream.retired.removing(oldest)
    stream.armed = stream.armed.adding(oldest)
    stream.pc = Pc.TIMES if m.variant("armed-before-timing") else Pc.BEGIN


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (spare)")
def take_spare(m: Step, s: State, queue: HwQueue) -> None:
    """The slot gets another signal: a parked one that only the tracker holds, or one of a new batch.

    The old one is parked. References only go away meanwhile, so it does not matter that several counts are loaded.
    """
    stream = _at(m, s, queue, Pc.SPARE)
    idle = exists(Handle, lambda handle: _is_idle(m, s, queue, handle))
    m.bound(idle | s.gpu.pool.can_create(), "handle")
    old = stream.ring.oldest()
    m.note("given up by its slot: somebody else holds it", of=old)
    stream.retired = stream.retired.removing(old)
    with m.when(idle):
        spare = _first_idle(m, s, queue)
        stream.parked = stream.parked.removing(spare)
        arm(m, s, spare)
        stream.ring.slots[RingSlot.at(0)] = spare
        stream.armed = stream.armed.adding(spare)
    with m.otherwise():
        fresh = create(m, s, queue)
        stream.ring.slots[RingSlot.at(0)] = fresh
        stream.armed = stream.armed.adding(fresh)
    if m.variant("dropped-not-parked"):
        let_go(m, s, old, by_handler=False)
    else:
        stream.parked = stream.parked.adding(old)
    stream.pc = Pc.BEGIN


def _is_idle(m: Step, s: State, queue: HwQueue, handle: Handle) -> Bool:
    """A parked signal that only the tracker holds."""
    return s.streams[queue].parked.has(handle) & ~is_shared(m, s, handle)


def _first_idle(m: Step, s: State, queue: HwQueue) -> Handle:
    before = count(
        Handle,
        lambda handle: forall(
            Handle, lambda other: (other.ordinal <= handle.ordinal).implies(~_is_idle(m, s, queue, other))
        ),
    )
    return Handle.of(before)
