"""Signals and the allocator of their handles.

ROCr keeps freed signal blocks on a LIFO list, so a signal created right after a destroy gets the
same handle. The list is kept as a sequence of handles, exactly as the allocator has it.
"""

from __future__ import annotations

from fencepost import Bool, Int, Record, Step, array, boolean, count, maybe, number, table
from fencepost_rocm.hardware.sorts import Handle

LOW, HIGH = -1, 2
"""The values of a signal: -1 is one decrement too many, 2 a blocking callback's arming."""


class Signal(Record):
    """One signal block. Its memory stays mapped after a destroy, so its value can still be read."""

    alive = boolean()
    value = number(LOW, HIGH)


class SignalPool(Record):
    """All signal blocks, and the free ones as a stack: `free[depth - 1]` is given out next."""

    signals = table(Handle, Signal)
    free = array(Handle, maybe(Handle, init=lambda position: Handle.count() - 1 - position))

    def depth(self) -> Int:
        """How many handles are free."""
        return count(Handle, lambda handle: ~self.signals[handle].alive)

    def can_create(self) -> Bool:
        """A handle is free. The allocator has no such limit: use it in `m.bound`."""
        return self.depth() > 0

    def next_handle(self) -> Handle:
        """The handle that the next `create` gives out."""
        return self.free[Handle.of(self.depth() - 1)].get

    def create(self, m: Step, value: Int | int) -> Handle:
        """`hsa_signal_create`: the block freed last, with a value."""
        position = Handle.of(self.depth() - 1)
        handle = self.free[position].get
        self.free[position] = None
        self.signals[handle].alive = True
        self.signals[handle].value = value
        return handle

    def destroy(self, m: Step, handle: Handle) -> None:
        """`hsa_signal_destroy`: the block goes on top of the stack. Whoever still has the handle keeps it."""
        self.free[Handle.of(self.depth())] = handle
        self.signals[handle].alive = False
