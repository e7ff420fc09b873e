"""Properties of the retiring tracker on top of the store path: those of the tracker, and who sees its stores."""

from __future__ import annotations

from fencepost import Bool, Properties
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.retiring_store_visibility.state import State
from fencepost_rocm_properties.hardware import arming
from fencepost_rocm_properties.retiring import properties as tracker

properties = Properties("retiring-store-visibility")
properties.include(tracker, of=lambda s: s)
properties.include(arming, of=lambda s: s.gpu)


@properties.invariant(
    "value-not-negative",
    protects="packet processor: completion, SDMA: atomic decrement",
    twin=lambda s, handle: s.gpu.pool.signals[handle].value == 0,
)
def value_not_negative(s: State, handle: Handle) -> Bool:
    """One arming is decremented once: no signal's value goes below 0."""
    return s.gpu.pool.signals[handle].value >= 0


@properties.invariant(
    "packet-wait-not-early",
    protects="packet processor: barrier-AND condition",
    twin=lambda s, queue, slot: (
        s.gpu.queues[queue].packets[slot].is_there() & s.gpu.queues[queue].packets[slot].dep.is_some
    ),
    needs=("pins",),
)
def packet_wait_not_early(s: State, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A packet of this device passes its wait only after the operation that it waits for has ended."""
    return ~s.gpu.packet_passed_early


@properties.invariant(
    "peer-wait-not-early",
    protects="RetiringSignalTracker::FlushStores (store fence)",
    twin=lambda s: s.peer.dep.is_some,
    needs=("peer",),
)
def peer_wait_not_early(s: State) -> Bool:
    """A packet of another device passes its wait only after the operation that it waits for has ended."""
    return ~s.peer.passed_early


@properties.invariant(
    "no-rearm-under-a-copy",
    protects="RetiringSignalTracker::Reclaim (arm)",
    twin=lambda s, handle: s.gpu.engine.signal == handle,
    needs=("copy",),
)
def no_rearm_under_a_copy(s: State, handle: Handle) -> Bool:
    """No signal is armed anew while a copy will still decrement it for its last use."""
    return ~s.gpu.engine.rearmed
