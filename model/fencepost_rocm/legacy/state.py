"""What the tracker keeps, where a call is in it, and who else holds its signals.

The ring is kept oldest first: position 0 is the next slot to reuse (`current_id_ + 1` in the code), the
last one in use is the current slot. Taking the next slot rotates it, so that two rings that differ only
in where the vector happens to begin are one state.

A signal's reference count is never stored, since each reference has an owner in the state: the tracker
(ring or stacks), a command that an event or the async handler keeps alive, another stream's command.
"""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Int,
    Maybe,
    Record,
    Step,
    array,
    boolean,
    choice,
    count,
    exists,
    maybe,
    members,
    part,
    table,
)
from fencepost_rocm.hardware import AqlQueue, GpuWithoutReadIndex, Handle, HwQueue, Packet, PacketSlot, Phase
from fencepost_rocm.hardware.gpu import barrier_and_sees_done


class RingSlot(Index):
    """A place in the tracker's ring, 0 the oldest. As many as the ring may grow to here; the code has no cap."""


class InitialSlot(Index):
    """The slots that the ring starts with (ROC_SIGNAL_POOL_SIZE, 64)."""


class StackSlot(Index):
    """A place in a stack of idle signals, 0 the bottom."""


class Event(Index):
    """An event of the application: a reference to a command, and through it to a signal."""


# The hardware.


class TrackedPacket(Packet):
    """A barrier-AND packet with the barrier bit, as all of CLR's have it, or a kernel launched in any order.

    A copy or a prefetch is a barrier packet with a completion signal on a queue of its own: it waits, works
    and decrements, in order. So `kind` tells nothing here, and is left alone.
    """

    any_order = boolean()
    copies = boolean(ghost=True)
    """It is a copy: it is to start behind everything that its stream did before."""

    def is_barrier(self) -> Bool:
        """It is no kernel launched in any order."""
        return ~self.any_order

    def waits_for_earlier(self) -> Bool:
        """It has the barrier bit."""
        return self.is_barrier()

    def spins_on_host(self) -> Bool:
        """No kernel here waits for the host."""
        return self.is_there() & False


class TrackedQueue(AqlQueue):
    """A queue of such packets."""

    packets = table(PacketSlot, TrackedPacket)


class TrackedGpu(GpuWithoutReadIndex):
    """The compute queue, and the engines beside it."""

    queues = table(HwQueue, TrackedQueue)

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """A barrier-AND waits for 0."""
        return barrier_and_sees_done(self.value(self.queues[queue].packets[slot].dep.get))

    def submit(self, queue: HwQueue, dep: Maybe[Handle], completion: Maybe[Handle] | Handle | None) -> TrackedPacket:
        """Reserve a slot, write a barrier packet and ring the doorbell, in one step: see `Gpu.publish`."""
        ring = self.queues[queue]
        packet = ring.packets[PacketSlot.of(ring.length())]
        packet.phase = Phase.VALID
        packet.dep = dep
        packet.completion = completion
        return packet


# The tracker.


class Engine(enum.Enum):
    """HwQueueEngine: where the last operation went."""

    UNKNOWN = "unknown"
    COMPUTE = "compute"
    SDMA = "sdma"


class Stack(Record):
    """A stack of idle signals that nobody else holds."""

    places = array(StackSlot, maybe(Handle))

    def depth(self) -> Int:
        """Signals in it."""
        return count(StackSlot, lambda place: self.places[place].is_some)

    def is_full(self) -> Bool:
        """No place is left. The code's has no such limit: use it in `m.bound`."""
        return self.places[StackSlot.last()].is_some

    def has(self, handle: Handle) -> Bool:
        """The signal is in it."""
        return exists(StackSlot, lambda place: self.places[place] == handle)

    def push(self, handle: Handle) -> None:
        """Put a signal on top."""
        self.places[StackSlot.of(self.depth())] = handle

    def pop(self) -> Handle:
        """Take the top one; only where it is not empty."""
        top = StackSlot.of(self.depth() - 1)
        handle = self.places[top].get
        self.places[top] = None
        return handle


class Tracker(Record):
    """LegacySignalTracker, and what its VirtualGPU knows of the compute queue. All of it under execution()."""

    ring = array(RingSlot, maybe(Handle))
    plain = part(Stack)
    """signal_pool_: idle signals without an interrupt, set aside while their slot needs one."""
    interrupt = part(Stack)
    """signal_pool_irq_. The five that are made in advance only put off the first creation."""
    with_interrupt = members(Handle)
    """The signals that have an interrupt (flags_.interrupt_)."""
    engine = choice(Engine)
    pending = boolean()
    """hasPendingDispatch_: a dispatch that no barrier with a signal has followed yet."""
    last_packet_tracked = boolean()
    """The last AQL packet completes a signal of the tracker: IsQueueIdle may look at it."""
    cached = maybe(Handle)
    """last_completion_signal_: the raw handle that IsQueueIdle used to read."""
    cached_destroyed = boolean(ghost=True)

    def length(self) -> Int:
        """Slots in the ring."""
        return count(RingSlot, lambda slot: self.ring[slot].is_some)

    def current(self) -> Handle:
        """signal_list_[current_id_]."""
        return self.ring[RingSlot.of(self.length() - 1)].get

    def rotate(self, m: Step) -> None:
        """++current_id_: the oldest slot becomes the current one."""
        oldest, length = self.ring[RingSlot.at(0)], self.length()
        for slot in m.each(RingSlot):
            with m.when(slot.ordinal + 1 < length):
                self.ring[slot] = self.ring[slot.next]
        self.ring[RingSlot.of(length - 1)] = oldest

    def rotate_back(self, m: Step) -> None:
        """--current_id_: the current slot becomes the oldest one."""
        length = self.length()
        before = [self.ring[RingSlot.at(position)] for position in range(RingSlot.count())]
        self.ring[RingSlot.at(0)] = self.current()
        for position in range(1, RingSlot.count()):
            with m.when(RingSlot.at(position).ordinal < length):
                self.ring[RingSlot.at(position)] = before[position - 1]

    def append(self, handle: Handle) -> None:
        """A new slot between the current and the oldest one, which becomes the current one."""
        self.ring[RingSlot.of(self.length())] = handle

    def owns(self, handle: Handle) -> Bool:
        """The tracker holds a reference to the signal."""
        return (
            exists(RingSlot, lambda slot: self.ring[slot] == handle)
            | self.plain.has(handle)
            | self.interrupt.has(handle)
        )


