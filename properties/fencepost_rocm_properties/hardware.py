"""Properties of the hardware that every protocol shares; each family is included with where its `Gpu` lies."""

from __future__ import annotations

from fencepost import Bool, Properties, exists
from fencepost_rocm.hardware import Gpu, HwQueue, PacketSlot

references = Properties("gpu")
"""Of what packets wait for."""


def some_packet_waits(gpu: Gpu) -> Bool:
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
def no_handle_destroyed_while_referenced(gpu: Gpu, queue: HwQueue, slot: PacketSlot) -> Bool:
    """A signal that a packet in some ring has still to see is not destroyed."""
    return ~gpu.queues[queue].packets[slot].dep_recycled


@references.invariant(
    "wait-satisfied-by-its-own-arming",
    protects="packet processor: barrier-AND condition",
    twin=some_packet_waits,
)
def wait_satisfied_by_its_own_arming(gpu: Gpu) -> Bool:
    """A packet's wait is satisfied only by the arming of its signal that it was made for."""
    return ~gpu.wait_passed_stale
