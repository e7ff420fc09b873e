"""The nominal index sorts that all protocols share."""

from fencepost import Index


class HwQueue(Index):
    """A hardware queue: an AQL ring with its packet processor."""


class PacketSlot(Index):
    """A place in the window of a queue's packets, 0 the oldest one still there."""


class Handle(Index):
    """A signal handle: the address of its block, which the allocator gives out again after a destroy."""


class Thread(Index):
    """A host thread."""
