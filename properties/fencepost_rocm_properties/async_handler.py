"""Properties of a handler that ROCr runs, and of what must live until it has run."""

from __future__ import annotations

from fencepost import Bool, Int, Properties, count, exists, forall, ite
from fencepost_rocm.async_handler.state import (
    HandlerPc,
    Life,
    Pc,
    Progress,
    Registration,
    State,
    is_owned,
    is_retained,
    running,
)
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm_properties.hardware import has_each_signal_once

properties = Properties("async-handler")


def is_passed_over(s: State, place: Registration) -> Bool:
    """A slot gives the registration's signal up, because somebody else holds it."""
    return s.registrations[place].is_with_rocr() & exists(
        HwQueue,
        lambda queue: (
            (s.streams[queue].pc == Pc.SPARE)
            & (s.streams[queue].ring.slots[RingSlot.at(0)] == s.registrations[place].signal)
        ),
    )


def is_held(s: State, handle: Handle) -> Bool:
    """A command, a handler or a packet that waits for it refers to the signal, or a tracker does."""
    by_a_batch = exists(
        Registration,
        lambda place: (
            s.registrations[place].is_there()
            & (
                s.registrations[place].held.has(handle)
                | (s.registrations[place].holds_signal & (s.registrations[place].signal == handle))
            )
        ),
    )
    by_a_stream = exists(HwQueue, lambda queue: s.streams[queue].holds(handle) | (s.streams[queue].owed == handle))
    return by_a_batch | by_a_stream | s.gpu.waits_for(handle) | is_owned(s, handle)


@properties.invariant(
    "signal-kept-for-its-handler",
    protects="HsaAmdSignalHandler (reference to the signal)",
    twin=is_passed_over,
)
def signal_kept_for_its_handler(s: State, place: Registration) -> Bool:
    """A signal for which a handler is registered is neither destroyed nor armed anew before it has been processed.

    Any signal is there as long as somebody refers to it, or ROCr retains it for a handler, and no longer.
    """

    def is_kept(handle: Handle) -> Bool:
        return s.gpu.pool.signals[handle].alive == (is_held(s, handle) | is_retained(s, handle))

    return ~s.registrations[place].rearmed & ~s.registrations[place].recycled & forall(Handle, is_kept)


@properties.invariant(
    "callback-lets-its-own-queue-go",
    protects="HsaAmdSignalHandler (Hsa::signal_subtract_relaxed)",
    twin=lambda s: (s.handler.pc == HandlerPc.SUBTRACT) & running(s).blocking,
    needs=("callbacks",),
)
def callback_lets_its_own_queue_go(s: State) -> Bool:
    """The 1 that a handler takes off a signal is that of its own callback, not of a later use."""
    return ~s.handler.subtracted_stale


@properties.invariant(
    "handler-destroys-nothing",
    protects="HsaAmdSignalHandler (order of the drops), Device::releaseQueue",
    twin=lambda s: s.handler.pc == HandlerPc.DROP_GPU,
)
def handler_destroys_nothing(s: State) -> Bool:
    """No handler destroys a hardware queue or a signal: either may wait for the thread that the handler runs on."""
    return ~s.handler.destroyed


def count_of(s: State, queue: HwQueue) -> Int:
    """Handlers that were counted for the queue and have not taken themselves off."""
    return count(
        Registration,
        lambda place: (
            s.registrations[place].is_there() & s.registrations[place].counted & (s.registrations[place].queue == queue)
        ),
    )


@properties.invariant(
    "handler-count-is-exact",
    protects="VirtualGPU::QueuedAsyncHandlers",
    twin=lambda s, queue: s.streams[queue].handlers > 0,
)
def handler_count_is_exact(s: State, queue: HwQueue) -> Bool:
    """QueuedAsyncHandlers is the number of handlers that are registered, or just being, and have yet to run."""
    return s.streams[queue].handlers == count_of(s, queue)


def some_handler_has_yet_to_drop(s: State, queue: HwQueue) -> Bool:
    """Some handler has yet to drop the queue's VirtualGPU."""
    return exists(
        Registration,
        lambda place: (
            s.registrations[place].is_there()
            & s.registrations[place].holds_gpu
            & (s.registrations[place].queue == queue)
        ),
    )


def has_its_ring(s: State, queue: HwQueue) -> Bool:
    """Of a stream that is there: its ring is full, each signal is in it once, and what is retired is complete."""
    stream = s.streams[queue]
    full = ~stream.ring.has_room() & has_each_signal_once(stream.ring)
    over = forall(Handle, lambda handle: ~stream.retired.has(handle) | ~s.gpu.owes(handle))
    return (
        ((stream.life == Life.LIVE).implies(full)) & ((stream.pc == Pc.CREATE).implies(stream.ring.has_room())) & over
    )


def has_its_draft(s: State, queue: HwQueue) -> Bool:
    """The registration that a call makes is its own, and that of the stream's last command once it has the batch."""
    stream = s.streams[queue]

    def is_its_own(place: Registration) -> Bool:
        registered = s.registrations[place]
        made = registered.is_there() & (registered.progress == Progress.DRAFT) & (registered.queue == queue)
        return (stream.draft == place) == made

    has_batch = stream.pc.is_in(Pc.REFERENCES, Pc.REGISTER, Pc.ROLL_BACK)
    return (
        forall(Registration, is_its_own)
        & (~has_batch | (stream.draft.is_some & (stream.last == stream.draft)))
        & (~(stream.pc == Pc.IDLE) | stream.draft.is_none)
    )


