"""The submitting thread: kernels, records, and the marker that takes a batch when it has become too long."""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step
from fencepost_rocm.hardware import Handle, host_sees_done
from fencepost_rocm.submission_batch.declare import HOST, OTHER, protocol
from fencepost_rocm.submission_batch.host_queue import BatchLimit
from fencepost_rocm.submission_batch.references import let_go, require_feature
from fencepost_rocm.submission_batch.state import Event, Operation, Pc, State, SyncPc

_NONE: list[Handle] = []

RAISED = 3
"""How much longer a batch gets where the limit is raised (1000 for 64)."""


def execution_is_free(s: State) -> Bool:
    """The submitting thread is the only one that holds execution() from step to step."""
    return ~s.call.holds_execution()


@protocol.action(by=HOST, src="Command::enqueue (FormSubmissionBatch), VirtualGPU::submitKernel", kind=Kind.ENVIRONMENT)
def call_kernel(m: Step, s: State, spins: Bool) -> None:
    """Under execution(): a kernel without a signal joins the batch; its packet is published."""
    if not m.has("host-kernel"):
        m.require(~spins, "no kernel spins")
    m.require(s.call.pc == Pc.IDLE, "not in a call")
    m.bound(s.stream.batch.can_grow(), "commands")
    m.bound(s.gpu.ring().has_window(), "window")
    m.note("kernel")
    s.stream.form()
    packet = s.gpu.submit()
    packet.spins = spins
    before = s.stream.last
    s.stream.hold(None)
    with m.when(before.is_some):
        let_go(m, s, before.get)
    flush_if_due(m, s, has_signal=False)


@protocol.action(by=HOST, src="hipEventRecord, Command::enqueue (FormSubmissionBatch)", kind=Kind.ENVIRONMENT)
def call_record(m: Step, s: State, event: Event) -> None:
    """The event's lock_, then execution(): a record marker joins the batch. It will take no batch."""
    m.require(s.call.pc == Pc.IDLE, "not in a call")
    m.require(s.sync.event != event, "lock_ of the event free")
    m.bound(s.stream.batch.can_grow(), "commands")
    m.note("records event {}", event)
    s.stream.form()
    s.call.event = event
    s.call.operation = Operation.RECORD
    s.call.pc = Pc.SLOT


@protocol.action(by=HOST, src="HostQueue::finish, Command::enqueue (Marker)", kind=Kind.ENVIRONMENT)
def call_finish(m: Step, s: State) -> None:
    """A synchronization with the stream sends a marker, which takes the batch whatever its length."""
    require_feature(m, "stream-sync")
    m.require(s.call.pc == Pc.IDLE, "not in a call")
    m.require(s.stream.batch.size > 0, "there is a batch")
    m.bound(s.stream.batch.can_grow(), "commands")
    m.note("synchronizes with the stream")
    s.stream.form()
    s.call.operation = Operation.FINISH
    s.call.pc = Pc.SLOT


def flush_if_due(m: Step, s: State, *, has_signal: bool) -> None:
    """HostQueue::FlushSubmissionBatch, still under execution(): a batch beyond the limit gets a marker."""
    limit = BatchLimit.count() + (RAISED if m.variant("limit-raised") else 0)
    due = s.stream.batch.size > limit
    if has_signal and m.variant("flush-asks-the-command"):
        due = due & False
    with m.when(due):
        m.note("the batch has {} commands: a marker takes it", s.stream.batch.size)
        s.stream.form()
        s.stream.has_flushed = True
        s.call.operation = Operation.FLUSH
        s.call.pc = Pc.SLOT
    with m.otherwise():
        s.call.pc = Pc.EVENT if has_signal else Pc.IDLE


