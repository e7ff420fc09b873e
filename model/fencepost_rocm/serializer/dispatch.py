"""A dispatch: interception, the packets built under the shared lock, the write into the ring.

One thread at a time dispatches to a queue, since it holds the queue's intercept lock from the
interception to the write; the tool does not take that lock.
"""

from __future__ import annotations

from fencepost import Fairness, Int, Kind, Step, ite
from fencepost_rocm.hardware import HwQueue, PacketSlot
from fencepost_rocm.serializer.declare import DISPATCHER, protocol, starts_under_lock
from fencepost_rocm.serializer.gpu import Role
from fencepost_rocm.serializer.sorts import Dispatch
from fencepost_rocm.serializer.state import (
    ProfiledQueue,
    Stage,
    State,
    Status,
    has_barriers,
    is_complete,
    lock_is_free,
    newest,
)


@protocol.action(by=DISPATCHER, src="WriteInterceptor: Queue::async_started", kind=Kind.ENVIRONMENT)
def intercept(m: Step, s: State, queue: HwQueue) -> None:
    """The application dispatches: the queue's counter of active dispatches goes up, with no lock of the serializer."""
    q = s.queues[queue]
    m.require(q.stage == Stage.IDLE, "intercept lock free")
    m.require(~q.gone, "queue not destroyed")
    if not m.has("tracing"):
        m.require(s.tool.registered, "somebody is to be notified")
    m.bound(q.active < Dispatch.count(), "dispatches under way")
    if m.has("unlocked-count"):
        m.note("Q{} begins to dispatch", queue)
    if not starts_under_lock(m):
        q.active = q.active + 1
    q.stage = Stage.STARTED


@protocol.action(by=DISPATCHER, src="WriteInterceptor: profiler_serializer::kernel_dispatch", fair=Fairness.STRONG)
def build(m: Step, s: State, queue: HwQueue) -> None:
    """Under the serializer's lock, shared: count the dispatch, decide what goes before the kernel, and build it.

    serialized_dispatched is incremented just before the lock is taken; nobody but this thread reads it.
    """
    q = s.queues[queue]
    m.require(q.stage == Stage.STARTED, "intercepted")
    if m.has("tracing"):
        m.require(lock_is_free(s) | ~s.tool.registered, "serializer's lock free")
    else:
        m.require(lock_is_free(s), "serializer's lock free")
    if starts_under_lock(m):
        q.active = q.active + 1
    q.stage = Stage.BUILT
    if not m.has("tracing"):
        _build_known(m, s, queue)
        return
    with m.when(s.tool.registered):
        q.known = True
        _build_known(m, s, queue)
    with m.otherwise():
        m.note("Q{} dispatches 1 kernel (not known to the serializer)", queue)


def _build_known(m: Step, s: State, queue: HwQueue) -> None:
    q = s.queues[queue]
    q.dispatched = q.dispatched + 1
    with m.when(has_barriers(s)):
        handle = newest(s)
        barrier = s.serializer.barriers[handle]
        holds_back = ~is_complete(s, handle) & ~barrier.tagged.has(queue)
        if m.variant("transition-packet-behind-work-only"):
            holds_back = holds_back & barrier.waiting.has(queue)
        with m.when(holds_back):
            barrier.tagged = barrier.tagged.adding(queue)
            barrier.missing[queue] = q.dispatched
            q.transition = handle
    q.serialize = s.serializer.status == Status.ENABLED
    with m.when(q.transition.is_some):
        m.note("Q{} dispatches 1 kernel + the transition packet", queue, of=q.transition.get)
    with m.otherwise():
        m.note("Q{} dispatches 1 kernel", queue)


@protocol.action(by=DISPATCHER, src="WriteInterceptor: the packet writer")
def write(m: Step, s: State, queue: HwQueue) -> None:
    """Write the packets into the ring, after the serializer's lock was released.

    One step for all of them is right: what the packet processor does with the first ones does not
    depend on whether the later ones are there yet.
    """
    q = s.queues[queue]
    ring = s.gpu.queues[queue]
    m.require(q.stage == Stage.BUILT, "built")
    m.bound(ring.length() + _packets(q) <= PacketSlot.count(), "window")
    with m.when(q.transition.is_some):
        s.gpu.put(queue, Role.TRANSITION, q.transition.get)
        ring.packets[PacketSlot.of(ring.length() - 1)].dep_recycled = q.transition_recycled
    with m.when(q.serialize):
        s.gpu.put(queue, Role.READY)
        s.gpu.put(queue, Role.BLOCK)
        s.gpu.put(queue, Role.SERIALIZED_KERNEL)
    with m.otherwise():
        _put_plain_kernel(m, s, queue)
    q.stage = Stage.IDLE
    q.transition_recycled = False


def _packets(q: ProfiledQueue) -> Int:
    return 1 + ite(q.serialize, 2, 0) + ite(q.transition.is_some, 1, 0)


def _put_plain_kernel(m: Step, s: State, queue: HwQueue) -> None:
    """A kernel that is not serialized; behind a transition packet it has the barrier bit."""
    q = s.queues[queue]
    with m.when(q.transition.is_some):
        s.gpu.put(queue, Role.ORDERED_KERNEL)
    with m.otherwise():
        if m.has("tracing"):
            with m.when(q.known):
                s.gpu.put(queue, Role.KERNEL)
            with m.otherwise():
                s.gpu.put(queue, Role.UNKNOWN_KERNEL)
        else:
            s.gpu.put(queue, Role.KERNEL)
