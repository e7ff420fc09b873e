"""What the hardware does with signals: packet processors, the copy engine, the peer."""

from __future__ import annotations

from fencepost import Bool, Maybe, Step, exists, forall
from fencepost_rocm.hardware import ASYNC_HANDLER, PACKET_PROCESSOR, PEER, SDMA, Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.hardware.visibility import Core, PacketPart
from fencepost_rocm.store_visibility.declare import IN_FLIGHT, protocol
from fencepost_rocm.store_visibility.state import (
    SlotPhase,
    State,
    in_submission,
    is_owed,
    rings_in_device,
    signals_in_device,
)


@protocol.action(by=PACKET_PROCESSOR, src="packet processor: fetch and launch")
def launch(m: Step, s: State, queue: HwQueue) -> None:
    """The packet at the head is under a doorbell and its header has reached the ring: launch it."""
    ring = s.device.rings[queue]
    head = ring.head
    slot = ring.slots[head]
    m.require((slot.phase == SlotPhase.VALID) & slot.rung, "valid and under a doorbell")
    if rings_in_device(m):
        m.require(s.device.is_in_memory(queue, head, PacketPart.HEADER), "header in the ring")
    barrier_ahead = exists(
        Handle, lambda handle: s.device.signals[handle].dep.is_some & (s.device.signals[handle].queue == queue)
    )
    m.require(~barrier_ahead, "no unsatisfied barrier ahead")
    if rings_in_device(m):
        s.device.torn_launch = s.device.torn_launch | ~s.device.is_in_memory(queue, head, PacketPart.BODY)
    operation = s.device.signals[slot.signal]
    m.note("launched with signal {}", slot.signal, of=slot.signal)
    operation.running = True
    operation.queue = queue
    operation.dep = slot.dep
    slot.phase = SlotPhase.LAUNCHED
    ring.head = head.next
    for core in m.each(Core):
        thread = s.producers[core]
        with m.when(thread.publishes() & (thread.queue == queue) & (thread.slot == head)):
            thread.launched = True


@protocol.action(by=PACKET_PROCESSOR, src="packet processor: advance the read index")
def release_slot(m: Step, s: State, queue: HwQueue, slot: PacketSlot) -> None:
    """The read index passes a launched packet, in order, complete or not."""
    ring = s.device.rings[queue]
    oldest = (slot == ring.head) | forall(
        PacketSlot, lambda other: (other.next == slot).implies(ring.slots[other].phase != SlotPhase.LAUNCHED)
    )
    m.require(ring.slots[slot].phase == SlotPhase.LAUNCHED, "launched")
    m.require(oldest, "in order")
    ring.slots[slot].phase = SlotPhase.FREE


@protocol.action(by=IN_FLIGHT, src="packet processor: barrier-AND condition")
def pass_barrier(m: Step, s: State, handle: Handle) -> None:
    """The barrier that completes `handle` reads its dependency in memory, and finds 0."""
    operation = s.device.signals[handle]
    m.require(m.has("barriers"), "barriers are on")
    m.require(operation.dep.is_some, "waits")
    dep = operation.dep.get
    m.require(barrier_and_sees_done(s.device.signals[dep].value), "satisfied")
    s.device.packet_passed_early = s.device.packet_passed_early | is_owed(s, dep)
    m.note("a packet's wait for signal {} is satisfied", dep, of=dep)
    operation.dep = None


@protocol.action(by=IN_FLIGHT, src="packet processor: completion")
def complete(m: Step, s: State, handle: Handle) -> None:
    """A launched packet ends and decrements its signal in memory. Packets end in any order."""
    operation = s.device.signals[handle]
    m.require(operation.running & operation.dep.is_none, "runs")
    m.note("decremented", of=handle)
    if m.has("barriers"):
        s.device.packet_passed_early = s.device.packet_passed_early | _is_owed_some(s, operation.dep)
    s.device.decrement(m, handle)
    operation.running = False


def _is_owed_some(s: State, dep: Maybe[Handle]) -> Bool:
    """It ends, and the operation that it waits for has not ended."""
    return exists(Handle, lambda handle: (dep == handle) & is_owed(s, handle))


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (hsa_signal_subtract_relaxed)")
def handler_releases(m: Step, s: State, handle: Handle) -> None:
    """The signal is below 2: the callback runs, and then a host atomic takes back the 1. Nobody else writes it now."""
    signal = s.device.signals[handle]
    m.require(m.has("callback") and signals_in_device(m), "callbacks are on")
    m.require(signal.callback & ~in_submission(s, handle), "registered")
    seen = s.device.seen_on_bus(handle, signal.value)
    m.require(seen < 2, "below its threshold")
    m.require(s.device.has_room(m), "room on the bus")
    s.handler_ran_early = s.handler_ran_early | is_owed(s, handle)
    m.note("the callback has run, stores {}", seen - 1, of=handle)
    s.device.post_signal(m, handle, seen - 1)
    signal.callback = False


@protocol.action(by=SDMA, src="SDMA: poll")
def pass_copy_poll(m: Step, s: State) -> None:
    """The engine polls the copy's dependency in memory, and finds 0."""
    m.require(m.has("copy"), "copies are on")
    m.require(s.copy.submitted & s.copy.dep.is_some, "polls")
    dep = s.copy.dep.get
    m.require(barrier_and_sees_done(s.device.signals[dep].value), "satisfied")
    s.device.packet_passed_early = s.device.packet_passed_early | is_owed(s, dep)
    m.note("the copy's wait for signal {} is satisfied", dep, of=dep)
    s.copy.dep = None


@protocol.action(by=SDMA, src="SDMA: atomic decrement")
def complete_copy(m: Step, s: State) -> None:
    """The copy is made: decrement its signal in memory."""
    m.require(m.has("copy"), "copies are on")
    m.require(s.copy.submitted & s.copy.dep.is_none, "copies")
    handle = s.copy.signal.get
    m.note("decremented by the copy", of=handle)
    s.device.packet_passed_early = s.device.packet_passed_early | _is_owed_some(s, s.copy.dep)
    s.device.decrement(m, handle)
    m.clear(s.copy)


@protocol.action(by=PEER, src="packet processor of another device: barrier-AND condition")
def pass_peer(m: Step, s: State) -> None:
    """The peer reads the signal in this device's memory, past bus and HDP, and finds 0."""
    m.require(m.has("peer"), "there is a peer")
    m.require(s.peer.dep.is_some, "waits")
    dep = s.peer.dep.get
    m.require(barrier_and_sees_done(s.device.signals[dep].value), "satisfied")
    s.peer.passed_early = s.peer.passed_early | is_owed(s, dep)
    m.note("the peer's wait for signal {} is satisfied", dep, of=dep)
    s.peer.dep = None
