"""A synchronization waits for a marker without execution(), and sets the pool of arguments back: ResetPool.

How a marker gets its signal, and its batch, is in `cpu-wait`.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step, exists
from fencepost_rocm.chunks.acquire import overtake
from fencepost_rocm.chunks.declare import protocol
from fencepost_rocm.chunks.state import Pc, PoolPacket, State
from fencepost_rocm.hardware import APP, Handle, PacketKind, PacketSlot, Thread


@protocol.action(by=APP, src="HostQueue::finish, VirtualGPU::releaseGpuMemoryFence", kind=Kind.ENVIRONMENT)
def call_sync(m: Step, s: State, thread: Thread) -> None:
    """Under execution(), a marker gets the tracker's last signal: of a new barrier packet, if a dispatch is pending."""
    me, stream = s.threads[thread], s.stream
    _may_mark(m, s, thread)
    m.note("synchronizes")
    with m.when(stream.pending):
        marker = _publish_marker(m, s)
        marker.awaited_by = marker.awaited_by.adding(thread)
    with m.otherwise():
        for slot in m.each(PacketSlot):
            with m.when(_is_last_marker(s, slot)):
                packet = s.gpu.ring().packets[slot]
                packet.awaited_by = packet.awaited_by.adding(thread)
    me.pc = Pc.SYNC
    me.overtaken = False


def _may_mark(m: Step, s: State, thread: Thread) -> None:
    m.require(s.pool.made & ~s.pool.staging, "the pool of kernel arguments")
    m.require(s.threads[thread].pc == Pc.IDLE, "not in a call")
    m.require(s.stream.execution.is_free(), "execution() free")
    m.require(~s.stream.pending | s.gpu.can_submit(m), "room on the bus")
    m.bound(~s.stream.pending | s.gpu.ring().has_window(), "window")


def _publish_marker(m: Step, s: State) -> PoolPacket:
    packet = s.gpu.submit(m, PacketKind.BARRIER_AND, barrier=True)
    s.stream.pending = False
    overtake(m, s)
    return packet


def _is_last_marker(s: State, slot: PacketSlot) -> Bool:
    packets = s.gpu.ring().packets
    later = exists(PacketSlot, lambda other: (other.ordinal > slot.ordinal) & packets[other].is_marker())
    return packets[slot].is_marker() & ~later


@protocol.action(by=APP, src="hipEventRecord, VirtualGPU::submitMarker", kind=Kind.ENVIRONMENT)
def record_event(m: Step, s: State, thread: Thread) -> None:
    """A marker that nobody waits for: a barrier packet, if a dispatch is pending, which it is no more then."""
    if not m.has("failed-launch"):
        m.require(False, "failed-launch is on")
    m.require(s.stream.pending, "a dispatch is pending")
    _may_mark(m, s, thread)
    m.note("records an event")
    _publish_marker(m, s)


@protocol.action(by=APP, src="VirtualGPU::CompleteCpuWait (WaitForSignal)")
def wait_for_marker(m: Step, s: State, thread: Thread) -> None:
    """Without a lock: the marker's signal is below 1."""
    packets = s.gpu.ring().packets
    m.require(s.threads[thread].pc == Pc.SYNC, "waits")
    m.require(~exists(PacketSlot, lambda slot: packets[slot].awaited_by.has(thread)), "complete")
    s.threads[thread].pc = Pc.RESET


@protocol.action(by=APP, src="VirtualGPU::CompleteCpuWait (ResetQueueStates, ResetPool)", fair=Fairness.STRONG)
def reset_pool(m: Step, s: State, thread: Thread) -> None:
    """Take execution(). If nothing was submitted after the marker: the first chunk, from its beginning. No signal."""
    me, pool = s.threads[thread], s.pool
    m.require(me.pc == Pc.RESET, "resets")
    m.require(s.stream.execution.is_free(), "execution() free")
    with m.when(_may_reset(m, s, thread)):
        m.note("the pool is set back to its beginning")
        pool.active = Handle.at(0)
        pool.offset = 0
    me.pc = Pc.IDLE


def _may_reset(m: Step, s: State, thread: Thread) -> Bool:
    if m.variant("reset-though-newer"):
        return Bool.constant(True)
    newer = s.threads[thread].overtaken
    if m.variant("repaired") or m.variant("repaired-reset-only"):
        return ~newer & ~exists(Thread, lambda other: s.threads[other].pc == Pc.ARGUMENTS)
    return ~newer
