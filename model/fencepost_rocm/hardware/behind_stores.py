"""A GPU behind the store path: its signals in its own memory, and its rings too unless they are in system memory."""

from __future__ import annotations

from fencepost import Bool, Int, Step, count, index
from fencepost_rocm.hardware.gpu import GpuWithoutReadIndex
from fencepost_rocm.hardware.packets import Packet, PacketKind, Phase
from fencepost_rocm.hardware.sorts import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.visibility import Core, StorePath


class BehindStores(StorePath, GpuWithoutReadIndex):
    """Packets and signals whose stores go the way of `StorePath`, those of one call at a time.

    The features `system-ring` and `hdp` say where rings are, and whether the HDP may hold stores back.
    """

    core = index(Core)
    """Where the thread runs that holds execution(), or held it last."""

    # What the host does.

    def value(self, handle: Handle) -> Int:
        """What a load gives on the core of the call under way."""
        return self.seen_from(self.core, handle, self.pool.signals[handle].value)

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """The store goes into the core's write-combining buffer; references to the old use go stale at once."""
        self.store_to_signal(m, self.core, handle)
        self._each_packet(m, lambda packet: packet.mark_rearmed(m, handle))

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

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        completion = self.queues[queue].packets[slot].completion
        with m.when(completion.is_some):
            self.note_decrement(m, completion.get)
        super().end(m, queue, slot)
