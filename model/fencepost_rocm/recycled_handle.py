"""The recycled handle: the serializer's defect in its smallest form.

Kernels and transition packets go through FIFO queues. Disabling serialization hands every queue
that runs beside a busy one a barrier-AND transition packet on a handle; enabling it again
destroys the handles that are complete. The buggy variant destroys a handle that a packet in some
queue still waits for, and the allocator hands the same handle out again.

It stands for `profile_serializer.cpp` of rocprofiler-sdk with everything else left out; it is the
yardstick on which other checkers were measured, so its counts are known.
"""

from __future__ import annotations

import enum

from fencepost import (
    Actor,
    Bool,
    Index,
    Int,
    Kind,
    Protocol,
    Record,
    Size,
    Step,
    Variant,
    array,
    boolean,
    choice,
    count,
    exists,
    forall,
    maybe,
    number,
    table,
)
from fencepost_rocm.sources import SERIALIZER_FILES


class Queue(Index):
    """A hardware queue."""


class Handle(Index):
    """A signal handle."""


class Slot(Index):
    """A place in a queue's FIFO, 0 the head."""


class PacketKind(enum.Enum):
    """What lies in a FIFO slot."""

    NONE = "none"
    KERNEL = "kernel"
    TRANSITION = "transition"


class Signal(enum.Enum):
    """The life of a handle."""

    FREE = "free"
    ARMED = "armed"
    COMPLETE = "complete"


class Packet(Record):
    """One slot."""

    kind = choice(PacketKind)
    waits_for = maybe(Handle)
    """The handle of a transition packet; none for a kernel."""


class Fifo(Record):
    """One queue."""

    packets = table(Slot, Packet)
    transition = maybe(Handle)
    """The handle whose transition packet the next dispatch must carry."""


class Barrier(Record):
    """One handle with the kernels that were in flight when it was armed."""

    signal = choice(Signal)
    in_flight = array(Queue, number(0, Slot))


class State(Record):
    """The serializer, its queues and its handles."""

    enabled = boolean(True)
    queues = table(Queue, Fifo)
    barriers = table(Handle, Barrier)


protocol = Protocol(
    "recycled-handle",
    state=State,
    sizes=[
        Size("queues", Queue, default=2, low=1, high=6, symmetric=True, help="hardware queues"),
        Size("handles", Handle, default=2, low=1, high=6, help="signal handles"),
        Size("slots", Slot, default=3, low=1, high=8, help="packets a queue holds"),
    ],
    variants=[
        Variant(
            "buggy",
            "a complete handle is destroyed at once",
            breaks="no-handle-destroyed-while-referenced",
            source="rocprofiler-sdk barrier retirement (#6750), before the fix",
        ),
    ],
    default="fixed",
    sources=SERIALIZER_FILES,
    doc=__doc__,
)

SERIALIZER = Actor("serializer")
PROCESSOR = Actor("packet processor", lane="queue")
SIGNAL = Actor("signal", lane="handle")


def is_empty(packet: Packet) -> Bool:
    """Nothing lies in the slot."""
    return packet.kind == PacketKind.NONE


def kernels(queue: Fifo) -> Int:
    """Kernels in a FIFO."""
    return count(Slot, lambda slot: queue.packets[slot].kind == PacketKind.KERNEL)


def busy(s: State) -> Bool:
    """A kernel is in flight in some queue."""
    return exists(Queue, lambda queue: kernels(s.queues[queue]) > 0)


def is_referenced(s: State, handle: Handle) -> Bool:
    """A packet in some queue waits for the handle."""
    return exists(Queue, Slot, lambda queue, slot: s.queues[queue].packets[slot].waits_for == handle)


def can_execute(s: State, queue: Queue) -> Bool:
    """The head is a kernel, or a transition packet whose handle does not hold it back."""
    head = s.queues[queue].packets[Slot.at(0)]
    return (head.kind == PacketKind.KERNEL) | (
        head.waits_for.is_some & (s.barriers[head.waits_for.get].signal != Signal.ARMED)
    )


