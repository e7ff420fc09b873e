"""A pool of events that goes away with its device, before the last event is returned to it."""

from __future__ import annotations

from fencepost import Actor, Index, Kind, Properties, Protocol, Record, Size, Step, Variant, array, boolean, part
from fencepost.parts import Counted, Life, checks

APP = Actor("app")


class Event(Index):
    """An event of the pool."""


class State(Record):
    """The pool, counted, and which of its events are out."""

    pool = part(Counted)
    device = boolean()
    """The device is there; it refers to the pool."""
    out = array(Event, boolean())
    """Somebody has the event."""


protocol = Protocol(
    "event-outlives-pool",
    state=State,
    sizes=[Size("events", Event, default=2, high=3, help="events of the pool")],
    variants=[
        Variant(
            "as-reported",
            "only the device refers to the pool",
            breaks="no-use-after-destruction",
            sizes={"events": 1},
        )
    ],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=APP, src="create the device", kind=Kind.ENVIRONMENT)
def create_device(m: Step, s: State) -> None:
    """The device makes its pool."""
    m.require(s.pool.life == Life.ABSENT, "no device yet")
    s.device = True
    s.pool.create(m)


@protocol.action(by=APP, src="acquire an event", kind=Kind.ENVIRONMENT)
def acquire(m: Step, s: State, event: Event) -> None:
    """Take an event out of the pool; with the fix, it refers to the pool while it is out."""
    m.require(s.device, "device is there")
    m.require(~s.out[event], "in the pool")
    s.pool.use(m)
    s.out[event] = True
    if not m.variant("as-reported"):
        s.pool.retain(m)


@protocol.action(by=APP, src="release the last reference to an event", kind=Kind.ENVIRONMENT)
def return_event(m: Step, s: State, event: Event) -> None:
    """The event goes back into the pool."""
    m.require(s.out[event], "out")
    s.pool.use(m)
    s.out[event] = False
    if not m.variant("as-reported"):
        s.pool.release(m)


@protocol.action(by=APP, src="destroy the device", kind=Kind.ENVIRONMENT)
def destroy_device(m: Step, s: State) -> None:
    """The device lets its pool go."""
    m.require(s.device, "device is there")
    s.device = False
    s.pool.release(m)


properties = Properties("event-outlives-pool")
properties.include(checks.counted, of=lambda s: s.pool)
