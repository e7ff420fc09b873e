"""An engine that goes on until it is interrupted."""

import time
from typing import Any

from fencepost.verdict import ProgressEvent, Run, Stop


def run(model: Any, *, progress: Any = None, **_: Any) -> Run:
    try:
        for depth in range(10_000):
            if progress is not None:
                progress(ProgressEvent("endless", depth, 0, 0, 0.0, 0))
            time.sleep(0.01)
    except KeyboardInterrupt:
        return Run("endless", Stop.INTERRUPTED, 7)
    raise AssertionError("nobody interrupted it")
