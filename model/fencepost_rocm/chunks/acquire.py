"""ManagedBuffer::Acquire, under execution(): room in the active chunk, or the move to the next one.

A chunk that is full is closed: its signal is armed, and a barrier packet behind everything that reads it will
complete the signal. The next chunk is free once its own signal, of its last closing, is below 1.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Int, Step, exists
from fencepost_rocm.chunks.declare import protocol
from fencepost_rocm.chunks.state import Pc, State, Unit, is_held
from fencepost_rocm.hardware import APP, Handle, PacketKind, Thread, host_sees_done


@protocol.action(by=APP, src="ManagedBuffer::Acquire (pool_new_usage <= pool_chunk_end_)")
def take_room(m: Step, s: State, thread: Thread) -> None:
    """The piece fits into the active chunk: it goes there."""
    me = s.threads[thread]
    m.require(me.pc == Pc.ACQUIRE, "Acquire")
    m.require(s.pool.has_room(wanted(m, s, thread)), "fits")
    take(m, s, thread)


def wanted(m: Step, s: State, thread: Thread) -> Int | int:
    """Pieces that are taken at once: one; as repaired, all of them."""
    return s.threads[thread].lacks if m.variant("repaired") else 1


def take(m: Step, s: State, thread: Thread) -> None:
    """Room in the active chunk, which the thread then writes to. What is lacking then is taken next."""
    me, pool = s.threads[thread], s.pool
    chunk, first = pool.active, pool.offset
    behind = first + wanted(m, s, thread)
    for unit in m.each(Unit):
        with m.when((unit.ordinal >= first) & (unit.ordinal < behind)):
            of_another = s.gpu.reading(chunk, unit) | is_held(s, thread, chunk, unit) | me.has[chunk].has(unit)
            with m.when(of_another):
                m.note("takes piece {}, which somebody has or still reads", unit, of=chunk)
            with m.otherwise():
                m.note("takes piece {}", unit, of=chunk)
            pool.handed_out_twice = pool.handed_out_twice | of_another
            me.has[chunk] = me.has[chunk].adding(unit)
    lacks = me.lacks - wanted(m, s, thread)
    pool.offset = behind
    me.lacks = lacks
    me.pc = Pc.ACQUIRE
    with m.when(lacks == 0):
        me.pc = Pc.PUBLISH
    if m.has("early-arguments"):
        if m.variant("repaired"):
            me.chunk = chunk
        with m.when((lacks == 0) & me.early):
            me.pc = Pc.ARGUMENTS
            me.early = False
            s.stream.execution.release(m)


# The move to the next chunk.


@protocol.action(by=APP, src="ManagedBuffer::Acquire (store to the chunk's signal)")
def arm_chunk(m: Step, s: State, thread: Thread) -> None:
    """The piece does not fit: store 1 to the active chunk's signal."""
    me, chunk = s.threads[thread], s.pool.active
    m.require(me.pc == Pc.ACQUIRE, "Acquire")
    m.require(~s.pool.has_room(wanted(m, s, thread)), "does not fit")
    if m.variant("rearm-through-rocr"):
        m.require(s.gpu.can_fence(m, s.gpu.core, 1), "room on the bus")
    if m.variant("repaired"):
        m.require(host_sees_done(s.gpu.value(chunk.next)) & ~s.pool.unclosed.has(chunk.next), "the next one is free")
    s.pool.loads = 0
    if m.variant("repaired"):
        _count_load(m, s)
    m.note("is full: ARMED (=1)", of=chunk)
    s.gpu.arm(m, chunk)
    me.pc = Pc.FENCE if is_flush_due(m) else Pc.BARRIER
    if m.variant("rearm-through-rocr"):
        m.note("the store reads the signal back", of=chunk)
        s.gpu.fence(m, s.gpu.core)
        _count_load(m, s)


def is_flush_due(m: Step) -> bool:
    """The arming of a signal in device memory is flushed: where rings are in system memory."""
    if m.has("host-signals") or m.variant("rearm-unflushed"):
        return False
    return m.has("system-ring") or m.variant("flushed-always")


def _count_load(m: Step, s: State) -> None:
    """A load of a chunk's signal: across PCIe, if it is in device memory."""
    if not m.has("host-signals"):
        s.pool.loads = s.pool.loads + 1


@protocol.action(by=APP, src="Device::FlushSignalStores (store fence)")
def fence_store(m: Step, s: State, thread: Thread) -> None:
    """The store leaves the core."""
    m.require(s.threads[thread].pc == Pc.FENCE, "fences")
    m.require(s.gpu.can_fence(m, s.gpu.core), "room on the bus")
    s.gpu.fence(m, s.gpu.core)
    s.threads[thread].pc = Pc.FLUSH


@protocol.action(by=APP, src="Device::FlushSignalStores (HDP flush)")
def flush_store(m: Step, s: State, thread: Thread) -> None:
    """The HDP is flushed: the store is in memory."""
    m.require(s.threads[thread].pc == Pc.FLUSH, "flushes")
    m.require(s.gpu.is_flushed(), "all stores landed")
    if not m.has("system-ring"):
        s.pool.flushed_needlessly = True
    s.threads[thread].pc = Pc.BARRIER


