"""What the language must know while a model is being built: sizes, and fresh numbers for loop variables.

Index sorts are nominal Python classes whose size belongs to one build, so the build keeps it in a
context variable: `HwQueue` is two queues in one model and three in the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import field, frozen

from fencepost.errors import ModelError
from fencepost.ir.sorts import IndexSort
from fencepost.lang.location import here


@frozen
class Build:
    """One build: the size of each index sort by class, and a source of unique numbers."""

    counts: Mapping[type, int]
    numbers: Iterator[int] = field(factory=lambda: itertools.count(1))


_current: ContextVar[Build | None] = ContextVar("fencepost_build", default=None)


@contextmanager
def building(build: Build) -> Iterator[Build]:
    """Make `build` the current one."""
    token = _current.set(build)
    try:
        yield build
    finally:
        _current.reset(token)


def current_build() -> Build:
    """The build in progress.

    Raises:
        ModelError: a model expression is used outside of an action or a property.
    """
    build = _current.get()
    if build is None:
        raise ModelError("a model expression is used outside of an action or property", "move it into one", here())
    return build


def index_sort(cls: object) -> IndexSort:
    """The sort of an index class at the sizes of the current build.

    Raises:
        ModelError: the protocol gives this class no size.
    """
    counts = current_build().counts
    if not isinstance(cls, type):
        raise ModelError(f"{cls!r} is given where an Index class is expected", "give it the class itself", here())
    if cls not in counts:
        raise ModelError(
            f"{cls.__name__} has no size in this protocol",
            f'add Size("...", {cls.__name__}, default=...) to its sizes',
            here(),
        )
    return IndexSort(cls.__name__, counts[cls])


def fresh_number() -> int:
    """A number not used before in this build."""
    return next(current_build().numbers)
