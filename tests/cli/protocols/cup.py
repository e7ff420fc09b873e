"""A cup that spills over on the left after two pours, on the right after three; it can be stirred."""

from __future__ import annotations

from fencepost import Actor, Bool, Index, Kind, Properties, Protocol, Record, Size, Step, boolean, number


class Drop(Index):
    """A drop."""


class State(Record):
    """The cup."""

    left = number(0, Drop)
    right = number(0, Drop)
    stirred = boolean()
    spilt = boolean()


protocol = Protocol(
    "cup",
    state=State,
    sizes=[Size("drops", Drop, default=5, low=3, high=9, help="that either side may count")],
    doc=__doc__,
)
HAND, SPOON = Actor("hand"), Actor("spoon")


@protocol.action(by=HAND, src="cup.c: left", kind=Kind.ENVIRONMENT)
def pour_left(m: Step, s: State) -> None:
    """One more on the left."""
    m.require(s.left < 2, "room")
    s.left = s.left + 1
    with m.when(s.left == 2):
        s.spilt = True


@protocol.action(by=HAND, src="cup.c: right", kind=Kind.ENVIRONMENT)
def pour_right(m: Step, s: State) -> None:
    """One more on the right."""
    m.require(s.right < 3, "room")
    s.right = s.right + 1
    with m.when(s.right == 3):
        s.spilt = True


@protocol.action(by=SPOON, src="cup.c: stir", kind=Kind.ENVIRONMENT)
def stir(m: Step, s: State) -> None:
    """To and fro."""
    s.stirred = ~s.stirred


properties = Properties("cup")


@properties.invariant("dry", protects="cup.c", twin=lambda s: s.left == 1)
def dry(s: State) -> Bool:
    """Nothing is spilt."""
    return ~s.spilt


@properties.invariant("still", protects="cup.c", twin=lambda s: s.left == 1)
def still(s: State) -> Bool:
    """It is not stirred."""
    return ~s.stirred
