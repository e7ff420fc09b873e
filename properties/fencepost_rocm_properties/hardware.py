"""Properties of the hardware that every protocol shares; each family is included with where its `Gpu` lies."""

from __future__ import annotations

from fencepost import Bool, Properties, exists, forall
from fencepost_rocm.hardware import GpuWithoutReadIndex, Handle, HwQueue, Packet, PacketSlot
from fencepost_rocm.hardware.ring import RingSlot, SignalRing
from fencepost_rocm.hardware.visibility import StorePath

references = Properties("gpu")
"""Of what packets wait for."""

completions = Properties("gpu")
"""Of what packets complete."""

progress = Properties("gpu")
"""Of what goes on."""


def free_slot_keeps_nothing(packet: Packet, *kept: Bool) -> Bool:
    """A slot of the window that holds no packet has nothing of the one that was in it.

    `kept` has what says that something is left, a condition a field that a protocol's own packets have beside
    those of `Packet`. What `Packet` has, and any field with a `live_when`, the language itself makes zero.
    """
    nothing = Bool.constant(True)
    for something in kept:
        nothing = nothing & ~something
    return packet.is_there() | nothing


def has_each_signal_once(ring: SignalRing) -> Bool:
    """No two slots of a tracker's ring have the same signal."""
    slots = ring.slots
    return forall(
        RingSlot, RingSlot, lambda one, other: (one == other) | slots[one].is_none | (slots[one] != slots[other])
    )


def some_packet_waits(gpu: GpuWithoutReadIndex) -> Bool:
    """A packet in some ring has still to see its signal."""
    return exists(
        HwQueue,
        PacketSlot,
        lambda queue, slot: gpu.queues[queue].packets[slot].is_there() & gpu.queues[queue].packets[slot].dep.is_some,
    )


@references.invariant(
    "no-handle-destroyed-while-referenced",
    protects="hsa_signal_destroy",
    twin=some_packet_waits,
)
def no_handle_destroyed_while_referenced(gpu: GpuWithoutReadIndex, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A signal that a packet in some ring has still to see is not destroyed."""
    return ~gpu.queues[queue].packets[slot].dep_recycled


@references.invariant(
    "wait-satisfied-by-its-own-arming",
    protects="packet processor: barrier-AND condition",
    twin=some_packet_waits,
)
def wait_satisfied_by_its_own_arming(gpu: GpuWithoutReadIndex) -> Bool:
    """A packet's wait is satisfied only by the arming of its signal that it was made for."""
    return ~gpu.wait_passed_stale


@completions.invariant(
    "no-handle-destroyed-while-owed",
    protects="hsa_signal_destroy",
    twin=lambda gpu, queue, slot: (
        gpu.queues[queue].packets[slot].is_there() & gpu.queues[queue].packets[slot].completion.is_some
    ),
)
def no_handle_destroyed_while_owed(gpu: GpuWithoutReadIndex, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A signal that a packet's completion has still to decrement is not destroyed."""
    return ~gpu.queues[queue].packets[slot].completion_recycled


@completions.invariant(
    "completion-decrements-its-own-use",
    protects="packet processor: completion",
    twin=lambda gpu: gpu.is_busy(),
)
def completion_decrements_its_own_use(gpu: GpuWithoutReadIndex) -> Bool:
    """A packet's completion decrements its signal for the use that it was published with."""
    return ~gpu.decremented_stale


@progress.response(
    "every-operation-completes",
    protects="packet processor: launch, barrier-AND condition, completion",
    goal=lambda gpu, handle: ~gpu.owes(handle),
)
def every_operation_completes(gpu: GpuWithoutReadIndex, handle: Handle) -> Bool:
    """Every operation that was published with a signal completes some time."""
    return gpu.owes(handle)


arming = Properties("stores")
"""Of the store path to a device's memory."""


@arming.invariant(
    "armed-before-decremented",
    protects="Device::FlushSignalStores",
    twin=lambda path, handle: path.is_on_its_way(handle),
)
def armed_before_decremented(path: StorePath, handle: Handle) -> Bool:
    """The store that arms a signal is in memory before an operation decrements it."""
    return ~path.decremented_unarmed
