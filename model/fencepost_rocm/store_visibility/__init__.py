"""The store path by itself: who sees the arming of a signal in device memory, and when.

A few signals of one device go round: a thread that knows the last use to be complete stores 1 to the
signal, FlushStores makes the store visible as far as the code thinks it has to, the signal is handed
out, and an operation decrements it: a packet of a ring in device or in system memory, or a copy that
ROCr makes. Packets, copies, a peer device and threads on any core wait for it. A profiler's host
thread may add to it and subtract from it.

It stands for the merged part 2 of the series that moves CLR's completion signals to device memory:
FlushStores always fences, flushes the HDP only where rings are in system memory, and a signal that
goes to a ROCr copy is flushed when its use begins. Trackers, queues' fences and references are left
out: here each use is known complete by a load of its own signal, and a signal that somebody waits for
is not armed.
"""

from fencepost_rocm.store_visibility import arm, submit, device, tool  # isort: skip
from fencepost_rocm.store_visibility.declare import protocol
from fencepost_rocm.store_visibility.state import State

__all__ = ["State", "arm", "device", "protocol", "submit", "tool"]
