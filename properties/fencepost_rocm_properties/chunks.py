"""Properties of a pool in chunks: whose room it is, what a chunk's signal says, and what moving on costs."""

from __future__ import annotations

from fencepost import Bool, Properties, count, exists, forall, ite, total
from fencepost_rocm.chunks.state import Pc, PoolPacket, State, Unit
from fencepost_rocm.hardware import Handle, PacketSlot, Phase, Thread
from fencepost_rocm_properties.hardware import arming, free_slot_keeps_nothing

properties = Properties("chunks")
properties.include(arming, of=lambda s: s.gpu)


def some_thread(s: State, *pcs: Pc) -> Bool:
    """Some thread is there."""
    return exists(Thread, lambda thread: s.threads[thread].pc.is_in(*pcs))


def takes_its_pieces(s: State, thread: Thread) -> Bool:
    """A copy takes one piece and a kernel at most two; a thread that is in no call has none and lacks none."""
    me = s.threads[thread]
    pieces = me.lacks + total(Handle, lambda chunk: count(Unit, me.has[chunk].has))
    return pieces <= ite(me.pc == Pc.IDLE, 0, ite(s.pool.staging, 1, 2))


def something_reads(s: State, chunk: Handle) -> Bool:
    """A kernel or a copy under way reads the chunk."""
    return exists(Unit, lambda unit: s.gpu.reading(chunk, unit))


@properties.invariant(
    "room-of-nobody-else",
    protects="ManagedBuffer::Acquire, ResetPool",
    twin=lambda s: some_thread(s, Pc.WAIT, Pc.AWAIT) & something_reads(s, Handle.at(0)),
)
def room_of_nobody_else(s: State) -> Bool:
    """Room is handed out only when no thread has it and nothing that was submitted still reads it.

    A thread that is in no call has none; a copy takes one piece, a kernel at most two.
    """
    return ~s.pool.handed_out_twice & forall(Thread, lambda thread: takes_its_pieces(s, thread))


@properties.invariant(
    "armed-when-nothing-is-owed",
    protects="ManagedBuffer::Acquire (store to the chunk's signal)",
    twin=lambda s, chunk: (
        some_thread(s, Pc.ACQUIRE) & ~s.pool.has_room() & (s.pool.active != chunk) & s.gpu.owes(chunk)
    ),
)
def armed_when_nothing_is_owed(s: State, chunk: Handle) -> Bool:
    """A chunk's signal is armed only when no barrier packet has still to decrement it."""
    return ~s.gpu.armed_while_owed


@properties.invariant(
    "chunk-wait-not-early",
    protects="ManagedBuffer::Acquire (WaitForSignal)",
    twin=lambda s: some_thread(s, Pc.WAIT, Pc.AWAIT) & s.gpu.is_busy(),
)
def chunk_wait_not_early(s: State) -> Bool:
    """A chunk is found free only after its barrier packet is complete."""
    return ~s.pool.passed_early


def is_awaited(s: State, thread: Thread, chunk: Handle) -> Bool:
    """The thread waits for the chunk's signal, which is not below 1."""
    me = s.threads[thread]
    awaits = ((me.pc == Pc.WAIT) & (s.pool.active == chunk)) | ((me.pc == Pc.AWAIT) & (me.awaits == chunk))
    return awaits & (s.gpu.value(chunk) > 0)


def is_being_closed(s: State, chunk: Handle) -> Bool:
    """A thread is about to publish the barrier packet; as repaired, a launch that has room in the chunk will be."""
    left = exists(Thread, lambda thread: s.threads[thread].chunk == chunk)
    return left | ((s.pool.active == chunk) & some_thread(s, Pc.FENCE, Pc.FLUSH, Pc.BARRIER))


@properties.invariant(
    "awaited-barrier-is-published",
    protects="ManagedBuffer::Acquire (dispatchBarrierPacket)",
    twin=is_awaited,
)
def awaited_barrier_is_published(s: State, thread: Thread, chunk: Handle) -> Bool:
    """While a thread waits for a chunk, the barrier packet that ends the wait is published, or another thread does it.

    That thread needs execution() for it: a wait under the lock relies on the packet alone.
    """
    return is_awaited(s, thread, chunk).implies(s.gpu.owes(chunk) | is_being_closed(s, chunk))


