"""Standard output."""

from __future__ import annotations

import os
import sys

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
