"""What was last seen of each event, kept by the position in a list that is compacted."""

from __future__ import annotations

import enum

from fencepost import (
    Actor,
    Bool,
    Index,
    Kind,
    Properties,
    Protocol,
    Record,
    Size,
    Step,
    Variant,
    array,
    boolean,
    choice,
    exists,
    maybe,
    number,
    table,
)

DEVICE = Actor("device", lane="event")
LOOP = Actor("event loop")


class Event(Index):
    """An event; the kernel counts how often it was notified: its age."""


class Position(Index):
    """A position in the list of events that the loop waits for."""


class Loop(enum.Enum):
    """Where the loop is."""

    WAITING = "in the kernel"
    SERVING = "runs the handler of an event"


class Entry(Record):
    """A position of the list."""

    event = maybe(Event, init=lambda position: position)
    baseline = number(0, 2)
    """The age from which on the wait is to return."""


class State(Record):
    """The kernel's events, and the loop's list."""

    ages = array(Event, number(0, 2))
    entries = table(Position, Entry)
    loop = choice(Loop)
    serving = maybe(Position)
    seen = array(Event, number(0, 2, ghost=True))
    """The age at which the loop really served the event last."""
    returned_for_nothing = boolean(ghost=True)


protocol = Protocol(
    "age-by-position",
    state=State,
    sizes=[
        Size("events", Event, default=2, low=1, high=3),
        Size("positions", Position, default=2, low=1, high=3, at_most=("events",)),
    ],
    variants=[
        Variant("as-reported", "compacts the events and leaves the baselines", breaks="no-return-without-news"),
    ],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=DEVICE, src="kernel: notify an event", kind=Kind.ENVIRONMENT)
def notify(m: Step, s: State, event: Event) -> None:
    """The event's age goes up."""
    m.bound(s.ages[event] < 2, "twice")
    s.ages[event] = s.ages[event] + 1


@protocol.action(by=LOOP, src="event loop: the wait returns")
def return_from_wait(m: Step, s: State, position: Position) -> None:
    """The age of some event is not the baseline that the kernel was given for it."""
    entry = s.entries[position]
    m.require(s.loop == Loop.WAITING, "waiting")
    m.require(entry.event.is_some, "an event is there")
    m.require(s.ages[entry.event.get] != entry.baseline, "age differs")
    event = entry.event.get
    s.returned_for_nothing = s.returned_for_nothing | (s.seen[event] == s.ages[event])
    s.seen[event] = s.ages[event]
    entry.baseline = s.ages[event]
    s.serving = position
    s.loop = Loop.SERVING


@protocol.action(by=LOOP, src="event loop: the handler returns")
def serve(m: Step, s: State, done: Bool) -> None:
    """The handler stays on the list, or is done with its event: then the list is compacted."""
    m.require(s.loop == Loop.SERVING, "serving")
    gone = s.serving
    for position in m.each(Position):
        with m.when(done & (position.ordinal >= gone.get.ordinal)):
            with m.when(position == Position.last()):
                s.entries[position].event = None
            with m.otherwise():
                s.entries[position].event = s.entries[position.next].event
                if not m.variant("as-reported"):
                    s.entries[position].baseline = s.entries[position.next].baseline
    s.serving = None
    s.loop = Loop.WAITING


properties = Properties("age-by-position")


@properties.invariant(
    "no-return-without-news", protects="event loop: compaction", twin=lambda s: s.loop == Loop.SERVING
)
def no_return_without_news(s: State) -> Bool:
    """The wait returns for an event only if that was notified since it was served last."""
    return ~s.returned_for_nothing


@properties.hang("no-news-missed", protects="event loop: compaction")
def an_event_has_news(s: State) -> Bool:
    """While an event on the list has news, the loop can go on."""
    return exists(
        Position,
        lambda position: (
            s.entries[position].event.is_some
            & (s.seen[s.entries[position].event.get] != s.ages[s.entries[position].event.get])
        ),
    )
