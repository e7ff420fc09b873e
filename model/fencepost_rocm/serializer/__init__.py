"""The profile serializer of rocprofiler-sdk, and how it retires the barriers of its transitions.

Counter collection lets one kernel run at a time. Whoever enables or disables that makes a *barrier*:
an HSA signal, armed while dispatches of the old mode are in flight. The first dispatch of a queue after
the transition carries a *transition packet* that waits for the signal. The merged fix destroys a
barrier only when it is complete and every queue has passed its transition packet (`tags`), since the
allocator gives the handle out again.

- a dispatch is intercepted, built under the shared lock, and written later (`dispatch.py`);
- the async handler hands the token round and counts completions off (`completion.py`);
- the tool enables and disables under the exclusive lock (`transitions.py`);
- a queue may be destroyed (`teardown.py`).

It stands for `profile_serializer.cpp`, `hsa_barrier.cpp` and `queue.cpp`, as the change's description and
its review give them. Importing this package declares all its actions.
"""

from fencepost_rocm.serializer import dispatch, transitions, completion, teardown  # isort: skip
from fencepost_rocm.serializer.declare import protocol
from fencepost_rocm.serializer.state import State

__all__ = ["State", "completion", "dispatch", "protocol", "teardown", "transitions"]
