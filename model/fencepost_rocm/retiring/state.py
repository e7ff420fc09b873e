"""What the retiring tracker keeps, and what its clients hold.

The ring is kept oldest first: position 0 is the next slot to reuse, the newest use is at the end. So
the order of uses is their position, and no index has to be compared with another queue's.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from fencepost import (
    Bool,
    Index,
    Record,
    Step,
    boolean,
    choice,
    exists,
    forall,
    index,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import Gpu, Handle, HwQueue
from fencepost_rocm.retiring.costs import Cost


class RingSlot(Index):
    """A place in the tracker's ring, 0 the oldest. As many as the ring may grow to (16 x ROC_SIGNAL_POOL_SIZE)."""


class InitialSlot(Index):
    """The slots that the ring starts with (ROC_SIGNAL_POOL_SIZE)."""


class UsePhase(enum.Enum):
    """The life of a ring slot."""

    ARMED = "armed"
    INUSE = "in use"
    RETIRED = "retired"


class Use(Record):
    """A ring slot: its signal and the last use of it."""

    phase = choice(UsePhase)
    signal = index(Handle)
    fence = boolean(live_when=lambda use: use.phase == UsePhase.INUSE)
    """Published with the barrier bit: its completion proves every earlier packet of its queue complete."""
    old_generation = boolean(live_when=lambda use: use.phase == UsePhase.INUSE)
    """Published before the last NoteQueueChange."""

    def is_in_use(self) -> Bool:
        """Its operation is not proven complete."""
        return self.phase == UsePhase.INUSE

    def is_current_fence(self) -> Bool:
        """A fence of the current generation."""
        return self.is_in_use() & self.fence & ~self.old_generation


class Pin(Record):
    """A reference on a signal that a GPU waiter will read, and the use that the waiting packet completes."""

    signal = maybe(Handle)
    consumer = maybe(Handle)


class HostPc(enum.Enum):
    """Where the host thread is inside a call that holds execution()."""

    IDLE = "idle"
    ACQUIRE = "ActiveSignal"
    NOMINATE = "Reclaim: read index"
    CONFIRM = "Reclaim: confirm"
    PROBE = "Reclaim: ProbeFence"
    WALK = "Reclaim: walk"
    BUSY = "AcquireSlot: still busy"
    LIST = "list in Timestamp"
    PUBLISH = "publish"
    SYNC = "CpuWait"


class Operation(Record):
    """What the call under way is to dispatch."""

    barrier = boolean()
    timed = boolean()
    callback = boolean()
    spins = boolean()
    """Its kernel spins on a flag that another thread sets."""
    dep = maybe(Handle)


class Host(Record):
    """The thread that holds execution() of the VirtualGPU."""

    pc = choice(HostPc)
    operation = part(Operation)
    candidate = maybe(RingSlot)
    """The fence that the read index nominated."""
    queue = index(HwQueue)
    """The hardware queue that the VirtualGPU has now."""
    owed_wait = maybe(Handle)
    """The last signal on the queue before the change: the next packet has to wait for it."""
    drained = boolean(ghost=True)
    """NoteQueueDrained was called and nothing was dispatched since."""


class Event(Record):
    """An event of another thread, which holds a reference to a signal."""

    signal = maybe(Handle)
    waiting = boolean()
    """hipEventSynchronize is polling the signal, without any lock."""
    rearmed = boolean(ghost=True)
    passed_stale = boolean(ghost=True)


class HandlerPc(enum.Enum):
    """Where the async handler is."""

    IDLE = "idle"
    COLLECT = "collects timing"


class Handler(Record):
    """The handler that is registered for a signal, or running for it."""

    signal = maybe(Handle)
    pc = choice(HandlerPc)
    rearmed = boolean(ghost=True)


class Timestamp(Record):
    """The Timestamp of the command: the signals whose times it has still to take."""

    held_by_handler = boolean()
    listed = members(Handle)


class Tracker(Record):
    """RetiringSignalTracker."""

    ring = table(RingSlot, Use)
    length = number(1, RingSlot)
    created = members(Handle)
    spares = members(Handle)
    parked = members(Handle)
    pin = part(Pin)


class State(Record):
    """One VirtualGPU with its tracker, its queues, and the holders of its signals."""

    gpu = part(Gpu)
    tracker = part(Tracker)
    host = part(Host)
    event = part(Event)
    handler = part(Handler)
    timestamp = part(Timestamp)
    cost = part(Cost)

    def is_held(self, m: Step, handle: Handle) -> Bool:
        """The tracker finds that somebody else holds a reference. A composed protocol adds who does."""
        return is_shared(self, handle)

    def note_rearmed(self, m: Step, handle: Handle) -> None:
        """The signal is armed anew: whoever still refers to its last use is stale from now on."""
        with m.when(self.event.signal == handle):
            self.event.rearmed = True
        with m.when(self.handler.signal == handle):
            self.handler.rearmed = True

    def is_outstanding(self) -> Bool:
        """A call, a wait, a handler or a packet is under way."""
        calls = (self.host.pc != HostPc.IDLE) | self.event.waiting
        return calls | (self.handler.pc != HandlerPc.IDLE) | self.gpu.is_busy()


# What several steps ask.


def in_ring(s: State, slot: RingSlot) -> Bool:
    """The ring has grown to this slot."""
    return slot.ordinal < s.tracker.length


def newest(s: State) -> Use:
    """The use that was begun last."""
    return s.tracker.ring[RingSlot.of(s.tracker.length - 1)]


def has_use(s: State) -> Bool:
    """The newest slot has been used since it was armed."""
    return newest(s).phase != UsePhase.ARMED


def is_shared(s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker holds a reference: an event, a GPU wait or a pending handler."""
    return (s.event.signal == handle) | (s.tracker.pin.signal == handle) | (s.handler.signal == handle)


def older_are_armed(s: State, slot: RingSlot) -> Bool:
    """Every slot before this one is armed already."""
    return forall(
        RingSlot,
        lambda other: (other.ordinal < slot.ordinal).implies(s.tracker.ring[other].phase == UsePhase.ARMED),
    )


def is_newest(s: State, slot: RingSlot, fits: Callable[[RingSlot], Bool]) -> Bool:
    """The slot fits, and no newer one does."""
    return (
        in_ring(s, slot)
        & fits(slot)
        & ~exists(RingSlot, lambda other: (other.ordinal > slot.ordinal) & in_ring(s, other) & fits(other))
    )


def any_slot(s: State, fits: Callable[[RingSlot], Bool]) -> Bool:
    """Some slot of the ring fits."""
    return exists(RingSlot, lambda slot: in_ring(s, slot) & fits(slot))


def none_in_use(s: State) -> Bool:
    """Every use has been proven complete."""
    return ~any_slot(s, lambda slot: s.tracker.ring[slot].is_in_use())
