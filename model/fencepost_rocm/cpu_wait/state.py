"""Commands and their batches, where each thread is, and the stream they share."""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Record,
    Step,
    action,
    boolean,
    choice,
    count,
    exists,
    forall,
    maybe,
    members,
    part,
    table,
)
from fencepost_rocm.hardware import (
    PACKET_PROCESSOR,
    AqlQueue,
    GpuWithoutReadIndex,
    Handle,
    HwQueue,
    Mutex,
    Packet,
    PacketSlot,
    Phase,
    Thread,
)
from fencepost_rocm.hardware.ring import SignalRing


class CommandSlot(Index):
    """A command there can be at a time. The slot is free again once nobody refers to the command."""


# The hardware.


class StreamPacket(Packet):
    """A kernel without a signal, or the barrier packet of a marker, which completes one. All have the barrier bit."""

    spins = boolean()
    """A kernel that ends only once another thread has set a flag."""
    command = maybe(CommandSlot, ghost=True)
    """The kernel's command."""
    before = members(Thread, ghost=True)
    """The threads that began to synchronize after it was submitted."""

    def is_barrier(self) -> Bool:
        """It is a marker's."""
        return self.completion.is_some

    def waits_for_earlier(self) -> Bool:
        """It has the barrier bit."""
        return self.is_there()

    def spins_on_host(self) -> Bool:
        """It is such a kernel."""
        return self.spins


class StreamRing(AqlQueue):
    """The window of such packets."""

    packets = table(PacketSlot, StreamPacket)


