"""The packets of launches on their rings: in order, each behind everything before it on its stream.

`join` and `first` are on the launch's stream, `leaf` on the parallel stream that all launches share. What a packet
waits for, and what it decrements, is a signal of the set whose handles were copied with it.
"""

from __future__ import annotations

from fencepost import Bool, Step, exists, ite
from fencepost_rocm.graph_pool.declare import IN_FLIGHT, protocol
from fencepost_rocm.graph_pool.state import (
    FORK,
    LEAF,
    LaunchSlot,
    Packet,
    PacketPhase,
    SetSignal,
    SignalSet,
    State,
)
from fencepost_rocm.hardware import MEMORY
from fencepost_rocm.hardware.gpu import barrier_and_sees_done


def _launch_stream_is_free(s: State, launch: LaunchSlot) -> Bool:
    """Every older launch on the same stream has completed its packets there."""
    this = s.launches[launch]

    def blocks(other: LaunchSlot) -> Bool:
        older = s.launches[other]
        same = this.older.has(other) & (older.other_stream == this.other_stream)
        return same & (older.first.is_in_flight() | older.join.is_in_flight())

    return ~exists(LaunchSlot, blocks)


def _parallel_stream_is_free(s: State, launch: LaunchSlot) -> Bool:
    """Every older launch has completed its leaf."""
    this = s.launches[launch]
    return ~exists(LaunchSlot, lambda other: this.older.has(other) & s.launches[other].leaf.is_in_flight())


@protocol.action(by=IN_FLIGHT, src="packet processor: launch (first segment)")
def launch_first(m: Step, s: State, launch: LaunchSlot) -> None:
    """The first segment starts."""
    packet = s.launches[launch].first
    m.require(packet.phase == PacketPhase.VALID, "valid")
    m.require(_launch_stream_is_free(s, launch), "barrier bit")
    packet.phase = PacketPhase.LAUNCHED


@protocol.action(by=IN_FLIGHT, src="packet processor: launch (parallel leaf)")
def launch_leaf(m: Step, s: State, launch: LaunchSlot) -> None:
    """The barrier packet of the leaf starts to wait."""
    packet = s.launches[launch].leaf
    m.require(packet.phase == PacketPhase.VALID, "valid")
    m.require(_parallel_stream_is_free(s, launch), "barrier bit")
    packet.phase = PacketPhase.LAUNCHED


@protocol.action(by=IN_FLIGHT, src="packet processor: launch (accumulate)")
def launch_join(m: Step, s: State, launch: LaunchSlot) -> None:
    """The accumulate command's barrier packet starts to wait; a marker's has nothing to wait for."""
    this = s.launches[launch]
    m.require(this.join.phase == PacketPhase.VALID, "valid")
    m.require(_launch_stream_is_free(s, launch) & ~this.first.is_in_flight(), "barrier bit")
    this.join.phase = PacketPhase.LAUNCHED
    with m.when(this.join_dep.is_none):
        this.join.phase = PacketPhase.SATISFIED


@protocol.action(by=IN_FLIGHT, src="packet processor: barrier-AND condition (parallel leaf)")
def leaf_sees_fork(m: Step, s: State, launch: LaunchSlot) -> None:
    """The leaf's wait reads the first segment's signal in memory, and finds 0."""
    this = s.launches[launch]
    _see(m, s, this.leaf, this.first.phase == PacketPhase.COMPLETE, SetSignal.at(FORK))


@protocol.action(by=IN_FLIGHT, src="packet processor: barrier-AND condition (accumulate)")
def join_sees_leaf(m: Step, s: State, launch: LaunchSlot) -> None:
    """The accumulate command's wait reads the leaf's signal in memory, and finds 0."""
    this = s.launches[launch]
    m.require(this.join_dep.is_some, "waits for a segment")
    is_leaf = this.join_dep == SetSignal.at(LEAF)
    complete = ite(is_leaf, this.leaf.phase, this.first.phase) == PacketPhase.COMPLETE
    _see(m, s, this.join, complete, this.join_dep.get)
    this.join_dep = None


def _see(m: Step, s: State, packet: Packet, complete: Bool, signal: SetSignal) -> None:
    m.require(packet.phase == PacketPhase.LAUNCHED, "waiting")
    m.require(barrier_and_sees_done(s.sets[packet.set].values[signal]), "satisfied")
    m.note("wait for signal {} satisfied", signal, of=packet.set)
    s.exec.passed_early = s.exec.passed_early | ~complete
    packet.phase = PacketPhase.SATISFIED


@protocol.action(by=IN_FLIGHT, src="packet processor: completion (first segment)")
def complete_first(m: Step, s: State, launch: LaunchSlot) -> None:
    """The first segment ends, and decrements its signal."""
    packet = s.launches[launch].first
    m.require(packet.phase == PacketPhase.LAUNCHED, "runs")
    _decrement(m, s, packet.set, SetSignal.at(FORK))
    packet.phase = PacketPhase.COMPLETE


@protocol.action(by=IN_FLIGHT, src="packet processor: completion (parallel leaf)")
def complete_leaf(m: Step, s: State, launch: LaunchSlot) -> None:
    """The leaf ends, and decrements its signal."""
    packet = s.launches[launch].leaf
    m.require(packet.phase == PacketPhase.SATISFIED, "runs")
    _decrement(m, s, packet.set, SetSignal.at(LEAF))
    packet.phase = PacketPhase.COMPLETE


@protocol.action(by=IN_FLIGHT, src="packet processor: completion (accumulate)")
def complete_join(m: Step, s: State, launch: LaunchSlot) -> None:
    """The accumulate command ends: its own signal, which is the stream's, tells the host."""
    packet = s.launches[launch].join
    m.require(packet.phase == PacketPhase.SATISFIED, "runs")
    packet.phase = PacketPhase.COMPLETE


def _decrement(m: Step, s: State, signals: SignalSet, signal: SetSignal) -> None:
    m.note("signal {} decremented", signal, of=signals)
    memory = s.sets[signals]
    s.exec.decremented_unarmed = s.exec.decremented_unarmed | memory.posted.has(signal)
    memory.values[signal] = memory.values[signal] - 1


@protocol.action(by=MEMORY, src="PCIe posted write, HDP: an arming reaches device memory")
def arming_lands(m: Step, s: State, signals: SignalSet, signal: SetSignal) -> None:
    """A store of 1 that crossed PCIe is in memory."""
    memory = s.sets[signals]
    m.require(memory.posted.has(signal), "posted")
    m.note("the arming of signal {} reaches memory", signal, of=signals)
    memory.values[signal] = 1
    memory.posted = memory.posted.removing(signal)
