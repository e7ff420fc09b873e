"""Commands in the batch, and commands and signals that nobody refers to any more."""

from __future__ import annotations

from fencepost import Step
from fencepost_rocm.cpu_wait.state import CommandPhase, CommandSlot, Pc, State, is_referenced, is_shared
from fencepost_rocm.hardware import Handle, Thread


def let_go(m: Step, s: State, slot: CommandSlot) -> None:
    """After a reference to a command was dropped: if that was the last one, it dies and drops its signal."""
    command = s.commands[slot]
    with m.when(~is_referenced(s, slot)):
        signal = command.hw_event
        m.clear(command)
        with m.when(signal.is_some):
            let_signal_go(m, s, signal.get)


def let_signal_go(m: Step, s: State, handle: Handle) -> None:
    """After a reference to a signal was dropped: if that was the last one, it dies."""
    with m.when(~s.stream.ring.has(handle) & ~is_shared(s, handle)):
        m.note("DESTROYED", of=handle)
        s.gpu.pool.destroy(m, handle)


def append_to_batch(m: Step, s: State, fresh: CommandSlot) -> None:
    """HostQueue::FormSubmissionBatch: a new command, which is the last one now. Under execution().

    The reference to the last one before is dropped here; but for the tracker, under execution() as well, nobody
    looks at the count.
    """
    stream = s.stream
    s.commands[fresh].phase = CommandPhase.SUBMITTED
    stream.batch = stream.batch.adding(fresh)
    if m.variant("batch-not-private"):
        for thread in m.each(Thread):
            with m.when(s.threads[thread].pc.is_in(Pc.WAIT, Pc.CHECK, Pc.TIMING, Pc.COMPLETE)):
                s.threads[thread].batch = s.threads[thread].batch.adding(fresh)
    before = stream.last
    stream.last = fresh
    with m.when(before.is_some):
        let_go(m, s, before.get)


def overtake(m: Step, s: State) -> None:
    """A packet is submitted: it comes after every marker that was enqueued before."""
    for thread in m.each(Thread):
        with m.when(s.threads[thread].marker.is_some):
            s.threads[thread].overtaken = True
