"""Standard output: its colours, and what happens when its reader leaves."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from rich.console import Console

from fencepost.errors import UsageError

_WIDTH = 80
"""Columns of a terminal that has none."""


def console_for(color: str) -> Console:
    """Standard output with colours `always`, `never`, or on a terminal where NO_COLOR is not set."""
    terminal = {"always": True, "never": False}.get(color)
    if terminal is None and os.environ.get("NO_COLOR"):
        terminal = False
    console = Console(
        file=sys.stdout,
        force_terminal=terminal,
        no_color=terminal is False,
        color_system="standard" if terminal else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )
    if console.width < 1:  # COLUMNS=0: rich would show nothing at all
        console.width = _WIDTH
    return console


class Patient:
    """A stream that goes on into the void when its reader has seen enough (`verify ... | head`).

    It does so, too, when it cannot be written for another reason, which is in `why` then: to raise it
    here would be to raise it in whoever happens to write.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.why: OSError | None = None
        self.used = False
        """Whether anything was written."""

    def write(self, text: str) -> int:
        with self._given_up_in_time():
            self._stream.write(text)
            self.used = self.used or bool(text)
        return len(text)

    def flush(self) -> None:
        with self._given_up_in_time():
            self._stream.flush()

    @contextmanager
    def _given_up_in_time(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self._give_up()
        except OSError as error:
            self._give_up()
            self.why = error

    def _give_up(self) -> None:
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, self._stream.fileno())
        os.close(void)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def patient_stdout() -> Iterator[Patient]:
    """While the block runs, a reader that leaves is no error; the verdict, and so the exit code, stands.

    The same where there is nobody from the start (`verify ... >&-`). What an encoding has no letter
    for is written as its number.

    Raises:
        UsageError: it cannot be written, as on a full disk.
    """
    with _opened(sys.stdout) as stream, _opened(sys.stderr) as errors:
        before, patient = (sys.stdout, sys.stderr), Patient(stream)
        sys.stdout, sys.stderr = cast("TextIO", patient), errors
        try:
            yield patient
        finally:
            patient.flush()
            sys.stdout, sys.stderr = before
    if patient.why is not None:
        raise UsageError(f"cannot write to standard output: {patient.why.strerror or patient.why}")


@contextmanager
def nothing_said() -> Iterator[None]:
    """What a protocol itself prints while it is loaded, in the block, says nothing of what was done."""
    out: object = sys.stdout
    used = isinstance(out, Patient) and out.used
    try:
        yield
    finally:
        if isinstance(out, Patient):
            out.used = used


@contextmanager
def _opened(stream: TextIO | None) -> Iterator[TextIO]:
    """The stream, or the void where the process was started without it."""
    if stream is None:
        with Path(os.devnull).open("w", encoding="utf-8") as void:
            yield void
        return
    if not isinstance(stream, io.TextIOWrapper):
        yield stream
        return
    before = stream.errors
    stream.reconfigure(errors="backslashreplace")
    try:
        yield stream
    finally:
        stream.reconfigure(errors=before)
