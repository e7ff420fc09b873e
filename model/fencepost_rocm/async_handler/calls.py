"""Calls on a stream, each a critical section of execution(): a slot, the signal, the handler, the packet.

hipStreamAddCallback makes two markers in two critical sections. Between them another thread's submission may come;
the stream remembers that the second one is owed.
"""

from __future__ import annotations

from fencepost import Fairness, Kind, Step
from fencepost_rocm.async_handler.declare import HOST, protocol
from fencepost_rocm.async_handler.references import let_go
from fencepost_rocm.async_handler.state import (
    Call,
    Life,
    Pc,
    Progress,
    State,
    first_free,
    has_free,
)
from fencepost_rocm.hardware import Handle, HwQueue


@protocol.action(by=HOST, src="VirtualGPU::submitMarker (batch head)", kind=Kind.ENVIRONMENT)
def call_marker(m: Step, s: State, queue: HwQueue) -> None:
    """Begin to submit a marker that takes the batch, and completes it by a handler."""
    _require_free(m, s, queue)
    m.bound(has_free(s), "registration")
    _draft(s, queue)
    _begin(s, queue, Call.MARKER)


@protocol.action(by=HOST, src="hipStreamAddCallback (setCallback, enqueue)", kind=Kind.ENVIRONMENT)
def call_callback(m: Step, s: State, queue: HwQueue) -> None:
    """Begin to submit a marker with a blocking callback; it takes the batch as well."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(s.streams[queue].owed.is_none, "no callback half made")
    _require_free(m, s, queue)
    m.bound(has_free(s), "registration")
    _draft(s, queue)
    _begin(s, queue, Call.CALLBACK)


@protocol.action(by=HOST, src="hipStreamAddCallback (block_command)", fair=Fairness.STRONG)
def call_block(m: Step, s: State, queue: HwQueue) -> None:
    """Begin to submit the marker that holds the queue back until the callback has run; the batch that follows has it.

    The marker waits for the callback's signal where that is not complete; else it has nothing to wait for.
    """
    stream = s.streams[queue]
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(stream.owed.is_some, "callback half made")
    _require_free(m, s, queue)
    _begin(s, queue, Call.BLOCK)


@protocol.action(by=HOST, src="VirtualGPU::submitKernel (profiled)", kind=Kind.ENVIRONMENT)
def call_dispatch(m: Step, s: State, queue: HwQueue) -> None:
    """Begin to submit one more timed dispatch of the batch's command."""
    if not m.has("timing"):
        m.require(False, "timing is on")
    _require_free(m, s, queue)
    _begin(s, queue, Call.DISPATCH)


def _require_free(m: Step, s: State, queue: HwQueue) -> None:
    m.require(s.streams[queue].life == Life.LIVE, "stream is there")
    m.require(s.streams[queue].pc == Pc.IDLE, "execution() free")


def _begin(s: State, queue: HwQueue, call: Call) -> None:
    s.streams[queue].pc = Pc.SLOT
    s.streams[queue].call = call


def _draft(s: State, queue: HwQueue) -> None:
    place = first_free(s)
    s.registrations[place].progress = Progress.DRAFT
    s.registrations[place].queue = queue
    s.streams[queue].draft = place


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (BeginUse, AttachHwEvent, AddProfilingSignal)")
def begin_use(m: Step, s: State, queue: HwQueue) -> None:
    """Begin a use without a handler: a command holds the signal, and the Timestamp of a timed one lists it."""
    stream = s.streams[queue]
    m.require((stream.pc == Pc.BEGIN) & stream.draft.is_none, "slot taken, no handler")
    signal = stream.ring.oldest()
    _take_slot(m, s, queue)
    with m.when(stream.call == Call.BLOCK):
        stream.markers = stream.markers.adding(signal)
    if m.has("timing"):
        with m.when(stream.call == Call.DISPATCH):
            stream.listed = stream.listed.adding(signal)
            _attach_dispatch(m, s, queue, signal)
    stream.pc = Pc.PUBLISH


def _take_slot(m: Step, s: State, queue: HwQueue) -> None:
    stream = s.streams[queue]
    stream.armed = stream.armed.removing(stream.ring.oldest())
    stream.ring.rotate(m)


def _attach_dispatch(m: Step, s: State, queue: HwQueue, signal: Handle) -> None:
    """AttachHwEvent: a command holds the signal of its last use only."""
    if m.variant("requeue-for-ever"):
        return
    stream = s.streams[queue]
    before = stream.event
    stream.event = signal
    with m.when(before.is_some):
        let_go(m, s, before.get, by_handler=False)


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (BeginUse, AttachHwEvent, SetCallbackSignal)")
def begin_handled_use(m: Step, s: State, queue: HwQueue) -> None:
    """Begin the use of a marker, which holds the signal and takes the batch; a blocking callback adds 1 to the signal.

    Nobody else has the signal yet: it is armed, not published, and has no handler.
    """
    stream = s.streams[queue]
    m.require((stream.pc == Pc.BEGIN) & stream.draft.is_some, "slot taken, with a handler")
    signal = stream.ring.oldest()
    _take_slot(m, s, queue)
    _take_batch(m, s, queue, signal)
    if m.has("callbacks"):
        with m.when(stream.call == Call.CALLBACK):
            m.note("ARMED (=2): a blocking callback", of=signal)
            s.gpu.pool.signals[signal].value = s.gpu.value(signal) + 1
            s.registrations[stream.draft.get].blocking = True
            stream.owed = signal
    stream.pc = Pc.REFERENCES


def _take_batch(m: Step, s: State, queue: HwQueue, signal: Handle) -> None:
    """HostQueue::FormSubmissionBatch: the batch is the marker's own from now on."""
    stream = s.streams[queue]
    registered = s.registrations[stream.draft.get]
    registered.signal = signal
    registered.held = stream.markers.adding(signal)
    with m.when(stream.event.is_some):
        registered.held = registered.held.adding(stream.event.get)
    registered.listed = stream.listed
    stream.markers = _NONE
    stream.event = None
    stream.listed = _NONE
    stream.last = stream.draft
    stream.last_is_stranded = False


@protocol.action(by=HOST, src="VirtualGPU::dispatchBarrierPacket (WaitingSignal, publish)")
def publish(m: Step, s: State, queue: HwQueue) -> None:
    """Publish the packet, and let execution() go.

    The load by which the second marker of a callback finds out whether it has to wait is in this step: nobody lets
    the callback's signal go meanwhile, and a wait for a complete one is over at once.
    """
    stream = s.streams[queue]
    m.require(stream.pc == Pc.PUBLISH, "publishes")
    m.bound(s.gpu.queues[queue].has_window(), "window")
    signal = stream.ring.current()
    packet = s.gpu.submit(queue)
    packet.completion = signal
    m.note("queue {} gets a packet", queue, of=signal)
    if m.has("callbacks"):
        with m.when(stream.call == Call.BLOCK):
            waited = stream.owed.get
            packet.dep = waited
            m.note("queue {} waits for the callback", queue, of=waited)
            if not m.variant("callback-held-by-nobody"):
                stream.markers = stream.markers.adding(waited)
            stream.owed = None
    stream.pc = Pc.IDLE


_NONE: list[Handle] = []
