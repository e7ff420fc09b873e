"""CompleteCpuWait: wait for the marker's signal without a lock, then complete its batch."""

from __future__ import annotations

from fencepost import Bool, Fairness, Step, exists
from fencepost_rocm.cpu_wait.declare import protocol
from fencepost_rocm.cpu_wait.references import let_go
from fencepost_rocm.cpu_wait.state import CommandPhase, CommandSlot, Pc, State, marker_signal
from fencepost_rocm.hardware import APP, PacketSlot, Thread, host_sees_done


@protocol.action(by=APP, src="VirtualGPU::CompleteCpuWait (WaitForSignal)")
def wait_for_signal(m: Step, s: State, thread: Thread) -> None:
    """Wait for the marker's signal, without execution(). The wait gives up after an error of the device."""
    m.require(s.threads[thread].pc == Pc.WAIT, "waits")
    m.require(host_sees_done(s.gpu.value(marker_signal(s, thread))) | s.stream.error, "complete, or an error")
    s.threads[thread].pc = Pc.CHECK


@protocol.action(by=APP, src="VirtualGPU::CompleteCpuWait (IsGPUInError)")
def look_for_error(m: Step, s: State, thread: Thread) -> None:
    """In an error state the GPU may still run: skip times and queue states, and complete the batch."""
    me = s.threads[thread]
    m.require(me.pc == Pc.CHECK, "error?")
    me.pc = Pc.TIMING
    if m.variant("newer-looked-at-early"):
        with m.when(me.overtaken):
            me.pc = Pc.COMPLETE
    if m.variant("error-ignored") or m.variant("second-wait"):
        return
    gave_up = s.gpu.value(marker_signal(s, thread)) != 0 if m.variant("signal-reloaded") else s.stream.error
    with m.when(gave_up):
        m.note("the device is in an error state: times and queue states are left alone")
        me.pc = Pc.COMPLETE
        if m.variant("error-leaves-batch"):
            _after_batch(m, s, thread)


@protocol.action(
    by=APP, src="VirtualGPU::CompleteCpuWait (ProcessSignalTiming, ResetQueueStates)", fair=Fairness.STRONG
)
def process_and_reset(m: Step, s: State, thread: Thread) -> None:
    """Take execution() once: take the signal's times; if nothing came after the marker, reset the queue states."""
    me, execution = s.threads[thread], s.stream.execution
    m.require(me.pc == Pc.TIMING, "times and queue states")
    if m.variant("wait-holding-execution"):
        m.require(execution.owner == thread, "execution() held")
    else:
        m.require(execution.is_free(), "execution() free")
    if m.variant("second-wait"):
        execution.acquire(m, thread)
        me.pc = Pc.WAIT_AGAIN
    else:
        _process_and_reset(m, s, thread)


@protocol.action(by=APP, src="HwQueueTracker::CpuWaitForSignal")
def wait_again(m: Step, s: State, thread: Thread) -> None:
    """The first review round: wait once more, holding execution(), and then go on."""
    if not m.variant("second-wait"):
        m.require(False, "second-wait")
    m.require(s.threads[thread].pc == Pc.WAIT_AGAIN, "waits again")
    m.require(host_sees_done(s.gpu.value(marker_signal(s, thread))) | s.stream.error, "complete, or an error")
    s.stream.execution.release(m)
    _process_and_reset(m, s, thread)


def _process_and_reset(m: Step, s: State, thread: Thread) -> None:
    stream = s.stream
    stream.timing_of_incomplete = stream.timing_of_incomplete | s.gpu.owes(marker_signal(s, thread))
    with m.when(_may_reset(m, s, thread)):
        m.note("resets the queue states")
        stream.reset_while_busy = stream.reset_while_busy | s.gpu.is_busy() | _arguments_are_out(s)
    s.threads[thread].pc = Pc.COMPLETE


def _may_reset(m: Step, s: State, thread: Thread) -> Bool:
    """Nothing was submitted after the marker."""
    if m.variant("reset-though-newer") or m.variant("newer-looked-at-early"):
        return Bool.constant(True)
    if m.variant("repaired"):
        return ~s.threads[thread].overtaken & ~_arguments_are_out(s)
    return ~s.threads[thread].overtaken


def _arguments_are_out(s: State) -> Bool:
    """Some thread has written arguments for a kernel that it has not launched yet."""
    return exists(Thread, lambda other: s.threads[other].pc == Pc.ARGUMENTS)


@protocol.action(by=APP, src="VirtualGPU::updateCommandsState (setStatus, release)")
def complete_command(m: Step, s: State, thread: Thread, slot: CommandSlot) -> None:
    """Complete a command of the marker's batch, without a lock; the last one ends the CPU wait."""
    me, command, stream = s.threads[thread], s.commands[slot], s.stream
    m.require(me.pc == Pc.COMPLETE, "completes")
    m.require(me.batch.has(slot), "in the batch")
    m.note("completes command {}", slot)
    packets = s.gpu.ring().packets
    stream.completed_twice = stream.completed_twice | (command.phase != CommandPhase.SUBMITTED)
    stream.completed_early = stream.completed_early | (
        ~stream.error & exists(PacketSlot, lambda place: packets[place].is_there() & (packets[place].command == slot))
    )
    with m.when(command.is_there()):
        command.phase = CommandPhase.COMPLETE
    me.batch = me.batch.removing(slot)
    let_go(m, s, slot)
    with m.when(me.batch.is_empty):
        if m.variant("batch-not-private"):
            left = stream.batch
            stream.batch = _NONE
            for other in m.each(CommandSlot):
                with m.when(left.has(other)):
                    let_go(m, s, other)
        if m.variant("wait-holding-execution"):
            stream.execution.release(m)
        _after_batch(m, s, thread)


def _after_batch(m: Step, s: State, thread: Thread) -> None:
    """The marker is complete: a synchronization has no more to wait for; awaitCompletion waits for the command."""
    me = s.threads[thread]
    me.pc = Pc.CLEAR
    with m.when(me.awaits_another()):
        me.pc = Pc.STATUS if m.variant("repaired") else Pc.NOTIFIED


_NONE: list[CommandSlot] = []
