"""Where in the user's source a model expression was written."""

from __future__ import annotations

import linecache
import os
import sys
from types import FrameType

from fencepost.errors import Location

_HOUSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def _user_frame() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_HOUSE):
        frame = frame.f_back
    return frame


def here() -> Location | None:
    """The innermost line of the call stack that is not fencepost's own."""
    frame = _user_frame()
    return None if frame is None else Location(shown_path(frame.f_code.co_filename), frame.f_lineno)


def source_line() -> str:
    """The text of that line, for messages that quote it."""
    frame = _user_frame()
    return "" if frame is None else linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()


def shown_path(path: str) -> str:
    """The path relative to the working directory if it is below it."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir) else relative
