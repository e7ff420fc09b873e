"""Properties of a pool in chunks: whose room it is, what a chunk's signal says, and what moving on costs."""

from __future__ import annotations

from fencepost import Bool, Properties, exists
from fencepost_rocm.chunks.state import Pc, State, Unit
from fencepost_rocm.hardware import Handle, Thread
from fencepost_rocm_properties.hardware import arming

properties = Properties("chunks")
properties.include(arming, of=lambda s: s.gpu)


def some_thread(s: State, *pcs: Pc) -> Bool:
    """Some thread is there."""
    return exists(Thread, lambda thread: s.threads[thread].pc.is_in(*pcs))


def something_reads(s: State, chunk: Handle) -> Bool:
    """A kernel or a copy under way reads the chunk."""
    return exists(Unit, lambda unit: s.gpu.reading(chunk, unit))


@properties.invariant(
    "room-of-nobody-else",
    protects="ManagedBuffer::Acquire, ResetPool",
    twin=lambda s: some_thread(s, Pc.WAIT, Pc.AWAIT) & something_reads(s, Handle.at(0)),
)
def room_of_nobody_else(s: State) -> Bool:
    """Room is handed out only when no thread has it and nothing that was submitted still reads it."""
    return ~s.pool.handed_out_twice


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
