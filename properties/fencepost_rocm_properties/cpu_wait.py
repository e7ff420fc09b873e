"""Properties of the CPU wait of a small batch."""

from __future__ import annotations

from fencepost import Bool, Properties, exists
from fencepost_rocm.cpu_wait.state import Pc, State, is_shared, marker_signal
from fencepost_rocm.hardware import Thread

properties = Properties("cpu-wait")


def some_thread(s: State, pc: Pc) -> Bool:
    """Some thread is there."""
    return exists(Thread, lambda thread: s.threads[thread].pc == pc)


@properties.invariant(
    "synchronized-means-complete",
    protects="HostQueue::finish",
    twin=lambda s: some_thread(s, Pc.RELEASE) & ~s.stream.error,
)
def synchronized_means_complete(s: State) -> Bool:
    """When a synchronization returns, all that was submitted before it is complete, unless the device has an error."""
    return ~s.stream.returned_early


@properties.invariant(
    "no-last-command-means-idle",
    protects="HostQueue::finish (lastEnqueueCommand_)",
    twin=lambda s: s.stream.last.is_none & some_thread(s, Pc.RELEASE),
)
def no_last_command_means_idle(s: State) -> Bool:
    """A stream without a last command, on which a synchronization returns at once, has nothing under way."""
    return s.stream.last.is_none.implies(~s.gpu.is_busy() | s.stream.error)


@properties.invariant(
    "reset-only-when-drained",
    protects="VirtualGPU::CompleteCpuWait (ResetQueueStates)",
    twin=lambda s: some_thread(s, Pc.TIMING) & s.gpu.is_busy(),
)
def reset_only_when_drained(s: State) -> Bool:
    """The queue states are reset only when no kernel may still read its arguments."""
    return ~s.stream.reset_while_busy


@properties.invariant(
    "held-signal-not-rearmed",
    protects="VirtualGPU::submitMarker (AttachHwEvent)",
    twin=lambda s: is_shared(s, s.stream.ring.oldest()),
)
def held_signal_not_rearmed(s: State) -> Bool:
    """A signal that a marker was given is not armed anew while the marker is there."""
    return ~s.stream.held_signal_rearmed


@properties.invariant(
    "completed-once",
    protects="VirtualGPU::updateCommandsState",
    twin=lambda s: some_thread(s, Pc.COMPLETE) & ~s.stream.batch.is_empty,
)
def completed_once(s: State) -> Bool:
    """A command is completed by one thread, once."""
    return ~s.stream.completed_twice


@properties.invariant(
    "completed-after-its-work",
    protects="VirtualGPU::updateCommandsState",
    twin=lambda s: some_thread(s, Pc.COMPLETE) & s.gpu.is_busy() & ~s.stream.error,
)
def completed_after_its_work(s: State) -> Bool:
    """A command is completed only when its packet is complete, unless the device has an error."""
    return ~s.stream.completed_early


@properties.invariant(
    "times-only-of-complete-signals",
    protects="HwQueueTracker::ProcessSignalTiming",
    twin=lambda s: exists(
        Thread, lambda thread: (s.threads[thread].pc == Pc.CHECK) & s.gpu.owes(marker_signal(s, thread))
    ),
    needs=("errors",),
)
def times_only_of_complete_signals(s: State) -> Bool:
    """Times are taken only of a signal that reached 0."""
    return ~s.stream.timing_of_incomplete


def is_waiting(s: State, thread: Thread) -> Bool:
    """The thread waits for its marker's signal, which is not complete."""
    return s.threads[thread].pc.is_in(Pc.WAIT, Pc.WAIT_AGAIN) & (s.gpu.value(marker_signal(s, thread)) > 0)


@properties.invariant(
    "no-wait-holding-execution",
    protects="VirtualGPU::CompleteCpuWait, submitMarker",
    twin=is_waiting,
)
def no_wait_holding_execution(s: State, thread: Thread) -> Bool:
    """No thread waits for the GPU while it holds execution()."""
    return ~(is_waiting(s, thread) & (s.stream.execution.owner == thread))


@properties.response(
    "every-wait-returns",
    protects="HostQueue::finish, VirtualGPU::CompleteCpuWait",
    goal=lambda s, thread: s.threads[thread].pc == Pc.IDLE,
)
def every_wait_returns(s: State, thread: Thread) -> Bool:
    """A synchronization returns some time, whatever other threads launch meanwhile."""
    return ~s.threads[thread].pc.is_in(Pc.IDLE, Pc.ARGUMENTS)


@properties.response(
    "execution-is-released",
    protects="VirtualGPU::execution",
    goal=lambda s: s.stream.execution.is_free(),
)
def execution_is_released(s: State) -> Bool:
    """execution() is not held for ever."""
    return ~s.stream.execution.is_free()


@properties.hang("no-hang", protects="Command::enqueue, VirtualGPU::CompleteCpuWait")
def work_is_outstanding(s: State) -> Bool:
    """While a thread synchronizes or a packet can still end, some step but a new call can be taken."""
    synchronizes = exists(Thread, lambda thread: ~s.threads[thread].pc.is_in(Pc.IDLE, Pc.ARGUMENTS))
    return synchronizes | (s.gpu.is_busy() & ~s.gpu.stopped)
