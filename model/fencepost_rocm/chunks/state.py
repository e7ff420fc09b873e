"""The pool, the threads that take room in it, and what reads it: kernels, and copies of an engine."""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Int,
    Record,
    Step,
    action,
    array,
    boolean,
    choice,
    count,
    exists,
    forall,
    index,
    ite,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import (
    PACKET_PROCESSOR,
    SDMA,
    Handle,
    HwQueue,
    Mutex,
    Packet,
    PacketKind,
    PacketSlot,
    Phase,
    Thread,
)
from fencepost_rocm.hardware.behind_stores import BehindStores
from fencepost_rocm.hardware.packets import AqlQueue


class Unit(Index):
    """Room in a chunk for one piece, 0 at its beginning."""


class CopySlot(Index):
    """A copy under way. Its number means nothing."""


# What reads the pool.


class PoolPacket(Packet):
    """A kernel, which has no signal; a barrier packet that completes a chunk's; or that of a marker.

    A chunk's signal is the handle of the same number. A kernel is launched in any order with those before it,
    which includes whatever a kernel with the barrier bit does. A marker's own signal, and that of a copy, are the
    tracker's, and not values here.
    """

    copy = maybe(CopySlot)
    """The copy that a chunk's barrier waits for, until that is seen complete."""
    awaited_by = members(Thread)
    """The synchronizations that wait for a marker's signal."""
    reads = array(Handle, members(Unit, ghost=True))
    """What a kernel reads of the pool."""

    def is_conditional(self) -> Bool:
        """It waits for a copy."""
        return self.copy.is_some

    def is_marker(self) -> Bool:
        """It is a marker's."""
        return self.is_there() & (self.kind == PacketKind.BARRIER_AND) & self.completion.is_none


class PoolRing(AqlQueue):
    """The window of such packets."""

    packets = table(PacketSlot, PoolPacket)


class Copy(Record):
    """A staged copy that the engine has."""

    busy = boolean()
    behind = maybe(CopySlot)
    """The copy before, whose signal it waits for."""
    reads = array(Handle, members(Unit, ghost=True))


