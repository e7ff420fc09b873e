"""Properties of a handler that ROCr runs, and of what must live until it has run."""

from __future__ import annotations

from fencepost import Bool, Int, Properties, count, exists
from fencepost_rocm.async_handler.state import HandlerPc, Life, Pc, Registration, State, running
from fencepost_rocm.hardware import HwQueue
from fencepost_rocm.hardware.ring import RingSlot

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


@properties.invariant(
    "signal-kept-for-its-handler",
    protects="HsaAmdSignalHandler (reference to the signal)",
    twin=is_passed_over,
)
def signal_kept_for_its_handler(s: State, place: Registration) -> Bool:
    """A signal for which a handler is registered is neither destroyed nor armed anew before it has been processed."""
    return ~s.registrations[place].rearmed & ~s.registrations[place].recycled


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
