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
            _written(self.stream, f"\r\x1b[K{text[:width]}")

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._drawn:
            _written(self.stream, "\r\x1b[K")


def describe(event: ProgressEvent) -> str:
    """One engine's place: depth, states, states a second, memory, seconds, and what is left where that can be told."""
    rate = event.states / event.seconds if event.seconds else 0
    counts = f", {event.states:,} states, {event.frontier:,} to expand, {rate:,.0f}/s" if event.states else ""
    left = ""
    if event.expected is not None and rate:
        left = f", about {event.expected:,} in all, {max(0, event.expected - event.states) / rate:.0f} s left"
    return f"{event.engine}: depth {event.depth}{counts}, {event.memory >> 20:,} MiB, {event.seconds:.0f} s{left}"


@mutable
class ProgressBlock:
    """Draws a line for each of several things under way; a line of a report goes above them.

    `drop` takes a thing's line away, and all others until the next is drawn.
    """

    stream: TextIO
    _lines: dict[str, str] = field(factory=dict, init=False)
    _height: int = field(default=0, init=False)
    _drawn: float = field(default=0.0, init=False)

    def tell(self, name: str, text: str) -> None:
        """What there is to say of a thing now."""
        self._lines[name] = f"{name}: {text}"
        now = time.monotonic()
        if now - self._drawn >= _EVERY:
            self._drawn = now
            size = shutil.get_terminal_size()
            lines = [line[: size.columns - 1] for line in list(self._lines.values())[: size.lines - 1]]
            _written(self.stream, self._up() + "\n".join(lines))
            self._height = len(lines)

    def drop(self, name: str) -> None:
        """It is done; leave the terminal as it was, for whoever writes next."""
        self._lines.pop(name, None)
        if self._height:
            _written(self.stream, self._up())
            self._height = 0

    def _up(self) -> str:
        """To the first of the lines drawn, and all of them erased."""
        return "\r" + (f"\x1b[{self._height - 1}A" if self._height > 1 else "") + ("\x1b[J" if self._height else "")


def _written(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        pass  # a terminal that went away is no reason to stop
