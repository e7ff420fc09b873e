"""An engine that comes to nothing in its time."""

import time
from typing import Any

from fencepost.verdict import Run, Stop


def run(model: Any, *, timeout: float, **_: Any) -> Run:
    time.sleep(min(timeout, 10.0))
    return Run("timed_out" if timeout == 3.0 else "explore", Stop.TIMEOUT, 0)