class StreamGpu(GpuWithoutReadIndex):
    """The hardware queue of the stream. After an error of the device it may go on, or never end anything again."""

    queues = table(HwQueue, StreamRing)
    stopped = boolean()

    @action(by=PACKET_PROCESSOR, src="packet processor: completion")
    def complete(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """End a kernel or a barrier, unless the device stopped."""
        m.require(~self.stopped, "device runs")
        GpuWithoutReadIndex.complete(self, m, queue, slot)

    def see_dependency(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """No packet here waits for a signal: not an action."""

    def ring(self) -> StreamRing:
        """The one queue."""
        return self.queues[HwQueue.at(0)]

    def submit(self) -> StreamPacket:
        """Reserve a slot, write the packet and ring the doorbell, in one step: see `Gpu.publish`."""
        ring = self.ring()
        packet = ring.packets[PacketSlot.of(ring.length())]
        packet.phase = Phase.VALID
        return packet


# Commands.


class CommandPhase(enum.Enum):
    """The life of a command."""

    FREE = "free"
    SUBMITTED = "submitted"
    COMPLETE = "complete"


def _exists(command: Command) -> Bool:
    return command.phase != CommandPhase.FREE


class Command(Record):
    """A kernel or a marker."""

    phase = choice(CommandPhase)
    hw_event = maybe(Handle, live_when=_exists)
    """The signal that a marker holds."""
    notified = boolean(live_when=lambda command: command.phase == CommandPhase.SUBMITTED)
    """notified_: some thread has sent a marker to find out about the command."""
    notify_lock = maybe(Thread, live_when=_exists)
    """notify_lock_: the thread that holds it across steps."""

    def is_there(self) -> Bool:
        """The slot holds a command."""
        return _exists(self)

    def holds(self, handle: Handle) -> Bool:
        """It has a reference to the signal."""
        return self.is_there() & (self.hw_event == handle)


class Stream(Record):
    """A HostQueue and its VirtualGPU. All of it under execution()."""

    execution = part(Mutex)
    batch = members(CommandSlot)
    """The submission batch: commands that no marker has taken yet."""
    last = maybe(CommandSlot)
    """lastEnqueueCommand_, which holds a reference."""
    pending = boolean()
    """hasPendingDispatch_ and fence_dirty_: kernels set both, and each barrier here clears both."""
    ring = part(SignalRing)
    error = boolean()
    """Device::IsGPUInError, for good. HIP_SKIP_ABORT_ON_GPU_ERROR is set."""
    completed_twice = boolean(ghost=True)
    completed_early = boolean(ghost=True)
    """A command was completed while its kernel was under way, and no error excused it."""
    held_signal_rearmed = boolean(ghost=True)
    timing_of_incomplete = boolean(ghost=True)
    """Times were taken of a signal that had not reached 0."""
    reset_while_busy = boolean(ghost=True)
    """Queue states were reset while a kernel might still read its arguments."""
    returned_early = boolean(ghost=True)
    """A synchronization returned before something that was submitted before it was complete, without an error."""


# Threads.


class Pc(enum.Enum):
    """Where a thread is."""

    IDLE = "not in a call"
    ARGUMENTS = "kernel arguments are written"
    SIZE = "finish: GetSubmissionBatchSize"
    FENCE = "finish: isFenceDirty"
    RENEW = "finish: a marker instead of the last command"
    READY = "finish: IsHwEventReady"
    NOTIFY_LOCK = "notifyCmdQueue: notify_lock_"
    ENQUEUE = "enqueue: execution()"
    SLOT = "ActiveSignal: next slot"
    SHARING = "ActiveSignal: references"
    REPLACE = "ActiveSignal: replace"
    ARM = "ActiveSignal: store"
    PUBLISH = "dispatchBarrierPacket"
    ATTACH = "submitMarker: attach the signal, take the batch"
    WAIT = "CompleteCpuWait: wait"
    CHECK = "CompleteCpuWait: error of the device"
    TIMING = "CompleteCpuWait: times and queue states"
    WAIT_AGAIN = "CompleteCpuWait: wait under execution()"
    COMPLETE = "updateCommandsState"
    NOTIFIED = "notifyCmdQueue: end"
    STATUS = "awaitCompletion: wait for the status"
    CLEAR = "finish: last command"
    RELEASE = "finish: release"


def _waits(thread: HostThread) -> Bool:
    """The marker is enqueued, and whether something came after it is still to be asked."""
    return thread.pc.is_in(Pc.NOTIFIED, Pc.WAIT, Pc.CHECK, Pc.TIMING, Pc.WAIT_AGAIN)


class HostThread(Record):
    """A thread that launches and synchronizes."""

    pc = choice(Pc)
    command = maybe(CommandSlot)
    """What it synchronizes with. It holds a reference."""
    marker = maybe(CommandSlot)
    """The marker that it has enqueued, from then until the batch is complete. It holds a reference."""
    batch = members(CommandSlot)
    """The marker's batch. Each command in it is held for that."""
    overtaken = boolean(live_when=_waits)
    """Something was submitted after the marker."""

    def awaits_another(self) -> Bool:
        """The marker was sent by awaitCompletion, for a command that has no signal."""
        return self.command != self.marker


class Other(Record):
    """A thread that makes a call and then sets the flag that a kernel spins on."""

    named = boolean()
    """The call is past getLastQueuedCommand."""
    command = maybe(CommandSlot)
    """The command that it is to wait for on the GPU. It holds a reference."""


class State(Record):
    """One stream, its threads, and the thread that lets a spinning kernel go."""

    gpu = part(StreamGpu)
    commands = table(CommandSlot, Command)
    stream = part(Stream)
    threads = table(Thread, HostThread)
    other = part(Other)


# What several steps ask.


def is_shared(s: State, handle: Handle) -> Bool:
    """Some command holds the signal."""
    return exists(CommandSlot, lambda slot: s.commands[slot].holds(handle))


def is_referenced(s: State, slot: CommandSlot) -> Bool:
    """Somebody refers to the command."""
    return (
        s.stream.batch.has(slot)
        | (s.stream.last == slot)
        | (s.other.command == slot)
        | exists(
            Thread,
            lambda thread: (
                (s.threads[thread].command == slot)
                | (s.threads[thread].marker == slot)
                | s.threads[thread].batch.has(slot)
            ),
        )
    )


def has_free(s: State) -> Bool:
    """One more command can be made. Memory has no such limit: use it in `m.bound`."""
    return exists(CommandSlot, lambda slot: ~s.commands[slot].is_there())


def first_free(s: State) -> CommandSlot:
    """The slot that a new command gets; only where there is one."""
    taken = count(
        CommandSlot,
        lambda slot: forall(
            CommandSlot, lambda other: (other.ordinal <= slot.ordinal).implies(s.commands[other].is_there())
        ),
    )
    return CommandSlot.of(taken)


def marker_signal(s: State, thread: Thread) -> Handle:
    """The signal that the thread's marker holds."""
    return s.commands[s.threads[thread].marker.get].hw_event.get
