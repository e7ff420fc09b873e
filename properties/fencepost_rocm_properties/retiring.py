"""Properties of the retiring tracker."""

from __future__ import annotations

from fencepost import Bool, Properties, exists
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.retiring.state import (
    HostPc,
    InitialSlot,
    RingSlot,
    State,
    UsePhase,
    any_slot,
    in_ring,
    newest,
)
from fencepost_rocm_properties import hardware

properties = Properties("retiring")


def owes_this_use(s: State, handle: Handle) -> Bool:
    """A packet will still decrement the signal for its present use."""
    return exists(
        HwQueue,
        PacketSlot,
        lambda queue, slot: (
            s.gpu.queues[queue].packets[slot].owes(handle) & ~s.gpu.queues[queue].packets[slot].completion_rearmed
        ),
    )


@properties.invariant(
    "retired-implies-complete",
    protects="RetiringSignalTracker::Reclaim",
    twin=lambda s, slot: in_ring(s, slot) & (s.tracker.ring[slot].phase == UsePhase.RETIRED),
)
def retired_implies_complete(s: State, slot: RingSlot) -> Bool:
    """A use that the tracker takes for retired is complete: no packet will still decrement its signal."""
    use = s.tracker.ring[slot]
    return (in_ring(s, slot) & (use.phase == UsePhase.RETIRED)).implies(~owes_this_use(s, use.signal))


