"""How many random programs a test draws: so many in the daily run, five times as many in the deep one."""

from __future__ import annotations

import os

DEEP = os.environ.get("FENCEPOST_PROFILE") == "deep"
FACTOR = 5 if DEEP else 1


def examples(number: int) -> int:
    """The number of examples, in this run."""
    return number * FACTOR


PATIENCE = 3600.0 if DEEP else 600.0
"""Seconds after which a foreign tool is taken to hang. What it needs depends on what else the machine does."""