@protocol.action(by=HOST, src="VirtualGPU::submitMarker (dispatchBarrierPacket), VirtualGPU::AttachHwEvent")
def publish_record(m: Step, s: State) -> None:
    """The record's barrier packet. The command holds the signal, and the batch the command."""
    m.require((s.call.pc == Pc.PUBLISH) & (s.call.operation == Operation.RECORD), "publish")
    m.bound(s.gpu.ring().has_window(), "window")
    signal = s.tracker.ring.current()
    m.note("the record's packet, with signal {}", signal, of=signal)
    s.gpu.submit().completion = signal
    stream = s.stream
    stream.batch.signals = stream.batch.signals.adding(signal)
    s.call.command = signal
    if m.variant("sync-completes-batch"):
        event = s.events[s.call.event.get]
        event.before = stream.batch.signals
        event.size = stream.batch.size
    _hold_last(m, s)
    flush_if_due(m, s, has_signal=True)


@protocol.action(by=HOST, src="VirtualGPU::submitMarker (dispatchBarrierPacket), HostQueue::ResetSubmissionBatch")
def publish_marker(m: Step, s: State) -> None:
    """The marker's barrier packet, and the handler for its signal: the batch is the marker's now."""
    call = s.call
    m.require((call.pc == Pc.PUBLISH) & (call.operation != Operation.RECORD), "publish")
    if m.variant("repaired"):
        m.require(~s.stream.is_open(), "the batch before is complete")
    m.bound(s.gpu.ring().has_window(), "window")
    m.bound(s.stream.can_open(), "open batches")
    signal = s.tracker.ring.current()
    m.note("the marker's packet, with signal {}; its handler will complete the batch", signal, of=signal)
    s.gpu.submit().completion = signal
    s.stream.take(m, signal)
    if m.variant("sync-completes-batch"):
        for event in m.each(Event):
            s.events[event].size = 0
            s.events[event].before = _NONE
    _hold_last(m, s)
    with m.when(call.operation == Operation.FINISH):
        call.command = signal
        call.pc = Pc.WAIT
    with m.otherwise():
        call.pc = Pc.IDLE
        with m.when(call.event.is_some):
            call.pc = Pc.EVENT


def _hold_last(m: Step, s: State) -> None:
    before = s.stream.last
    s.stream.hold(s.tracker.ring.current())
    with m.when(before.is_some):
        let_go(m, s, before.get)


@protocol.action(by=HOST, src="hipEventRecord (enqueueRecordCommand)")
def event_takes_command(m: Step, s: State) -> None:
    """The event drops its old command, and takes the call's reference to the new one. Under its lock_."""
    m.require(s.call.pc == Pc.EVENT, "event")
    event = s.events[s.call.event.get]
    before = event.signal
    event.signal = s.call.command
    m.clear(s.call)
    with m.when(before.is_some):
        let_go(m, s, before.get)


@protocol.action(by=HOST, src="HostQueue::finish (IsHwEventReady)")
def finish_returns(m: Step, s: State) -> None:
    """The marker's signal is below 1: the call ends, whether or not the handler has completed the batch."""
    m.require(s.call.pc == Pc.WAIT, "waits")
    signal = s.call.command.get
    m.require(host_sees_done(s.gpu.value(signal)), "complete")
    m.clear(s.call)
    let_go(m, s, signal)


@protocol.action(by=HOST, src="HwQueueTracker::WaitingSignal (pins)", kind=Kind.ENVIRONMENT)
def pin(m: Step, s: State) -> None:
    """A packet of another engine is to wait for the stream's last signal."""
    require_feature(m, "pins")
    m.require(s.call.pc == Pc.IDLE, "not in a call")
    signal = s.tracker.ring.current()
    m.require(s.gpu.value(signal) > 0, "not complete")
    m.require(~s.tracker.armed.has(signal) & ~s.tracker.pinned.has(signal), "in use")
    m.note("pinned for a GPU waiter", of=signal)
    s.tracker.pinned = s.tracker.pinned.adding(signal)


@protocol.action(by=OTHER, src="application: a store to the flag, between calls", fair=Fairness.STRONG)
def set_flag(m: Step, s: State) -> None:
    """The thread that waits for events lets the spinning kernel go, after some call or other."""
    require_feature(m, "host-kernel")
    m.require(~s.gpu.host_flag, "flag not set")
    m.require(s.sync.pc == SyncPc.IDLE, "not in a call")
    m.note("sets the flag")
    s.gpu.host_flag = True
