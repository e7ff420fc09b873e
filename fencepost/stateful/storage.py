"""Where Hypothesis keeps what it remembers between runs: nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from hypothesis.configuration import set_hypothesis_home_dir


@contextmanager
def nothing_kept() -> Iterator[None]:
    """A block in which Hypothesis writes its caches to a directory that goes away, not into the user's."""
    with TemporaryDirectory(prefix="fencepost-", ignore_cleanup_errors=True) as directory:
        set_hypothesis_home_dir(directory)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)
