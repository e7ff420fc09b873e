"""The tracker's state with a GPU that is behind the store path, a copy engine and another device."""

from __future__ import annotations

from fencepost import Bool, Int, Record, Step, action, boolean, maybe, part
from fencepost_rocm.hardware import PACKET_PROCESSOR, Gpu, Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.behind_stores import BehindStores
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.retiring.state import State as Retiring


class Engine(Record):
    """An SDMA engine with its ring in system memory, and the copy that ROCr has given it."""

    signal = maybe(Handle)
    """The completion signal of the copy; none while there is none."""
    rearmed = boolean(ghost=True)
    """The signal was armed anew before the copy had ended."""


class GpuBehindStores(BehindStores, Gpu):
    """A GPU with a read index, an engine beside it, and a note of waits that pass too early."""

    engine = part(Engine)
    packet_passed_early = boolean(ghost=True)
    """Some barrier packet passed its wait before the operation that it waited for had ended."""

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        super().arm(m, handle, value)
        with m.when(self.engine.signal == handle):
            self.engine.rearmed = True

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """The packet processor reads memory. All barriers of the tracker are barrier-ANDs."""
        return barrier_and_sees_done(self.pool.signals[self.queues[queue].packets[slot].dep.get].value)

    @action(by=PACKET_PROCESSOR, src="packet processor: barrier-AND / barrier-value condition")
    def see_dependency(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Read the signal that a launched barrier packet waits for, and find it satisfied."""
        dep = self.queues[queue].packets[slot].dep
        super().see_dependency(m, queue, slot)
        self.packet_passed_early = self.packet_passed_early | (dep.is_some & self.owes(dep.get))

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
