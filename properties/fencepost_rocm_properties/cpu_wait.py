"""Properties of the CPU wait of a small batch."""

from __future__ import annotations

from fencepost import Bool, Properties, exists, forall
from fencepost_rocm.cpu_wait.state import (
    CommandPhase,
    CommandSlot,
    HostThread,
    Pc,
    State,
    is_referenced,
    is_shared,
    marker_signal,
)
from fencepost_rocm.hardware import Thread
from fencepost_rocm_properties.hardware import has_each_signal_once

properties = Properties("cpu-wait")

ENQUEUES = (Pc.SLOT, Pc.SHARING, Pc.REPLACE, Pc.ARM, Pc.PUBLISH, Pc.ATTACH)
"""From enqueue to the end of submitMarker: under execution()."""

HAS_ENQUEUED = (Pc.WAIT, Pc.CHECK, Pc.TIMING, Pc.WAIT_AGAIN, Pc.COMPLETE)
"""In CompleteCpuWait: the batch is the marker's own."""


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
    """A signal that a marker was given is not armed anew while the marker is there.

    The ring has each of its signals once, so that no turn comes to a signal before it is that one's again.
    """
    return ~s.stream.held_signal_rearmed & has_each_signal_once(s.stream.ring)


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


def is_in_no_call(thread: HostThread) -> Bool:
    """It neither synchronizes nor is it about to."""
    return thread.pc.is_in(Pc.IDLE, Pc.ARGUMENTS)


@properties.invariant(
    "locks-held-where-the-call-says",
    protects="VirtualGPU::execution, Event::notify_lock_",
    twin=lambda s, thread: s.stream.execution.owner == thread,
)
def locks_held_where_the_call_says(s: State, thread: Thread) -> Bool:
    """A thread holds execution() from the enqueueing of a marker to its batch, and there alone.

    It holds notify_lock_ only while it sends a marker for the command that it waits for, and waits for the
    command's status only once somebody has sent one, or the command is complete.
    """
    me = s.threads[thread]
    sends = me.pc.is_in(Pc.ENQUEUE, *ENQUEUES, *HAS_ENQUEUED, Pc.NOTIFIED)

    def of_notify_lock(slot: CommandSlot) -> Bool:
        command = s.commands[slot]
        held = command.is_there() & (command.notify_lock == thread)
        awaited = (me.pc == Pc.STATUS) & (me.command == slot)
        told = (command.phase != CommandPhase.SUBMITTED) | command.notified
        return held.implies(sends & (me.command == slot)) & (told | ~(held | awaited))

    under_execution = (s.stream.execution.owner == thread) == me.pc.is_in(*ENQUEUES)
    return under_execution & forall(CommandSlot, of_notify_lock)


@properties.invariant(
    "commands-live-while-referred-to",
    protects="Command::retain, Command::release",
    twin=lambda s: exists(Thread, lambda thread: s.threads[thread].command.is_some) & s.stream.last.is_some,
)
def commands_live_while_referred_to(s: State) -> Bool:
    """A command is there as long as somebody refers to it and no longer; a thread that is in no call refers to none."""
    exact = forall(CommandSlot, lambda slot: s.commands[slot].is_there() == is_referenced(s, slot))

    def refers_to_none(thread: HostThread) -> Bool:
        return thread.command.is_none & thread.marker.is_none & thread.batch.is_empty

    return exact & forall(
        Thread, lambda thread: is_in_no_call(s.threads[thread]).implies(refers_to_none(s.threads[thread]))
    )


@properties.response(
    "every-wait-returns",
    protects="HostQueue::finish, VirtualGPU::CompleteCpuWait",
    goal=lambda s, thread: s.threads[thread].pc == Pc.IDLE,
)
def every_wait_returns(s: State, thread: Thread) -> Bool:
    """A synchronization returns some time, whatever other threads launch meanwhile."""
    return ~is_in_no_call(s.threads[thread])


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
    synchronizes = exists(Thread, lambda thread: ~is_in_no_call(s.threads[thread]))
    return synchronizes | (s.gpu.is_busy() & ~s.gpu.stopped)
