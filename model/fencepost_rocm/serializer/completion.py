"""The async handler: one thread that handles ready signals and completions, one at a time."""

from __future__ import annotations

from fencepost import Bool, Fairness, Step, count, exists
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, HwQueue
from fencepost_rocm.serializer.declare import ends_under_lock, protocol
from fencepost_rocm.serializer.state import Barrier, State, Status, first_in_order, is_complete, lock_is_free
from fencepost_rocm.serializer.transitions import clear_complete_barriers


@protocol.action(by=ASYNC_HANDLER, src="profiler_serializer::queue_ready", fair=Fairness.STRONG)
def queue_ready(m: Step, s: State, queue: HwQueue) -> None:
    """A ready packet has passed: the queue gets the token, or waits for it.

    One step under the lock is right: of the two stores only that of the block signal lets anything go on.
    """
    ring, serializer = s.gpu.queues[queue], s.serializer
    m.require(s.handler.completing.is_none, "handler idle")
    m.require(ring.ready == -1, "ready packet passed")
    m.require(lock_is_free(s), "serializer's lock free")
    ring.ready = 1
    with m.when(serializer.owner.is_none | m.variant("owner-not-looked-at")):
        m.note("Q{} gets the token", queue)
        ring.block = 0
        serializer.owner = queue
    with m.otherwise():
        _push_ready(s, queue)


@protocol.action(
    by=ASYNC_HANDLER,
    src="AsyncSignalHandler: profiler_serializer::kernel_completion_signal",
    fair=Fairness.STRONG,
)
def handle_completion(m: Step, s: State, queue: HwQueue) -> None:
    """A known dispatch of the queue is complete: under the lock, drain, retire, count off, and pass the token on.

    serialized_completed is incremented just before the lock is taken; only this thread reads it. One
    step under the lock is right: every store to a signal in it lets packets go on and holds none back.
    """
    ring = s.gpu.queues[queue]
    m.require(s.handler.completing.is_none, "handler idle")
    m.require(ring.ended > 0, "kernel complete")
    m.require(lock_is_free(s), "serializer's lock free")
    ring.ended = ring.ended - 1
    if ends_under_lock(m):
        s.queues[queue].active = s.queues[queue].active - 1
    else:
        s.handler.completing = queue
    _count_completion(m, s, queue)
    if not m.has("drain-last"):
        _drain_barriers(m, s, queue)
    clear_complete_barriers(m, s)
    serialized = _was_serialized(m, s, queue)
    _register_completion(m, s, queue)
    if m.has("drain-last"):
        _drain_barriers(m, s, queue)
    with m.when(serialized):
        _pass_token(m, s, queue)


@protocol.action(by=ASYNC_HANDLER, src="AsyncSignalHandler: Queue::async_complete")
def async_complete(m: Step, s: State) -> None:
    """The end of the handler: the queue's counter of active dispatches goes down, with no lock."""
    m.require(s.handler.completing.is_some, "in the handler")
    q = s.queues[s.handler.completing.get]
    q.active = q.active - 1
    s.handler.completing = None


@protocol.action(by=ASYNC_HANDLER, src="AsyncSignalHandler (is_serialized is false)")
def handle_unknown_completion(m: Step, s: State, queue: HwQueue) -> None:
    """A dispatch that the serializer does not know is complete."""
    if not m.has("tracing"):
        m.require(False, "tracing is off")
        return
    ring = s.gpu.queues[queue]
    m.require(s.handler.completing.is_none, "handler idle")
    m.require(ring.ended_unknown > 0, "kernel complete")
    ring.ended_unknown = ring.ended_unknown - 1
    s.handler.completing = queue


def _count_completion(m: Step, s: State, queue: HwQueue) -> None:
    """serialized_completed_inc, as differences."""
    s.queues[queue].dispatched = s.queues[queue].dispatched - 1
    for handle in m.each(Handle):
        barrier = s.serializer.barriers[handle]
        with m.when(barrier.missing[queue] > 0):
            barrier.missing[queue] = barrier.missing[queue] - 1


def _drain_barriers(m: Step, s: State, queue: HwQueue) -> None:
    """hsa_barrier::drain_queue of every barrier."""
    for handle in m.each(Handle):
        barrier = s.serializer.barriers[handle]
        with m.when(_is_drained(m, s, handle, barrier, queue)):
            barrier.tagged = barrier.tagged.removing(queue)
            barrier.missing[queue] = 0


def _is_drained(m: Step, s: State, handle: Handle, barrier: Barrier, queue: HwQueue) -> Bool:
    """The barrier is complete and the queue's completions have reached the token.

    Either would do. A count that is reached says that something behind the transition packet ran. And a
    dispatch ahead of that packet is counted by the barrier until it is counted off, which is after this
    drain: a complete barrier says that this completion is of a dispatch behind it.
    """
    drained = barrier.tagged.has(queue)
    if not (m.variant("drain-while-armed") or m.variant("drain-at-any-completion")):
        drained = drained & is_complete(s, handle)
    if m.variant("token-before-count"):
        drained = drained & (barrier.missing[queue] <= 1)  # the token is one smaller than `missing` has it
    elif not (m.variant("drain-without-count") or m.variant("drain-at-any-completion")):
        drained = drained & (barrier.missing[queue] == 0)
    return drained


def _was_serialized(m: Step, s: State, queue: HwQueue) -> Bool:
    """The mode of the first barrier that counts the queue; the serializer's status if there is none."""
    status = s.serializer.status == Status.ENABLED
    if m.variant("status-at-completion"):
        return status
    barriers = s.serializer.barriers

    def counts(handle: Handle) -> Bool:
        return barriers[handle].waiting.has(queue)

    before = first_in_order(s, counts, lambda handle: barriers[handle].before == Status.ENABLED)
    return before | (status & ~exists(Handle, counts))


def _register_completion(m: Step, s: State, queue: HwQueue) -> None:
    """hsa_barrier::register_completion of every barrier: the last completion that it waits for clears its signal."""
    for handle in m.each(Handle):
        barrier = s.serializer.barriers[handle]
        with m.when(barrier.waiting.has(queue) & (barrier.counts[queue] >= 0)):
            barrier.counts[queue] = barrier.counts[queue] - 1
            with m.when(barrier.counts[queue] == 0):
                barrier.waiting = barrier.waiting.removing(queue)
                with m.when(barrier.waiting.is_empty):
                    m.note("CLEARED (=0)", of=handle)
                    s.gpu.pool.signals[handle].value = 0


def _pass_token(m: Step, s: State, queue: HwQueue) -> None:
    """The token leaves the queue, which is blocked again; the first ready queue gets it."""
    serializer = s.serializer
    serializer.completion_without_owner = serializer.completion_without_owner | serializer.owner.is_none
    serializer.owner = None
    s.gpu.queues[queue].block = 1
    s.gpu.queues[queue].ready = 0
    first = serializer.ready[HwQueue.at(0)]
    with m.when(first.is_some):
        s.gpu.queues[first.get].block = 0
        serializer.owner = first
        m.note("Q{} gets the token", first.get)
        for place in m.each(HwQueue):
            with m.when(place != HwQueue.last()):
                serializer.ready[place] = serializer.ready[place.next]
        serializer.ready[HwQueue.last()] = None


def _push_ready(s: State, queue: HwQueue) -> None:
    ready = s.serializer.ready
    ready[HwQueue.of(count(HwQueue, lambda place: ready[place].is_some))] = queue
