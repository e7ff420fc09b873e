"""Properties of the recycled handle."""

from __future__ import annotations

from fencepost import Bool, Properties
from fencepost_rocm.recycled_handle import Handle, Queue, Signal, Slot, State, is_empty, is_referenced

properties = Properties("recycled-handle")


@properties.invariant(
    "no-handle-destroyed-while-referenced",
    protects="hsa_barrier::~hsa_barrier",
    twin=is_referenced,
)
def no_handle_destroyed_while_referenced(s: State, handle: Handle) -> Bool:
    """A handle that a packet in a queue waits for is not destroyed."""
    return is_referenced(s, handle).implies(s.barriers[handle].signal != Signal.FREE)


@properties.hang("no-hang", protects="profiler_serializer::enable")
def work_is_outstanding(s: State, queue: Queue) -> Bool:
    """While a packet lies in some queue, some step other than the application's can be taken."""
    return ~is_empty(s.queues[queue].packets[Slot.at(0)])
