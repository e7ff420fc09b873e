"""An error path that leaves a number to wait for, which nobody will ever signal."""

from __future__ import annotations

import enum

from fencepost import (
    Actor,
    Bool,
    Kind,
    Properties,
    Protocol,
    Record,
    Size,
    Step,
    Variant,
    boolean,
    choice,
    number,
    part,
)
from fencepost.parts import Point, TimelineSemaphore, checks

SUBMITTER = Actor("submitter")
POLLER = Actor("poller")
GPU = Actor("gpu")


class Call(enum.Enum):
    """Where the submitting thread is."""

    OUTSIDE = "not in a call"
    NUMBERED = "has taken a number; what it submits has still to be validated"


class State(Record):
    """Numbers of submissions, and the fence that is signalled with them."""

    call = choice(Call)
    taken = number(0, Point)
    """The number that was taken last."""
    submitted = number(0, Point)
    """The number of the last submission that reached the queue."""
    fence = part(TimelineSemaphore)
    polling = boolean()
    target = number(0, Point, live_when=lambda s: s.polling)


protocol = Protocol(
    "failed-submission",
    state=State,
    sizes=[Size("points", Point, default=3, low=2, high=5, help="submissions")],
    variants=[Variant("as-reported", "polls for the number that was taken last", breaks="no-hang")],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=SUBMITTER, src="submit: take a number", kind=Kind.ENVIRONMENT)
def take_number(m: Step, s: State) -> None:
    """Take the next number, with which all that the submission uses is marked."""
    m.require(s.call == Call.OUTSIDE, "not in a call")
    m.bound(s.taken < m.size(Point), "few submissions")
    s.taken = s.taken + 1
    s.call = Call.NUMBERED


@protocol.action(by=SUBMITTER, src="submit: validate, hand to the queue")
def submit(m: Step, s: State, valid: Bool) -> None:
    """Hand the work to the queue, or return an error."""
    m.require(s.call == Call.NUMBERED, "has a number")
    with m.when(valid):
        s.submitted = s.taken
    s.call = Call.OUTSIDE


@protocol.action(by=GPU, src="gpu: signal the fence")
def signal(m: Step, s: State) -> None:
    """The work is over, and the work before it."""
    m.require(s.fence.value < s.submitted, "work is under way")
    s.fence.signal(m, s.submitted)


@protocol.action(by=POLLER, src="poll(Wait): choose what to wait for", kind=Kind.ENVIRONMENT)
def poll(m: Step, s: State) -> None:
    """Wait for all that was submitted so far."""
    m.require(~s.polling, "not in a call")
    s.polling = True
    s.target = s.taken if m.variant("as-reported") else s.submitted


@protocol.action(by=POLLER, src="poll(Wait): return")
def end_poll(m: Step, s: State) -> None:
    """The fence has reached it."""
    m.require(s.polling, "in a call")
    m.require(s.fence.has_reached(s.target), "reached")
    s.polling = False


properties = Properties("failed-submission")
properties.include(checks.timeline, of=lambda s: s.fence)


@properties.hang("no-hang", protects="poll(Wait)")
def somebody_polls(s: State) -> Bool:
    """While a thread polls for all that was submitted, something other than a new call can go on."""
    return s.polling
