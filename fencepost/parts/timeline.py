"""A timeline semaphore: a number that only grows, and waits for it to reach a point."""

from __future__ import annotations

from fencepost import Bool, Int, Record, Step, boolean, number
from fencepost.parts.sorts import Point


class TimelineSemaphore(Record):
    """A timeline semaphore, or a fence with sequence numbers.

    A wait is for a number that the waiter has in its own state: one that reads it anew waits for
    something else. The code's numbers have no end; `m.bound` keeps them below `Point`'s size.
    """

    value = number(0, Point)
    fell = boolean(ghost=True)
    """It was signalled to a value that is not above the one it had."""

    def has_reached(self, point: Int | int) -> Bool:
        """A wait for the point returns: the guard of the step behind it."""
        return self.value >= point

    def signal(self, m: Step, point: Int | int) -> None:
        """Set it to the point, which has to be above its value."""
        self.fell = self.fell | (self.value >= point)
        self.value = point
