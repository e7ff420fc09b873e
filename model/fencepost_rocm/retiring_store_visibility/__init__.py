"""The retiring tracker on top of the store path: its signals, and where it says so its rings, in device memory.

All of `retiring`, with three differences. A store that arms a signal goes through the write-combining
buffer of the core that the call runs on, and Reclaim ends with FlushStores. A packet of a ring in device
memory is seen only when it has come the same way. And two more users of signals: copies that ROCr makes,
which have no packet in the ring, and a queue of another device.
"""

from fencepost_rocm.retiring_store_visibility import steps
from fencepost_rocm.retiring_store_visibility.declare import protocol
from fencepost_rocm.retiring_store_visibility.state import State

__all__ = ["State", "protocol", "steps"]
