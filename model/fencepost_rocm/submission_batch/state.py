"""What the trackers keep, where the submitting thread is, and who else holds signals."""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Int,
    Record,
    Step,
    boolean,
    choice,
    count,
    exists,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import AqlQueue, GpuWithoutReadIndex, Handle, HwQueue, Packet, PacketSlot, Phase
from fencepost_rocm.hardware.ring import RingSlot, SignalRing
from fencepost_rocm.submission_batch.host_queue import HostQueue


class Event(Index):
    """An event of the application."""


# The hardware.


class StreamPacket(Packet):
    """A kernel without a signal, or a barrier packet that completes one. All have the barrier bit, none waits."""

    spins = boolean()
    """A kernel that ends only once another thread has set a flag."""

    def is_barrier(self) -> Bool:
        """It is a record's or a marker's."""
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
    """The hardware queue of the stream."""

    queues = table(HwQueue, StreamRing)

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


# The trackers.


class Tracker(Record):
    """Ring and pools of either tracker. All of it under execution()."""

    ring = part(SignalRing)
    armed = members(Handle)
    """Retiring: signals at 1 whose use has not begun, in the ring or a pool."""
    spares = members(Handle)
    """Retiring: armed signals for slots whose own is shared, and for a longer ring."""
    parked = members(Handle)
    """Retiring: signals that were shared when their slot needed one."""
    pinned = members(Handle)
    """Retiring: signals that a GPU waiter will read, each held by a reference of the tracker."""
    timing = members(Handle)
    """Retiring: the host-memory pool, from which timing-only uses take."""
    with_interrupt = members(Handle)
    """Legacy: signals with an interrupt."""
    plain = members(Handle)
    """Legacy, signal_pool_: idle signals without an interrupt, set aside while their slot needs one."""
    interrupt = members(Handle)
    """Legacy, signal_pool_irq_."""
    looked = boolean(ghost=True)
    """This Reclaim has looked at what is parked."""
    let_go_since = members(Handle, ghost=True)
    """What lost its last holder since Reclaim looked at what is parked."""
    held_rearmed = boolean(ghost=True)
    """A signal was armed anew while somebody besides the tracker held it."""
    fruitless = number(0, 2, ghost=True)
    """Batches that were asked for to get device memory, and fell back, since a spare was last of use."""

    def owns(self, handle: Handle) -> Bool:
        """Legacy: the tracker holds a reference to the signal."""
        return self.ring.has(handle) | self.plain.has(handle) | self.interrupt.has(handle)


# The submitting thread.


class Pc(enum.Enum):
    """Where the thread is. Anywhere but outside of a call, at the event and in a wait it holds execution()."""

    IDLE = "not in a call"
    SLOT = "ActiveSignal: next slot"
    PARKED = "Reclaim: parked signals"
    SHARING = "ActiveSignal: references"
    SPARE = "AcquireSlot: spare"
    GROW = "AcquireSlot: grow"
    OLDEST = "AcquireSlot: wait"
    PLACE = "PlaceForUse"
    REPLACE = "ActiveSignal: replace"
    TYPE = "ActiveSignal: interrupt type"
    ARM = "ActiveSignal: store"
    PUBLISH = "dispatchBarrierPacket"
    EVENT = "hipEventRecord: the event takes the command"
    WAIT = "finish: IsHwEventReady"


class Operation(enum.Enum):
    """What is to be submitted."""

    RECORD = "record"
    FLUSH = "marker of a batch that has become too long"
    FINISH = "marker of a synchronization"


class Call(Record):
    """The call under way."""

    pc = choice(Pc)
    operation = choice(Operation)
    event = maybe(Event)
    """The event that is recorded, under its lock_ for the whole call."""
    command = maybe(Handle)
    """The signal of the call's own command, to which the call holds a reference."""

    def holds_execution(self) -> Bool:
        """It is in Command::enqueue."""
        return ~self.pc.is_in(Pc.IDLE, Pc.EVENT, Pc.WAIT)


# Who waits for events.


class EventState(Record):
    """An event, with the signal of its command."""

    signal = maybe(Handle)
    before = members(Handle)
    """What the batch held when the event was recorded, its own signal among it."""
    size = number(0, 8)
    """The length of the batch then; 0 when that batch is not the stream's any more."""


class SyncPc(enum.Enum):
    """Where a thread is in hipEventSynchronize."""

    IDLE = "not in a call"
    WAIT = "IsHwEventReady"
    LOCK = "CompleteSubmissionBatch: execution()"
    COMPLETE = "CompleteSubmissionBatch: updateCommandsState"


class Sync(Record):
    """The thread that synchronizes with events, under the event's lock_."""

    pc = choice(SyncPc)
    event = maybe(Event)
    batch = members(Handle)
    """What the commands hold that it completes."""
    took_lock = boolean(ghost=True)
    """A synchronization with an event has asked for execution()."""


class State(Record):
    """One stream with its tracker, the thread that submits, one that waits for events, and the async handler."""

    gpu = part(StreamGpu)
    stream = part(HostQueue)
    tracker = part(Tracker)
    call = part(Call)
    events = table(Event, EventState)
    sync = part(Sync)


def is_shared(s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker's ring and pools holds a reference."""
    return (
        s.stream.holds(handle)
        | exists(Event, lambda event: s.events[event].signal == handle)
        | (s.call.command == handle)
        | s.sync.batch.has(handle)
        | s.tracker.pinned.has(handle)
    )


def live(s: State) -> Int:
    """Signals that exist."""
    return count(Handle, lambda handle: s.gpu.pool.signals[handle].alive)


def is_complete(s: State, handle: Handle) -> Bool:
    """Its last operation has ended, and it is not armed for another."""
    return (s.gpu.value(handle) < 1) & ~s.tracker.armed.has(handle)


def oldest(s: State) -> RingSlot:
    """The slot that is used next."""
    return RingSlot.at(0)
