"""How random programs are drawn: so many in the daily run, five times as many in the deep one."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

DEEP = os.environ.get("FENCEPOST_PROFILE") == "deep"
FACTOR = 5 if DEEP else 1


def examples(number: int) -> int:
    """The number of examples, in this run."""
    return number * FACTOR


def as_drawn(number: int) -> settings:
    """So many programs, the same each time; the first that fails is shown as it was drawn.

    For what costs much a try, and for planted faults, which need to be seen and not to be made small.
    """
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


PATIENCE = 3600.0 if DEEP else 600.0
"""Seconds after which a foreign tool is taken to hang. What it needs depends on what else the machine does."""
