"""The pool of a graph's signals, made by the ROCr batch API and placed in device memory.

It stands for part 1 of the series that moves CLR's completion signals to device memory, as merged, and for
the segmented graph path that it changes:

- a set of signals is one batch with its memory, the arena; the batch handle is released at once, and the arena
  lives until the last of its signals is destroyed, in whatever order; where the batch fails, signals are made
  one by one in host memory (`batch.py`);
- a launch takes a set from the pool or makes one, patches its handles into the packets that the graph keeps,
  and publishes those segment by segment; it may fail on the way (`launch.py`);
- the callback of the accumulate command re-arms the set, flushes the HDP where rings are in system memory,
  returns the set to the pool and drops the launch's reference to the graph (`finish.py`);
- the last reference destroys the graph with its pool, at any time (`teardown.py`);
- a graph without a pool, as a child graph on the recursive path has none, makes a set for each launch, signal by
  signal, and destroys it afterwards (the feature `child-graph`);
- a profiler holds up completions and polls their signals (`tool.py`).

Importing this package declares all its actions, in the order in which a graph takes them.
"""

from fencepost_rocm.graph_pool import batch, launch, gpu, finish, teardown, tool  # isort: skip
from fencepost_rocm.graph_pool.declare import protocol
from fencepost_rocm.graph_pool.state import State

__all__ = ["State", "batch", "finish", "gpu", "launch", "protocol", "teardown", "tool"]