class PoolGpu(BehindStores):
    """The stream's hardware queue, and the engine beside it, with its ring in system memory."""

    queues = table(HwQueue, PoolRing)
    copies = table(CopySlot, Copy)
    last_copy = maybe(CopySlot)
    """The copy that took the tracker's last signal, while it is under way."""
    armed_while_owed = boolean(ghost=True)
    """A chunk's signal was armed while a barrier packet had still to decrement it."""

    def takes_signals(self, m: Step) -> bool:
        return not m.has("host-signals")

    def ring(self) -> PoolRing:
        """The one queue."""
        return self.queues[HwQueue.at(0)]

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """A direct store in device memory; in host memory it is there at once."""
        self.armed_while_owed = self.armed_while_owed | self.owes(handle)
        if self.takes_signals(m):
            self.store_to_signal(m, self.core, handle)
        else:
            self.pool.signals[handle].value = value

    def submit(self, m: Step, kind: PacketKind, *, barrier: Bool | bool) -> PoolPacket:
        """Publish a packet, as `BehindStores.publish` does."""
        ring = self.ring()
        packet = ring.packets[PacketSlot.of(ring.length())]
        self.publish(m, HwQueue.at(0), kind, barrier=barrier)
        return packet

    def can_submit(self, m: Step) -> Bool:
        """The packet's stores, and what the core holds back, have room on the bus."""
        return self.can_fence(m, self.core, 1 if self.takes_packets(m) else 0)

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """The signal of the copy is 0."""
        return ~self.copies[self.queues[queue].packets[slot].copy.get].busy

    @action(by=PACKET_PROCESSOR, src="packet processor: barrier-AND / barrier-value condition")
    def see_dependency(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Read the signal of the copy that a launched barrier packet waits for, and find it satisfied."""
        super().see_dependency(m, queue, slot)
        self.queues[queue].packets[slot].copy = None

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        packet = self.queues[queue].packets[slot]
        super().end(m, queue, slot)
        with m.when(packet.completion.is_some):
            m.note("barrier packet complete", of=packet.completion.get)

    def reading(self, chunk: Handle, unit: Unit) -> Bool:
        """A kernel or a copy under way reads there."""
        packets = self.ring().packets
        return exists(
            PacketSlot,
            lambda slot: (
                packets[slot].is_there()
                & (packets[slot].phase != Phase.COMPLETE)
                & packets[slot].reads[chunk].has(unit)
            ),
        ) | exists(CopySlot, lambda slot: self.copies[slot].busy & self.copies[slot].reads[chunk].has(unit))

    def is_busy(self) -> Bool:
        return super().is_busy() | exists(CopySlot, lambda slot: self.copies[slot].busy)

    @action(by=SDMA, src="SDMA: atomic decrement")
    def end_copy(self, m: Step, slot: CopySlot) -> None:
        """The copy is made, behind the one before: its signal, which is the tracker's, is 0."""
        copy = self.copies[slot]
        m.require(copy.busy & copy.behind.is_none, "copies")
        m.note("copy {} is made", slot)
        m.clear(copy)
        with m.when(self.last_copy == slot):
            self.last_copy = None
        for other in m.each(CopySlot):
            with m.when(self.copies[other].behind == slot):
                self.copies[other].behind = None


# The pool.


class Pool(Record):
    """A ManagedBuffer. All of it under execution()."""

    made = boolean()
    staging = boolean()
    """It is that of staged copies, which copies read; else that of kernel arguments, which kernels read."""
    active = index(Handle)
    """active_chunk_."""
    offset = number(0, Unit)
    """pool_cur_offset_, from the beginning of the active chunk."""
    unclosed = members(Handle)
    """Full chunks whose barrier is left: as repaired, to a launch with room there; or its doorbell to the next one."""
    handed_out_twice = boolean(ghost=True)
    """Room was handed out that somebody had, or read."""
    passed_early = boolean(ghost=True)
    """A chunk was taken for free while a barrier packet had still to decrement its signal."""
    loads = number(0, 3, ghost=True)
    """Loads of a chunk's signal across PCIe while the pool moved on last, without those that find it busy."""
    flushed_needlessly = boolean(ghost=True)
    """The HDP was flushed for the arming of a signal that a ring in device memory orders."""

    def has_room(self, pieces: Int | int = 1) -> Bool:
        """They fit into the active chunk."""
        return self.offset + pieces <= Unit.count()


class Stream(Record):
    """The VirtualGPU. All of it under execution()."""

    execution = part(Mutex)
    pending = boolean()
    """hasPendingDispatch_: a kernel came after the last marker's barrier packet."""
    engine_is_sdma = boolean()
    """HwQueueTracker's engine: where the last operation went."""


# Threads.


class Pc(enum.Enum):
    """Where a thread is."""

    IDLE = "not in a call"
    ACQUIRE = "ManagedBuffer::Acquire"
    FENCE = "Acquire: store fence"
    FLUSH = "Acquire: HDP flush"
    BARRIER = "Acquire: dispatchBarrierPacket"
    WAIT = "Acquire: wait for the next chunk"
    PUBLISH = "dispatch"
    ARGUMENTS = "kernel arguments are written"
    SYNC = "wait for a marker"
    RESET = "ResetQueueStates"
    AWAIT = "as repaired: wait for the next chunk, without execution()"
    RETAKE = "as repaired: take execution() again"
    CLOSE = "as repaired: the barrier of a chunk that was left unclosed"


def _synchronizes(thread: HostThread) -> Bool:
    return thread.pc.is_in(Pc.SYNC, Pc.RESET)


class HostThread(Record):
    """A thread that launches or copies, and synchronizes."""

    pc = choice(Pc)
    lacks = number(0, 2)
    """Pieces of room that its launch has yet to take."""
    spins = boolean()
    """Its kernel will spin until another thread has set a flag."""
    early = boolean()
    """It takes room for arguments, and will launch in another critical section."""
    overtaken = boolean(live_when=_synchronizes)
    """Something was submitted after its marker."""
    chunk = maybe(Handle)
    """As repaired: the chunk where it has room, from then until its launch."""
    awaits = maybe(Handle)
    """As repaired: the chunk that it waits for without execution()."""
    has = array(Handle, members(Unit, ghost=True))
    """Room that it has taken and nothing reads yet."""


class State(Record):
    """One stream with a pool, and its threads."""

    gpu = part(PoolGpu)
    pool = part(Pool)
    stream = part(Stream)
    threads = table(Thread, HostThread)


# What several steps ask.


def is_held(s: State, thread: Thread, chunk: Handle, unit: Unit) -> Bool:
    """Another thread has taken that room, and nothing reads it yet."""
    return exists(Thread, lambda other: (other != thread) & s.threads[other].has[chunk].has(unit))


def has_free_copy(s: State) -> Bool:
    """One more copy can be under way. The engine's ring has no such limit: use it in `m.bound`."""
    return exists(CopySlot, lambda slot: ~_is_taken(s, slot))


def first_free_copy(s: State) -> CopySlot:
    """The number that a new copy gets; only where there is one."""
    return CopySlot.of(
        count(
            CopySlot,
            lambda slot: forall(
                CopySlot, lambda other: ite(other.ordinal <= slot.ordinal, _is_taken(s, other), Bool.constant(True))
            ),
        )
    )


def _is_taken(s: State, slot: CopySlot) -> Bool:
    packets = s.gpu.ring().packets
    awaited = exists(PacketSlot, lambda place: packets[place].is_there() & (packets[place].copy == slot))
    return s.gpu.copies[slot].busy | awaited
