"""Standard output: its colours, and what happens when its reader leaves."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from rich.console import Console


def console_for(color: str) -> Console:
    """Standard output with colours `always`, `never`, or on a terminal where NO_COLOR is not set."""
    terminal = {"always": True, "never": False}.get(color)
    if terminal is None and os.environ.get("NO_COLOR"):
        terminal = False
    return Console(
        file=sys.stdout,
        force_terminal=terminal,
        no_color=terminal is False,
        color_system="standard" if terminal else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


class _Patient:
    """A stream that goes on into the void when its reader has seen enough (`verify ... | head`)."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._give_up()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._give_up()

    def _give_up(self) -> None:
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, self._stream.fileno())
        os.close(void)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def patient_stdout() -> Iterator[None]:
    """While the block runs, a reader that leaves is no error; the verdict, and so the exit code, stands."""
    stream = sys.stdout
    sys.stdout = cast("TextIO", _Patient(stream))
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stdout = stream
