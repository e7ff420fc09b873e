"""An engine that takes memory until it is interrupted."""

import time
from typing import Any

from fencepost.verdict import Run, Stop


def run(model: Any, **_: Any) -> Run:
    held = []
    try:
        for _round in range(500):
            held.append(bytearray(b"x" * (1 << 20)))
            time.sleep(0.01)
    except KeyboardInterrupt:
        return Run("hungry", Stop.INTERRUPTED, 3)
    return Run("hungry", Stop.DEPTH, len(held))
