"""The queues of the profiler as the packet processor sees them.

A dispatch made while serialization is enabled lies in the ring as ready packet, block packet, kernel;
the first after a transition is preceded by the transition packet. Every queue has a ready and a block
signal of its own, which live as long as the queue; only the handles of barriers come and go.
"""

from __future__ import annotations

import enum

from fencepost import Bool, Step, boolean, choice, number, table
from fencepost_rocm.hardware import AqlQueue, Gpu, Handle, HwQueue, Packet, PacketSlot, Phase
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.serializer.sorts import Dispatch


class Role(enum.Enum):
    """What a packet is to the serializer; the kind and the barrier bit follow from it."""

    KERNEL = "kernel"
    ORDERED_KERNEL = "kernel behind a transition packet"
    SERIALIZED_KERNEL = "serialized kernel"
    UNKNOWN_KERNEL = "kernel that the serializer does not know"
    TRANSITION = "transition packet"
    READY = "ready packet"
    BLOCK = "block packet"


class ProfiledPacket(Packet):
    """A packet with its role.

    A barrier's signal is armed once in its life, so a reference to it goes stale only by its destruction.
    """

    role = choice(Role, live_when=Packet.is_there)
    released = boolean(True)
    """Nobody here looks at the read index: it passes every packet at once."""

    def is_barrier(self) -> Bool:
        """A barrier-AND."""
        return self.role.is_in(Role.TRANSITION, Role.READY, Role.BLOCK)

    def waits_for_earlier(self) -> Bool:
        """The serializer's transition packet has no barrier bit; a kernel has it if anything was put before it."""
        return self.role.is_in(Role.READY, Role.BLOCK, Role.ORDERED_KERNEL, Role.SERIALIZED_KERNEL)

    def is_conditional(self) -> Bool:
        """All three barrier packets wait for a signal."""
        return self.is_barrier()

    def spins_on_host(self) -> Bool:
        """No kernel here waits for the host."""
        return self.is_there() & False

    def mark_rearmed(self, m: Step, handle: Handle) -> None:
        """Nothing: the one arming comes before the first reference."""

    def mark_recycled(self, m: Step, handle: Handle) -> None:
        """The barrier was destroyed, or its handle given to a new one."""
        with m.when(self.waits_for(handle)):
            self.dep_recycled = True


class ProfiledRing(AqlQueue):
    """A ring with the signals of its queue."""

    packets = table(PacketSlot, ProfiledPacket)
    ready = number(-1, 1)
    """ready_signal: 0 lets the ready packet pass, which leaves -1 for the handler; 1 afterwards."""
    block = number(-1, 1, 1)
    """block_signal: 0 lets the block packet pass, which leaves -1."""
    ended = number(0, Dispatch)
    """Completion signals of known dispatches that the async handler has still to see."""
    ended_unknown = number(0, Dispatch)
    """The same of dispatches that the serializer does not know."""


class ProfiledGpu(Gpu):
    """The packet processor over such rings."""

    queues = table(HwQueue, ProfiledRing)

    def put(self, queue: HwQueue, role: Role, dep: Handle | None = None) -> None:
        """Write one packet at the tail."""
        ring = self.queues[queue]
        packet = ring.packets[PacketSlot.of(ring.length())]
        packet.phase = Phase.VALID
        packet.role = role
        if dep is not None:
            packet.dep = dep

    def release_slot(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Left out: no step here reads the read index, so its steps commute with all others."""

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """The signal that the packet waits for is 0."""
        ring = self.queues[queue]
        packet = ring.packets[slot]
        return (
            ((packet.role == Role.TRANSITION) & barrier_and_sees_done(self.value(packet.dep.get)))
            | ((packet.role == Role.READY) & barrier_and_sees_done(ring.ready))
            | ((packet.role == Role.BLOCK) & barrier_and_sees_done(ring.block))
        )

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Ready and block packets decrement the signal that they waited for; a kernel wakes the async handler."""
        ring = self.queues[queue]
        role = ring.packets[slot].role
        with m.when(role == Role.READY):
            ring.ready = ring.ready - 1
        with m.when(role == Role.BLOCK):
            ring.block = ring.block - 1
        with m.when(role.is_in(Role.KERNEL, Role.ORDERED_KERNEL, Role.SERIALIZED_KERNEL)):
            m.note("Q{} kernel completes", queue)
            ring.ended = ring.ended + 1
        if m.has("tracing"):
            with m.when(role == Role.UNKNOWN_KERNEL):
                m.note("Q{} kernel completes (not known to the serializer)", queue)
                ring.ended_unknown = ring.ended_unknown + 1
