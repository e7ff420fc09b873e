"""The tool's thread: enabling and disabling serialization, under the serializer's lock, exclusively.

A transition makes a barrier that waits for every dispatch in flight, so that no kernel of the new
mode starts beside one of the old mode. start_context enables and then registers the callback that
makes dispatches known; stop_context only disables, since the callback stays.
"""

from __future__ import annotations

from fencepost import Bool, Kind, Step, count
from fencepost_rocm.hardware import TOOL, Handle, HwQueue
from fencepost_rocm.serializer.declare import counts_are_exact, protocol
from fencepost_rocm.serializer.sorts import Transition
from fencepost_rocm.serializer.state import Stage, State, Status, ToolPc, has_barriers, is_complete, newest


@protocol.action(by=TOOL, src="profiler_serializer::enable", kind=Kind.ENVIRONMENT)
def enable(m: Step, s: State) -> None:
    """roctxProfilerResume: serialize from now on."""
    m.require(s.serializer.status == Status.DISABLED, "disabled")
    _begin_transition(m, s, Status.ENABLED, "roctx RESUME: enable()")


@protocol.action(by=TOOL, src="profiler_serializer::disable", kind=Kind.ENVIRONMENT)
def disable(m: Step, s: State) -> None:
    """roctxProfilerPause: serialize no longer."""
    m.require(s.serializer.status == Status.ENABLED, "enabled")
    _begin_transition(m, s, Status.DISABLED, "roctx PAUSE: disable()")


@protocol.action(by=TOOL, src="hsa_barrier::set_barrier (active_async_packets() > 0)")
def set_barrier_test(m: Step, s: State) -> None:
    """The first load of a queue's counter: whether there is anything to wait for."""
    m.require(s.tool.pc == ToolPc.TEST, "at a queue")
    if counts_are_exact(m):
        return
    with m.when(s.queues[s.tool.at].active > 0):
        s.tool.pc = ToolPc.STORE
    with m.otherwise():
        _next_queue(m, s)


@protocol.action(by=TOOL, src="hsa_barrier::set_barrier (queue_waiting[id] = active_async_packets())")
def set_barrier_store(m: Step, s: State) -> None:
    """The second load of the counter: the count that the barrier waits for, whatever it is by now."""
    m.require(s.tool.pc == ToolPc.STORE, "found work")
    if counts_are_exact(m):
        return
    queue = s.tool.at
    barrier = s.serializer.barriers[newest(s)]
    m.note("set_barrier(): Q{} has {} active", queue, s.queues[queue].active)
    barrier.waiting = barrier.waiting.adding(queue)
    barrier.counts[queue] = s.queues[queue].active
    _next_queue(m, s)


@protocol.action(by=TOOL, src="counters::start_context: QueueController::add_callback")
def register_callback(m: Step, s: State) -> None:
    """After the first enable: from now on the serializer knows of every dispatch."""
    m.require(s.tool.pc == ToolPc.REGISTER, "enabled for the first time")
    s.tool.registered = True
    s.tool.pc = ToolPc.IDLE


def clear_complete_barriers(m: Step, s: State) -> None:
    """Destroy barriers from the front of the deque while the front may go."""
    order = s.serializer.order
    front, last = Handle.at(0), Handle.last()
    for _ in m.each(Handle):
        with m.when(order[front].is_some & _may_go(m, s, front)):
            _destroy_barrier(m, s, order[front].get)
            for place in m.each(Handle):
                with m.when(place != last):
                    order[place] = order[place.next]
            order[last] = None


def _may_go(m: Step, s: State, place: Handle) -> Bool:
    """hsa_barrier::safe_to_destroy of the barrier at a place of the deque; as first written, only complete()."""
    handle = s.serializer.order[place].get
    if m.variant("retire-at-complete") or m.variant("leak-when-tagged"):
        return is_complete(s, handle)
    return is_complete(s, handle) & s.serializer.barriers[handle].tagged.is_empty


def _destroy_barrier(m: Step, s: State, handle: Handle) -> None:
    """~hsa_barrier: its signal is 0 already; destroy it."""
    serializer = s.serializer
    tagged = ~serializer.barriers[handle].tagged.is_empty
    serializer.destroyed_with_tags = serializer.destroyed_with_tags | tagged
    if m.variant("leak-when-tagged"):
        with m.when(~tagged):
            _destroy_signal(m, s, handle)
    else:
        _destroy_signal(m, s, handle)
    m.clear(serializer.barriers[handle])


