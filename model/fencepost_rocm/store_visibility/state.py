"""The device with its signals and rings, the threads that use it, and who else waits."""

from __future__ import annotations

import enum

from fencepost import Bool, Int, Record, Step, boolean, choice, exists, index, ite, maybe, members, number, part, table
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.signals import HIGH, LOW
from fencepost_rocm.hardware.visibility import Core, StorePath


class Life(enum.Enum):
    """What the host knows of a signal."""

    COMPLETE = "complete"
    STORED = "armed, not flushed"
    ARMED = "armed"
    USED = "in use"


class Signal(Record):
    """A signal with its use. A signal that is complete reads 0."""

    life = choice(Life)
    value = number(LOW, HIGH)
    """What its memory holds."""
    running = boolean()
    """A packet that was launched will decrement it."""
    queue = index(HwQueue, live_when=lambda signal: signal.running)
    """The queue of that packet."""
    dep = maybe(Handle)
    """What that packet, a barrier, still waits for."""
    callback = boolean()
    """A callback holds up its completion: 1 was added to it, until the async handler has run."""


class SlotPhase(enum.Enum):
    """What the ring slot holds, as its producers see it. The packet processor sees what has reached the ring."""

    FREE = "free"
    RESERVED = "reserved"
    VALID = "valid"
    LAUNCHED = "launched"


def _holds_packet(slot: Slot) -> Bool:
    return slot.phase.is_in(SlotPhase.RESERVED, SlotPhase.VALID)


class Slot(Record):
    """A slot of a ring, with the packet that is written to it."""

    phase = choice(SlotPhase)
    rung = boolean(live_when=_holds_packet)
    """A doorbell has covered it."""
    signal = index(Handle, live_when=_holds_packet)
    """The completion signal of the packet."""
    dep = maybe(Handle, live_when=_holds_packet)
    """The signal that the packet, a barrier-AND, waits for."""

    def holds_packet(self) -> Bool:
        """A packet that is not launched."""
        return _holds_packet(self)


class Ring(Record):
    """An AQL ring. `head` is launched next, `tail` reserved next."""

    slots = table(PacketSlot, Slot)
    head = index(PacketSlot)
    tail = index(PacketSlot)

    def distance(self, slot: PacketSlot) -> Int:
        """How far the slot is from the head, up to a constant."""
        return ite(slot.ordinal < self.head.ordinal, slot.ordinal + PacketSlot.count(), slot.ordinal)


class Device(StorePath):
    """A device: signals, rings, and the store path to them."""

    signals = table(Handle, Signal)
    rings = table(HwQueue, Ring)
    torn_launch = boolean(ghost=True)
    """A packet was launched before its body had reached the ring."""
    slot_overwritten = boolean(ghost=True)
    """A packet was written to a slot that the read index had not passed."""
    packet_passed_early = boolean(ghost=True)
    """A barrier packet or a copy found its wait satisfied, or ended, before what it waits for had ended."""

    def land_signal(self, m: Step, handle: Handle, value: Int | int) -> None:
        self.signals[handle].value = value

    def takes_signals(self, m: Step) -> bool:
        return signals_in_device(m)

    def takes_packets(self, m: Step) -> bool:
        return rings_in_device(m)

    def has_hdp(self, m: Step) -> bool:
        return m.has("hdp")

    def decrement(self, m: Step, handle: Handle) -> None:
        """An operation ends: one atomic decrement in memory."""
        self.note_decrement(m, handle)
        self.signals[handle].value = self.signals[handle].value - 1


def signals_in_device(m: Step) -> bool:
    """Signals are in device memory: not while a profiler is attached."""
    return not m.has("tool") or m.variant("tool-on-device-signals")


def rings_in_device(m: Step) -> bool:
    """Rings are in device memory (Device::AqlRingsInDeviceMemory)."""
    return not m.has("system-ring") and not m.has("tool")


class Pc(enum.Enum):
    """Where the thread on a core is."""

    IDLE = "idle"
    FLUSH = "FlushStores: HDP"
    RESERVED = "slot reserved"
    FLUSH_ADD = "callback: HDP"
    BODY = "body written"
    HEADER = "header written"
    COPY = "BeginUse for a copy: HDP"


