"""An object with a count of its references, which is destroyed some time after the last one is gone."""

from __future__ import annotations

import enum

from fencepost import Actor, Bool, Component, Step, action, boolean, choice, number

REAPER = Actor("reaper")
"""Whoever destroys what nobody refers to any more: a thread, or a later call."""


class Life(enum.Enum):
    """How far an object has come."""

    ABSENT = "not there yet"
    ALIVE = "referred to"
    DOOMED = "its last reference is gone"
    DESTROYED = "destroyed"


class Counted(Component):
    """A reference-counted object with deferred destruction.

    One reference too many given back is `range:` of the count. A protocol with more than four at once
    derives its own class, and declares `references` anew.
    """

    references = number(0, 4)
    life = choice(Life)
    revived = boolean(ghost=True)
    """A reference was taken after the last one was gone."""
    used_destroyed = boolean(ghost=True)
    """It was used after it was destroyed, or before it was there."""

    def create(self, m: Step) -> None:
        """Make it, with one reference, which is its maker's."""
        self.life = Life.ALIVE
        self.references = 1

    def is_referenced(self) -> Bool:
        """Somebody has a reference: what a weak reference asks before it becomes one."""
        return self.references > 0

    def retain(self, m: Step) -> None:
        """Take one more reference; the caller has one, or asked `is_referenced` in the same step."""
        self.revived = self.revived | (self.life != Life.ALIVE)
        self.references = self.references + 1

    def release(self, m: Step) -> None:
        """Give a reference back; without the last one, the object is doomed."""
        self.references = self.references - 1
        with m.when(self.references == 0):
            self.life = Life.DOOMED

    def use(self, m: Step) -> None:
        """Touch what is in it."""
        self.used_destroyed = self.used_destroyed | ~self.life.is_in(Life.ALIVE, Life.DOOMED)

    @action(by=REAPER, src="destruction of what nobody refers to")
    def destroy(self, m: Step) -> None:
        """Destroy it, some time after its last reference is gone."""
        m.require(self.life == Life.DOOMED, "doomed")
        self.life = Life.DESTROYED