@properties.invariant(
    "virtual-gpu-is-whole",
    protects="HwQueueTracker::Create, ActiveSignal (retain), HostQueue::FormSubmissionBatch",
    twin=lambda s, queue: s.streams[queue].references > 1,
)
def virtual_gpu_is_whole(s: State, queue: HwQueue) -> Bool:
    """A VirtualGPU has a reference of its stream and one of each handler that has yet to drop it, and no other.

    From its creation on its ring is full, of signals that are in it once. A signal that it takes for retired is
    owed by no packet, and the registration that a call makes is its own.
    """
    of_stream = ite(s.streams[queue].life == Life.LIVE, 1, 0)
    of_handlers = count(
        Registration,
        lambda place: (
            s.registrations[place].is_there()
            & s.registrations[place].holds_gpu
            & (s.registrations[place].queue == queue)
        ),
    )
    exact = s.streams[queue].references == of_stream + of_handlers
    return exact & has_its_ring(s, queue) & has_its_draft(s, queue)


@properties.invariant(
    "virtual-gpu-outlives-its-handlers",
    protects="HwQueueTracker::ActiveSignal (retain)",
    twin=lambda s, queue: (s.streams[queue].life == Life.ORPHANED) & (s.streams[queue].handlers > 0),
    needs=("teardown",),
)
def virtual_gpu_outlives_its_handlers(s: State, queue: HwQueue) -> Bool:
    """As long as a handler has yet to drop a VirtualGPU, that is not destroyed."""
    return some_handler_has_yet_to_drop(s, queue).implies(s.streams[queue].life.is_in(Life.LIVE, Life.ORPHANED))


@properties.invariant(
    "orphan-is-held-by-a-handler",
    protects="HwQueueTracker::ActiveSignal (failed to set the handler)",
    twin=lambda s, queue: s.streams[queue].life == Life.ORPHANED,
    needs=("teardown",),
)
def orphan_is_held_by_a_handler(s: State, queue: HwQueue) -> Bool:
    """A VirtualGPU that its stream gave up is there only as long as a handler has yet to drop it."""
    return (s.streams[queue].life == Life.ORPHANED).implies(some_handler_has_yet_to_drop(s, queue))


@properties.invariant(
    "handler-waits-for-no-execution",
    protects="VirtualGPU::ReleaseHwQueue (try_lock)",
    twin=lambda s: (s.handler.pc == HandlerPc.HW_QUEUE) & s.streams[running(s).queue].holds_execution(),
    needs=("pooled-queue",),
)
def handler_waits_for_no_execution(s: State) -> Bool:
    """The handler thread never waits for execution(), whose holder may wait for a handler."""
    return s.handler.pc != HandlerPc.WAIT_EXECUTION


@properties.invariant(
    "arena-unmapped-by-others",
    protects="core::Signal::Release",
    twin=lambda s: s.handler.pc == HandlerPc.RETURN,
    needs=("device-batch",),
)
def arena_unmapped_by_others(s: State) -> Bool:
    """The memory of a batch of signals is not unmapped on the thread that all handlers wait for."""
    return ~s.handler.unmapped


@properties.hang("no-hang", protects="HsaAmdSignalHandler, VirtualGPU::~VirtualGPU")
def work_is_outstanding(s: State) -> Bool:
    """While a packet, a call or a handler is outstanding, some step but a new call can be taken."""
    return (
        s.gpu.is_busy()
        | exists(HwQueue, lambda queue: s.streams[queue].pc != Pc.IDLE)
        | exists(Registration, lambda place: s.registrations[place].is_there())
        | (s.handler.pc != HandlerPc.LOOP)
    )


@properties.response(
    "blocked-queue-is-released",
    protects="HsaAmdSignalHandler (Hsa::signal_subtract_relaxed)",
    goal=lambda s, place: ~is_blocked(s, place),
    needs=("callbacks",),
)
def blocked_queue_is_released(s: State, place: Registration) -> Bool:
    """A queue that is held back until a callback has run goes on."""
    return is_blocked(s, place)


def is_blocked(s: State, place: Registration) -> Bool:
    """The registration is of a callback whose marker is complete, and its signal still has the callback's 1."""
    registered = s.registrations[place]
    return registered.is_there() & registered.blocking & (s.gpu.value(registered.signal.get) == 1)


@properties.response(
    "registered-handler-runs",
    protects="Runtime::AsyncEventsLoop, HsaAmdSignalHandler",
    goal=lambda s, place: ~s.registrations[place].is_there(),
)
def registered_handler_runs(s: State, place: Registration) -> Bool:
    """Every handler that is registered runs to its end."""
    return s.registrations[place].is_with_rocr()


@properties.response(
    "call-returns",
    protects="HwQueueTracker::ActiveSignal, HostQueue::terminate",
    goal=lambda s, queue: s.streams[queue].pc == Pc.IDLE,
)
def call_returns(s: State, queue: HwQueue) -> Bool:
    """Every call on a stream returns, with its last reference dropped or not."""
    return s.streams[queue].pc != Pc.IDLE
