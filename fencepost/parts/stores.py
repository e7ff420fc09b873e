"""Store buffers: total store order (TSO), as x86 and SPARC have it.

A core's stores go into its own buffer and reach memory in the order in which they were made, some time
later. A load sees the core's own stores first. A fence, and an atomic read-modify-write, waits until
the buffer is empty. For stores that reach memory in any order there is write combining, which the
models of ROCm have.
"""

from __future__ import annotations

from fencepost import Actor, Bool, Component, Int, Record, Step, action, array, count, ite, maybe, number, table
from fencepost.parts.sorts import Address, Core, StorePlace

MEMORY = Actor("store buffer", lane="core")
"""The store buffer of a core, on its way to memory."""

HIGHEST = 3
"""Memory holds numbers from 0 to this; a protocol with more derives its own classes."""


class PendingStore(Record):
    """A store that has not reached memory."""

    address = maybe(Address)
    value = number(0, HIGHEST, live_when=lambda store: store.address.is_some)


class StoreBuffer(Record):
    """The stores of a core that have not reached memory, the oldest first."""

    stores = table(StorePlace, PendingStore)

    def length(self) -> Int:
        """How many there are."""
        return count(StorePlace, lambda place: self.stores[place].address.is_some)


class MemoryBehindStores(Component):
    """Memory, and the store buffers of all cores before it."""

    memory = array(Address, number(0, HIGHEST))
    buffers = table(Core, StoreBuffer)

    def has_room(self, core: Core) -> Bool:
        """The buffer takes one more store. A core waits where it has not; as a guard, not a bound."""
        return self.buffers[core].stores[StorePlace.last()].address.is_none

    def store(self, m: Step, core: Core, address: Address, value: Int | int) -> None:
        """An ordinary store; the caller requires `has_room(core)`."""
        place = self.buffers[core].stores[StorePlace.of(self.buffers[core].length())]
        place.address = address
        place.value = value

    def load(self, core: Core, address: Address) -> Int:
        """What a load on the core gives: the core's own last store to the address, else memory."""
        seen: Int = self.memory[address]
        for position in range(StorePlace.count()):
            store = self.buffers[core].stores[StorePlace.at(position)]
            seen = ite(store.address == address, store.value, seen)
        return seen

    def is_drained(self, core: Core) -> Bool:
        """All stores of the core are in memory: the guard of a fence, and of an atomic read-modify-write."""
        return self.buffers[core].stores[StorePlace.at(0)].address.is_none

    def store_at_once(self, m: Step, core: Core, address: Address, value: Int | int) -> None:
        """The store of an atomic read-modify-write; the caller requires `is_drained(core)`."""
        self.memory[address] = value

    @action(by=MEMORY, src="store buffer: the oldest store reaches memory")
    def drain(self, m: Step, core: Core) -> None:
        """The oldest store of a core reaches memory."""
        stores = self.buffers[core].stores
        oldest = stores[StorePlace.at(0)]
        m.require(oldest.address.is_some, "a store is pending")
        self.memory[oldest.address.get] = oldest.value
        for place in m.each(StorePlace):
            with m.when(place != StorePlace.last()):
                m.copy(stores[place], stores[place.next])
        m.clear(stores[StorePlace.last()])
