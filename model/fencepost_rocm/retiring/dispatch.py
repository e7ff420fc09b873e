"""A call that dispatches: ActiveSignal takes a slot, the packet is published, waits are pinned."""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step
from fencepost_rocm.hardware import Handle, HwQueue, PacketKind, PacketSlot, host_sees_done
from fencepost_rocm.retiring import costs
from fencepost_rocm.retiring.declare import HOST, OTHER, protocol
from fencepost_rocm.retiring.retire import direct_proof
from fencepost_rocm.retiring.state import (
    HostPc,
    RingSlot,
    State,
    Use,
    UsePhase,
    has_use,
    in_ring,
    newest,
    none_in_use,
)


@protocol.action(by=HOST, src="VirtualGPU::dispatchAqlPacket", kind=Kind.ENVIRONMENT)
def call_dispatch(m: Step, s: State, barrier: Bool, timed: Bool, callback: Bool) -> None:
    """A new dispatch takes execution(); after a queue change it becomes a barrier that waits for the old queue."""
    require_call(m, s, barrier, timed, callback)
    m.bound(one_pin_at_a_time(s), "one pin at a time")
    begin_call(m, s, barrier, timed, callback)


def require_call(m: Step, s: State, barrier: Bool, timed: Bool, callback: Bool) -> None:
    """The thread is not in a call, and this one may be made."""
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(m.has("timing") | ~timed, "timing is on")
    m.require(m.has("handler") | ~callback, "handlers are on")
    m.require((~callback) | s.handler.signal.is_none, "one handler at a time")
    m.require(s.host.owed_wait.is_none | (barrier & ~timed & ~callback), "the wait comes first")


def one_pin_at_a_time(s: State) -> Bool:
    """The call needs no pin, or there is none. The code has no such limit: use it in `m.bound`."""
    return s.host.owed_wait.is_none | s.tracker.pin.signal.is_none


def begin_call(m: Step, s: State, barrier: Bool, timed: Bool, callback: Bool) -> None:
    """Take execution() with what is to be dispatched; a wait that is owed becomes the packet's, and gets its pin."""
    m.note("dispatch (barrier bit {}, timed {})", barrier, timed)
    s.host.drained = False
    operation = s.host.operation
    operation.barrier = barrier
    operation.timed = timed
    operation.callback = callback
    operation.dep = s.host.owed_wait
    with m.when(s.host.owed_wait.is_some):
        if not m.variant("no-pin"):
            s.tracker.pin.signal = s.host.owed_wait
        s.host.owed_wait = None
    s.host.pc = HostPc.ACQUIRE
    costs.begin_call(m, s.cost)


@protocol.action(by=HOST, src="VirtualGPU::dispatchAqlPacket", kind=Kind.ENVIRONMENT)
def call_dispatch_spinning(m: Step, s: State) -> None:
    """A new dispatch of a kernel that spins until another thread of the application has set a flag."""
    m.require(m.has("host-kernel"), "host kernels are on")
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(s.host.owed_wait.is_none, "no wait owed")
    m.note("dispatch of a kernel that spins on a host flag")
    s.host.drained = False
    s.host.operation.spins = True
    s.host.pc = HostPc.ACQUIRE
    costs.begin_call(m, s.cost)


@protocol.action(by=OTHER, src="application: any call on the stream, then the store to the flag", fair=Fairness.STRONG)
def set_flag(m: Step, s: State) -> None:
    """The other thread makes a call on the same stream, for which it takes execution(), and then sets the flag."""
    m.require(m.has("host-kernel"), "host kernels are on")
    m.require(~s.gpu.host_flag, "flag not set")
    free = s.host.pc.is_in(HostPc.IDLE, HostPc.SYNC)
    if m.variant("wait-without-lock"):
        free = free | (s.host.pc == HostPc.BUSY) | (s.host.pc == HostPc.PUBLISH)
    m.require(free, "execution() free")
    s.gpu.host_flag = True


@protocol.action(by=HOST, src="RetiringSignalTracker::AcquireSlot")
def acquire_slot(m: Step, s: State) -> None:
    """The next slot is armed: take it and begin its use. The store is skipped, since the value is 1 already."""
    first = s.tracker.ring[RingSlot.at(0)]
    m.require(s.host.pc == HostPc.ACQUIRE, "acquires")
    m.require(first.phase == UsePhase.ARMED, "armed")
    signal = first.signal
    for slot in m.each(RingSlot):
        with m.when(slot.ordinal + 1 < s.tracker.length):
            m.copy(s.tracker.ring[slot], s.tracker.ring[slot.next])
    begin_use(m, s, newest(s), signal)


