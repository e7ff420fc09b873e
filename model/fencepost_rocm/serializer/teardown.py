"""A queue is destroyed: the controller waits for its dispatches, then takes it out of its map.

`profiler_serializer::destroy_queue`, which takes the queue out of the serializer's books, has no caller
in the merged code. `Queue::sync` gives up after a while; then the packets left in the ring go with it.
"""

from __future__ import annotations

from fencepost import Kind, Step, exists, ite, total
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.serializer.declare import DISPATCHER, protocol, removes_on_teardown
from fencepost_rocm.serializer.state import Stage, State, lock_is_free


@protocol.action(by=DISPATCHER, src="QueueController::destroy_queue", kind=Kind.ENVIRONMENT)
def destroy_queue(m: Step, s: State, queue: HwQueue) -> None:
    """Queue::sync has seen all dispatches complete."""
    if not m.has("teardown"):
        m.require(False, "teardown is off")
        return
    _require_idle(m, s, queue)
    m.require(s.queues[queue].active == 0, "synced")
    m.note("Q{} destroyed", queue)
    s.queues[queue].gone = True
    if removes_on_teardown(m):
        _remove_queue(m, s, queue)


@protocol.action(by=DISPATCHER, src="QueueController::destroy_queue (Queue::sync timed out)", kind=Kind.ENVIRONMENT)
def destroy_queue_after_timeout(m: Step, s: State, queue: HwQueue) -> None:
    """Queue::sync gives up on a queue whose packets are held back.

    Left out are the uses of the freed Queue by handlers that are still to run for it, and the queue
    that has the token, whose destruction is fatal in the code.
    """
    if not (m.has("teardown") and m.has("sync-timeout")):
        m.require(False, "sync does not give up")
        return
    ring, q = s.gpu.queues[queue], s.queues[queue]
    _require_idle(m, s, queue)
    m.require(q.active > 0, "dispatches under way")
    m.require((ring.ended == 0) & (ring.ready != -1) & (s.handler.completing != queue), "no handler is to run for it")
    if m.has("tracing"):
        m.require(ring.ended_unknown == 0, "no handler is to run for a dispatch unknown to the serializer")
    m.require(s.serializer.owner != queue, "has not the token")
    m.note("Q{} destroyed with {} dispatches under way", queue, q.active)
    q.gone = True
    q.active = 0
    q.dispatched = 0
    for slot in m.each(PacketSlot):
        m.clear(ring.packets[slot])
    if removes_on_teardown(m):
        _remove_queue(m, s, queue)


def _require_idle(m: Step, s: State, queue: HwQueue) -> None:
    m.require(s.queues[queue].stage == Stage.IDLE, "not in a dispatch")
    m.require(~s.queues[queue].gone, "not destroyed")
    m.require(lock_is_free(s), "serializer's lock and the controller's map free")


def _remove_queue(m: Step, s: State, queue: HwQueue) -> None:
    """profiler_serializer::destroy_queue: out of every barrier and out of the queues that wait for the token."""
    for handle in m.each(Handle):
        barrier = s.serializer.barriers[handle]
        if not m.variant("no-remove-on-teardown"):
            barrier.tagged = barrier.tagged.removing(queue)
            barrier.missing[queue] = 0
        with m.when(barrier.waiting.has(queue)):
            barrier.waiting = barrier.waiting.removing(queue)
            barrier.counts[queue] = 0
            with m.when(barrier.waiting.is_empty):
                m.note("CLEARED (=0)", of=handle)
                s.gpu.pool.signals[handle].value = 0
    _leave_ready(m, s, queue)


def _leave_ready(m: Step, s: State, queue: HwQueue) -> None:
    """Take the queue out of those that wait for the token: the ones behind it move up."""
    ready = s.serializer.ready
    at = total(HwQueue, lambda place: ite(ready[place] == queue, place.ordinal, 0))
    with m.when(exists(HwQueue, lambda place: ready[place] == queue)):
        for place in m.each(HwQueue):
            with m.when((place.ordinal >= at) & (place != HwQueue.last())):
                ready[place] = ready[place.next]
        ready[HwQueue.last()] = None
