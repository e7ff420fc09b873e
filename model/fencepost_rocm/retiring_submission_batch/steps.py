"""Records, kernels, the marker that takes a batch, and the handler that completes it."""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, PacketKind, PacketSlot, host_sees_done
from fencepost_rocm.retiring import dispatch, reclaim
from fencepost_rocm.retiring.declare import HOST
from fencepost_rocm.retiring.state import HandlerPc, HostPc, RingSlot, newest
from fencepost_rocm.retiring_submission_batch.declare import protocol
from fencepost_rocm.retiring_submission_batch.state import State
from fencepost_rocm.submission_batch.host_queue import BatchLimit, BatchSlot

RAISED = 2
"""How much longer a batch gets where the limit is raised (1000 for 64)."""


def execution_is_free(m: Step, s: State, *_: object) -> Bool:
    """The call before has let go of execution()."""
    return ~s.flushes


for _name in ("call_dispatch", "call_dispatch_spinning", "queue_change", "call_synchronize", "record_event"):
    protocol.guard(_name, "execution() free")(execution_is_free)


# Commands.


@protocol.guard("call_dispatch", "a record")
def is_a_record(m: Step, s: State, barrier: Bool, timed: Bool, callback: Bool) -> Bool:
    """The packet of a record has the barrier bit, and no handler."""
    return barrier & ~callback


@protocol.action(by=HOST, src="Command::enqueue (FormSubmissionBatch), VirtualGPU::submitKernel", kind=Kind.ENVIRONMENT)
def call_kernel(m: Step, s: State) -> None:
    """Under execution(): a kernel without a signal joins the batch; its packet is published."""
    ring = s.gpu.queues[s.host.queue]
    m.require((s.host.pc == HostPc.IDLE) & ~s.flushes, "execution() free")
    m.require(s.host.owed_wait.is_none, "no wait owed")
    m.require(ring.unreleased() < PacketSlot.count(), "room in the ring")
    m.bound(ring.has_window(), "window")
    m.note("kernel")
    s.host.drained = False
    s.gpu.publish(m, s.host.queue, PacketKind.KERNEL, barrier=True)
    s.stream.form()
    s.stream.hold(None)
    s.flushes = is_too_long(m, s)


def is_too_long(m: Step, s: State) -> Bool:
    """HostQueue::FlushSubmissionBatch: the batch is beyond the limit."""
    return s.stream.batch.size > BatchLimit.count() + (RAISED if m.variant("limit-raised") else 0)


@protocol.action(by=HOST, src="HostQueue::FlushSubmissionBatch, Command::enqueue (Marker)")
def enqueue_marker(m: Step, s: State) -> None:
    """The call goes on with a marker, which joins the batch that it is to take."""
    m.require((s.host.pc == HostPc.IDLE) & s.flushes, "batch too long")
    m.bound(s.handler.signal.is_none, "open batches")
    m.note("the batch has {} commands: a marker takes it", s.stream.batch.size)
    s.stream.form()
    s.stream.has_flushed = True
    s.flushes = False
    s.host.operation.barrier = True
    s.host.operation.callback = True
    s.host.pc = HostPc.ACQUIRE


@protocol.replace("publish")
def publish(m: Step, s: State) -> None:
    """As in the tracker alone; the command holds the signal, and the batch the command. A marker takes the batch."""
    signal = newest(s).signal
    is_marker = s.host.operation.callback
    dispatch.publish(m, s)
    stream = s.stream
    with m.when(is_marker):
        m.note("its handler will complete the batch", of=signal)
        stream.take(m, signal)
    with m.otherwise():
        stream.form()
        stream.batch.signals = stream.batch.signals.adding(signal)
        s.flushes = is_too_long(m, s)
    stream.hold(signal)


# Reclaim.


@protocol.replace("rearm")
def rearm(m: Step, s: State, slot: RingSlot) -> None:
    """Arm a retired slot that nobody else holds; note whether a command has its signal, with a reference or without."""
    signal = s.tracker.ring[slot].signal
    reclaim.rearm(m, s, slot)
    s.held_rearmed = s.held_rearmed | s.stream.holds(signal)


@protocol.replace("unpin")
def unpin(m: Step, s: State) -> None:
    """Drop the reference that protected a GPU wait."""
    signal = s.tracker.pin.signal
    reclaim.unpin(m, s)
    if m.variant("pins-never-released"):
        s.tracker.pin.signal = signal


@protocol.replace("synchronize")
def synchronize(m: Step, s: State) -> None:
    """The wait is over: a direct proof. Where nothing is left in use the queue is drained and its pins go."""
    pin = s.tracker.pin
    signal, consumer = pin.signal, pin.consumer
    dispatch.synchronize(m, s)
    if m.variant("pins-never-released"):
        pin.signal = signal
        pin.consumer = consumer


@protocol.replace("allocate_spares")
def allocate_spares(m: Step, s: State) -> None:
    """No spare is left where one is needed, and nothing parked is free: create a batch of armed signals."""
    free = s.some_parked_is_free(m)
    if not m.variant("batch-before-parked"):
        m.require(~free, "nothing parked is free")
    reclaim.allocate_spares(m, s)
    s.left_parked = s.left_parked | free


@protocol.guard("end_walk", "parked looked at")
def parked_is_looked_at(m: Step, s: State) -> Bool:
    """What is parked and free has been armed."""
    if m.variant("parked-left-behind"):
        return Bool.constant(True)
    return ~s.some_parked_is_free(m)


# The handler.


@protocol.replace("handler_fires")
def handler_fires(m: Step, s: State) -> None:
    """The marker's signal is below 1: take the Timestamp's lock if there is timing to collect."""
    m.require(~s.handler.completes, "not under way")
    if m.variant("marker-without-handler"):
        m.require(False, "a handler")
    m.require(s.handler.signal.is_some & (s.handler.pc == HandlerPc.IDLE), "registered")
    handle = s.handler.signal.get
    m.require(host_sees_done(s.gpu.value(handle)), "complete")
    m.note("handler fires for signal {}", handle, of=handle)
    with m.when(s.timestamp.listed.is_empty):
        s.handler.completes = True
    with m.otherwise():
        s.timestamp.held_by_handler = True
        s.handler.pc = HandlerPc.COLLECT


@protocol.replace("handler_ends")
def handler_ends(m: Step, s: State) -> None:
    """All times are taken: the lock goes back."""
    m.require(s.handler.pc == HandlerPc.COLLECT, "collects")
    m.require(s.timestamp.listed.is_empty, "all collected")
    s.timestamp.held_by_handler = False
    s.handler.pc = HandlerPc.IDLE
    s.handler.completes = True


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (setStatus, release)")
def complete_command(m: Step, s: State, handle: Handle) -> None:
    """A command of the batch is complete: both references of the batch go, and with the command its signal's."""
    batch = s.stream.open[BatchSlot.at(0)]
    m.require(s.handler.completes, "completes")
    m.require(batch.signals.has(handle), "in the batch")
    m.note("its command is complete", of=handle)
    batch.signals = batch.signals.removing(handle)


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (end)")
def handler_returns(m: Step, s: State) -> None:
    """The batch is complete: the handler drops its own reference."""
    batch = s.stream.open[BatchSlot.at(0)]
    m.require(s.handler.completes, "completes")
    m.require(batch.signals.is_empty, "batch complete")
    batch.marker = None
    m.clear(s.handler)
