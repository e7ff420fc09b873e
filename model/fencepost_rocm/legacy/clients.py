"""Who else reaches the tracker's signals: events, another stream, the idle check, readers of times, the handler."""

from __future__ import annotations

from fencepost import Actor, Fairness, Kind, Step, exists
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, HwQueue, PacketSlot, Phase, host_sees_done
from fencepost_rocm.legacy.calls import require_feature
from fencepost_rocm.legacy.declare import HOST, OTHER, protocol
from fencepost_rocm.legacy.references import let_go, take_times
from fencepost_rocm.legacy.state import CallPc, Event, HandlerPc, State

STREAM = Actor("other stream")
"""Another stream's thread: it waits for an event on the GPU."""

TIMES = Actor("reader of times")
"""The handler, or a thread that asks for an event's times."""


# Events.


@protocol.action(by=OTHER, src="IsHwEventReady", kind=Kind.ENVIRONMENT)
def query_event(m: Step, s: State, event: Event) -> None:
    """Ask whether the event's signal is 0 (no lock)."""
    require_feature(m, "events")
    m.require(s.events[event].signal.is_some, "recorded")
    m.require(s.gpu.value(s.events[event].signal.get) == 0, "ready")
    s.read_stale = s.read_stale | s.events[event].rearmed


@protocol.action(by=OTHER, src="hipEventDestroy, Command::release, ProfilingSignal::release", kind=Kind.ENVIRONMENT)
def release_event(m: Step, s: State, event: Event) -> None:
    """The event drops its command, and with it the reference to the signal."""
    require_feature(m, "events")
    m.require(s.events[event].signal.is_some, "recorded")
    m.require(s.call.event != event, "recording is over")
    signal = s.events[event].signal.get
    m.note("event {} lets go", event, of=signal)
    s.events[event].signal = None
    s.events[event].rearmed = False
    let_go(m, s, signal)


@protocol.action(by=STREAM, src="hipStreamWaitEvent, HwQueueTracker::AddExternalSignal", kind=Kind.ENVIRONMENT)
def peer_waits(m: Step, s: State, event: Event) -> None:
    """Another stream's packet waits for the event; its command holds the event's command until it is complete."""
    require_feature(m, "peer")
    m.require(s.events[event].signal.is_some, "recorded")
    m.require(s.call.event != event, "recording is over")
    signal = s.events[event].signal.get
    m.require(s.gpu.value(signal) > 0, "not complete")
    m.bound(s.peer.is_none, "one wait at a time")
    m.bound(s.gpu.queues[HwQueue.last()].has_window(), "window")
    m.note("other stream waits for signal {}", signal, of=signal)
    s.gpu.submit(HwQueue.last(), s.events[event].signal, None)
    if not m.variant("waiter-holds-nothing"):
        s.peer = signal


@protocol.action(by=STREAM, src="Command::releaseResources (eventWaitList)")
def peer_is_done(m: Step, s: State) -> None:
    """The other stream's command is complete and drops what it waited for."""
    require_feature(m, "peer")
    m.require(s.peer.is_some, "waits")
    queue = s.gpu.queues[HwQueue.last()]
    m.require(
        ~exists(
            PacketSlot,
            lambda slot: (
                queue.packets[slot].is_there()
                & (queue.packets[slot].phase != Phase.COMPLETE)
                & queue.packets[slot].completion.is_none
            ),
        ),
        "its packet is complete",
    )
    signal = s.peer.get
    s.peer = None
    let_go(m, s, signal)


# The idle check.


@protocol.action(by=HOST, src="VirtualGPU::ReleaseHwQueue, IsQueueIdle", kind=Kind.ENVIRONMENT)
def idle_check(m: Step, s: State) -> None:
    """Under execution(), one load tells whether every packet is complete, if the last one has a signal."""
    require_feature(m, "idle-check")
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    m.require(s.tracker.last_packet_tracked, "last packet completes a signal")
    if m.variant("raw-handle-cached"):
        read = s.tracker.cached.get
        s.idle_read_destroyed = s.idle_read_destroyed | s.tracker.cached_destroyed
    else:
        read = s.tracker.current()
    packets = s.gpu.queues[HwQueue.at(0)].packets
    busy = exists(PacketSlot, lambda slot: packets[slot].phase.is_in(Phase.VALID, Phase.LAUNCHED))
    with m.when((s.gpu.value(read) == 0) & busy):
        m.note("the compute queue is found idle, though a packet waits or runs", of=read)
        s.idle_while_busy = True


# Times.


