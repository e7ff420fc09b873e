"""The ring of signals from which a tracker takes the next one, for protocols that look at more than the tracker.

The ring is kept oldest first: position 0 is the next slot to use again (`current_id_ + 1` in the code), the last
one is the current slot. Taking the next slot rotates it, so that two rings that differ only in where the
vector happens to begin are one state.
"""

from __future__ import annotations

from fencepost import Bool, Index, Int, Record, Step, array, count, exists, maybe
from fencepost_rocm.hardware.sorts import Handle


class RingSlot(Index):
    """A place in a tracker's ring, 0 the oldest. As many as the ring may grow to."""


class InitialSlot(Index):
    """The slots that the ring starts with (ROC_SIGNAL_POOL_SIZE, 64)."""


class SignalRing(Record):
    """signal_list_, with current_id_ as its order."""

    slots = array(RingSlot, maybe(Handle, init=lambda place: place if place < InitialSlot.count() else None))

    def length(self) -> Int:
        """Slots in the ring."""
        return count(RingSlot, lambda slot: self.slots[slot].is_some)

    def current(self) -> Handle:
        """The signal of the use that was begun last."""
        return self.slots[RingSlot.of(self.length() - 1)].get

    def oldest(self) -> Handle:
        """The signal that is taken next."""
        return self.slots[RingSlot.at(0)].get

    def has(self, handle: Handle) -> Bool:
        """The signal is in the ring."""
        return exists(RingSlot, lambda slot: self.slots[slot] == handle)

    def has_room(self) -> Bool:
        """The ring may grow."""
        return self.slots[RingSlot.last()].is_none

    def rotate(self, m: Step) -> None:
        """++current_id_: the oldest slot becomes the current one."""
        oldest, length = self.oldest(), self.length()
        for slot in m.each(RingSlot):
            with m.when(slot.ordinal + 1 < length):
                self.slots[slot] = self.slots[slot.next]
        self.slots[RingSlot.of(length - 1)] = oldest

    def rotate_back(self, m: Step) -> None:
        """--current_id_: the current slot becomes the oldest one."""
        length = self.length()
        before = [self.slots[RingSlot.at(position)] for position in range(RingSlot.count())]
        self.slots[RingSlot.at(0)] = self.current()
        for position in range(1, RingSlot.count()):
            with m.when(RingSlot.at(position).ordinal < length):
                self.slots[RingSlot.at(position)] = before[position - 1]

    def append(self, handle: Handle) -> None:
        """A new slot between the current and the oldest one, which becomes the current one."""
        self.slots[RingSlot.of(self.length())] = handle

    def replace_current(self, handle: Handle) -> None:
        """The current slot gets another signal."""
        self.slots[RingSlot.of(self.length() - 1)] = handle
