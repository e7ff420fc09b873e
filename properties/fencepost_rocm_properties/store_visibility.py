"""Properties of the store path."""

from __future__ import annotations

from fencepost import Bool, Properties, exists, ite
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.hardware.visibility import Core
from fencepost_rocm.store_visibility.state import Life, Pc, SlotPhase, State, ToolPc, is_owed, is_waited_for
from fencepost_rocm_properties.hardware import arming

properties = Properties("store-visibility")
properties.include(arming, of=lambda s: s.device)


@properties.invariant(
    "packet-wait-not-early",
    protects="packet processor: barrier-AND condition, SDMA poll",
    twin=lambda s, handle: s.device.signals[handle].dep.is_some | (s.copy.submitted & s.copy.dep.is_some),
    needs=("barriers|copy",),
)
def packet_wait_not_early(s: State, handle: Handle) -> Bool:
    """A packet or a copy of this device passes its wait, and ends, only after what it waits for has ended."""
    return ~s.device.packet_passed_early


@properties.invariant(
    "peer-wait-not-early",
    protects="Device::FlushSignalStores (store fence)",
    twin=lambda s: s.peer.dep.is_some,
    needs=("peer",),
)
def peer_wait_not_early(s: State) -> Bool:
    """A packet of another device passes its wait only after the operation that it waits for has ended."""
    return ~s.peer.passed_early


@properties.invariant(
    "complete-implies-not-owed",
    protects="RetiringSignalTracker::Reclaim (confirm), CpuWaitForSignal",
    twin=lambda s, handle: (s.device.signals[handle].life == Life.USED) & is_owed(s, handle),
)
def complete_implies_not_owed(s: State, handle: Handle) -> Bool:
    """A use that a host thread takes for complete is complete: no operation has still to decrement its signal."""
    return ~s.host_passed_early & ((s.device.signals[handle].life == Life.USED) | ~is_owed(s, handle))


@properties.invariant(
    "callback-not-early",
    protects="HwQueueTracker::ActiveSignal (hsa_signal_add), HsaAmdSignalHandler",
    twin=lambda s, handle: s.device.signals[handle].callback,
    needs=("callback",),
)
def callback_not_early(s: State, handle: Handle) -> Bool:
    """A callback runs only after the operation of its signal has ended."""
    return ~s.handler_ran_early


@properties.invariant(
    "value-not-negative",
    protects="packet processor: completion",
    twin=lambda s, handle: (s.device.signals[handle].life == Life.USED) & (s.device.signals[handle].value == 0),
)
def value_not_negative(s: State, handle: Handle) -> Bool:
    """One arming is decremented once: no signal's value goes below 0."""
    return s.device.signals[handle].value >= 0


@properties.invariant(
    "completion-not-lost",
    protects="Device::FlushSignalStores, hsa_signal_add",
    twin=lambda s, handle: (s.device.signals[handle].life == Life.USED) & ~is_owed(s, handle),
)
def completion_not_lost(s: State, handle: Handle) -> Bool:
    """Once a use's operation has ended and nothing is on its way to its signal, whoever waits for that can go on."""
    ended = (s.device.signals[handle].life == Life.USED) & ~is_owed(s, handle)
    settled = ~s.device.is_on_its_way(handle) & ~((s.tool.pc != ToolPc.IDLE) & (s.tool.signal == handle))
    signal = s.device.signals[handle]
    return (ended & settled).implies(signal.value < ite(signal.callback, 2, 1))


@properties.invariant(
    "launched-packet-is-whole",
    protects="VirtualGPU::dispatchGenericAqlPacket (store fence)",
    twin=lambda s, handle: s.device.signals[handle].running,
)
def launched_packet_is_whole(s: State, handle: Handle) -> Bool:
    """A packet is launched with the body that it was published with, not with what the slot held before."""
    return ~s.device.torn_launch


@properties.invariant(
    "slot-not-overwritten",
    protects="VirtualGPU::dispatchGenericAqlPacket (reserve)",
    twin=lambda s, queue, slot: s.device.rings[queue].slots[slot].phase == SlotPhase.LAUNCHED,
)
def slot_not_overwritten(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """No packet is written to a slot that the read index has not passed."""
    return ~s.device.slot_overwritten


@properties.hang("no-hang", protects="FlushStores, doorbells, hsa_signal_add")
def work_is_outstanding(s: State) -> Bool:
    """While a signal is in use, a call under way or a wait open, some step can be taken that will be taken."""
    in_use = exists(Handle, lambda handle: (s.device.signals[handle].life == Life.USED) | is_waited_for(s, handle))
    in_a_call = exists(Core, lambda core: (s.producers[core].pc != Pc.IDLE) | ~s.producers[core].stored.is_empty)
    return in_use | in_a_call | (s.tool.pc != ToolPc.IDLE)