@properties.invariant(
    "no-rearm-before-completion",
    protects="RetiringSignalTracker::Reclaim (arm)",
    twin=lambda s: any_slot(s, lambda slot: (s.tracker.ring[slot].phase == UsePhase.ARMED) & (slot != RingSlot.at(0))),
)
def no_rearm_before_completion(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """No signal is armed anew while a packet will still decrement it for its last use."""
    return ~s.gpu.queues[queue].packets[slot].completion_rearmed


@properties.invariant(
    "no-rearm-under-a-gpu-waiter",
    protects="RetiringSignalTracker::Reclaim (pins)",
    twin=lambda s, queue, slot: (
        s.gpu.queues[queue].packets[slot].is_there() & s.gpu.queues[queue].packets[slot].dep.is_some
    ),
    needs=("pins",),
)
def no_rearm_under_a_gpu_waiter(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """No signal is armed anew while a barrier packet has still to see its last use complete."""
    return ~s.gpu.queues[queue].packets[slot].dep_rearmed


@properties.invariant(
    "wait-satisfied-by-its-own-arming",
    protects="packet processor and hipEventSynchronize",
    twin=lambda s, handle: s.event.waiting | s.gpu.waits_for(handle),
    needs=("events|pins",),
)
def wait_satisfied_by_its_own_arming(s: State, handle: Handle) -> Bool:
    """A wait, of a packet or of a CPU, is satisfied only by the arming it was made for."""
    return ~s.gpu.wait_passed_stale & ~s.event.passed_stale


@properties.invariant(
    "completion-decrements-its-own-use",
    protects="packet processor: completion",
    twin=lambda s: s.gpu.is_busy(),
)
def completion_decrements_its_own_use(s: State) -> Bool:
    """A packet's completion decrements its signal for the use it was published with."""
    return ~s.gpu.decremented_stale


@properties.invariant(
    "no-rearm-of-a-shared-signal",
    protects="RetiringSignalTracker::Reclaim (park)",
    twin=lambda s: ~s.tracker.parked.is_empty,
    needs=("events",),
)
def no_rearm_of_a_shared_signal(s: State) -> Bool:
    """A signal that an event holds is parked, not armed anew."""
    return ~s.event.rearmed


@properties.invariant(
    "no-rearm-under-a-handler",
    protects="RetiringSignalTracker::SetAsyncHandler",
    twin=lambda s, handle: (s.handler.signal == handle) & s.tracker.parked.has(handle),
    needs=("handler",),
)
def no_rearm_under_a_handler(s: State, handle: Handle) -> Bool:
    """A signal whose handler has still to process it is not armed anew."""
    return (s.handler.signal == handle).implies(~s.handler.rearmed)


@properties.invariant(
    "no-timestamp-lists-an-armed-signal",
    protects="RetiringSignalTracker::Reclaim (timing)",
    twin=lambda s, slot: (
        in_ring(s, slot)
        & (s.tracker.ring[slot].phase == UsePhase.RETIRED)
        & s.timestamp.listed.has(s.tracker.ring[slot].signal)
    ),
    needs=("timing",),
)
def no_timestamp_lists_an_armed_signal(s: State, slot: RingSlot) -> Bool:
    """No Timestamp lists a signal that is armed for a use that has not begun."""
    use = s.tracker.ring[slot]
    return (in_ring(s, slot) & (use.phase == UsePhase.ARMED)).implies(~s.timestamp.listed.has(use.signal))


@properties.invariant(
    "handed-out-armed",
    protects="RetiringSignalTracker::BeginUse",
    twin=lambda s: s.host.pc == HostPc.PUBLISH,
)
def handed_out_armed(s: State, slot: RingSlot) -> Bool:
    """An armed slot's signal has the value 1."""
    use = s.tracker.ring[slot]
    return (in_ring(s, slot) & (use.phase == UsePhase.ARMED)).implies(s.gpu.value(use.signal) == 1)


@properties.invariant(
    "drained-queue-has-no-pins",
    protects="RetiringSignalTracker::NoteQueueDrained",
    twin=lambda s: s.host.drained,
    needs=("pins",),
)
def drained_queue_has_no_pins(s: State) -> Bool:
    """A queue that was drained holds no pin, so its signals can be used again."""
    return s.host.drained.implies(s.tracker.pin.signal.is_none)


@properties.invariant(
    "grows-only-to-the-cap",
    protects="RetiringSignalTracker::AcquireSlot (grow)",
    twin=lambda s: s.tracker.length == RingSlot.count() - 1,
    needs=("room-beyond-cap",),
)
def grows_only_to_the_cap(s: State) -> Bool:
    """The ring never has more slots than its cap, which is one less than it has places for."""
    return (s.tracker.length >= InitialSlot.count()) & (s.tracker.length < RingSlot.count())


# What an operation may cost.


@properties.invariant(
    "one-load-retires-a-batch",
    protects="RetiringSignalTracker::Reclaim (confirm), ProbeFence",
    twin=lambda s: ~s.cost.waited & (s.cost.retired >= 2),
    needs=("costs",),
)
def one_load_retires_a_batch(s: State) -> Bool:
    """A call that need not wait loads at most one signal across PCIe, however many uses that retires."""
    return s.cost.waited | (s.cost.reads <= 1)


@properties.invariant(
    "a-wait-reads-once",
    protects="WaitForSignal",
    twin=lambda s: s.cost.waited,
    needs=("costs",),
)
def a_wait_reads_once(s: State) -> Bool:
    """A CPU wait for a signal that is complete loads it across PCIe once."""
    return s.cost.wait_reads <= 1


@properties.invariant(
    "no-wait-for-a-complete-host-signal",
    protects="WaitForSignal",
    twin=lambda s: (s.host.pc == HostPc.SYNC) & (s.gpu.value(newest(s).signal) == 0),
    needs=("costs", "host-signals"),
)
def no_wait_for_a_complete_host_signal(s: State) -> Bool:
    """A CPU wait for a signal in host memory that is complete sees so, and does not ask ROCr to wait."""
    return ~s.cost.waited_for_complete


@properties.invariant(
    "one-flush-a-batch",
    protects="RetiringSignalTracker::FlushStores",
    twin=lambda s: s.cost.flushes > 0,
    needs=("costs", "system-ring"),
)
def one_flush_a_batch(s: State) -> Bool:
    """A walk flushes the HDP once a batch of stores, and once for the rest of them."""
    return s.cost.flushes + s.cost.flushes <= s.cost.armed + 1


@properties.invariant(
    "no-flush-in-vain",
    protects="RetiringSignalTracker::FlushStores",
    twin=lambda s: s.cost.armed > 0,
    needs=("costs",),
)
def no_flush_in_vain(s: State) -> Bool:
    """The HDP is not flushed where the rings are in device memory."""
    return ~s.cost.flushed_in_vain


# Liveness.

properties.include(hardware.progress, of=lambda s: s.gpu)


@properties.response(
    "call-returns",
    protects="RetiringSignalTracker::AcquireSlot, HwQueueTracker::WaitCurrent, Timestamp lock",
    goal=lambda s: s.host.pc == HostPc.IDLE,
)
def call_returns(s: State) -> Bool:
    """Every call returns: what it waits for under execution() comes, if the GPU goes on."""
    return s.host.pc != HostPc.IDLE


@properties.response(
    "event-wait-returns",
    protects="hipEventSynchronize (WaitForSignal)",
    goal=lambda s: ~s.event.waiting,
    needs=("events",),
)
def event_wait_returns(s: State) -> Bool:
    """Whoever waits for an event sees its signal complete, whatever others submit meanwhile."""
    return s.event.waiting


@properties.response(
    "registered-handler-runs",
    protects="RetiringSignalTracker::SetAsyncHandler, HsaAmdSignalHandler",
    goal=lambda s: s.handler.signal.is_none,
    needs=("handler",),
)
def registered_handler_runs(s: State) -> Bool:
    """The handler that is registered for a signal runs to its end."""
    return s.handler.signal.is_some


@properties.hang("no-hang", protects="RetiringSignalTracker::AcquireSlot, Timestamp lock")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a wait, a handler or a packet is under way, some step other than the application's can be taken."""
    return s.is_outstanding()
