"""A bounded check that comes to nothing and goes on until it is interrupted."""

import contextlib
import time
from typing import Any

from fencepost.verdict import Run, Stop


def run(model: Any, **_: Any) -> Run:
    with contextlib.suppress(KeyboardInterrupt):
        time.sleep(600)
    return Run("sat", Stop.INTERRUPTED, 0)
