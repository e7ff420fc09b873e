"""AQL packets and the window of a queue's ring.

The write and read indices of a ring never end, so the model keeps differences: a queue is the
window of packets that are not yet both complete and released, the oldest first. A packet is
*released* once the read index has passed it; that may happen any time after its launch and is
not ordered with its completion (HSA System Architecture 2.8.3).
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from fencepost import Bool, Int, Record, Step, boolean, choice, count, exists, forall, maybe, table
from fencepost_rocm.hardware.sorts import Handle, PacketSlot


class PacketKind(enum.Enum):
    """What a packet asks for."""

    KERNEL = "kernel dispatch"
    HOST_KERNEL = "kernel that spins on a flag of the host"
    BARRIER_AND = "barrier-AND"
    BARRIER_VALUE = "barrier-value"


class Phase(enum.Enum):
    """How far a packet has come. A kernel goes from LAUNCHED to COMPLETE, a barrier by way of SATISFIED."""

    FREE = "free"
    RESERVED = "reserved"
    VALID = "valid"
    LAUNCHED = "launched"
    SATISFIED = "satisfied"
    COMPLETE = "complete"


def _is_there(packet: Packet) -> Bool:
    return packet.phase != Phase.FREE


class Packet(Record):
    """One packet of the window.

    The ghost bits tell whether a handle that it holds still means what it meant when the packet was
    written: `*_recycled` the signal was destroyed or created anew since, `*_rearmed` it was armed anew.
    """

    phase = choice(Phase)
    kind = choice(PacketKind, live_when=_is_there)
    barrier = boolean(live_when=_is_there)
    """The barrier bit: launched only when all earlier packets are complete."""
    released = boolean(live_when=_is_there)
    """The read index has passed it."""
    dep = maybe(Handle, live_when=_is_there)
    """The signal a barrier waits for, until it has been seen."""
    completion = maybe(Handle, live_when=_is_there)
    """The signal that its completion decrements."""
    dep_recycled = boolean(ghost=True)
    dep_rearmed = boolean(ghost=True)
    completion_recycled = boolean(ghost=True)
    completion_rearmed = boolean(ghost=True)

    def is_there(self) -> Bool:
        """The slot holds a packet."""
        return _is_there(self)

    def is_barrier(self) -> Bool:
        """It is a barrier packet of some kind."""
        return self.kind.is_in(PacketKind.BARRIER_AND, PacketKind.BARRIER_VALUE)

    def waits_for_earlier(self) -> Bool:
        """It has the barrier bit."""
        return self.barrier

    def is_conditional(self) -> Bool:
        """It is a barrier packet with a condition that has not been seen to hold."""
        return self.dep.is_some

    def spins_on_host(self) -> Bool:
        """It is a kernel that ends only once the host has set its flag."""
        return self.kind == PacketKind.HOST_KERNEL

    def is_launched(self) -> Bool:
        """Launched, or further."""
        return self.phase.is_in(Phase.LAUNCHED, Phase.SATISFIED, Phase.COMPLETE)

    def owes(self, handle: Handle) -> Bool:
        """It will still decrement the signal."""
        return self.is_there() & (self.phase != Phase.COMPLETE) & (self.completion == handle)

    def waits_for(self, handle: Handle) -> Bool:
        """It has still to see the signal satisfied."""
        return self.is_there() & (self.dep == handle)

    def mark_rearmed(self, m: Step, handle: Handle) -> None:
        """The signal is armed anew: what this packet holds of it is of an older arming."""
        with m.when(self.waits_for(handle)):
            self.dep_rearmed = True
        with m.when(self.owes(handle)):
            self.completion_rearmed = True

    def mark_recycled(self, m: Step, handle: Handle) -> None:
        """The signal is destroyed or created anew: what this packet holds of it is of an older life."""
        with m.when(self.waits_for(handle)):
            self.dep_recycled = True
        with m.when(self.owes(handle)):
            self.completion_recycled = True


class AqlQueue(Record):
    """The window of one hardware queue."""

    packets = table(PacketSlot, Packet)

    def length(self) -> Int:
        """Packets in the window."""
        return count(PacketSlot, lambda slot: self.packets[slot].is_there())

    def unreleased(self) -> Int:
        """Packets that the read index has not passed: ring slots in use."""
        return count(PacketSlot, lambda slot: self.packets[slot].is_there() & ~self.packets[slot].released)

    def has_window(self) -> Bool:
        """The window can hold one more. The ring has no such limit: use it in `m.bound`."""
        return ~self.packets[PacketSlot.last()].is_there()

    def is_empty(self) -> Bool:
        """No packet is in the window."""
        return ~self.packets[PacketSlot.at(0)].is_there()

    def tail(self) -> Packet:
        """The first free slot; only where `has_window()`."""
        return self.packets[PacketSlot.of(self.length())]

    def before(self, slot: PacketSlot, holds: Callable[[Packet], Bool]) -> Bool:
        """It holds of every packet older than the one in `slot`."""
        return forall(PacketSlot, lambda other: (other.ordinal < slot.ordinal).implies(holds(self.packets[other])))

    def read_index_passed(self, handle: Handle) -> Bool:
        """The read index has passed every packet of the window that completes `handle`."""
        return forall(
            PacketSlot,
            lambda slot: (self.packets[slot].is_there() & (self.packets[slot].completion == handle)).implies(
                self.packets[slot].released
            ),
        )

    def owes(self, handle: Handle) -> Bool:
        """Some packet will still decrement the signal."""
        return exists(PacketSlot, lambda slot: self.packets[slot].owes(handle))

    def waits_for(self, handle: Handle) -> Bool:
        """Some packet has still to see the signal satisfied."""
        return exists(PacketSlot, lambda slot: self.packets[slot].waits_for(handle))
