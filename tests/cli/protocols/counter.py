"""A counter that two hands push up and one pulls down; small enough to count on paper.

With `--limit n`, the counter goes from 0 to n. Its states are the values: n + 1 of them, the
deepest at depth n. `push` is enabled below n, `pull` above 0.
"""

from __future__ import annotations

from fencepost import (
    Actor,
    Bool,
    Feature,
    Index,
    Kind,
    Properties,
    Protocol,
    Record,
    Size,
    Step,
    Variant,
    boolean,
    number,
)


class Mark(Index):
    """A mark of the scale."""


class State(Record):
    """The counter."""

    value = number(0, Mark)
    broken = boolean()


protocol = Protocol(
    "counter",
    state=State,
    sizes=[Size("limit", Mark, default=3, low=1, high=9, help="the highest mark")],
    features=[Feature("reset", help="a hand that sets it to nought", default=False)],
    variants=[
        Variant("eager", help="pushes beyond the limit", breaks="range:push/value"),
        Variant("brittle", help="breaks on the highest mark", breaks="whole"),
        Variant("stuck", help="cannot be pulled", breaks="no-hang"),
        Variant("walled", help="cannot be pulled, and the scale ends only because it must", breaks="no-hang"),
    ],
    default="sound",
    doc=__doc__,
)

HAND = Actor("hand")


@protocol.action(by=HAND, src="counter.c: push", kind=Kind.ENVIRONMENT)
def push(m: Step, s: State) -> None:
    """One up."""
    if m.variant("walled"):
        m.bound(s.value < m.size(Mark), "end of the scale")
    elif not m.variant("eager"):
        m.require(s.value < m.size(Mark), "below the limit")
    m.note("pushed")
    s.value = s.value + 1
    if m.variant("brittle"):
        with m.when(s.value == m.size(Mark)):
            s.broken = True


@protocol.action(by=HAND, src="counter.c: pull")
def pull(m: Step, s: State) -> None:
    """One down."""
    m.require(s.value > 0, "above nought")
    if m.variant("stuck") or m.variant("walled"):
        m.require(s.broken, "broken")
    s.value = s.value - 1


@protocol.action(by=HAND, src="counter.c: reset", kind=Kind.ENVIRONMENT)
def reset(m: Step, s: State) -> None:
    """To nought."""
    m.require(m.has("reset"), "there is such a hand")
    m.bound(s.value > 1, "worth the trouble")
    s.value = 0


properties = Properties("counter")


@properties.invariant("whole", protects="counter.c", twin=lambda s: s.value == 2)
def whole(s: State) -> Bool:
    """The counter is not broken."""
    return ~s.broken


@properties.hang("no-hang", protects="counter.c: pull")
def raised(s: State) -> Bool:
    """A raised counter can come down."""
    return s.value > 0
