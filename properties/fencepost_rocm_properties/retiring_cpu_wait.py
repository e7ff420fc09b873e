"""Properties of the retiring tracker under a CPU wait: those of the tracker, and what who waits may rely on."""

from __future__ import annotations

from fencepost import Bool, Properties
from fencepost_rocm.retiring_cpu_wait.state import State, WaiterPc
from fencepost_rocm_properties.retiring import properties as tracker

properties = Properties("retiring-cpu-wait")
properties.include(tracker, of=lambda s: s)


def is_waiting(s: State) -> Bool:
    """The thread waits for the marker's signal, which is not complete."""
    return (s.waiter.pc == WaiterPc.WAIT) & (s.gpu.value(s.marker.signal.get) > 0)


@properties.invariant(
    "held-signal-not-rearmed",
    protects="VirtualGPU::submitMarker (AttachHwEvent), RetiringSignalTracker::Reclaim (park)",
    twin=lambda s: s.marker.signal.is_some & s.tracker.parked.has(s.marker.signal.get),
)
def held_signal_not_rearmed(s: State) -> Bool:
    """A signal that a marker holds is not armed anew while somebody may wait for the marker."""
    return ~s.marker.rearmed


@properties.invariant(
    "marker-wait-sees-its-own-use",
    protects="VirtualGPU::CompleteCpuWait (WaitForSignal)",
    twin=lambda s: (s.waiter.pc == WaiterPc.WAIT) & s.tracker.parked.has(s.marker.signal.get),
)
def marker_wait_sees_its_own_use(s: State) -> Bool:
    """A wait for a marker is over by the end of the use that the marker was given, not of a later one."""
    return ~s.wait_passed_stale


@properties.invariant(
    "synchronized-means-complete",
    protects="HostQueue::finish",
    twin=lambda s: (s.waiter.pc == WaiterPc.RELEASE) & s.gpu.is_busy(),
)
def synchronized_means_complete(s: State) -> Bool:
    """When a synchronization returns, all that was submitted before it is complete, unless the device has an error."""
    return ~s.waiter.returned_early


@properties.invariant(
    "reset-only-when-drained",
    protects="VirtualGPU::CompleteCpuWait (ResetQueueStates)",
    twin=lambda s: (s.waiter.pc == WaiterPc.TIMING) & s.gpu.is_busy(),
)
def reset_only_when_drained(s: State) -> Bool:
    """The queue states are reset only when no kernel may still read its arguments."""
    return ~s.waiter.reset_while_busy


@properties.invariant(
    "times-only-of-complete-signals",
    protects="HwQueueTracker::ProcessSignalTiming",
    twin=lambda s: (s.waiter.pc == WaiterPc.CHECK) & s.gpu.owes(s.marker.signal.get),
    needs=("errors",),
)
def times_only_of_complete_signals(s: State) -> Bool:
    """Times are taken only of a signal that reached 0."""
    return ~s.waiter.took_times_early


@properties.invariant(
    "no-wait-holding-execution",
    protects="VirtualGPU::CompleteCpuWait, submitMarker",
    twin=is_waiting,
)
def no_wait_holding_execution(s: State) -> Bool:
    """No thread waits for a marker's signal while it holds execution()."""
    return ~(is_waiting(s) & s.waiter.holds)


@properties.response(
    "marker-wait-returns",
    protects="VirtualGPU::CompleteCpuWait (WaitForSignal)",
    goal=lambda s: s.waiter.pc != WaiterPc.WAIT,
)
def marker_wait_returns(s: State) -> Bool:
    """Who waits for a marker's signal sees it complete, whatever others submit meanwhile."""
    return s.waiter.pc == WaiterPc.WAIT
