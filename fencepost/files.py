"""Reading files that others wrote: regular ones alone, and no more of them than anybody would write."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from fencepost.errors import UsageError

LARGEST = 32 * 1024 * 1024
"""Bytes that are read of a file: what the tool reads has some thousands."""


def read_bytes(path: Path, what: str, *, most: int = LARGEST) -> bytes:
    """What is in a file; `what` it should be, such as `trace`, is for the message.

    A pipe or a device may have no end, and is not waited for.

    Raises:
        UsageError: it cannot be read, is no regular file, or has more than `most` bytes.
    """
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(f"{path}: cannot be read: it is not a regular file; copy what it gives into one")
        with path.open("rb") as file:
            data = b"" if found.st_size > most else file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    size = max(found.st_size, len(data))
    if size > most:
        raise UsageError(f"{path}: {size:,} bytes are more than any {what} has")
    return data


def read_text(path: Path, what: str, *, most: int = LARGEST) -> str:
    """The same as text; where it is not UTF-8, with a mark for what is not.

    Raises:
        UsageError: as `read_bytes`.
    """
    return read_bytes(path, what, most=most).decode("utf-8", errors="replace")


def printable(text: str) -> str:
    """A message that may quote a file, for a terminal: one line of a bounded length."""
    return "".join(c if c.isprintable() else "?" for c in text[:300])
