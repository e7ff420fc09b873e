"""A completion that stores a value into a signal armed for two operations, instead of subtracting one."""

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
    boolean,
    choice,
    forall,
    number,
    table,
)

APP = Actor("app")
ENGINE = Actor("copy engine", lane="copy")
TOOL = Actor("profiler", lane="copy")


class Copy(Index):
    """One of the copies that share the application's signal."""


class Phase(enum.Enum):
    """How far a copy has come."""

    NONE = "not submitted"
    RUNNING = "under way; it will decrement the profiler's signal"
    ENDED = "over; the profiler's handler has still to tell the application"
    TOLD = "the application's signal knows"


class Engine(Record):
    """A copy, with the signal of its own that the profiler put in place of the application's."""

    phase = choice(Phase)
    own = number(0, 1)


class State(Record):
    """The application's signal, and the copies."""

    signal = number(-1, Copy)
    copies = table(Copy, Engine)
    waiting = boolean()
    returned = boolean()


protocol = Protocol(
    "stored-not-subtracted",
    state=State,
    sizes=[Size("copies", Copy, default=2, low=1, high=3, help="copies that share a signal")],
    variants=[Variant("as-reported", "stores the value of its own signal", breaks="wait-covers-all-copies")],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=APP, src="arm the signal, submit the copies, wait", kind=Kind.ENVIRONMENT)
def submit(m: Step, s: State) -> None:
    """Arm the signal with the number of copies; the profiler gives each a signal of its own, armed with 1."""
    m.require(~s.waiting & ~s.returned, "once")
    s.signal = Copy.count()
    for copy in m.each(Copy):
        s.copies[copy].phase = Phase.RUNNING
        s.copies[copy].own = 1
    s.waiting = True


@protocol.action(by=ENGINE, src="copy engine: completion")
def end(m: Step, s: State, copy: Copy) -> None:
    """The copy is over."""
    one = s.copies[copy]
    m.require(one.phase == Phase.RUNNING, "under way")
    one.own = one.own - 1
    one.phase = Phase.ENDED


@protocol.action(by=TOOL, src="profiler: handler of its own signal")
def tell(m: Step, s: State, copy: Copy) -> None:
    """Pass the completion on to the application's signal."""
    one = s.copies[copy]
    m.require(one.phase == Phase.ENDED, "over")
    if m.variant("as-reported"):
        s.signal = one.own
    else:
        s.signal = s.signal - 1
    one.phase = Phase.TOLD


@protocol.action(by=APP, src="return from the wait")
def return_from_wait(m: Step, s: State) -> None:
    """The signal is below 1."""
    m.require(s.waiting, "waits")
    m.require(s.signal < 1, "signal is below 1")
    s.waiting = False
    s.returned = True


properties = Properties("stored-not-subtracted")


@properties.invariant(
    "wait-covers-all-copies", protects="profiler: handler of its own signal", twin=lambda s: s.returned
)
def wait_covers_all_copies(s: State) -> Bool:
    """Once the wait has returned, all copies that the signal was armed for are over."""
    return s.returned.implies(forall(Copy, lambda copy: s.copies[copy].phase.is_in(Phase.ENDED, Phase.TOLD)))


@properties.hang("no-hang", protects="return from the wait")
def somebody_waits(s: State) -> Bool:
    """While the application waits, a copy, the profiler or the wait can go on."""
    return s.waiting
