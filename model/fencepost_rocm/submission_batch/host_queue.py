"""A stream's submission batches: commands that are submitted, and that nobody has completed.

A command is held, twice over, until its batch is complete, and it holds its signal. So all that matters of a
command here is that signal, if it has one. A *batch* is the list of commands that no marker has taken yet; an
*open batch* has its marker: the handler of that marker's signal will complete it.
"""

from __future__ import annotations

from fencepost import Bool, Index, Int, Maybe, Record, Step, boolean, count, exists, maybe, members, number, part, table
from fencepost_rocm.hardware import Handle


class BatchLimit(Index):
    """Commands that a batch may have before it is flushed (64, or DEBUG_CLR_MAX_BATCH_SIZE)."""


class BatchSlot(Index):
    """A batch that a marker has taken and that is not complete. The code has no limit on their number."""


MOST = 8
"""Commands that a batch can have here; the code has no such limit."""


class Batch(Record):
    """head_, tail_ and size_ of the HostQueue. Under execution()."""

    size = number(0, MOST)
    signals = members(Handle)
    """The signals that its commands hold. (A kernel holds none.)"""

    def can_grow(self) -> Bool:
        """One more command, and its marker: use it in `m.bound`."""
        return self.size + 1 < MOST


class OpenBatch(Record):
    """The batch of a marker, and the handler that was registered for the marker's signal."""

    marker = maybe(Handle)
    """The signal, which the handler itself holds. None: the place is free."""
    signals = members(Handle)
    """What its commands hold that are not complete, the marker's own signal among it."""


class HostQueue(Record):
    """The batches of one stream."""

    batch = part(Batch)
    open = table(BatchSlot, OpenBatch)
    last = maybe(Handle)
    """The signal of lastEnqueueCommand_, which holds a reference to that command."""
    completing = maybe(BatchSlot)
    """The open batch that the async handler completes."""
    has_flushed = boolean(ghost=True)
    """A batch was flushed because it had become too long."""

    def holds(self, handle: Handle) -> Bool:
        """A command that is not complete, the last command or a handler holds the signal."""
        return (
            self.batch.signals.has(handle)
            | exists(
                BatchSlot,
                lambda slot: self.open[slot].signals.has(handle) | (self.open[slot].marker == handle),
            )
            | (self.last == handle)
        )

    def is_open(self) -> Bool:
        """Some marker's batch is not complete."""
        return exists(BatchSlot, lambda slot: self.open[slot].marker.is_some)

    def can_open(self) -> Bool:
        """One more batch can be open: use it in `m.bound`."""
        return exists(BatchSlot, lambda slot: self.open[slot].marker.is_none)

    def waiting(self) -> Int:
        """Batches that are open."""
        return count(BatchSlot, lambda slot: self.open[slot].marker.is_some)

    def form(self) -> None:
        """FormSubmissionBatch: one more command. What it holds is known once it is submitted."""
        self.batch.size = self.batch.size + 1

    def hold(self, signal: Maybe[Handle] | Handle | None) -> None:
        """AttachHwEvent: the command that was enqueued last holds the signal."""
        self.last = signal

    def take(self, m: Step, signal: Handle) -> None:
        """SetBatchHead, hsa_amd_signal_async_handler, ResetSubmissionBatch: the batch is the marker's."""
        free = [self.open[BatchSlot.at(position)].marker.is_none for position in range(BatchSlot.count())]
        taken = Bool.constant(False)
        for position, is_free in enumerate(free):
            place = self.open[BatchSlot.at(position)]
            with m.when(is_free & ~taken):
                place.marker = signal
                place.signals = self.batch.signals.adding(signal)
            taken = taken | is_free
        m.clear(self.batch)
