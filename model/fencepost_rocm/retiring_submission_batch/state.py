"""The tracker's state with the stream's batches, and a handler that completes one."""

from __future__ import annotations

from fencepost import Bool, Step, boolean, exists, part
from fencepost_rocm.hardware import Handle
from fencepost_rocm.retiring.state import Handler
from fencepost_rocm.retiring.state import State as Retiring
from fencepost_rocm.submission_batch.host_queue import HostQueue


class BatchHandler(Handler):
    """The handler of a marker's signal. Of the open batches it completes the one that there is."""

    completes = boolean()
    """It has taken the times, and is at the commands of the batch."""


class State(Retiring):
    """One VirtualGPU with its tracker, under the batches of its stream."""

    handler = part(BatchHandler)
    stream = part(HostQueue)
    flushes = boolean()
    """The call under way has made the batch too long, and is to make a marker, still under execution()."""
    held_rearmed = boolean(ghost=True)
    """A signal was armed anew while a command of the stream held it."""
    left_parked = boolean(ghost=True)
    """New signals were made while a parked one was free to be armed."""

    def is_held(self, m: Step, handle: Handle) -> Bool:
        """As in the tracker alone, or a command of the stream holds it."""
        alone = super().is_held(m, handle)
        return alone if m.variant("command-holds-no-signal") else alone | self.stream.holds(handle)

    def some_parked_is_free(self, m: Step) -> Bool:
        """A parked signal has the tracker's reference alone."""
        return exists(Handle, lambda handle: self.tracker.parked.has(handle) & ~self.is_held(m, handle))