@protocol.action(by=Actor("dispatcher", lane="queue"), src="WriteInterceptor", kind=Kind.ENVIRONMENT)
def dispatch(m: Step, s: State, queue: Queue) -> None:
    """Push a kernel, or first the transition packet that the queue owes."""
    fifo = s.queues[queue]
    m.require(is_empty(fifo.packets[Slot.at(m.size(Slot) - 1)]), "room")
    place = fifo.packets[Slot.of(count(Slot, lambda slot: ~is_empty(fifo.packets[slot])))]
    with m.when(fifo.transition.is_none):
        place.kind = PacketKind.KERNEL
        m.note("kernel on queue {}", queue)
    with m.otherwise():
        m.note("transition packet on queue {}", queue, of=fifo.transition.get)
        place.kind = PacketKind.TRANSITION
        place.waits_for = fifo.transition
        fifo.transition = None


@protocol.action(by=PROCESSOR, src="HSA packet processor")
def execute(m: Step, s: State, queue: Queue) -> None:
    """Run or pass the head; a kernel that ends is counted off in every barrier that counted it."""
    fifo = s.queues[queue]
    m.require(can_execute(s, queue), "head can run")
    with m.when(fifo.packets[Slot.at(0)].kind == PacketKind.KERNEL):
        for handle in m.each(Handle):
            barrier = s.barriers[handle]
            with m.when(barrier.in_flight[queue] > 0):
                barrier.in_flight[queue] = barrier.in_flight[queue] - 1
    last = Slot.at(m.size(Slot) - 1)
    for slot in m.each(Slot):
        with m.when(slot != last):
            fifo.packets[slot].kind = fifo.packets[slot.next].kind
            fifo.packets[slot].waits_for = fifo.packets[slot.next].waits_for
    fifo.packets[last].kind = PacketKind.NONE
    fifo.packets[last].waits_for = None


@protocol.action(by=SIGNAL, src="hsa_barrier::register_completion")
def complete(m: Step, s: State, handle: Handle) -> None:
    """Every kernel that the barrier counted has ended: the signal goes to 0."""
    barrier = s.barriers[handle]
    m.require(barrier.signal == Signal.ARMED, "armed")
    m.require(forall(Queue, lambda queue: barrier.in_flight[queue] == 0), "drained")
    m.note("CLEARED(0)", of=handle)
    barrier.signal = Signal.COMPLETE


@protocol.action(by=SERIALIZER, src="profiler_serializer::disable", kind=Kind.ENVIRONMENT)
def disable_idle(m: Step, s: State) -> None:
    """Disable serialization while no kernel runs: no barrier is needed."""
    m.require(s.enabled, "enabled")
    m.require(~busy(s), "idle")
    s.enabled = False


@protocol.action(by=SERIALIZER, src="profiler_serializer::disable", kind=Kind.ENVIRONMENT)
def disable(m: Step, s: State, handle: Handle) -> None:
    """Disable serialization: arm a barrier on the kernels in flight; queues beside a busy one must wait for it."""
    m.require(s.enabled, "enabled")
    m.require(busy(s), "busy")
    m.require(s.barriers[handle].signal == Signal.FREE, "handle free")
    m.require(
        forall(Handle, lambda other: (other.ordinal < handle.ordinal).implies(s.barriers[other].signal != Signal.FREE)),
        "lowest free handle",
    )
    s.enabled = False
    s.barriers[handle].signal = Signal.ARMED
    m.note("ARMED(1)", of=handle)
    for queue in m.each(Queue):
        s.barriers[handle].in_flight[queue] = kernels(s.queues[queue])
        with m.when(exists(Queue, lambda other: (other != queue) & (kernels(s.queues[other]) > 0))):
            s.queues[queue].transition = handle


@protocol.action(by=SERIALIZER, src="profiler_serializer::enable", kind=Kind.ENVIRONMENT)
def enable(m: Step, s: State) -> None:
    """Enable serialization: destroy the handles that are complete and, as fixed, no longer referred to."""
    m.require(~s.enabled, "disabled")
    s.enabled = True
    for handle in m.each(Handle):
        retire = s.barriers[handle].signal == Signal.COMPLETE
        if not m.variant("buggy"):
            retire = retire & ~is_referenced(s, handle)
        with m.when(retire):
            m.note("DESTROYED", of=handle)
            s.barriers[handle].signal = Signal.FREE
            for queue in m.each(Queue):
                with m.when(s.queues[queue].transition == handle):
                    s.queues[queue].transition = None
