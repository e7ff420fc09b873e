"""The tracker's state with a GPU that is behind the store path, a copy engine and another device."""

from __future__ import annotations

from fencepost import Bool, Int, Record, Step, action, boolean, count, index, maybe, part
from fencepost_rocm.hardware import PACKET_PROCESSOR, Gpu, Handle, HwQueue, Packet, PacketKind, PacketSlot, Phase
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.hardware.visibility import Core, StorePath
from fencepost_rocm.retiring.state import State as Retiring


class Engine(Record):
    """An SDMA engine with its ring in system memory, and the copy that ROCr has given it."""

    signal = maybe(Handle)
    """The completion signal of the copy; none while there is none."""
    rearmed = boolean(ghost=True)
    """The signal was armed anew before the copy had ended."""


class GpuBehindStores(StorePath, Gpu):
    """A GPU whose signals are in its own memory, and its rings too unless they are in system memory."""

    core = index(Core)
    """Where the thread runs that holds execution(), or held it last."""
    engine = part(Engine)
    packet_passed_early = boolean(ghost=True)
    """Some barrier packet passed its wait before the operation that it waited for had ended."""

    # What the host does.

    def value(self, handle: Handle) -> Int:
        """What a load gives on the core of the call under way."""
        return self.seen_from(self.core, handle, self.pool.signals[handle].value)

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """The store goes into the core's write-combining buffer; references to the old use go stale at once."""
        self.store_to_signal(m, self.core, handle)
        self._each_packet(m, lambda packet: packet.mark_rearmed(m, handle))
        with m.when(self.engine.signal == handle):
            self.engine.rearmed = True

    def publish(self, m: Step, queue: HwQueue, kind: PacketKind, *, barrier: Bool | bool = False) -> Packet:
        """Write the packet and ring the doorbell, with the fences between body, header and doorbell.

        One step: the fences leave nothing of this core held back, and who looks at the packet waits for
        the doorbell. What other cores hold back leaves when it likes, before or after.
        """
        packet = super().publish(m, queue, kind, barrier=barrier)
        self.fence(m, self.core)
        if self.takes_packets(m):
            packet.phase = Phase.RESERVED
            self.post_header(m, queue, PacketSlot.at(0))
        return packet

    # What the store path leads to.

    def land_signal(self, m: Step, handle: Handle, value: Int | int) -> None:
        self.pool.signals[handle].value = value

    def land_header(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """The queue's next packet is in the ring: the packets of one ring are posted, and land, in order."""
        ring = self.queues[queue]
        landed = count(
            PacketSlot,
            lambda place: ring.packets[place].is_there() & (ring.packets[place].phase != Phase.RESERVED),
        )
        ring.packets[PacketSlot.of(landed)].phase = Phase.VALID

    def takes_packets(self, m: Step) -> bool:
        return not m.has("system-ring")

    def holds_back_packets(self, m: Step) -> bool:
        return False

    def has_hdp(self, m: Step) -> bool:
        return m.has("hdp")

    # The hardware.

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """The packet processor reads memory. All barriers of the tracker are barrier-ANDs."""
        return barrier_and_sees_done(self.pool.signals[self.queues[queue].packets[slot].dep.get].value)

    @action(by=PACKET_PROCESSOR, src="packet processor: barrier-AND / barrier-value condition")
    def see_dependency(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Read the signal that a launched barrier packet waits for, and find it satisfied."""
        dep = self.queues[queue].packets[slot].dep
        super().see_dependency(m, queue, slot)
        self.packet_passed_early = self.packet_passed_early | (dep.is_some & self.owes(dep.get))

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        completion = self.queues[queue].packets[slot].completion
        with m.when(completion.is_some):
            self.note_decrement(m, completion.get)
        super().end(m, queue, slot)

    def owes(self, handle: Handle) -> Bool:
        return super().owes(handle) | (self.engine.signal == handle)

    def is_busy(self) -> Bool:
        return super().is_busy() | self.engine.signal.is_some


class Peer(Record):
    """A queue of another device, whose barrier packet waits for an event's signal."""

    dep = maybe(Handle)
    passed_early = boolean(ghost=True)


class State(Retiring):
    """One VirtualGPU with its tracker, behind the store path."""

    gpu = part(GpuBehindStores)
    copying = boolean()
    """The call under way makes a copy instead of a dispatch."""
    peer = part(Peer)