@protocol.action(by=OTHER, src="Timestamp::getTime", kind=Kind.ENVIRONMENT)
def read_times(m: Step, s: State) -> None:
    """A thread asks for the command's times: it takes the Timestamp's lock."""
    require_feature(m, "timing")
    m.require(~s.timestamp.locked, "Timestamp lock free")
    m.require(~s.timestamp.listed.is_empty, "listed")
    s.timestamp.locked = True


@protocol.action(by=TIMES, src="Timestamp::checkGpuTime")
def collect(m: Step, s: State, handle: Handle) -> None:
    """Holding the lock, wait for a listed signal and take its times."""
    require_feature(m, "timing")
    m.require(s.timestamp.locked, "Timestamp lock held")
    m.require(s.timestamp.listed.has(handle), "listed")
    m.require(host_sees_done(s.gpu.value(handle)), "complete")
    m.note("its times are read", of=handle)
    take_times(m, s, handle)
    s.timestamp.listed = s.timestamp.listed.removing(handle)


@protocol.action(by=TIMES, src="Timestamp::checkGpuTime (end)")
def times_are_taken(m: Step, s: State) -> None:
    """The list is empty: the lock goes back."""
    require_feature(m, "timing")
    m.require(s.timestamp.locked, "Timestamp lock held")
    m.require(s.timestamp.listed.is_empty, "all taken")
    s.timestamp.locked = False
    with m.when(s.handler.pc == HandlerPc.COLLECT):
        s.timestamp.closed_by = None
        s.handler.pc = HandlerPc.RELEASE


# The async handler.


@protocol.action(by=ASYNC_HANDLER, src="ROCr async events loop, HsaAmdSignalHandler")
def handler_fires(m: Step, s: State, handle: Handle) -> None:
    """The loop sees the signal below its threshold, and calls the handler."""
    require_feature(m, "callbacks")
    m.require(s.handler.at.is_none, "polls")
    m.require(s.handler.registered.has(handle), "registered")
    value = s.gpu.value(handle)
    m.require(host_sees_done(value) | (s.handler.blocking.has(handle) & (value < 2)), "below the threshold")
    m.note("handler of signal {}", handle, of=handle)
    s.handler.registered = s.handler.registered.removing(handle)
    s.handler.at = handle
    s.handler.pc = HandlerPc.RELEASE
    if m.has("timing") and not m.variant("times-when-asked-for"):
        with m.when(s.timestamp.closed_by == handle):
            s.handler.pc = HandlerPc.TIMES


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Timestamp::getTime)", fair=Fairness.STRONG)
def handler_reads_times(m: Step, s: State) -> None:
    """The handler takes the Timestamp's lock."""
    if not (m.has("callbacks") and m.has("timing")):
        m.require(False, "callbacks and timing are on")
    m.require(s.handler.pc == HandlerPc.TIMES, "getTime")
    m.require(~s.timestamp.locked, "Timestamp lock free")
    s.timestamp.locked = True
    s.handler.pc = HandlerPc.COLLECT


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Command::release)")
def handler_releases_batch(m: Step, s: State) -> None:
    """The batch's commands die, and with them their references to signals."""
    require_feature(m, "callbacks")
    m.require(s.handler.pc == HandlerPc.RELEASE, "release")
    signal = s.handler.at.get
    s.handler.pc = HandlerPc.QUEUE if m.variant("handler-takes-execution") else HandlerPc.UNBLOCK
    let_go(m, s, signal)
    if not m.variant("handler-takes-execution"):
        with m.when(~s.handler.blocking.has(signal)):
            _handler_returns(s)


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::ReleaseHwQueue", fair=Fairness.STRONG)
def handler_releases_queue(m: Step, s: State) -> None:
    """The older code: the handler takes execution() to look whether the queue is idle (today it only tries to)."""
    if not m.variant("handler-takes-execution"):
        m.require(False, "handler-takes-execution")
    m.require(s.handler.pc == HandlerPc.QUEUE, "ReleaseHwQueue")
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    s.handler.pc = HandlerPc.UNBLOCK
    with m.when(~s.handler.blocking.has(s.handler.at.get)):
        _handler_returns(s)


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (hsa_signal_subtract_relaxed)")
def handler_unblocks(m: Step, s: State) -> None:
    """After a blocking callback: take its count off the raw handle."""
    require_feature(m, "callbacks")
    m.require(s.handler.pc == HandlerPc.UNBLOCK, "subtract")
    signal = s.handler.at.get
    m.note("SUBTRACT", of=signal)
    s.gpu.pool.signals[signal].value = s.gpu.value(signal) - 1
    s.handler.blocking = s.handler.blocking.removing(signal)
    _handler_returns(s)


def _handler_returns(s: State) -> None:
    s.handler.at = None
    s.handler.pc = HandlerPc.IDLE
