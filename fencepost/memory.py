"""How much memory this process holds, and how much it may."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

_SHARE = 0.75
"""Of the memory that is free when a search begins, how much of it the search may take."""


def resident_of(process: int | str) -> int:
    """Resident size in bytes of the process of that number; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def resident_below(process: int) -> int:
    """Resident size in bytes of a process and of those that it started; 0 where the system does not say."""
    started: list[str] = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has ended
            started += path.read_text(encoding="ascii").split()
    return resident_of(process) + sum(resident_below(int(child)) for child in started)


def resident() -> int:
    """Resident size of this process in bytes; the most that it ever was, or 0, where the system says no more."""
    held = resident_of("self")
    if held or resource is None:
        return held
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def default_limit() -> int | None:
    """The resident size in bytes at which a search stops; None where the system does not say what is free."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None
    return resident() + int(free * _SHARE)