def begin_use(m: Step, s: State, use: Use, signal: Handle) -> None:
    """RetiringSignalTracker::BeginUse, and SetAsyncHandler where the use has a callback."""
    use.signal = signal
    use.phase = UsePhase.INUSE
    use.fence = False
    use.old_generation = False
    m.note("takes signal {}", signal, of=signal)
    with m.when(s.host.operation.callback):
        s.handler.signal = signal
    with m.when(s.tracker.pin.signal.is_some & s.host.operation.dep.is_some):
        s.tracker.pin.consumer = signal
    with m.when(s.host.operation.timed):
        s.host.pc = HostPc.LIST
    with m.otherwise():
        s.host.pc = HostPc.PUBLISH


@protocol.action(by=HOST, src="Timestamp::AddProfilingSignal", fair=Fairness.STRONG)
def list_in_timestamp(m: Step, s: State) -> None:
    """The Timestamp lists the signal, under the Timestamp's lock."""
    m.require(s.host.pc == HostPc.LIST, "lists")
    m.require(~s.timestamp.held_by_handler, "Timestamp lock free")
    s.timestamp.listed = s.timestamp.listed.adding(newest(s).signal)
    s.host.pc = HostPc.PUBLISH


@protocol.action(by=HOST, src="VirtualGPU::dispatchGenericAqlPacket, RetiringSignalTracker::NoteFence")
def publish(m: Step, s: State) -> None:
    """Reserve an AQL slot (spinning for room under execution()), write the packet, ring the doorbell."""
    operation = s.host.operation
    ring = s.gpu.queues[s.host.queue]
    m.require(s.host.pc == HostPc.PUBLISH, "publishes")
    m.require(ring.unreleased() < PacketSlot.count(), "room in the ring")
    m.bound(ring.has_window(), "window")
    use = newest(s)
    m.note("packet with signal {} on queue {}", use.signal, s.host.queue, of=use.signal)
    with m.when(operation.dep.is_some):
        packet = s.gpu.publish(m, s.host.queue, PacketKind.BARRIER_AND, barrier=operation.barrier)
        packet.dep = operation.dep
        packet.completion = use.signal
    with m.otherwise():
        packet = s.gpu.publish(m, s.host.queue, PacketKind.KERNEL, barrier=operation.barrier)
        packet.completion = use.signal
        with m.when(operation.spins):
            packet.kind = PacketKind.HOST_KERNEL
    use.fence = operation.barrier
    m.clear(operation)
    s.host.pc = HostPc.IDLE
    costs.begin_call(m, s.cost)


@protocol.action(by=HOST, src="RetiringSignalTracker::NoteQueueChange", kind=Kind.ENVIRONMENT)
def queue_change(m: Step, s: State, queue: HwQueue) -> None:
    """The VirtualGPU gets another hardware queue: a new generation; the next packet waits for the last signal."""
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(queue != s.host.queue, "another queue")
    m.require(s.host.owed_wait.is_none, "no wait owed")
    if not m.has("pins"):
        m.require(~has_use(s) | none_in_use(s), "idle")
    m.note("moves from queue {} to queue {}", s.host.queue, queue)
    for slot in m.each(RingSlot):
        with m.when(in_ring(s, slot) & s.tracker.ring[slot].is_in_use()):
            s.tracker.ring[slot].old_generation = True
    with m.when(newest(s).is_in_use()):
        s.host.owed_wait = newest(s).signal
    s.host.queue = queue


@protocol.action(by=HOST, src="HwQueueTracker::WaitCurrent", kind=Kind.ENVIRONMENT)
def call_synchronize(m: Step, s: State) -> None:
    """A call that waits for the last use."""
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(newest(s).is_in_use(), "work is out")
    s.host.pc = HostPc.SYNC
    costs.begin_call(m, s.cost)
    costs.begin_wait(m, s.cost, host_sees_done(s.gpu.value(newest(s).signal)))


@protocol.action(by=HOST, src="HwQueueTracker::CpuWaitForSignal, RetiringSignalTracker::NoteQueueDrained")
def synchronize(m: Step, s: State) -> None:
    """The wait is over: a direct proof. Where nothing is left in use the queue is drained and its pins go."""
    m.require(s.host.pc == HostPc.SYNC, "waits")
    use = newest(s)
    m.require(host_sees_done(s.gpu.value(use.signal)), "complete")
    m.note("sees signal {} complete", use.signal, of=use.signal)
    direct_proof(m, s, RingSlot.of(s.tracker.length - 1))
    with m.when(none_in_use(s)):
        s.host.drained = True
        if not m.variant("drained-keeps-pins"):
            m.clear(s.tracker.pin)
    s.host.pc = HostPc.IDLE
    costs.end_wait(m, s.cost)
