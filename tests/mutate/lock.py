"""A lock that two threads take, with what a mutant can be of: guards, numbers, a wake, a second step."""

from __future__ import annotations

import enum

from fencepost import Actor, Bool, Index, Kind, Properties, Protocol, Record, Size, Step, boolean, choice, number, table
from fencepost.ir.model import Model


class Thread(Index):
    """Who takes it."""


class Where(enum.Enum):
    """Where a thread is."""

    OUT = "does not want it"
    ASKS = "waits for it"
    HAS = "has it"


class Seat(Record):
    """A thread's."""

    at = choice(Where)


class State(Record):
    """The lock, who wants it, and how many have it."""

    seats = table(Thread, Seat)
    taken = boolean()
    inside = number(0, 2)


protocol = Protocol("lock", state=State, sizes=[Size("threads", Thread, default=2, high=2, help="threads")])
THREAD = Actor("thread", lane="thread")


@protocol.action(by=THREAD, src="lock.c: ask", kind=Kind.ENVIRONMENT)
def ask(m: Step, s: State, thread: Thread) -> None:
    """Want the lock."""
    m.require(s.seats[thread].at == Where.OUT, "out")
    s.seats[thread].at = Where.ASKS


@protocol.action(by=THREAD, src="lock.c: take")
def take(m: Step, s: State, thread: Thread) -> None:
    """Take it."""
    m.require((s.seats[thread].at == Where.ASKS) & (s.inside < 2), "asks")
    m.require(~s.taken, "free")
    s.taken = True
    s.seats[thread].at = Where.HAS
    s.inside = s.inside + 1


@protocol.action(by=THREAD, src="lock.c: give")
def give(m: Step, s: State, thread: Thread) -> None:
    """Give it back."""
    m.require(s.seats[thread].at == Where.HAS, "has it")
    s.taken = False
    s.seats[thread].at = Where.OUT
    s.inside = s.inside - 1


properties = Properties("lock")


@properties.invariant("one-has-it", protects="lock.c", twin=lambda s: s.inside == 1)
def one_has_it(s: State) -> Bool:
    """At most one thread is inside."""
    return s.inside <= 1


@properties.hang("no-hang", protects="lock.c")
def waits(s: State, thread: Thread) -> Bool:
    """A thread that asks goes on."""
    return s.seats[thread].at == Where.ASKS


def lock() -> Model:
    return protocol.build(properties=(properties,))
