"""When to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen
from hypothesis.errors import Flaky


class TimeIsUp(BaseException):
    """Ends a search in the middle; no `Exception`, so that Hypothesis does not take it for a failure."""


@frozen
class Clock:
    """Seconds of a run, and the moment (of the monotonic clock) at which to stop; None for never."""

    begun: float
    end: float | None

    @classmethod
    def starting(cls, timeout: float | None) -> Clock:
        """A clock that starts now."""
        now = time.monotonic()
        return cls(now, None if timeout is None else now + timeout)

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self.begun

    @property
    def limit(self) -> float | None:
        """Seconds from the beginning to the end."""
        return None if self.end is None else self.end - self.begun

    @property
    def is_up(self) -> bool:
        """Whether to stop."""
        return self.end is not None and time.monotonic() >= self.end

    def share(self, part: float) -> Clock:
        """A clock that stops after a part of the time."""
        return Clock(self.begun, None if self.end is None else self.begun + part * (self.end - self.begun))

    def at_most(self, seconds: float) -> Clock:
        """A clock that stops that many seconds from now, if this one does not stop before."""
        end = time.monotonic() + seconds
        return Clock(self.begun, end if self.end is None else min(self.end, end))

    def check(self) -> None:
        """Stop now if it is time.

        Raises:
            TimeIsUp: it is.
        """
        if self.is_up:
            raise TimeIsUp


@contextmanager
def ended_from_inside() -> Iterator[None]:
    """A block in which Hypothesis runs: an end of time or an interrupt comes out as what it is.

    Hypothesis lets both pass, but may find on the way that the run ended otherwise than one like it
    did, and raise that instead.
    """
    try:
        yield
    except Flaky as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, TimeIsUp | KeyboardInterrupt):
            cause = cause.__context__
        if cause is None:
            raise
        raise cause from None
