"""Timing-only host signals and Timestamps: what the profiler adds to the retiring tracker.

All of `retiring`, with three differences. A slot may hold a signal of another kind than its use wants, and
PlaceForUse swaps it: a dispatch that is only timed gets one in host memory, a handler's marker one with an
interrupt, whatever may be waited for one in device memory (`place.py`). A use's times are taken under two
locks, its Timestamp's and its signal's, by the host thread before the signal is armed anew (`collect.py`)
and by the async handler for the whole batch (`handler.py`). And a slot may be proven free the way
LegacySignalTracker does it (`waiting.py`).

PlaceForUse and Reclaim are known from the description of CLR's part 2; Timestamp, ProfilingSignal and the
handler from public sources of CLR before it.
"""

from fencepost_rocm.timing_pool import place, collect, handler, waiting  # isort: skip
from fencepost_rocm.timing_pool.declare import protocol
from fencepost_rocm.timing_pool.state import State

__all__ = ["State", "collect", "handler", "place", "protocol", "waiting"]
