"""How much time there is."""

from __future__ import annotations

import time

from attrs import field, mutable


@mutable(eq=False)
class Clock:
    """Seconds since the start of a run, and until it should stop: `timeout` after the start, or never if None."""

    timeout: float | None
    begun: float = field(factory=lambda: time.monotonic())  # noqa: PLW0108 - whichever clock there is then

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.begun

    @property
    def left(self) -> float | None:
        """Until the limit (0 if past it), or None without one."""
        return None if self.timeout is None else max(0.0, self.timeout - self.seconds)

    @property
    def over(self) -> bool:
        """Whether to stop."""
        return self.left == 0.0

    def slice(self, seconds: float) -> float:
        """No more than the seconds given, nor than what is left."""
        return seconds if self.left is None else min(seconds, self.left)

    def share(self, part: float) -> Clock:
        """A clock that stops after a part of the whole time."""
        return Clock(None if self.timeout is None else part * self.timeout, self.begun)

    def at_most(self, seconds: float) -> Clock:
        """A clock that stops that many seconds from now, if this one does not stop before."""
        return Clock(self.seconds + self.slice(seconds), self.begun)
