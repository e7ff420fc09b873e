"""LegacySignalTracker: completion signals in a ring that grows, proven free by waiting for them.

It stands for CLR's tracker as part 1 of the series on device-memory signals moved it, unchanged, out of
`HwQueueTracker`. The current slot's signal belongs to the last operation. For the next one the tracker

- looks two slots ahead, and inserts a new signal where that one is still busy (`slot.py`);
- else takes the oldest slot: it waits for the slot's signal, takes its times, and waits for the *next*
  slot's value, which is to prove that the GPU has read this one for the last time (`slot.py`);
- replaces a signal that somebody else still holds, and swaps one of the wrong interrupt type (`slot.py`);
- arms it, and attaches it to the command, the Timestamp and the async handler (`slot.py`).

A change of engine makes the next packet wait for the current slot's raw handle (`calls.py`). Events,
another stream, the idle check and the handler are in `clients.py`.

Importing this package declares all its actions, in the order in which a call takes them.
"""

from fencepost_rocm.legacy import calls, slot, clients  # isort: skip
from fencepost_rocm.legacy.declare import protocol
from fencepost_rocm.legacy.state import State

__all__ = ["State", "calls", "clients", "protocol", "slot"]
