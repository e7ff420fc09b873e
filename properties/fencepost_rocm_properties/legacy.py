"""Properties of the legacy tracker."""

from __future__ import annotations

from fencepost import Bool, Properties, count, exists, forall
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, Phase
from fencepost_rocm.legacy.state import CallPc, Event, RingSlot, State, is_shared
from fencepost_rocm_properties import hardware

properties = Properties("legacy")
properties.include(hardware.references, of=lambda s: s.gpu)
properties.include(hardware.completions, of=lambda s: s.gpu)


def in_stack(s: State, handle: Handle) -> Bool:
    """The signal was set aside on one of the stacks."""
    return s.tracker.plain.has(handle) | s.tracker.interrupt.has(handle)


def is_idle(s: State, handle: Handle) -> Bool:
    """Nothing is owed to the signal, nobody waits for it, and it is at 0."""
    return (s.gpu.value(handle) == 0) & ~s.gpu.owes(handle) & ~s.gpu.waits_for(handle)


# Arming.


@properties.invariant(
    "rearmed-only-when-free",
    protects="LegacySignalTracker::AcquireSlot, BeginUse",
    twin=lambda s, queue, slot: (s.call.pc == CallPc.ARM) & s.gpu.queues[queue].packets[slot].is_there(),
)
def rearmed_only_when_free(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A signal is armed anew only when its last use is complete, no GPU waiter of it is left and nobody shares it."""
    packet = s.gpu.queues[queue].packets[slot]
    return (
        ~packet.dep_rearmed
        & ~packet.completion_rearmed
        & ~exists(Event, lambda event: s.events[event].rearmed)
        & ~s.handler.rearmed
    )


@properties.invariant(
    "wait-next-proves-the-waiter-passed",
    protects="LegacySignalTracker::WaitNext",
    twin=lambda s: (s.call.pc == CallPc.SHARING) & exists(Handle, s.gpu.waits_for),
)
def wait_next_proves_the_waiter_passed(s: State) -> Bool:
    """Once the next slot's signal is done, no packet waits any more for the current slot's, unless it is shared."""
    return ~((s.call.pc == CallPc.SHARING) & s.gpu.waits_for(s.tracker.current()) & ~is_shared(s, s.tracker.current()))


def event_is_ready(s: State, event: Event) -> Bool:
    """A query of the event will be answered with yes."""
    return s.events[event].signal.is_some & (s.gpu.value(s.events[event].signal.get) == 0)


@properties.invariant(
    "event-sees-its-own-use",
    protects="IsHwEventReady, hipEventQuery",
    twin=event_is_ready,
    needs=("events",),
)
def event_sees_its_own_use(s: State) -> Bool:
    """An event's query is answered only by the use of the signal that the event was recorded with."""
    return ~s.read_stale


@properties.invariant(
    "ring-keeps-submission-order",
    protects="LegacySignalTracker::AcquireSlot (insert), ResetCurrentSignal",
    twin=lambda s, queue, older, newer: (
        (older.ordinal < newer.ordinal)
        & s.gpu.queues[queue].packets[older].is_there()
        & s.gpu.queues[queue].packets[newer].is_there()
        & s.gpu.queues[queue].packets[older].completion.is_some
        & s.gpu.queues[queue].packets[newer].completion.is_some
    ),
)
def ring_keeps_submission_order(s: State, queue: HwQueue, older: PacketSlot, newer: PacketSlot) -> Bool:
    """Between calls, of two packets of a queue the older one's signal is in an older slot of the ring."""
    first, second = s.gpu.queues[queue].packets[older], s.gpu.queues[queue].packets[newer]
    return (
        (s.call.pc == CallPc.IDLE)
        & (older.ordinal < newer.ordinal)
        & first.is_there()
        & second.is_there()
        & second.completion.is_some
    ).implies(
        forall(
            RingSlot,
            RingSlot,
            lambda a, b: ((a.ordinal > b.ordinal) & s.tracker.ring[a].is_some & s.tracker.ring[b].is_some).implies(
                (s.tracker.ring[a] != first.completion) | (s.tracker.ring[b] != second.completion)
            ),
        )
    )


# Waiting on the GPU.


def is_copy_under_way(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A copy has seen what it waits for, and works."""
    packet = s.gpu.queues[queue].packets[slot]
    return packet.is_there() & packet.copies & (packet.phase == Phase.SATISFIED)


@properties.invariant(
    "copy-starts-after-earlier-work",
    protects="HwQueueTracker::WaitingSignal, ResetCurrentSignal",
    twin=is_copy_under_way,
    needs=("copies",),
)
def copy_starts_after_earlier_work(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A copy works only once every earlier operation of its stream is complete."""
    copy = s.gpu.queues[queue].packets[slot].completion

    def older_is_done(newer: RingSlot, older: RingSlot) -> Bool:
        both = s.tracker.ring[newer].is_some & s.tracker.ring[older].is_some
        is_older = both & (older.ordinal < newer.ordinal) & (s.tracker.ring[newer] == copy)
        return is_older.implies(~s.gpu.owes(s.tracker.ring[older].get))

    return ((s.call.pc == CallPc.IDLE) & is_copy_under_way(s, queue, slot)).implies(
        forall(RingSlot, RingSlot, older_is_done)
    )


# Stacks.


@properties.invariant(
    "stacks-hold-idle-signals",
    protects="HwQueueTracker::ActiveSignal (pools), ~HwQueueTracker",
    twin=in_stack,
    needs=("callbacks",),
)
def stacks_hold_idle_signals(s: State, handle: Handle) -> Bool:
    """A signal on a stack is idle and nobody else holds it."""
    return in_stack(s, handle).implies(is_idle(s, handle) & ~is_shared(s, handle))


@properties.invariant(
    "stacks-are-bounded",
    protects="HwQueueTracker::ActiveSignal (pools)",
    twin=lambda s: s.tracker.plain.depth() > 0,
    needs=("callbacks",),
)
def stacks_are_bounded(s: State) -> Bool:
    """Every signal set aside for one with an interrupt stands for one with an interrupt in the ring."""
    in_ring = count(
        RingSlot,
        lambda slot: s.tracker.ring[slot].is_some & s.tracker.with_interrupt.has(s.tracker.ring[slot].get),
    )
    return (s.call.pc != CallPc.IDLE) | (s.tracker.plain.depth() <= in_ring)


# Times.


@properties.invariant(
    "times-taken-before-rearm",
    protects="HwQueueTracker::CpuWaitForSignal (checkGpuTime)",
    twin=lambda s: s.call.pc == CallPc.TAKE_TIMES,
    needs=("timing",),
)
def times_taken_before_rearm(s: State) -> Bool:
    """A signal that a Timestamp lists is not armed anew before its times are taken."""
    return ~s.timestamp.rearmed


@properties.invariant(
    "no-destroyed-signal-is-listed",
    protects="Timestamp::signals_",
    twin=lambda s, handle: s.timestamp.listed.has(handle),
    needs=("timing",),
)
def no_destroyed_signal_is_listed(s: State, handle: Handle) -> Bool:
    """A Timestamp lists only signals that exist."""
    return s.timestamp.listed.has(handle).implies(s.gpu.pool.signals[handle].alive)


@properties.invariant(
    "times-are-of-an-operation-that-ran",
    protects="ResetCurrentSignal, Timestamp::ExtractSignalTiming",
    twin=lambda s: s.timestamp.locked | (s.call.pc == CallPc.TAKE_TIMES),
    needs=("timing",),
)
def times_are_of_an_operation_that_ran(s: State) -> Bool:
    """The times of a command are taken only from signals whose operation was submitted for it."""
    return ~s.timestamp.took_never_ran


# The idle check.


def idle_check_may_read(s: State) -> Bool:
    """The idle check may be made, and will read a signal."""
    return (s.call.pc == CallPc.IDLE) & s.tracker.last_packet_tracked


@properties.invariant(
    "idle-check-reads-a-live-signal",
    protects="VirtualGPU::IsQueueIdle",
    twin=idle_check_may_read,
    needs=("idle-check",),
)
def idle_check_reads_a_live_signal(s: State) -> Bool:
    """The idle check never reads a signal that was destroyed."""
    return ~s.idle_read_destroyed


@properties.invariant(
    "idle-means-no-packet",
    protects="VirtualGPU::IsQueueIdle, ReleaseHwQueue",
    twin=idle_check_may_read,
    needs=("idle-check",),
)
def idle_means_no_packet(s: State) -> Bool:
    """The compute queue is called idle only when no packet in it waits or runs."""
    return ~s.idle_while_busy


# Liveness.

properties.include(hardware.progress, of=lambda s: s.gpu)


@properties.response(
    "call-returns",
    protects="LegacySignalTracker::AcquireSlot, WaitNext, HwQueueTracker::WaitCurrent",
    goal=lambda s: s.call.pc == CallPc.IDLE,
)
def call_returns(s: State) -> Bool:
    """Every call returns: what it waits for under execution() comes, if the GPU goes on."""
    return s.call.pc != CallPc.IDLE


@properties.response(
    "handler-returns",
    protects="HsaAmdSignalHandler, VirtualGPU::ReleaseHwQueue",
    goal=lambda s: s.handler.at.is_none,
    needs=("callbacks",),
)
def handler_returns(s: State) -> Bool:
    """A handler that ROCr calls returns to it, so that the thread of all handlers goes on."""
    return s.handler.at.is_some


@properties.response(
    "timestamp-lock-is-released",
    protects="Timestamp::checkGpuTime, AddProfilingSignal",
    goal=lambda s: ~s.timestamp.locked,
    needs=("timing",),
)
def timestamp_lock_is_released(s: State) -> Bool:
    """Whoever holds a Timestamp's lock to take times lets it go."""
    return s.timestamp.locked


@properties.hang("no-hang", protects="LegacySignalTracker::AcquireSlot, Timestamp lock, HsaAmdSignalHandler")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a packet, a handler or a reading of times is under way, some step but a new call can be taken."""
    return (
        (s.call.pc != CallPc.IDLE)
        | s.gpu.is_busy()
        | s.handler.at.is_some
        | ~s.handler.registered.is_empty
        | s.timestamp.locked
    )
