"""Locks whose acquisition is a step of its own."""

from __future__ import annotations

from fencepost import Bool, Record, Step, maybe
from fencepost_rocm.hardware.sorts import Thread


class Mutex(Record):
    """A mutual exclusion lock. An action that takes it needs `fair=Fairness.STRONG`."""

    owner = maybe(Thread)

    def is_free(self) -> Bool:
        """Nobody holds it."""
        return self.owner.is_none

    def acquire(self, m: Step, thread: Thread) -> None:
        """Take it; the caller requires `is_free()` first."""
        self.owner = thread

    def release(self, m: Step) -> None:
        """Give it back."""
        self.owner = None