UNDER_EXECUTION = (Pc.ACQUIRE, Pc.FENCE, Pc.FLUSH, Pc.BARRIER, Pc.WAIT, Pc.PUBLISH, Pc.CLOSE)
"""Where a launch or a copy has execution()."""


def is_behind(s: State, slot: PacketSlot) -> Bool:
    """Some packet is behind the slot's."""
    packets = s.gpu.ring().packets
    return exists(PacketSlot, lambda other: (slot.ordinal < other.ordinal) & packets[other].is_there())


@properties.invariant(
    "submissions-take-turns",
    protects="VirtualGPU::execution",
    twin=lambda s, thread: s.threads[thread].pc.is_in(*UNDER_EXECUTION) & s.gpu.is_busy(),
)
def submissions_take_turns(s: State, thread: Thread) -> Bool:
    """A launch or a copy has execution() from its beginning to its end, on a pool that is there.

    So nothing is submitted between the barrier packet of a chunk and what waits for the next one: while a thread
    waits under execution(), that packet is the queue's last one, or complete and with all before it gone.
    """
    me, packets = s.threads[thread], s.gpu.ring().packets
    its_turn = (s.stream.execution.owner == thread) == me.pc.is_in(*UNDER_EXECUTION)

    def is_last(slot: PacketSlot) -> Bool:
        return packets[slot].is_there() & ~is_behind(s, slot)

    closed = forall(PacketSlot, lambda slot: is_last(slot).implies(packets[slot].completion.is_some))
    return its_turn & (s.pool.made | (me.pc == Pc.IDLE)) & (closed | (me.pc != Pc.WAIT))


def names_a_copy_in_time(packet: PoolPacket) -> Bool:
    """It names a copy only until that is seen complete."""
    return packet.copy.is_none | (packet.is_there() & ~packet.phase.is_in(Phase.SATISFIED, Phase.COMPLETE))


@properties.invariant(
    "packets-name-who-waits",
    protects="ManagedBuffer::Acquire (dispatchBarrierPacket), VirtualGPU::CompleteCpuWait",
    twin=lambda s, thread, slot: s.gpu.ring().packets[slot].awaited_by.has(thread),
)
def packets_name_who_waits(s: State, thread: Thread, slot: PacketSlot) -> Bool:
    """A synchronization knows of whatever was submitted behind the packet that it waits for.

    A barrier packet names a copy until it has seen that complete; a free slot names nobody.
    """
    me, packet = s.threads[thread], s.gpu.ring().packets[slot]
    later = is_behind(s, slot) & packet.awaited_by.has(thread)
    return (
        free_slot_keeps_nothing(packet, packet.copy.is_some, ~packet.awaited_by.is_empty)
        & names_a_copy_in_time(packet)
        & (~later | ((me.pc == Pc.SYNC) & me.overtaken))
    )


@properties.invariant(
    "one-load-to-move-on",
    protects="ManagedBuffer::Acquire, WaitForSignal",
    twin=lambda s: s.pool.loads > 0,
)
def one_load_to_move_on(s: State) -> Bool:
    """To move on costs one load of a signal across PCIe, and those that find the next chunk busy."""
    return s.pool.loads <= 1


@properties.invariant(
    "flushes-for-system-rings-only",
    protects="ManagedBuffer::Acquire, FlushSignalStores",
    twin=lambda s, chunk: s.gpu.is_on_its_way(chunk),
)
def flushes_for_system_rings_only(s: State, chunk: Handle) -> Bool:
    """The HDP is flushed only where rings are in system memory: one in device memory orders the arming by itself."""
    return ~s.pool.flushed_needlessly


@properties.hang("no-hang", protects="ManagedBuffer::Acquire, ResetPool")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a synchronization, a packet or a copy is under way, some step but a new call can be taken."""
    return exists(Thread, lambda thread: s.threads[thread].pc != Pc.IDLE) | s.gpu.is_busy()