@protocol.action(by=APP, src="ManagedBuffer::Acquire (dispatchBarrierPacket)")
def close_chunk(m: Step, s: State, thread: Thread) -> None:
    """Publish the barrier packet behind what reads the chunk; the next chunk is the active one."""
    me, pool = s.threads[thread], s.pool
    chunk = pool.active
    m.require(me.pc == Pc.BARRIER, "dispatchBarrierPacket")
    if m.variant("repaired"):
        left = _is_left_to_a_launch(s, thread, chunk)
        m.require(s.gpu.can_submit(m), "room on the bus")
        m.bound(left | s.gpu.ring().has_window(), "window")
        with m.when(left):
            m.note("its barrier packet is left to a launch that has room there", of=chunk)
            s.gpu.fence(m, s.gpu.core)
            pool.unclosed = pool.unclosed.adding(chunk)
        with m.otherwise():
            publish_barrier(m, s, chunk)
    else:
        m.require(s.gpu.can_submit(m), "room on the bus")
        m.bound(s.gpu.ring().has_window(), "window")
        if m.variant("doorbell-left"):
            s.gpu.fence(m, s.gpu.core)
            pool.unclosed = pool.unclosed.adding(chunk)
        else:
            publish_barrier(m, s, chunk)
    pool.active = chunk.next
    if m.variant("repaired"):
        _enter_chunk(m, s, thread)
    else:
        me.pc = Pc.WAIT


def _is_left_to_a_launch(s: State, thread: Thread, chunk: Handle) -> Bool:
    """Another thread has written arguments there, and not launched."""
    return exists(Thread, lambda other: (other != thread) & (s.threads[other].chunk == chunk))


def publish_barrier(m: Step, s: State, chunk: Handle) -> None:
    """The barrier packet of a chunk, with system scope and the barrier bit.

    It waits for the last copy, unless the copy is complete: loads of its signal between the arming and this step
    find it as busy as here, or busier, and a packet that waits for a complete copy goes on at once.
    """
    stream = s.stream
    m.note("barrier packet published", of=chunk)
    packet = s.gpu.submit(m, PacketKind.BARRIER_AND, barrier=not m.variant("barrier-bit-clear"))
    packet.completion = chunk
    if not m.variant("copies-not-awaited"):
        with m.when(stream.engine_is_sdma):
            packet.copy = s.gpu.last_copy
        stream.engine_is_sdma = False
    if m.variant("repaired"):
        stream.pending = True
    overtake(m, s)


def overtake(m: Step, s: State) -> None:
    """Something is submitted: it comes after every marker that was enqueued before."""
    for thread in m.each(Thread):
        with m.when(s.threads[thread].pc.is_in(Pc.SYNC, Pc.RESET)):
            s.threads[thread].overtaken = True


@protocol.action(by=APP, src="ManagedBuffer::Acquire (WaitForSignal)")
def wait_for_chunk(m: Step, s: State, thread: Thread) -> None:
    """Wait, holding execution(), until the new active chunk's signal is below 1. The piece goes to its beginning."""
    m.require(s.threads[thread].pc == Pc.WAIT, "waits")
    if m.variant("next-chunk-not-awaited"):
        _enter_chunk(m, s, thread)
        return
    chunk = s.pool.active
    m.require(host_sees_done(s.gpu.value(chunk)), "complete")
    if m.variant("checked-before-waiting"):
        _count_load(m, s)
    _count_load(m, s)
    s.pool.passed_early = s.pool.passed_early | s.gpu.owes(chunk)
    _enter_chunk(m, s, thread)


def _enter_chunk(m: Step, s: State, thread: Thread) -> None:
    m.note("is the active chunk", of=s.pool.active)
    s.pool.offset = 0
    take(m, s, thread)


# As repaired.


@protocol.action(by=APP, src="as repaired: ManagedBuffer::Acquire (look at the next chunk)")
def let_go_to_wait(m: Step, s: State, thread: Thread) -> None:
    """As repaired: the next chunk is busy, so execution() is let go before anything is changed."""
    if not m.variant("repaired"):
        m.require(False, "repaired")
    me, awaited = s.threads[thread], s.pool.active.next
    m.require(me.pc == Pc.ACQUIRE, "Acquire")
    m.require(~s.pool.has_room(me.lacks), "does not fit")
    m.require(~host_sees_done(s.gpu.value(awaited)) | s.pool.unclosed.has(awaited), "the next one is busy")
    m.note("is waited for without execution()", of=awaited)
    me.awaits = awaited
    me.pc = Pc.AWAIT
    s.stream.execution.release(m)


@protocol.action(by=APP, src="as repaired: WaitForSignal without execution()")
def await_chunk(m: Step, s: State, thread: Thread) -> None:
    """As repaired: the signal is below 1. Whether that is of use shows only under execution()."""
    if not m.variant("repaired"):
        m.require(False, "repaired")
    me = s.threads[thread]
    m.require(me.pc == Pc.AWAIT, "waits")
    m.require(host_sees_done(s.gpu.value(me.awaits.get)), "complete")
    me.awaits = None
    me.pc = Pc.RETAKE


@protocol.action(by=APP, src="as repaired: ManagedBuffer::Acquire (again)", fair=Fairness.STRONG)
def retake(m: Step, s: State, thread: Thread) -> None:
    """As repaired: take execution() and look anew; another thread may have moved the pool on meanwhile."""
    if not m.variant("repaired"):
        m.require(False, "repaired")
    m.require(s.threads[thread].pc == Pc.RETAKE, "execution()")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.stream.execution.acquire(m, thread)
    s.threads[thread].pc = Pc.ACQUIRE