def _publishes(thread: Producer) -> Bool:
    return thread.pc.is_in(Pc.RESERVED, Pc.FLUSH_ADD, Pc.BODY, Pc.HEADER)


class Producer(Record):
    """The thread on a core: it arms signals, publishes packets and submits copies."""

    pc = choice(Pc)
    stored = members(Handle)
    """Signals that it has armed and not flushed."""
    queue = index(HwQueue, live_when=_publishes)
    slot = index(PacketSlot, live_when=_publishes)
    signal = index(Handle, live_when=_publishes)
    """The completion signal of the packet."""
    launched = boolean(live_when=_publishes)
    """Another producer's doorbell covered the packet, and it is launched already."""

    def publishes(self) -> Bool:
        """It is inside a dispatch, with a slot reserved."""
        return _publishes(self)


class Copy(Record):
    """A copy that ROCr makes, on an SDMA engine with its ring in system memory."""

    signal = maybe(Handle)
    """Its completion signal; none while there is no copy."""
    dep = maybe(Handle)
    """The signal that the engine polls before it copies."""
    submitted = boolean()
    """It is in the engine's ring."""


class Peer(Record):
    """A queue of another device, whose barrier packet waits for a signal of this one."""

    dep = maybe(Handle)
    passed_early = boolean(ghost=True)


class ToolPc(enum.Enum):
    """Where the profiler is with the signal that it holds up."""

    IDLE = "idle"
    ADD = "has loaded, adds"
    HOLDS = "has added 1"
    SUBTRACT = "has loaded, subtracts"


class Tool(Record):
    """A profiler's host thread, which holds up a completion: adds 1 to the signal, and takes it back."""

    pc = choice(ToolPc)
    signal = maybe(Handle)
    loaded = number(LOW, HIGH, live_when=lambda tool: tool.pc.is_in(ToolPc.ADD, ToolPc.SUBTRACT))


class State(Record):
    """One device and everybody who uses its signals."""

    device = part(Device)
    producers = table(Core, Producer)
    copy = part(Copy)
    peer = part(Peer)
    tool = part(Tool)
    host_passed_early = boolean(ghost=True)
    """A host thread found a signal complete before its operation had ended."""
    handler_ran_early = boolean(ghost=True)
    """A callback ran before the operation of its signal had ended."""


# What several steps ask.


def in_submission(s: State, handle: Handle) -> Bool:
    """The call that submits the signal's operation has not ended: nobody else has been told of it."""
    publishes_it = exists(Core, lambda core: s.producers[core].publishes() & (s.producers[core].signal == handle))
    return publishes_it | ((s.copy.signal == handle) & ~s.copy.submitted)


def slot_of(s: State, thread: Producer) -> Slot:
    """The ring slot that a publishing thread has reserved."""
    return s.device.rings[thread.queue].slots[thread.slot]


def is_owed(s: State, handle: Handle) -> Bool:
    """An operation has still to decrement the signal."""
    in_a_ring = exists(
        HwQueue,
        PacketSlot,
        lambda queue, slot: (
            s.device.rings[queue].slots[slot].holds_packet() & (s.device.rings[queue].slots[slot].signal == handle)
        ),
    )
    return in_a_ring | s.device.signals[handle].running | (s.copy.signal == handle)


def is_waited_for(s: State, handle: Handle) -> Bool:
    """A packet, a copy or a peer has still to see the signal; it holds a reference to it."""
    by_a_packet = exists(
        HwQueue,
        PacketSlot,
        lambda queue, slot: (
            s.device.rings[queue].slots[slot].holds_packet() & (s.device.rings[queue].slots[slot].dep == handle)
        ),
    )
    by_an_operation = exists(Handle, lambda other: s.device.signals[other].dep == handle)
    return by_a_packet | by_an_operation | (s.copy.dep == handle) | (s.peer.dep == handle)


def host_sees(s: State, core: Core, handle: Handle) -> Int:
    """What a load of the signal on a core gives."""
    return s.device.seen_from(core, handle, s.device.signals[handle].value)
