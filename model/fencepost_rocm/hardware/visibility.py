"""The way of a host store to device memory: a core's write-combining buffer, the bus with the HDP, memory.

- The write-combining buffer of a core holds stores in no order. A store leaves it when the core takes a
  fence, or by itself at any time; nothing obliges it to leave by itself, so that is no progress.
- What has left is *posted*: on the bus or in the HDP, in one order for all cores, and reaches memory in
  that order. That happens by itself, sooner or later, and an HDP flush waits for it. A ring in memory of
  the same device is reached the same way, so a packet never overtakes a store that was posted before it.
- The GPU and its peers read memory; a peer comes over the fabric and passes the bus and the HDP by. A host
  load sees what its own core holds back and what is posted, but not what another core holds back.
- Rings in host memory, those of SDMA engines among them, and doorbells do not go this way at all.

A store to a signal that a core holds back is the arming of a new use, the value 1. A host atomic on a
signal is a load and a store on the bus; its store is posted at once.
"""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Component,
    Index,
    Int,
    Kind,
    Record,
    Step,
    action,
    array,
    boolean,
    choice,
    count,
    exists,
    index,
    ite,
    maybe,
    members,
    number,
    table,
    total,
)
from fencepost_rocm.hardware.actors import MEMORY
from fencepost_rocm.hardware.sorts import Handle, HwQueue, PacketSlot


class Core(Index):
    """A core of the host, with the write-combining buffer that is its own."""


class BusPlace(Index):
    """A place on the bus and in the HDP, 0 the store that reaches memory next."""


class PacketPart(enum.Enum):
    """What of a packet a store writes: its header makes the packet valid."""

    HEADER = "header"
    BODY = "body"


class WriteCombining(Record):
    """The write-combining buffer of a core: what it has stored to device memory and still holds back."""

    signals = members(Handle)
    bodies = array(HwQueue, members(PacketSlot))
    headers = array(HwQueue, members(PacketSlot))

    def length(self) -> Int:
        """Stores that are held back."""
        packets = total(
            HwQueue,
            lambda queue: count(PacketSlot, self.bodies[queue].has) + count(PacketSlot, self.headers[queue].has),
        )
        return count(Handle, self.signals.has) + packets


class Store(Record):
    """A posted store: to a signal, or to a packet of a ring in device memory."""

    signal = maybe(Handle)
    above_one = number(-1, 1, live_when=lambda store: store.signal.is_some)
    """What the store writes to the signal, less the 1 of an arming."""
    queue = maybe(HwQueue)
    slot = index(PacketSlot, live_when=lambda store: store.queue.is_some)
    writes = choice(PacketPart, live_when=lambda store: store.queue.is_some)

    def is_there(self) -> Bool:
        """The place holds a store."""
        return self.signal.is_some | self.queue.is_some


