"""Dials that are turned up one at a time: more states than any search exhausts, and the first are found at once."""

from __future__ import annotations

from fencepost import Actor, Bool, Index, Kind, Properties, Protocol, Record, Size, Step, array, boolean, exists, number


class Dial(Index):
    """A dial."""


class Mark(Index):
    """A mark of a dial."""


class State(Record):
    """The dials."""

    at = array(Dial, number(0, Mark))
    odd = boolean()


protocol = Protocol(
    "vast",
    state=State,
    sizes=[
        Size("dials", Dial, default=14, low=1, high=14, help="dials"),
        Size("marks", Mark, default=9, low=2, high=9, help="marks of a dial"),
    ],
    doc=__doc__,
)

HAND = Actor("hand")


@protocol.action(by=HAND, src="vast.c: turn", kind=Kind.ENVIRONMENT)
def turn(m: Step, s: State, d: Dial) -> None:
    """One up."""
    m.require(s.at[d] < m.size(Mark), "not at the end")
    s.at[d] += 1


@protocol.action(by=HAND, src="vast.c: slip", kind=Kind.ENVIRONMENT)
def slip(m: Step, s: State) -> None:
    """It goes on slipping once it has."""
    m.require(s.odd, "slipped before")
    s.odd = True


properties = Properties("vast")


@properties.invariant("never-odd", protects="vast.c: slip", twin=lambda s: exists(Dial, lambda d: s.at[d] == 1))
def never_odd(s: State) -> Bool:
    """No dial slips."""
    return ~s.odd


@properties.invariant("never-at-two", protects="vast.c: turn", twin=lambda s: exists(Dial, lambda d: s.at[d] == 1))
def never_at_two(s: State) -> Bool:
    """No dial comes to its second mark."""
    return ~exists(Dial, lambda d: s.at[d] == 2)
