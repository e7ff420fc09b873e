"""A line on a terminal that says where the engines are."""

from __future__ import annotations

import shutil
import time
from typing import TextIO

from attrs import field, mutable

from fencepost.verdict import ProgressEvent

_EVERY = 0.1
"""Seconds between two drawings."""


@mutable
class ProgressLine:
    """Draws the last event of each engine on one line; `clear` takes the line away."""

    stream: TextIO
    _last: dict[str, ProgressEvent] = field(factory=dict, init=False)
    _drawn: float = field(default=0.0, init=False)

    def __call__(self, event: ProgressEvent) -> None:
        self._last[event.engine] = event
        now = time.monotonic()
        if now - self._drawn >= _EVERY:
            self._drawn = now
            width = shutil.get_terminal_size().columns - 1
            text = "   ".join(describe(last) for _, last in sorted(self._last.items()))
            self._write(f"\r\x1b[K{text[:width]}")

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._drawn:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError:
            pass  # a terminal that went away is no reason to stop


def describe(event: ProgressEvent) -> str:
    """One engine's place: depth, states, states a second, memory, seconds."""
    rate = event.states / event.seconds if event.seconds else 0
    counts = f", {event.states:,} states, {rate:,.0f}/s" if event.states else ""
    return f"{event.engine}: depth {event.depth}{counts}, {event.memory >> 20:,} MiB, {event.seconds:.0f} s"
