"""A bounded check that comes to nothing and goes on until it is interrupted."""

import time
from typing import Any

from fencepost.verdict import Run, Stop


def run(model: Any, **_: Any) -> Run:
    try:
        time.sleep(600)
    except KeyboardInterrupt:
        pass
    return Run("sat", Stop.INTERRUPTED, 0)
