"""A stream is given up; whoever drops the last reference destroys the VirtualGPU, or has it destroyed; a new stream."""

from __future__ import annotations

from fencepost import Bool, Kind, Step, exists
from fencepost_rocm.async_handler.declare import HOST, protocol
from fencepost_rocm.async_handler.references import create, let_go
from fencepost_rocm.async_handler.state import HandlerPc, Life, Pc, Stage, State, running
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, HwQueue, host_sees_done
from fencepost_rocm.hardware.ring import RingSlot


@protocol.action(by=HOST, src="hipStreamDestroy, HostQueue::terminate", kind=Kind.ENVIRONMENT)
def call_destroy(m: Step, s: State, queue: HwQueue) -> None:
    """Give the stream up. A batch that is open is closed by a marker first: here a call of its own."""
    _give_up(m, s, queue)
    s.streams[queue].pc = Pc.AWAIT


@protocol.action(by=HOST, src="hip::Stream::Destroy (SetForceDestroy)", kind=Kind.ENVIRONMENT)
def force_destroy(m: Step, s: State, queue: HwQueue) -> None:
    """Give the stream up, and do not wait for its last command."""
    if not m.has("forced-teardown"):
        m.require(False, "forced-teardown is on")
    _give_up(m, s, queue)
    s.streams[queue].pc = Pc.DROP


def _give_up(m: Step, s: State, queue: HwQueue) -> None:
    stream = s.streams[queue]
    if not m.has("teardown"):
        m.require(False, "teardown is on")
    m.require((stream.life == Life.LIVE) & (stream.pc == Pc.IDLE), "not in a call")
    m.require(stream.owed.is_none, "no callback half made")
    m.require(stream.event.is_none & stream.markers.is_empty & stream.listed.is_empty, "no batch open")
    m.note("the stream of queue {} is given up", queue)


@protocol.action(by=HOST, src="HostQueue::terminate (awaitCompletion)")
def await_completion(m: Step, s: State, queue: HwQueue) -> None:
    """The last command is complete. Handlers of earlier batches, and the rest of this one's, may be outstanding."""
    stream = s.streams[queue]
    m.require(stream.pc == Pc.AWAIT, "waits")
    m.require(stream.last.is_none & ~stream.last_is_stranded, "last command complete")
    stream.pc = Pc.DROP


@protocol.action(by=HOST, src="HostQueue::terminate (VirtualGPU::release)")
def drop_stream(m: Step, s: State, queue: HwQueue) -> None:
    """Drop the stream's reference to the VirtualGPU. If it is the last one, destroy it."""
    stream = s.streams[queue]
    m.require(stream.pc == Pc.DROP, "drops the VirtualGPU")
    last = stream.references == 1
    stream.references = stream.references - 1
    stream.life = Life.ORPHANED
    stream.pc = Pc.IDLE
    with m.when(last):
        m.note("the application destroys the VirtualGPU of queue {}", queue)
        _begin_destruction(s, queue)


def _begin_destruction(s: State, queue: HwQueue) -> None:
    stream = s.streams[queue]
    stream.life = Life.DYING
    stream.stage = Stage.FENCE
    stream.pc = Pc.DESTROY


@protocol.action(by=HOST, src="Device::acquireQueue (DrainDeferredQueueDestroys)", kind=Kind.ENVIRONMENT)
def call_create(m: Step, s: State, queue: HwQueue) -> None:
    """Create a stream. What the handler thread has left to others is destroyed first, in a call of its own here."""
    stream = s.streams[queue]
    if not m.has("teardown"):
        m.require(False, "teardown is on")
    m.require(stream.pc == Pc.IDLE, "not in a call")
    m.require(stream.life.is_in(Life.NONE, Life.DEFERRED), "no VirtualGPU, or one to destroy")
    if m.variant("repaired"):
        s.left_mapped = False
    with m.when(stream.life == Life.DEFERRED):
        _begin_destruction(s, queue)
    with m.otherwise():
        stream.last_is_stranded = False
        stream.pc = Pc.CREATE


@protocol.action(by=HOST, src="HwQueueTracker::Create")
def create_signal(m: Step, s: State, queue: HwQueue) -> None:
    """One more signal of the ring, armed. With the last one the stream is there."""
    stream = s.streams[queue]
    if not m.has("teardown"):
        m.require(False, "teardown is on")
    m.require(stream.pc == Pc.CREATE, "makes its ring")
    m.bound(s.gpu.pool.can_create(), "handle")
    length = stream.ring.length()
    fresh = create(m, s, queue)
    stream.ring.slots[RingSlot.of(length)] = fresh
    stream.armed = stream.armed.adding(fresh)
    with m.when(length + 1 == RingSlot.count()):
        stream.life = Life.LIVE
        stream.references = 1
        stream.pc = Pc.IDLE


# ~VirtualGPU, on an application thread.


@protocol.action(by=HOST, src="VirtualGPU::~VirtualGPU (releaseGpuMemoryFence)")
def drain(m: Step, s: State, queue: HwQueue) -> None:
    """Wait for the last use. Nobody else has execution() any more."""
    _require_destroyer(m, s, queue, Stage.FENCE)
    _drain(m, s, queue)


