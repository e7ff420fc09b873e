"""A waiter that reads the value to wait for anew, after another thread has advanced it."""

from __future__ import annotations

from fencepost import Actor, Bool, Kind, Properties, Protocol, Record, Size, Step, Variant, boolean, number, part
from fencepost.parts import Point, TimelineSemaphore, checks

WAITER = Actor("waiting thread")
OTHER = Actor("other thread")
GPU = Actor("gpu")


class State(Record):
    """A fence made of a timeline semaphore: the value that it will have once it is signalled."""

    semaphore = part(TimelineSemaphore)
    pending = number(0, Point)
    """What the next signal sets the semaphore to."""
    submitted = number(0, Point)
    """The value that the GPU has been told to set it to."""
    waiting = boolean()
    target = number(0, Point, live_when=lambda s: s.waiting)
    """What `pending` was when the wait began."""


protocol = Protocol(
    "reread-target",
    state=State,
    sizes=[Size("points", Point, default=3, low=2, high=5, help="values of the semaphore")],
    variants=[Variant("as-reported", "the wait has a pointer to `pending`", breaks="no-hang")],
    default="fixed",
    doc=__doc__,
)


@protocol.action(by=OTHER, src="Fence::Reset", kind=Kind.ENVIRONMENT)
def reset(m: Step, s: State) -> None:
    """Make the fence unsignalled: it is signalled at the next value."""
    m.require(s.pending == s.submitted, "its last use was submitted")
    m.bound(s.pending < m.size(Point), "few uses")
    s.pending = s.pending + 1


@protocol.action(by=OTHER, src="Fence::SignalOnGpu", kind=Kind.ENVIRONMENT)
def submit(m: Step, s: State) -> None:
    """Submit work that ends with the fence's signal."""
    m.require(s.submitted < s.pending, "reset")
    s.submitted = s.pending


@protocol.action(by=GPU, src="gpu: signal the semaphore")
def signal(m: Step, s: State) -> None:
    """The work is over."""
    m.require(s.semaphore.value < s.submitted, "work is under way")
    s.semaphore.signal(m, s.submitted)


@protocol.action(by=WAITER, src="Fence::WaitOnCpu: call the driver", kind=Kind.ENVIRONMENT)
def begin_wait(m: Step, s: State) -> None:
    """Wait for work that was submitted."""
    m.require(~s.waiting, "not in a call")
    m.require((s.submitted == s.pending) & (s.submitted > 0), "submitted")
    s.waiting = True
    s.target = s.pending


@protocol.action(by=WAITER, src="Fence::WaitOnCpu: return")
def end_wait(m: Step, s: State) -> None:
    """The semaphore has reached the value; as reported, the one that is pending by now."""
    m.require(s.waiting, "in a call")
    m.require(s.semaphore.has_reached(s.pending if m.variant("as-reported") else s.target), "reached")
    s.waiting = False


properties = Properties("reread-target")
properties.include(checks.timeline, of=lambda s: s.semaphore)


@properties.hang("no-hang", protects="Fence::WaitOnCpu")
def somebody_waits(s: State) -> Bool:
    """While a thread waits for work that was submitted, the GPU or the thread can go on."""
    return s.waiting
