"""What the serializer keeps, and what its clients keep about it.

The counters of the code never end, so the model keeps differences: `dispatched` is the serialized
dispatches of a queue that are not complete, and a tag holds how many completions of its queue are
still missing until the dispatch that carries the transition packet is complete.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from fencepost import (
    Bool,
    Record,
    array,
    boolean,
    choice,
    count,
    exists,
    forall,
    index,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import Handle, HwQueue
from fencepost_rocm.serializer.gpu import ProfiledGpu
from fencepost_rocm.serializer.sorts import Dispatch, Transition


class Status(enum.Enum):
    """Whether the serializer lets one kernel run at a time."""

    DISABLED = "disabled"
    ENABLED = "enabled"


class Stage(enum.Enum):
    """Where WriteInterceptor is with the dispatch of a queue, under the intercept lock of that queue."""

    IDLE = "idle"
    STARTED = "async_started"
    BUILT = "packets built"


def _is_built(queue: ProfiledQueue) -> Bool:
    return queue.stage == Stage.BUILT


class ProfiledQueue(Record):
    """`Queue` of the profiler: its counters, and the dispatch that is between its interception and the ring."""

    active = number(0, Dispatch)
    """_active_kernels: from async_started to async_complete."""
    dispatched = number(0, Dispatch)
    """serialized_dispatched - serialized_completed."""
    stage = choice(Stage)
    known = boolean(live_when=_is_built)
    """is_serialized: the serializer hears of the completion. Only with `tracing`, otherwise always so."""
    serialize = boolean(live_when=_is_built)
    """Built while enabled: with ready and block packets."""
    transition = maybe(Handle, live_when=_is_built)
    """The barrier whose transition packet was built and is not in the ring yet."""
    transition_recycled = boolean(ghost=True)
    gone = boolean()
    """Destroyed: no longer in the controller's map."""


class Barrier(Record):
    """`hsa_barrier`; its signal's handle is its index."""

    before = choice(Status)
    """The mode that the dispatches it counts were made in."""
    waiting = members(HwQueue)
    """The queues in _queue_waiting."""
    counts = array(HwQueue, number(-1, Dispatch, 0))
    """The counts in _queue_waiting. One that went below 0 never comes back to it: -1 stands for all of them."""
    tagged = members(HwQueue)
    """The queues in _barrier_enqueued: they were given the transition packet and have not passed it."""
    missing = array(HwQueue, number(0, Dispatch))
    """Token - serialized_completed, 0 if that is negative."""


class Serializer(Record):
    """`profiler_serializer` of one agent, behind its lock."""

    status = choice(Status)
    owner = maybe(HwQueue)
    """_dispatch_queue: the queue that has the token."""
    ready = array(HwQueue, maybe(HwQueue))
    """_dispatch_ready, the first at 0: queues whose ready packet has passed."""
    order = array(Handle, maybe(Handle))
    """_barrier, the front at 0."""
    barriers = table(Handle, Barrier)
    destroyed_with_tags = boolean(ghost=True)
    """~hsa_barrier found tags, and logged its error."""
    completion_without_owner = boolean(ghost=True)
    """kernel_completion_signal found no token to take away (CHECK of _dispatch_queue)."""


class ToolPc(enum.Enum):
    """Where the tool's thread is inside start_context or stop_context."""

    IDLE = "idle"
    TEST = "set_barrier: test"
    STORE = "set_barrier: store"
    REGISTER = "add_callback"


class Tool(Record):
    """The profiler's host thread. It holds the serializer's lock, exclusively, while in set_barrier."""

    pc = choice(ToolPc)
    at = index(HwQueue)
    """The queue that set_barrier is at."""
    registered = boolean()
    """The callback that makes dispatches known to the serializer is in the queues; it stays there."""
    transitions = number(0, Transition)


class Handler(Record):
    """The async handler: one thread for all signals."""

    completing = maybe(HwQueue)
    """It is in AsyncSignalHandler, between kernel_completion_signal and async_complete."""


class State(Record):
    """One agent with its queues, its serializer, one tool and the async handler."""

    gpu = part(ProfiledGpu)
    queues = table(HwQueue, ProfiledQueue)
    serializer = part(Serializer)
    tool = part(Tool)
    handler = part(Handler)


# What several steps ask.


def lock_is_free(s: State) -> Bool:
    """Nobody holds the serializer's lock across steps. Every other critical section is one step."""
    return ~s.tool.pc.is_in(ToolPc.TEST, ToolPc.STORE)


def is_complete(s: State, handle: Handle) -> Bool:
    """`hsa_barrier::complete`."""
    return s.gpu.value(handle) == 0


def has_barriers(s: State) -> Bool:
    """The deque of barriers is not empty."""
    return s.serializer.order[Handle.at(0)].is_some


def newest(s: State) -> Handle:
    """The back of the deque; only where `has_barriers`."""
    order = s.serializer.order
    return order[Handle.of(count(Handle, lambda place: order[place].is_some) - 1)].get


def in_deque(s: State, handle: Handle) -> Bool:
    """The handle belongs to a barrier that the serializer has."""
    return exists(Handle, lambda place: s.serializer.order[place] == handle)


def first_in_order(s: State, fits: Callable[[Handle], Bool], holds: Callable[[Handle], Bool]) -> Bool:
    """There is a barrier that fits, and `holds` is true of the first one in the deque."""
    order = s.serializer.order

    def fits_at(place: Handle) -> Bool:
        return order[place].is_some & fits(order[place].get)

    def is_first(place: Handle) -> Bool:
        return fits_at(place) & forall(Handle, lambda other: (other.ordinal < place.ordinal).implies(~fits_at(other)))

    return exists(Handle, lambda place: is_first(place) & holds(order[place].get))