@protocol.action(by=HOST, src="Device::releaseQueue, hsa_queue_destroy")
def destroy_queue(m: Step, s: State, queue: HwQueue) -> None:
    """Give a pooled queue back, or destroy the stream's own, which calls the queue's handler and waits for it."""
    _require_destroyer(m, s, queue, Stage.QUEUE)
    _call_queue_handler(m, s, queue)


@protocol.action(by=HOST, src="AqlQueue::~AqlQueue (dynamicScratchState)")
def queue_handler_has_run(m: Step, s: State, queue: HwQueue) -> None:
    """The queue's handler has run: its memory can go."""
    _require_destroyer(m, s, queue, Stage.EVENT)
    m.require(~s.streams[queue].called, "queue's handler has run")
    s.streams[queue].stage = Stage.SIGNALS


@protocol.action(by=HOST, src="HwQueueTracker::~HwQueueTracker")
def drop_ring_signal(m: Step, s: State, queue: HwQueue, handle: Handle) -> None:
    """Drop the tracker's reference to a signal."""
    _require_destroyer(m, s, queue, Stage.SIGNALS)
    _drop_ring_signal(m, s, queue, handle, by_handler=False)


@protocol.action(by=HOST, src="VirtualGPU::~VirtualGPU")
def end_destruction(m: Step, s: State, queue: HwQueue) -> None:
    """The VirtualGPU is gone."""
    _require_destroyer(m, s, queue, Stage.SIGNALS)
    m.require(~_owns_any(s, queue), "no signal left")
    s.streams[queue].life = Life.NONE
    s.streams[queue].pc = Pc.IDLE


def _require_destroyer(m: Step, s: State, queue: HwQueue, stage: Stage) -> None:
    if not m.has("teardown"):
        m.require(False, "teardown is on")
    m.require(s.streams[queue].pc == Pc.DESTROY, "destroys")
    m.require(s.streams[queue].stage == stage, "so far")


# ~VirtualGPU, on the handler thread.


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::~VirtualGPU (releaseGpuMemoryFence)")
def handler_drains(m: Step, s: State) -> None:
    """As `drain`."""
    _require_handler(m, s, Stage.FENCE)
    _drain(m, s, running(s).queue)


@protocol.action(by=ASYNC_HANDLER, src="Device::releaseQueue, hsa_queue_destroy")
def handler_destroys_queue(m: Step, s: State) -> None:
    """Destroy the queue, unless this thread is known to run a handler: then another one will."""
    _require_handler(m, s, Stage.QUEUE)
    stream = s.streams[running(s).queue]
    with m.when(s.handler.in_handler):
        stream.stage = Stage.SIGNALS
    with m.otherwise():
        m.note("hsa_queue_destroy on the handler thread")
        s.handler.destroyed = True
        _call_queue_handler(m, s, running(s).queue)


@protocol.action(by=ASYNC_HANDLER, src="HwQueueTracker::~HwQueueTracker")
def handler_drops_ring_signal(m: Step, s: State, handle: Handle) -> None:
    """As `drop_ring_signal`."""
    _require_handler(m, s, Stage.SIGNALS)
    _drop_ring_signal(m, s, running(s).queue, handle, by_handler=True)


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::~VirtualGPU")
def handler_ends_destruction(m: Step, s: State) -> None:
    """All but the queue is gone."""
    _require_handler(m, s, Stage.SIGNALS)
    m.require(~_owns_any(s, running(s).queue), "no signal left")
    s.streams[running(s).queue].life = Life.DEFERRED
    s.handler.pc = HandlerPc.RETURN


def _require_handler(m: Step, s: State, stage: Stage) -> None:
    if not (m.has("teardown") and (m.variant("only-queue-deferred") or m.variant("dropped-outside-the-scope"))):
        m.require(False, "only-queue-deferred or dropped-outside-the-scope")
    m.require(s.handler.pc == HandlerPc.DESTROY, "destroys")
    m.require(s.streams[running(s).queue].stage == stage, "so far")


# What both do.


def _drain(m: Step, s: State, queue: HwQueue) -> None:
    stream = s.streams[queue]
    m.require(~_owns_any(s, queue) | _is_idle(s, queue, stream.ring.current()), "last use complete")
    stream.stage = Stage.QUEUE


def _is_idle(s: State, queue: HwQueue, handle: Handle) -> Bool:
    """Complete, or armed ahead of a use that never came: the tracker stores 0 to those first."""
    return s.streams[queue].armed.has(handle) | host_sees_done(s.gpu.value(handle))


def _call_queue_handler(m: Step, s: State, queue: HwQueue) -> None:
    stream = s.streams[queue]
    if m.has("pooled-queue"):
        stream.stage = Stage.SIGNALS
    else:
        stream.called = True
        stream.stage = Stage.EVENT


def _drop_ring_signal(m: Step, s: State, queue: HwQueue, handle: Handle, *, by_handler: bool) -> None:
    stream = s.streams[queue]
    m.require(stream.owns(handle), "the tracker's")
    m.require(_is_idle(s, queue, handle), "idle")
    for slot in m.each(RingSlot):
        with m.when(stream.ring.slots[slot] == handle):
            stream.ring.slots[slot] = None
    stream.parked = stream.parked.removing(handle)
    stream.armed = stream.armed.removing(handle)
    stream.retired = stream.retired.removing(handle)
    let_go(m, s, handle, by_handler=by_handler)


def _owns_any(s: State, queue: HwQueue) -> Bool:
    return exists(Handle, s.streams[queue].owns)
