"""Keeping a compiled search in a file: now and then, and where it stops before its end."""

from __future__ import annotations

import time
from pathlib import Path

from attrs import mutable

from fencepost.explore.checkpoint import Mark
from fencepost.explore.native import Compiled
from fencepost.verdict import Stop

EVERY = 60.0
"""Seconds between two checkpoints, at least."""


@mutable
class Keeper:
    """Writes the checkpoints of one search."""

    path: Path
    resume: bool
    search: Compiled | None = None
    digest: str = ""
    mark: Mark | None = None
    """The beginning of the level at hand: the search changes nothing of what it found before."""
    written: Mark | None = None
    last: float = 0.0
    trouble: str = ""

    def begin(self, search: Compiled, digest: str) -> None:
        """Take up what the file holds, if that is wanted.

        Raises:
            UsageError: it is no checkpoint of this search.
        """
        self.search, self.digest, self.last = search, digest, time.monotonic()
        if self.resume:
            search.resume(self.path, digest)
            self.written = search.mark()

    def level(self) -> None:
        """A level begins."""
        assert self.search is not None
        self.mark = self.search.mark()
        if time.monotonic() - self.last >= EVERY:
            self._write()

    def end(self, stop: Stop) -> str:
        """The search is over; what to tell of its checkpoint, if anything."""
        if stop in (Stop.EXHAUSTED, Stop.DECIDED):
            return self.trouble
        self._write()
        if self.trouble or self.written is None:
            return self.trouble
        return f"kept in {self.path} up to depth {len(self.written.levels) - 1}; go on with --resume"

    def _write(self) -> None:
        """A disk that is full does not end the search."""
        if self.search is None or self.mark is None or self.mark == self.written:
            return
        try:
            self.search.save(self.path, self.digest, self.mark)
            self.written, self.trouble = self.mark, ""
        except OSError as error:
            self.trouble = f"not kept in {self.path}: {error.strerror}"
        self.last = time.monotonic()
