"""Who else holds signals: the async handler that completes batches, and a thread that waits for events."""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step, exists
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, PacketSlot, host_sees_done
from fencepost_rocm.submission_batch.calls import execution_is_free
from fencepost_rocm.submission_batch.declare import OTHER, protocol
from fencepost_rocm.submission_batch.host_queue import BatchSlot
from fencepost_rocm.submission_batch.references import let_go, require_feature
from fencepost_rocm.submission_batch.state import Event, State, SyncPc

# The async handler.


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler")
def handler_fires(m: Step, s: State, batch: BatchSlot) -> None:
    """The marker's signal is below 1: complete its batch."""
    m.require(not m.variant("marker-without-handler"), "a handler")
    m.require(s.stream.completing.is_none, "one handler at a time")
    marker = s.stream.open[batch].marker
    m.require(marker.is_some, "registered")
    m.require(host_sees_done(s.gpu.value(marker.get)), "complete")
    m.note("handler of signal {}", marker.get, of=marker.get)
    s.stream.completing = batch


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (setStatus, release)")
def complete_command(m: Step, s: State, handle: Handle) -> None:
    """A command of the batch is complete: both references of the batch go, and with the command its signal's."""
    m.require(s.stream.completing.is_some, "completes")
    batch = s.stream.open[s.stream.completing.get]
    m.require(batch.signals.has(handle), "in the batch")
    m.note("its command is complete", of=handle)
    batch.signals = batch.signals.removing(handle)
    let_go(m, s, handle)


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (end)")
def handler_returns(m: Step, s: State) -> None:
    """The batch is complete: the handler drops its own reference."""
    m.require(s.stream.completing.is_some, "completes")
    batch = s.stream.open[s.stream.completing.get]
    m.require(batch.signals.is_empty, "batch complete")
    marker = batch.marker.get
    batch.marker = None
    s.stream.completing = None
    let_go(m, s, marker)


# The thread that waits for events.


def spinning_kernel_is_out(s: State) -> Bool:
    """A kernel waits for the flag, or will."""
    packets = s.gpu.ring().packets
    return ~s.gpu.host_flag & exists(PacketSlot, lambda slot: packets[slot].is_there() & packets[slot].spins)


@protocol.action(by=OTHER, src="hipEventSynchronize", kind=Kind.ENVIRONMENT)
def wait_for_event(m: Step, s: State, event: Event) -> None:
    """Begin to wait for the event, under its lock_. Who is to set a flag does not wait for what waits for the flag."""
    require_feature(m, "event-sync")
    m.require(s.sync.pc == SyncPc.IDLE, "not in a call")
    m.require(s.call.event != event, "lock_ of the event free")
    signal = s.events[event].signal
    m.require(signal.is_some, "recorded")
    if m.has("host-kernel"):
        m.require((s.gpu.value(signal.get) < 1) | ~spinning_kernel_is_out(s), "does not wait for itself")
    s.sync.event = event
    s.sync.pc = SyncPc.WAIT


@protocol.action(by=OTHER, src="hipEventSynchronize (IsHwEventReady)")
def event_wait_returns(m: Step, s: State) -> None:
    """The event's signal is below 1. The batch is left to its marker."""
    m.require(s.sync.pc == SyncPc.WAIT, "waits")
    signal = s.events[s.sync.event.get].signal.get
    m.require(host_sees_done(s.gpu.value(signal)), "complete")
    if m.variant("sync-completes-batch"):
        m.note("the event is complete: asks for execution() to complete its batch", of=signal)
        s.sync.pc = SyncPc.LOCK
        s.sync.took_lock = True
    else:
        m.clear(s.sync)


@protocol.action(by=OTHER, src="HostQueue::CompleteSubmissionBatch", fair=Fairness.STRONG)
def take_batch(m: Step, s: State) -> None:
    """As it was: execution(), for what the batch holds up to the event's marker, which is this thread's then."""
    if not m.variant("sync-completes-batch"):
        m.require(False, "completes the batch")
    m.require(s.sync.pc == SyncPc.LOCK, "execution()")
    m.require(execution_is_free(s), "execution() free")
    stream = s.stream
    event = s.events[s.sync.event.get]
    for handle in m.each(Handle):
        with m.when(event.before.has(handle) & stream.batch.signals.has(handle)):
            s.sync.batch = s.sync.batch.adding(handle)
            stream.batch.signals = stream.batch.signals.removing(handle)
    stream.batch.size = stream.batch.size - event.size
    done = event.size
    for other in m.each(Event):
        behind = s.events[other]
        with m.when(behind.size > done):
            behind.size = behind.size - done
        with m.otherwise():
            behind.size = 0
    s.sync.pc = SyncPc.COMPLETE


@protocol.action(by=OTHER, src="HostQueue::CompleteSubmissionBatch (updateCommandsState)")
def sync_completes_command(m: Step, s: State, handle: Handle) -> None:
    """As it was: the caller completes a command, without a lock."""
    if not m.variant("sync-completes-batch"):
        m.require(False, "completes the batch")
    m.require(s.sync.batch.has(handle), "in its batch")
    m.note("its command is complete", of=handle)
    s.sync.batch = s.sync.batch.removing(handle)
    let_go(m, s, handle)


@protocol.action(by=OTHER, src="HostQueue::CompleteSubmissionBatch (end)")
def sync_returns(m: Step, s: State) -> None:
    """As it was: the call ends."""
    if not m.variant("sync-completes-batch"):
        m.require(False, "completes the batch")
    m.require((s.sync.pc == SyncPc.COMPLETE) & s.sync.batch.is_empty, "batch complete")
    m.clear(s.sync)