# A call.


class Operation(enum.Enum):
    """What the application asked for."""

    MARKER = "marker"
    LAUNCH = "kernel with a signal, launched in any order"
    KERNEL = "kernel without a signal"
    COPY = "copy"
    PREFETCH = "prefetch"
    SYNC = "wait for the last operation"


class Callback(enum.Enum):
    """Whether an async handler is registered for the signal."""

    NONE = "none"
    BATCH = "the batch's handler"
    BLOCKING = "blocking callback"


class CallPc(enum.Enum):
    """Where the thread that holds execution() is."""

    IDLE = "not in a call"
    LOOK = "WaitingSignal"
    PUBLISH_WAIT = "dispatchBlockingWait"
    PEEK = "ActiveSignal: peek two ahead"
    GROW = "ActiveSignal: grow"
    WAIT_CURRENT = "CpuWait"
    TAKE_TIMES = "CpuWait: timing"
    WAIT_NEXT = "WaitNext"
    SHARING = "ActiveSignal: references"
    REPLACE = "ActiveSignal: replace"
    DROP = "ActiveSignal: drop the shared signal"
    TYPE = "ActiveSignal: interrupt type"
    ARM = "ActiveSignal: store"
    LIST = "Timestamp::AddProfilingSignal"
    ADD = "ActiveSignal: one more for a blocking callback"
    REGISTER = "hsa_amd_signal_async_handler"
    PUBLISH = "publish"
    SYNC = "WaitCurrent"


class Call(Record):
    """The call under way. One thread at a time is in one, since execution() is held to its end."""

    pc = choice(CallPc)
    operation = choice(Operation)
    timed = boolean()
    callback = choice(Callback)
    event = maybe(Event)
    """The event that is to hold the command."""
    dep = maybe(Handle)
    """waiting_signals_: what the packet will wait for. A raw handle; nothing is retained."""
    fresh = maybe(Handle)
    """A signal created to replace a shared one, not in the ring yet."""


# The other holders.


class EventState(Record):
    """An event and the signal of its command."""

    signal = maybe(Handle)
    rearmed = boolean(ghost=True)
    """The signal was armed anew while the event held it."""


class HandlerPc(enum.Enum):
    """Where the async-events thread is in HsaAmdSignalHandler."""

    IDLE = "polls"
    TIMES = "getTime: Timestamp lock"
    COLLECT = "getTime: listed signals"
    RELEASE = "updateCommandsState: releases the batch"
    QUEUE = "ReleaseHwQueue"
    UNBLOCK = "takes the blocking callback's count off"


class Handler(Record):
    """The async-events thread. The batch's commands, and with them their signals, live until it releases them."""

    registered = members(Handle)
    blocking = members(Handle)
    """The signals armed one higher, for a blocking callback: their threshold is 2."""
    at = maybe(Handle)
    pc = choice(HandlerPc)
    rearmed = boolean(ghost=True)
    """A signal was armed anew while its handler had still to process it."""

    def holds(self, handle: Handle) -> Bool:
        """The batch that holds the signal's command has not been released."""
        return self.registered.has(handle) | (
            (self.at == handle) & self.pc.is_in(HandlerPc.TIMES, HandlerPc.COLLECT, HandlerPc.RELEASE)
        )


class Timestamp(Record):
    """The Timestamp of one profiled batch, with its lock."""

    listed = members(Handle)
    """signals_: the raw signals whose times are still to be taken."""
    pointed = members(Handle)
    """The signals whose ts_ is this Timestamp."""
    closed_by = maybe(Handle)
    """The signal whose handler will complete the batch; whatever is dispatched later is of another batch."""
    locked = boolean()
    """Held by whoever takes the times of every listed signal (a tracker's step holds it only within the step)."""
    rearmed = boolean(ghost=True)
    """A signal was armed anew while it was listed."""
    stamped = members(Handle, ghost=True)
    """The signals that hold the times of a copy. (Those of a new signal are 0, and are left out.)"""
    never_ran = maybe(Handle, ghost=True)
    """A listed signal whose operation was never submitted, so that its times are an earlier copy's."""
    took_never_ran = boolean(ghost=True)


class State(Record):
    """One VirtualGPU with its tracker, its queues, and the holders of its signals."""

    gpu = part(TrackedGpu)
    tracker = part(Tracker)
    call = part(Call)
    events = table(Event, EventState)
    handler = part(Handler)
    timestamp = part(Timestamp)
    peer = maybe(Handle)
    """What another stream's command waits for on the engine's queue, holding the command that completes it."""
    read_stale = boolean(ghost=True)
    """An event's query read a signal that meant another use by then."""
    idle_read_destroyed = boolean(ghost=True)
    """The idle check read a signal that had been destroyed."""
    idle_while_busy = boolean(ghost=True)
    """The idle check found the compute queue idle while a packet in it waited or ran."""


def is_shared(s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker holds a reference."""
    return exists(Event, lambda event: s.events[event].signal == handle) | s.handler.holds(handle) | (s.peer == handle)
