"""A dispatch writes a packet to a ring and rings the doorbell; a copy goes to an engine; a peer waits."""

from __future__ import annotations

from fencepost import Bool, Kind, Maybe, Step
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.visibility import Core
from fencepost_rocm.store_visibility.declare import HOST, OTHER, protocol
from fencepost_rocm.store_visibility.state import (
    Life,
    Pc,
    SlotPhase,
    State,
    host_sees,
    in_submission,
    rings_in_device,
    signals_in_device,
    slot_of,
)


def _may_begin(s: State, core: Core) -> Bool:
    """The thread is in no call, and has handed out what it armed."""
    return (s.producers[core].pc == Pc.IDLE) & s.producers[core].stored.is_empty


def _is_submitted(s: State, handle: Handle) -> Bool:
    """The signal is in use, and whoever submitted its operation has told others."""
    return (s.device.signals[handle].life == Life.USED) & ~in_submission(s, handle)


@protocol.action(by=HOST, src="VirtualGPU::dispatchGenericAqlPacket (reserve)", kind=Kind.ENVIRONMENT)
def reserve(m: Step, s: State, core: Core, queue: HwQueue, handle: Handle, dep: Maybe[Handle]) -> None:
    """Reserve a slot that the read index has passed, for a packet with an armed signal; a barrier has a dependency."""
    ring = s.device.rings[queue]
    slot = ring.slots[ring.tail]
    signal = s.device.signals[handle]
    thread = s.producers[core]
    m.require(_may_begin(s, core), "not in a call")
    m.require(signal.life == Life.ARMED, "armed")
    m.require(dep.is_none | (m.has("barriers") & _is_submitted_some(s, dep)), "waits for a use")
    if not m.variant("ring-overrun"):
        m.require(slot.phase == SlotPhase.FREE, "room in the ring")
    m.note("packet with signal {}", handle, of=handle)
    s.device.slot_overwritten = s.device.slot_overwritten | (slot.phase == SlotPhase.LAUNCHED)
    signal.life = Life.USED
    thread.pc = Pc.RESERVED
    thread.queue = queue
    thread.slot = ring.tail
    thread.signal = handle
    slot.phase = SlotPhase.RESERVED
    slot.signal = handle
    slot.dep = dep
    ring.tail = ring.tail.next


def _is_submitted_some(s: State, dep: Maybe[Handle]) -> Bool:
    return dep.is_some & _is_submitted(s, dep.get)


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (hsa_signal_add_relaxed)", kind=Kind.ENVIRONMENT)
def add_for_callback(m: Step, s: State, core: Core) -> None:
    """The packet's command has a callback, which holds up its completion: a host atomic adds 1 to the signal.

    Nobody else writes the signal before the packet is published. The locked operation drains the core's
    write-combining buffer; its own store is posted.
    """
    thread = s.producers[core]
    m.require(m.has("callback") and signals_in_device(m), "callbacks are on")
    m.require(thread.pc == Pc.RESERVED, "slot reserved")
    handle = thread.signal
    m.require(~s.device.signals[handle].callback, "not added yet")
    m.require(s.device.can_fence(m, core, 1), "room on the bus")
    added = host_sees(s, core, handle) + 1
    s.device.fence(m, core)
    s.device.post_signal(m, handle, added)
    m.note("stores {} for a callback", added, of=handle)
    s.device.signals[handle].callback = True
    if m.variant("flush-after-add"):
        thread.pc = Pc.FLUSH_ADD


@protocol.action(by=HOST, src="FlushStores after the add, as repaired")
def flush_add(m: Step, s: State, core: Core) -> None:
    """The HDP is flushed after the add."""
    thread = s.producers[core]
    m.require(m.variant("flush-after-add"), "as repaired")
    m.require(thread.pc == Pc.FLUSH_ADD, "has added")
    m.require(s.device.is_flushed(), "all stores landed")
    thread.pc = Pc.RESERVED


@protocol.action(by=HOST, src="VirtualGPU::dispatchGenericAqlPacket (body)")
def write_body(m: Step, s: State, core: Core) -> None:
    """Write all of the packet but its header. In system memory the order of the stores is the CPU's, and kept."""
    thread = s.producers[core]
    m.require(thread.pc == Pc.RESERVED, "slot reserved")
    if rings_in_device(m):
        s.device.store_body(m, core, thread.queue, thread.slot)
    thread.pc = Pc.BODY