class StorePath(Component):
    """The store path to one device's memory. A component with that memory derives from it and says what lands."""

    cores = table(Core, WriteCombining)
    posted = table(BusPlace, Store)
    decremented_unarmed = boolean(ghost=True)
    """Some operation decremented a signal whose arming had not reached memory."""

    # What a derived component says.

    def land_signal(self, m: Step, handle: Handle, value: Int | int) -> None:
        """A store to a signal reaches memory."""
        raise NotImplementedError

    def land_header(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """The header of a packet reaches memory. Nothing, where who reads it asks `is_in_memory`."""

    def takes_signals(self, m: Step) -> bool:
        """Signals are in this device's memory."""
        return True

    def takes_packets(self, m: Step) -> bool:
        """Rings are in this device's memory."""
        return True

    def holds_back_packets(self, m: Step) -> bool:
        """The stores of a packet are told apart, and are held back by their core; else a packet is posted whole."""
        return self.takes_packets(m)

    def has_hdp(self, m: Step) -> bool:
        """What has left a core may stay on the bus or in the HDP."""
        return True

    # What a thread on a core does.

    def store_to_signal(self, m: Step, core: Core, handle: Handle) -> None:
        """A store of 1 to a signal: into the core's write-combining buffer."""
        buffer = self.cores[core]
        buffer.signals = buffer.signals.adding(handle)

    def store_body(self, m: Step, core: Core, queue: HwQueue, slot: PacketSlot) -> None:
        """The stores of a packet's body, all but its header."""
        buffer = self.cores[core]
        buffer.bodies[queue] = buffer.bodies[queue].adding(slot)

    def store_header(self, m: Step, core: Core, queue: HwQueue, slot: PacketSlot) -> None:
        """The store of a packet's header."""
        buffer = self.cores[core]
        buffer.headers[queue] = buffer.headers[queue].adding(slot)

    def can_fence(self, m: Step, core: Core, more: int = 0) -> Bool:
        """What the core holds back has room on the bus, which is what a fence waits for; and so many stores more."""
        if not self.has_hdp(m) or not (self.takes_signals(m) or self.takes_packets(m)):
            return Bool.constant(True)
        free = count(BusPlace, lambda place: ~self.posted[place].is_there())
        return self.cores[core].length() + more <= free

    def fence(self, m: Step, core: Core) -> None:
        """A store fence: everything that the core holds back leaves. The caller requires `can_fence`.

        In one step: that stores leave one by one, with other steps between, is what those that leave by
        themselves do, before the fence.
        """
        buffer = self.cores[core]
        if self.takes_signals(m):
            for handle in m.each(Handle):
                with m.when(buffer.signals.has(handle)):
                    self.post_signal(m, handle)
                    buffer.signals = buffer.signals.removing(handle)
        if self.holds_back_packets(m):
            for queue in m.each(HwQueue):
                for slot in m.each(PacketSlot):
                    with m.when(buffer.bodies[queue].has(slot)):
                        self._post_packet(m, queue, slot, PacketPart.BODY)
                        buffer.bodies[queue] = buffer.bodies[queue].removing(slot)
                    with m.when(buffer.headers[queue].has(slot)):
                        self._post_packet(m, queue, slot, PacketPart.HEADER)
                        buffer.headers[queue] = buffer.headers[queue].removing(slot)

    def is_flushed(self) -> Bool:
        """Nothing is posted: what an HDP flush, and the read that ends it, waits for.

        A flush need not wait for stores that others post after it has begun. That it does here hides
        nothing: a store that is posted during a flush may be posted after it as well.
        """
        return ~self.posted[BusPlace.at(0)].is_there()

    def post_signal(self, m: Step, handle: Handle, value: Int | None = None) -> None:
        """A store to a signal leaves its core: of 1, or the store of a host atomic of another value."""
        if not self.has_hdp(m):
            self.land_signal(m, handle, 1 if value is None else value)
            return
        place = self._free_place()
        place.signal = handle
        if value is not None:
            place.above_one = value - 1

    def post_header(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """The store of a header leaves its core."""
        self._post_packet(m, queue, slot, PacketPart.HEADER)

    def _post_packet(self, m: Step, queue: HwQueue, slot: PacketSlot, writes: PacketPart) -> None:
        if self.has_hdp(m):
            place = self._free_place()
            place.queue = queue
            place.slot = slot
            place.writes = writes
        elif writes is PacketPart.HEADER:
            self.land_header(m, queue, slot)

    def _free_place(self) -> Store:
        return self.posted[BusPlace.of(count(BusPlace, lambda place: self.posted[place].is_there()))]

    def holds_back_signals(self, core: Core) -> Bool:
        """The core has stored to a signal and not fenced."""
        return ~self.cores[core].signals.is_empty

    def has_room(self, m: Step) -> Bool:
        """One more store can be posted."""
        return Bool.constant(True) if not self.has_hdp(m) else ~self.posted[BusPlace.last()].is_there()

    # Who sees what.

    def is_held_back(self, handle: Handle) -> Bool:
        """Some core still holds back a store to the signal."""
        return exists(Core, lambda core: self.cores[core].signals.has(handle))

    def is_posted(self, handle: Handle) -> Bool:
        """A store to the signal is on the bus or in the HDP."""
        return exists(BusPlace, lambda place: self.posted[place].signal == handle)

    def is_on_its_way(self, handle: Handle) -> Bool:
        """A store to the signal has not reached memory."""
        return self.is_held_back(handle) | self.is_posted(handle)

    def is_in_memory(self, queue: HwQueue, slot: PacketSlot, writes: PacketPart) -> Bool:
        """No store of that part of the packet in the slot is on its way."""
        held = (
            exists(Core, lambda core: self.cores[core].headers[queue].has(slot))
            if writes is PacketPart.HEADER
            else exists(Core, lambda core: self.cores[core].bodies[queue].has(slot))
        )
        return ~held & ~exists(
            BusPlace,
            lambda place: (
                (self.posted[place].queue == queue)
                & (self.posted[place].slot == slot)
                & (self.posted[place].writes == writes)
            ),
        )

    def seen_from(self, core: Core, handle: Handle, in_memory: Int) -> Int:
        """What a load on a core gives: its own store, else a posted one, else memory; not what others hold back."""
        return ite(self.cores[core].signals.has(handle), 1, self.seen_on_bus(handle, in_memory))

    def seen_on_bus(self, handle: Handle, in_memory: Int) -> Int:
        """What a load over the bus gives: a posted store, else memory."""
        above_one = total(BusPlace, lambda place: ite(self._is_last_to(place, handle), self.posted[place].above_one, 0))
        return ite(self.is_posted(handle), above_one + 1, in_memory)

    def _is_last_to(self, place: BusPlace, handle: Handle) -> Bool:
        """The place holds the store to the signal that was posted last."""
        later = exists(BusPlace, lambda other: (other.ordinal > place.ordinal) & (self.posted[other].signal == handle))
        return (self.posted[place].signal == handle) & ~later

    def note_decrement(self, m: Step, handle: Handle) -> None:
        """Something decrements the signal in memory: remember whether its arming was there."""
        self.decremented_unarmed = self.decremented_unarmed | self.is_on_its_way(handle)

    # What the hardware does.

    @action(by=MEMORY, src="write-combining buffer: a signal's store leaves by itself", kind=Kind.ENVIRONMENT)
    def signal_leaves(self, m: Step, core: Core, handle: Handle) -> None:
        """A store to a signal leaves the core's write-combining buffer, which it may do at any time or never."""
        buffer = self.cores[core]
        m.require(self.takes_signals(m), "signals in device memory")
        m.require(buffer.signals.has(handle), "held back")
        m.require(self.has_room(m), "room on the bus")
        buffer.signals = buffer.signals.removing(handle)
        self.post_signal(m, handle)

    @action(by=MEMORY, src="write-combining buffer: a packet's body leaves by itself", kind=Kind.ENVIRONMENT)
    def body_leaves(self, m: Step, core: Core, queue: HwQueue, slot: PacketSlot) -> None:
        """The body of a packet leaves the core's write-combining buffer."""
        buffer = self.cores[core]
        m.require(self.holds_back_packets(m), "rings in device memory")
        m.require(buffer.bodies[queue].has(slot), "held back")
        m.require(self.has_room(m), "room on the bus")
        buffer.bodies[queue] = buffer.bodies[queue].removing(slot)
        self._post_packet(m, queue, slot, PacketPart.BODY)

    @action(by=MEMORY, src="write-combining buffer: a packet's header leaves by itself", kind=Kind.ENVIRONMENT)
    def header_leaves(self, m: Step, core: Core, queue: HwQueue, slot: PacketSlot) -> None:
        """The header of a packet leaves the core's write-combining buffer, perhaps before its body."""
        buffer = self.cores[core]
        m.require(self.holds_back_packets(m), "rings in device memory")
        m.require(buffer.headers[queue].has(slot), "held back")
        m.require(self.has_room(m), "room on the bus")
        buffer.headers[queue] = buffer.headers[queue].removing(slot)
        self._post_packet(m, queue, slot, PacketPart.HEADER)

    @action(by=MEMORY, src="PCIe posted write, HDP: a store reaches device memory")
    def store_lands(self, m: Step) -> None:
        """The store that was posted first reaches memory."""
        first = self.posted[BusPlace.at(0)]
        m.require(self.has_hdp(m) & (self.takes_signals(m) | self.takes_packets(m)), "memory behind the HDP")
        m.require(first.is_there(), "something is posted")
        with m.when(first.signal.is_some):
            m.note("{} reaches memory", first.above_one + 1, of=first.signal.get)
            self.land_signal(m, first.signal.get, first.above_one + 1)
        with m.when(first.queue.is_some & (first.writes == PacketPart.HEADER)):
            self.land_header(m, first.queue.get, first.slot)
        for place in m.each(BusPlace):
            with m.when(place != BusPlace.last()):
                m.copy(self.posted[place], self.posted[place.next])
        m.clear(self.posted[BusPlace.last()])
