"""Where in the user's source a model expression was written."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache
from types import FrameType
from typing import ParamSpec, TypeVar

from fencepost.errors import Location

P = ParamSpec("P")
R = TypeVar("R")

_HOUSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PARTS = f"{_HOUSE}parts{os.sep}"
_PLUMBING = (_HOUSE, contextlib.__file__, "<attrs generated")

_subject: ContextVar[Location | None] = ContextVar("fencepost_subject", default=None)


def calling(at: Location | None, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function; what is wrong with it, but on no line of its own, is told of `at`."""
    token = _subject.set(at)
    try:
        return function(*args, **kwargs)
    finally:
        _subject.reset(token)


def user_frame() -> FrameType | None:
    """The innermost frame of the call stack that is written in the language, down to the last `calling`.

    That is the user's code or that of the parts, which are written as the user would.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_plumbing(frame):
        if frame.f_code is calling.__code__:
            return None
        frame = frame.f_back
    return frame


def _is_plumbing(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    return name.startswith(_PLUMBING) and not name.startswith(_PARTS)


def _outside_of_parts(frame: FrameType | None) -> FrameType | None:
    """The frame that calls the part, if it is one of a part's that is called by somebody else's."""
    while frame is not None and frame.f_code.co_filename.startswith(_HOUSE):
        if frame.f_code is calling.__code__:
            return None
        frame = frame.f_back
    return frame


def here() -> Location | None:
    """The user's line that is being executed; outside of any, the subject of the last `calling`."""
    frame = _outside_of_parts(user_frame())
    return _subject.get() if frame is None else Location(shown_path(frame.f_code.co_filename), frame.f_lineno)


def shown_path(path: str) -> str:
    """The path relative to the working directory if it is below it."""
    return _relative(path, os.getcwd())  # noqa: PTH109 - compared and cut as text, many times


@lru_cache(maxsize=1024)
def _relative(path: str, directory: str) -> str:
    relative = os.path.relpath(path, directory)
    return path if relative.startswith(os.pardir) else relative
