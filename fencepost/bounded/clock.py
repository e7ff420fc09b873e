"""How much time there is."""

from __future__ import annotations

import time


class Clock:
    """Time since the start of a run, and until its limit."""

    def __init__(self, timeout: float | None) -> None:
        self._start = time.monotonic()
        self._timeout = timeout

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float | None:
        """Until the limit (0 if past it), or None without one."""
        return None if self._timeout is None else max(0.0, self._timeout - self.seconds)

    @property
    def over(self) -> bool:
        return self.left == 0.0

    def slice(self, seconds: float) -> float:
        """No more than the seconds given, nor than what is left."""
        return seconds if self.left is None else min(seconds, self.left)
