"""Stopping in the middle of what Hypothesis runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis.errors import Flaky

from fencepost.clock import Clock


class TimeIsUp(BaseException):
    """Ends a search in the middle; no `Exception`, so that Hypothesis does not take it for a failure."""


def stop_if_over(clock: Clock) -> None:
    """Stop now if it is time.

    Raises:
        TimeIsUp: it is.
    """
    if clock.over:
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
