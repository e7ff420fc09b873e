"""A mutual exclusion lock, taken and given back in steps of their own."""

from __future__ import annotations

from fencepost import Bool, Record, Step, boolean, maybe
from fencepost.parts.sorts import Thread


class Mutex(Record):
    """A lock that is not recursive. An action that takes it needs `fair=Fairness.STRONG`."""

    owner = maybe(Thread, given_back="call release(m, thread) where the critical section ends")
    misused = boolean(ghost=True)
    """It was taken while somebody had it, or given back by somebody who had it not."""

    def is_free(self) -> Bool:
        """Nobody has it: the guard of a step that takes it."""
        return self.owner.is_none

    def is_held_by(self, thread: Thread) -> Bool:
        """The thread has it."""
        return self.owner == thread

    def acquire(self, m: Step, thread: Thread) -> None:
        """Take it; the caller requires `is_free()`."""
        self.misused = self.misused | self.owner.is_some
        self.owner = thread

    def release(self, m: Step, thread: Thread) -> None:
        """Give it back; the thread has it."""
        self.misused = self.misused | (self.owner != thread)
        self.owner = None
