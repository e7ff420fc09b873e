"""The GPU as signals see it: queues, their packet processors, and the one pool of signals.

Launch, read-index release, the reading of a dependency and completion are separate steps of the
packet processor. Three predicates decide a wait: a host wait passes at `value < 1`, a barrier-AND
at `value == 0`, and a barrier-value masks the sign away, so that -1 reads as a large positive.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost import Bool, Component, Int, Step, action, boolean, exists, forall, part, table
from fencepost_rocm.hardware.actors import PACKET_PROCESSOR
from fencepost_rocm.hardware.packets import AqlQueue, Packet, PacketKind, Phase
from fencepost_rocm.hardware.signals import SignalPool
from fencepost_rocm.hardware.sorts import Handle, HwQueue, PacketSlot


def host_sees_done(value: Int) -> Bool:
    """`hsa_signal_wait(LT, 1)`: what a CPU wait passes at."""
    return value < 1


def barrier_and_sees_done(value: Int) -> Bool:
    """What a barrier-AND packet (and an SDMA poll) passes at."""
    return value == 0


def barrier_value_sees_done(value: Int) -> Bool:
    """`(value & int64 max) < 1`: what CLR's barrier-value packet passes at."""
    return value == 0


class GpuWithoutReadIndex(Component):
    """Queues and signals, for a protocol that nowhere reads a read index: a packet is gone once it is complete.

    A protocol whose packets wait for more than a signal of the pool, or tell more at their end, derives
    its own packets and overrides `is_satisfied` and `end`.
    """

    pool = part(SignalPool)
    queues = table(HwQueue, AqlQueue)
    host_flag = boolean()
    """What a host-dependent kernel spins on."""
    wait_passed_stale = boolean(ghost=True)
    """Some packet passed its wait on a signal that meant another use by then."""
    decremented_stale = boolean(ghost=True)
    """Some completion decremented a signal that meant another use by then."""

    # What the host does to signals, with the ghost bits of everybody who holds the handle.

    def value(self, handle: Handle) -> Int:
        """The signal's value as the GPU's memory has it."""
        return self.pool.signals[handle].value

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """Store the value that a new use starts at; references to the old use go stale."""
        self.pool.signals[handle].value = value
        self._each_packet(m, lambda packet: packet.mark_rearmed(m, handle))

    def provide(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """A signal of a batch that was just made: ROCr has stored its value, and made it visible."""
        GpuWithoutReadIndex.arm(self, m, handle, value)

    def create(self, m: Step, value: Int | int) -> Handle:
        """A new signal; references to the handle's earlier life go stale."""
        handle = self.pool.create(m, value)
        self._each_packet(m, lambda packet: packet.mark_recycled(m, handle))
        return handle

    def destroy(self, m: Step, handle: Handle) -> None:
        """Destroy the signal; every reference to it goes stale."""
        self.pool.destroy(m, handle)
        self._each_packet(m, lambda packet: packet.mark_recycled(m, handle))

    def _each_packet(self, m: Step, mark: Callable[[Packet], None]) -> None:
        for queue in m.each(HwQueue):
            for slot in m.each(PacketSlot):
                mark(self.queues[queue].packets[slot])

    # What the host does to queues.

    def publish(self, m: Step, queue: HwQueue, kind: PacketKind, *, barrier: Bool | bool = False) -> Packet:
        """Reserve a slot, write the packet and ring the doorbell, in one step; the caller sets its signals.

        One step is right while only this queue's packet processor reads the packet and the store path
        is off. The caller requires room in the ring and bounds the window.
        """
        packet = self.queues[queue].tail()
        packet.phase = Phase.VALID
        packet.kind = kind
        packet.barrier = barrier
        return packet

    # The packet processor.

    @action(by=PACKET_PROCESSOR, src="packet processor: launch")
    def launch(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Start the next packet, in order; behind an unsatisfied barrier packet nothing starts."""
        ring = self.queues[queue]
        packet = ring.packets[slot]
        m.require(packet.phase == Phase.VALID, "valid")
        m.require(ring.before(slot, lambda earlier: earlier.is_launched()), "in order")
        m.require(ring.before(slot, lambda earlier: ~_holds_back(earlier)), "no unsatisfied barrier ahead")
        m.require(
            (~packet.waits_for_earlier()) | ring.before(slot, lambda earlier: earlier.phase == Phase.COMPLETE),
            "barrier bit",
        )
        packet.phase = Phase.LAUNCHED
        with m.when(packet.is_barrier() & ~packet.is_conditional()):
            packet.phase = Phase.SATISFIED

    @action(by=PACKET_PROCESSOR, src="packet processor: barrier-AND / barrier-value condition")
    def see_dependency(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Read the signal that a launched barrier packet waits for, and find it satisfied."""
        packet = self.queues[queue].packets[slot]
        m.require(packet.is_there() & (packet.phase == Phase.LAUNCHED) & packet.is_conditional(), "waiting")
        m.require(self.is_satisfied(queue, slot), "satisfied")
        self.wait_passed_stale = self.wait_passed_stale | packet.dep_recycled | packet.dep_rearmed
        with m.when(packet.dep.is_some):
            m.note("wait on queue {} satisfied", queue, of=packet.dep.get)
        packet.phase = Phase.SATISFIED
        packet.dep = None
        packet.dep_recycled = False
        packet.dep_rearmed = False

    @action(by=PACKET_PROCESSOR, src="packet processor: completion")
    def complete(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """End a kernel or a satisfied barrier: timestamps, then the decrement of its completion signal."""
        ring = self.queues[queue]
        packet = ring.packets[slot]
        m.require(
            packet.is_there()
            & ((packet.phase == Phase.SATISFIED) | ((packet.phase == Phase.LAUNCHED) & ~packet.is_barrier())),
            "runs",
        )
        m.require((~packet.spins_on_host()) | self.host_flag, "host flag set")
        self.end(m, queue, slot)
        packet.phase = Phase.COMPLETE
        with m.when(self.is_past(packet)):
            _leave_window(m, ring, slot)

    def is_past(self, packet: Packet) -> Bool:
        """The read index has passed the packet, so that it may leave the window once it is complete."""
        return packet.is_there()

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """The condition of a waiting barrier packet holds now."""
        packet = self.queues[queue].packets[slot]
        seen = self.value(packet.dep.get)
        return ((packet.kind == PacketKind.BARRIER_AND) & barrier_and_sees_done(seen)) | (
            (packet.kind == PacketKind.BARRIER_VALUE) & barrier_value_sees_done(seen)
        )

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """What the end of a packet tells the rest of the system: the decrement of its completion signal."""
        packet = self.queues[queue].packets[slot]
        with m.when(packet.completion.is_some):
            signal = self.pool.signals[packet.completion.get]
            signal.value = signal.value - 1
            self.decremented_stale = self.decremented_stale | packet.completion_recycled | packet.completion_rearmed

    # What the packet processor owes, for properties and hangs.

    def owes(self, handle: Handle) -> Bool:
        """Some packet in some queue will still decrement the signal."""
        return exists(HwQueue, lambda queue: self.queues[queue].owes(handle))

    def waits_for(self, handle: Handle) -> Bool:
        """Some packet in some queue has still to see the signal satisfied."""
        return exists(HwQueue, lambda queue: self.queues[queue].waits_for(handle))

    def is_busy(self) -> Bool:
        """Some packet is not complete."""
        return exists(
            HwQueue,
            PacketSlot,
            lambda queue, slot: (
                self.queues[queue].packets[slot].is_there() & (self.queues[queue].packets[slot].phase != Phase.COMPLETE)
            ),
        )


class Gpu(GpuWithoutReadIndex):
    """Queues and signals. The read index passes a packet in a step of its own, before or after its completion."""

    def read_index_passed(self, handle: Handle) -> Bool:
        """The read index has passed every packet still in a window that completes `handle`."""
        return forall(HwQueue, lambda queue: self.queues[queue].read_index_passed(handle))

    @action(by=PACKET_PROCESSOR, src="packet processor: advance the read index")
    def release_slot(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """The read index passes a packet: any time after its launch, whether it is complete or not."""
        ring = self.queues[queue]
        packet = ring.packets[slot]
        m.require(packet.is_there() & packet.is_launched(), "launched")
        m.require(~packet.released, "not released")
        m.require(ring.before(slot, lambda earlier: earlier.released), "in order")
        with m.when((packet.phase != Phase.COMPLETE) & packet.completion.is_some):
            m.note("the read index of queue {} passes its packet, which still runs", queue, of=packet.completion.get)
        packet.released = True
        with m.when(packet.phase == Phase.COMPLETE):
            _leave_window(m, ring, slot)

    def is_past(self, packet: Packet) -> Bool:
        return packet.released


def _holds_back(packet: Packet) -> Bool:
    """It is a barrier packet whose condition has not been seen satisfied."""
    return packet.is_there() & packet.is_barrier() & (packet.phase == Phase.LAUNCHED)


def _leave_window(m: Step, ring: AqlQueue, slot: PacketSlot) -> None:
    """Take the packet in `slot` out of the window: the later ones move up."""
    last = PacketSlot.last()
    for place in m.each(PacketSlot):
        with m.when((place.ordinal >= slot.ordinal) & (place != last)):
            m.copy(ring.packets[place], ring.packets[place.next])
    m.clear(ring.packets[last])
