"""An engine whose process ends without a word, as one that the kernel kills does."""

import os
import signal
from typing import Any

from fencepost.verdict import Run


def run(model: Any, *, depth: int, **_: Any) -> Run:
    if depth in (9, 40):
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(depth)
