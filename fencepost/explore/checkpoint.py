"""A search kept in a file: what was found up to the beginning of a level, to go on from there.

A line that says what the file is, a line of JSON with a digest of all the rest, then the states.
It is written beside its place and moved there once it is whole, so that what was kept before stays
until there is something better.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from fencepost.errors import UsageError

_MAGIC = b"fencepost checkpoint 1\n"
_PIECE = 1 << 26


@frozen
class Mark:
    """Where a search is at the beginning of a level."""

    levels: Sequence[int]
    """The number of the first state of each level."""
    count: int
    """States found so far."""
    totals: Sequence[int]
    """What was counted so far."""


@frozen
class Kept:
    """What a file holds."""

    mark: Mark
    states: memoryview


def save(path: Path, digest: str, mark: Mark, states: memoryview) -> None:
    """Write a checkpoint.

    Args:
        path: where to.
        digest: of the model and of the code that searches it.
        mark: where the search is.
        states: all states found up to the mark, in order.

    Raises:
        OSError: the file cannot be written; one that was there before still is.
    """
    body = {"model": digest, **asdict(mark)}
    head = json.dumps({**body, "states": _digest(body, states)}).encode("ascii") + b"\n"
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(_MAGIC + head)
            for piece in _pieces(states):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(path: Path, digest: str) -> Kept:
    """Read a checkpoint of the search that has the digest.

    Raises:
        UsageError: the file cannot be read, is damaged, or is of another search.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise UsageError(f"{path} is not a checkpoint")
            head = file.readline()
            start = file.tell()
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY))[start:]
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    try:
        body: dict[str, Any] = json.loads(head)
        found, states = body["model"], body.pop("states")
        kept = Kept(Mark(body["levels"], body["count"], body["totals"]), data)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"{path} is damaged; begin anew without --resume") from None
    if found != digest:
        raise UsageError(f"{path} is of another model, other properties or another version of fencepost")
    if _digest(body, data) != states:
        raise UsageError(f"{path} is damaged; begin anew without --resume")
    return kept


def _digest(body: dict[str, Any], states: memoryview) -> str:
    """Of everything that the file says."""
    digest = hashlib.blake2b(json.dumps(body).encode("ascii"), digest_size=16)
    for piece in _pieces(states):
        digest.update(piece)
    return digest.hexdigest()


def _pieces(states: memoryview) -> Iterator[memoryview]:
    """A few at a time, so that Ctrl-C is heard."""
    for start in range(0, len(states), _PIECE):
        yield states[start : start + _PIECE]
