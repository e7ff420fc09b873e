"""A marker is enqueued, under execution(): the pending fence with a signal, then signal and batch are the marker's."""

from __future__ import annotations

from fencepost import Fairness, Step
from fencepost_rocm.cpu_wait.declare import protocol
from fencepost_rocm.cpu_wait.references import append_to_batch, let_signal_go, overtake
from fencepost_rocm.cpu_wait.state import CommandSlot, Pc, State, first_free, has_free, is_shared
from fencepost_rocm.hardware import APP, Thread


@protocol.action(by=APP, src="Command::enqueue (FormSubmissionBatch)", fair=Fairness.STRONG)
def enqueue(m: Step, s: State, thread: Thread) -> None:
    """Take execution(), and add the marker to the batch. A fence is dispatched if one is pending."""
    me = s.threads[thread]
    m.require(me.pc == Pc.ENQUEUE, "enqueues")
    m.require(s.stream.execution.is_free(), "execution() free")
    m.bound(has_free(s), "a command")
    fresh = first_free(s)
    m.note("enqueues marker {}", fresh)
    s.stream.execution.acquire(m, thread)
    append_to_batch(m, s, fresh)
    me.marker = fresh
    with m.when(me.command.is_none):
        me.command = fresh
    me.pc = Pc.ATTACH
    with m.when(s.stream.pending):
        me.pc = Pc.SLOT


@protocol.action(by=APP, src="HwQueueTracker::ActiveSignal (AcquireSlot)")
def take_slot(m: Step, s: State, thread: Thread) -> None:
    """The next slot's last use is complete: it becomes the current one."""
    me = s.threads[thread]
    m.require(me.pc == Pc.SLOT, "next slot")
    m.require(s.gpu.value(s.stream.ring.oldest()) < 1, "its last use is complete")
    s.stream.ring.rotate(m)
    me.pc = Pc.SHARING


@protocol.action(by=APP, src="HwQueueTracker::ActiveSignal (grow)")
def grow(m: Step, s: State, thread: Thread) -> None:
    """The next slot is busy: a new signal."""
    me = s.threads[thread]
    m.require(me.pc == Pc.SLOT, "next slot")
    m.require(s.gpu.value(s.stream.ring.oldest()) > 0, "busy")
    m.bound(s.stream.ring.has_room(), "room in the ring")
    m.bound(s.gpu.pool.can_create(), "handles")
    handle = s.gpu.pool.create(m, 0)
    m.note("CREATED", of=handle)
    s.stream.ring.append(handle)
    me.pc = Pc.ARM


@protocol.action(by=APP, src="HwQueueTracker::ActiveSignal (referenceCount)")
def look_at_references(m: Step, s: State, thread: Thread) -> None:
    """A signal that a command still holds cannot be armed anew."""
    me = s.threads[thread]
    m.require(me.pc == Pc.SHARING, "references")
    me.pc = Pc.ARM
    if not m.variant("signal-not-held"):
        with m.when(is_shared(s, s.stream.ring.current())):
            me.pc = Pc.REPLACE


@protocol.action(by=APP, src="HwQueueTracker::ActiveSignal (CreateSignal, ProfilingSignal::release)")
def replace_shared(m: Step, s: State, thread: Thread) -> None:
    """A new signal, which nobody has yet, in place of the shared one, which the tracker lets go of."""
    me = s.threads[thread]
    m.require(me.pc == Pc.REPLACE, "replace")
    m.bound(s.gpu.pool.can_create(), "handles")
    shared = s.stream.ring.current()
    fresh = s.gpu.pool.create(m, 0)
    m.note("CREATED in place of signal {}", shared, of=fresh)
    s.stream.ring.replace_current(fresh)
    let_signal_go(m, s, shared)
    me.pc = Pc.ARM


@protocol.action(by=APP, src="HwQueueTracker::ActiveSignal (BeginUse)")
def arm(m: Step, s: State, thread: Thread) -> None:
    """Store 1."""
    me = s.threads[thread]
    m.require(me.pc == Pc.ARM, "store")
    signal = s.stream.ring.current()
    m.note("ARMED (=1)", of=signal)
    s.gpu.pool.signals[signal].value = 1
    s.stream.held_signal_rearmed = s.stream.held_signal_rearmed | is_shared(s, signal)
    me.pc = Pc.PUBLISH


@protocol.action(by=APP, src="VirtualGPU::releaseGpuMemoryFence, dispatchBarrierPacket")
def publish_fence(m: Step, s: State, thread: Thread) -> None:
    """Publish the barrier packet."""
    me = s.threads[thread]
    m.require(me.pc == Pc.PUBLISH, "publish")
    m.bound(s.gpu.ring().has_window(), "window")
    signal = s.stream.ring.current()
    m.note("barrier packet with signal {}", signal, of=signal)
    packet = s.gpu.submit()
    packet.completion = signal
    packet.command = me.marker
    s.stream.pending = False
    overtake(m, s)
    me.pc = Pc.ATTACH


@protocol.action(by=APP, src="VirtualGPU::submitMarker (AttachHwEvent), HostQueue::ResetSubmissionBatch")
def attach(m: Step, s: State, thread: Thread) -> None:
    """The marker holds the last signal, and the batch is its own. Let execution() go."""
    me = s.threads[thread]
    m.require(me.pc == Pc.ATTACH, "attach")
    signal = s.stream.ring.current()
    m.note("held by marker {}", me.marker.get, of=signal)
    s.commands[me.marker.get].hw_event = signal
    me.batch = s.stream.batch
    if not m.variant("batch-not-private"):
        s.stream.batch = _EMPTY
    me.overtaken = False
    if not m.variant("wait-holding-execution"):
        s.stream.execution.release(m)
    me.pc = Pc.WAIT
    if m.variant("repaired"):
        with m.when(me.awaits_another()):
            me.pc = Pc.NOTIFIED


_EMPTY: list[CommandSlot] = []
