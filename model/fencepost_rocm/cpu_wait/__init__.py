"""A stream is synchronized by a marker that the CPU waits for, without the lock that others need to submit.

`HostQueue::finish` of a small batch sends a marker that asks for a CPU wait. The merged change lets go of
execution() before it waits for the GPU, and takes it once more to process times and to reset the queue's
states. The marker holds the last signal and the batch meanwhile, and no handler completes the batch: the
waiting thread does.

- a thread launches (`launch.py`) or synchronizes (`finish.py`);
- a marker is enqueued: fence, signal, batch (`marker.py`);
- `CompleteCpuWait`: wait, look for an error, reset, complete the batch (`complete.py`);
- an error of the device, and the thread that lets a spinning kernel go (`others.py`).

Known from the descriptions of the change and of part 2, which reads the marker's signal once, and from public
sources of CLR before them. Importing this package declares all its actions.
"""

from fencepost_rocm.cpu_wait import launch, finish, marker, complete, others  # isort: skip
from fencepost_rocm.cpu_wait.declare import protocol
from fencepost_rocm.cpu_wait.state import State

__all__ = ["State", "complete", "finish", "launch", "marker", "others", "protocol"]