def _destroy_signal(m: Step, s: State, handle: Handle) -> None:
    m.note("~hsa_barrier DESTROYS it", of=handle)
    s.gpu.destroy(m, handle)
    for queue in m.each(HwQueue):
        with m.when((s.queues[queue].stage == Stage.BUILT) & (s.queues[queue].transition == handle)):
            s.queues[queue].transition_recycled = True


def _begin_transition(m: Step, s: State, status: Status, event: str) -> None:
    serializer = s.serializer
    m.require(s.tool.pc == ToolPc.IDLE, "not in a call")
    if not m.has("endless"):
        m.bound(s.tool.transitions < Transition.count(), "transitions")
    m.bound(_can_create(m, s), "a handle is free")
    m.note(event)
    if not m.has("endless"):
        s.tool.transitions = s.tool.transitions + 1
    serializer.status = status
    reused = has_barriers(s) & _may_go(m, s, Handle.at(0))
    clear_complete_barriers(m, s)
    handle = s.gpu.create(m, 0)
    with m.when(reused):
        m.note("hsa_signal_create REUSES it", of=handle)
    barrier = serializer.barriers[handle]
    barrier.before = Status.DISABLED if status is Status.ENABLED else Status.ENABLED
    serializer.order[Handle.of(count(Handle, lambda place: serializer.order[place].is_some))] = handle
    if counts_are_exact(m):
        _set_barrier(m, s, handle)
    else:
        _arm(m, s, handle)
        s.tool.pc = ToolPc.TEST


def _set_barrier(m: Step, s: State, handle: Handle) -> None:
    """set_barrier with counts that only change under the lock: one step."""
    barrier = s.serializer.barriers[handle]
    for queue in m.each(HwQueue):
        with m.when(s.queues[queue].dispatched > 0):
            m.note("set_barrier(): Q{} still has {} in flight", queue, s.queues[queue].dispatched)
            barrier.waiting = barrier.waiting.adding(queue)
            barrier.counts[queue] = s.queues[queue].dispatched
    with m.when(~barrier.waiting.is_empty):
        _arm(m, s, handle)
    _after_set_barrier(m, s)


def _arm(m: Step, s: State, handle: Handle) -> None:
    """Store 1: who holds the new barrier's packets waits. A packet that holds the handle already is an old one."""
    s.gpu.arm(m, handle)
    with m.when(s.gpu.waits_for(handle)):
        m.note("new transition Barrier ARMED again (=1)", of=handle)
    with m.otherwise():
        m.note("new transition Barrier ARMED (=1)", of=handle)
    for queue in m.each(HwQueue):
        with m.when(s.gpu.queues[queue].waits_for(handle)):
            m.note("DEADLOCK: Q{}'s old packet waits on it, now armed by an unrelated barrier", queue, of=handle)


def _next_queue(m: Step, s: State) -> None:
    """On to the next queue; behind the last one the lock is released, and a barrier without a count is cleared."""
    with m.when(s.tool.at == HwQueue.last()):
        s.tool.at = HwQueue.at(0)
        handle = newest(s)
        with m.when(s.serializer.barriers[handle].waiting.is_empty):
            m.note("CLEARED (=0), nothing to wait for", of=handle)
            s.gpu.pool.signals[handle].value = 0
        _after_set_barrier(m, s)
    with m.otherwise():
        s.tool.at = s.tool.at.next
        s.tool.pc = ToolPc.TEST


def _after_set_barrier(m: Step, s: State) -> None:
    with m.when(s.tool.registered):
        s.tool.pc = ToolPc.IDLE
    with m.otherwise():
        s.tool.pc = ToolPc.REGISTER


def _can_create(m: Step, s: State) -> Bool:
    """A handle is free, or the retirement that comes first frees one. The allocator has no such limit."""
    frees = has_barriers(s) & _may_go(m, s, Handle.at(0))
    if m.variant("leak-when-tagged"):
        frees = frees & s.serializer.barriers[s.serializer.order[Handle.at(0)].get].tagged.is_empty
    return s.gpu.pool.can_create() | frees