@protocol.action(by=HOST, src="VirtualGPU::dispatchGenericAqlPacket (store fence, header)")
def write_header(m: Step, s: State, core: Core) -> None:
    """Fence the body where the ring is in device memory, then write the header."""
    thread = s.producers[core]
    m.require(thread.pc == Pc.BODY, "body written")
    if rings_in_device(m) and not m.variant("header-unfenced"):
        m.require(s.device.can_fence(m, core), "room on the bus")
        s.device.fence(m, core)
    slot_of(s, thread).phase = SlotPhase.VALID
    if rings_in_device(m):
        s.device.store_header(m, core, thread.queue, thread.slot)
    thread.pc = Pc.HEADER


@protocol.action(by=HOST, src="AqlQueue::StoreRelaxed (store fence, doorbell)")
def ring_doorbell(m: Step, s: State, core: Core) -> None:
    """Fence, then store to the doorbell. It covers the packet and every earlier slot, whoever writes there."""
    thread = s.producers[core]
    m.require(thread.pc == Pc.HEADER, "header written")
    m.require(s.device.can_fence(m, core), "room on the bus")
    s.device.fence(m, core)
    ring = s.device.rings[thread.queue]
    own = ring.distance(thread.slot)
    with m.when(~thread.launched):
        for slot in m.each(PacketSlot):
            with m.when(ring.slots[slot].holds_packet() & (ring.distance(slot) <= own)):
                ring.slots[slot].rung = True
    m.note("doorbell, up to the packet with signal {}", thread.signal)
    thread.pc = Pc.IDLE


@protocol.action(by=HOST, src="VirtualGPU::CommitAqlSlots (no doorbell)")
def leave_doorbell(m: Step, s: State, core: Core) -> None:
    """A later slot is reserved, and the doorbell for it covers this packet: only fence."""
    thread = s.producers[core]
    m.require(thread.pc == Pc.HEADER, "header written")
    is_last = s.device.rings[thread.queue].tail == thread.slot.next
    m.require(~thread.launched & ~is_last, "a later slot is reserved")
    if not m.variant("skipped-doorbell-unfenced"):
        m.require(s.device.can_fence(m, core), "room on the bus")
        s.device.fence(m, core)
    m.note("leaves the doorbell to the next packet's producer")
    thread.pc = Pc.IDLE


@protocol.action(by=HOST, src="RetiringSignalTracker::BeginUse (copy)", kind=Kind.ENVIRONMENT)
def begin_copy(m: Step, s: State, core: Core, handle: Handle, dep: Maybe[Handle]) -> None:
    """An armed signal goes to a copy that ROCr makes: fence, then flush the HDP. The copy may wait for another use."""
    m.require(m.has("copy"), "copies are on")
    m.require(_may_begin(s, core), "not in a call")
    m.require(s.copy.signal.is_none, "one copy at a time")
    m.require(s.device.signals[handle].life == Life.ARMED, "armed")
    m.require(dep.is_none | _is_submitted_some(s, dep), "waits for a use")
    if signals_in_device(m) and not m.variant("copy-unflushed"):
        m.require(s.device.can_fence(m, core), "room on the bus")
        s.device.fence(m, core)
    m.note("copy with signal {}", handle, of=handle)
    s.device.signals[handle].life = Life.USED
    s.copy.signal = handle
    s.copy.dep = dep
    s.producers[core].pc = Pc.COPY


@protocol.action(by=HOST, src="hsa_amd_memory_async_copy_on_engine")
def submit_copy(m: Step, s: State, core: Core) -> None:
    """The HDP is flushed; ROCr writes the copy to the engine's ring, in system memory, and rings its doorbell."""
    m.require(m.has("copy"), "copies are on")
    m.require(s.producers[core].pc == Pc.COPY, "begins a copy")
    if signals_in_device(m) and not m.variant("copy-unflushed"):
        m.require(s.device.is_flushed(), "all stores landed")
    s.copy.submitted = True
    s.producers[core].pc = Pc.IDLE


@protocol.action(by=OTHER, src="hipStreamWaitEvent on a stream of another device", kind=Kind.ENVIRONMENT)
def make_peer_wait(m: Step, s: State, handle: Handle) -> None:
    """A barrier packet on another device's ring waits for the signal. Its way there has no order with this one's."""
    m.require(m.has("peer"), "there is a peer")
    m.require(s.peer.dep.is_none, "one wait at a time")
    m.require(_is_submitted(s, handle), "in use")
    m.note("a peer is to wait for signal {}", handle, of=handle)
    s.peer.dep = handle
