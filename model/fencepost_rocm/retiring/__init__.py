"""RetiringSignalTracker: completion signals that are proven free without reading them.

It stands for part 2 of the series that moves CLR's completion signals to device memory, known from
the change's description. A signal's *use* begins when the tracker hands it out armed (value 1) for
a packet, and is *retired* once the tracker has proof that the packet is complete:

- a use published with the barrier bit is a *fence*: its completion proves every earlier packet of
  its hardware queue complete;
- the read index only *nominates* the newest fence that it has passed; one load of that fence's
  signal *confirms* it (`retire.py`);
- the walk arms retired slots anew, oldest first; a signal that somebody else still holds is parked
  and its slot gets an armed spare (`reclaim.py`);
- the ring grows to a cap before the tracker waits for the oldest use (`reclaim.py`);
- a signal that a GPU waiter will read is pinned (`dispatch.py`).

Importing this package declares all its actions, in the order in which a call takes them.
"""

from fencepost_rocm.retiring import dispatch, retire, reclaim, clients  # isort: skip
from fencepost_rocm.retiring.declare import protocol
from fencepost_rocm.retiring.state import State

__all__ = ["State", "clients", "dispatch", "protocol", "reclaim", "retire"]
