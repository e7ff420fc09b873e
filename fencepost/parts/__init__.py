"""Parts that a protocol of your own may be put together from: locks, events, counts, store buffers.

`from fencepost.parts import Mutex`. Each is a record or a component with the state and the steps of one
thing that programs synchronize by. A part keeps what a misuse of it does in ghost fields, and `checks`
has a family of properties for each, which a protocol includes: `properties.include(checks.mutex, of=...)`.
"""

from fencepost.parts import checks
from fencepost.parts.conditions import AutoResetEvent, ConditionVariable
from fencepost.parts.counts import Counted, Life
from fencepost.parts.locks import Mutex
from fencepost.parts.sorts import Address, Core, Point, StorePlace, Thread
from fencepost.parts.stores import MemoryBehindStores, StoreBuffer
from fencepost.parts.timeline import TimelineSemaphore

__all__ = [
    "Address",
    "AutoResetEvent",
    "ConditionVariable",
    "Core",
    "Counted",
    "Life",
    "MemoryBehindStores",
    "Mutex",
    "Point",
    "StoreBuffer",
    "StorePlace",
    "Thread",
    "TimelineSemaphore",
    "checks",
]
