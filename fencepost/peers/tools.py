"""Running a tool that others wrote, in a folder of its own."""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

from fencepost.errors import UsageError
from fencepost.files import printable
from fencepost.processes import program

MOST_PRINTED = 256 * 1024 * 1024
"""Bytes; a long counterexample with all its states has some millions."""

_ROOM = 1024 * 1024
"""Bytes that a disk has left when it is full: where less is left, something could not be written."""

_LOOK = 0.05
"""Seconds between two looks at how far it is."""


class Unusable(UsageError):
    """The tool is not here, or it did not do what it was asked for."""


def need(*commands: str) -> str:
    """The path of the first of these commands that there is: they are names of one tool.

    Raises:
        Unusable: it is not installed.
    """
    path = next(filter(None, map(shutil.which, commands)), None)
    if path is None:
        raise Unusable(f"{commands[0]} is not installed; docs/export.md says where it comes from")
    return path


def call(
    command: list[str], folder: Path, timeout: float, *, codes: tuple[int, ...] = (0,), makes: str | None = None
) -> str:
    """Run a command to its end; its standard output. Nothing that it started is left when it is over.

    `makes` is a file that it has to leave in the folder.

    Raises:
        Unusable: it cannot be run, took longer, printed more than anybody reads, ended with another exit code, or
            did not make what it should have.
    """
    name = Path(command[0]).name
    # In files, and not through pipes, which what it started could hold open.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            with program(command, folder, out, err) as process:
                _wait(process, name, timeout, (out, err))
        except OSError as error:
            raise Unusable(f"{command[0]} cannot be run: {error.strerror}") from None
        printed, complained = _read(out), _read(err)
    if process.returncode not in codes:
        said = printable(" ".join((complained or printed).split())[-400:]) or "it says nothing"
        room = "" if shutil.disk_usage(folder).free > _ROOM else f"; there is no room left where {folder} is"
        raise Unusable(f"{name} ended with exit code {process.returncode}: {said}{room}")
    made = None if makes is None else folder / makes
    if made is not None and not (made.is_file() and made.stat().st_size):
        raise Unusable(f"{name} says that it is done, and did not make {makes}; is it what it is called?")
    return printed


def _wait(process: subprocess.Popen[bytes], name: str, timeout: float, streams: tuple[IO[bytes], ...]) -> None:
    ends = time.monotonic() + timeout
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK)
            ends = math.inf
        if any(os.fstat(stream.fileno()).st_size > MOST_PRINTED for stream in streams):
            raise Unusable(f"{name} printed more than {MOST_PRINTED:,} bytes")
        if ends == math.inf:
            return
        if time.monotonic() > ends:
            raise Unusable(f"{name} took more than {timeout:g} s")


def _read(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", errors="replace")
