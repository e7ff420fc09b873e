"""A tap that drips: it violates one property, nothing exercises the other, and a variant says too much."""

from __future__ import annotations

from fencepost import Actor, Bool, Index, Kind, Properties, Protocol, Record, Size, Step, Variant, boolean, number


class Drop(Index):
    """A drop that the basin holds."""


class State(Record):
    level = number(0, Drop)
    blocked = boolean()


protocol = Protocol(
    "leaky",
    state=State,
    sizes=[Size("drops", Drop, default=4)],
    variants=[
        Variant("blocked", "the drain is blocked", breaks="never-full"),
        Variant("scented", "the water is scented", breaks="no-such-thing"),
        Variant("tight", "the tap does not drip", breaks=None),
    ],
)
TAP, DRAIN = Actor("tap"), Actor("drain")


@protocol.action(by=TAP, src="tap.c: drip", kind=Kind.ENVIRONMENT)
def drip(m: Step, s: State) -> None:
    """One drop."""
    m.require(s.level < m.size(Drop), "not full")
    if m.variant("tight"):
        m.require(s.level < 1, "tight")
    if m.variant("scented"):
        s.blocked = False
    s.level = s.level + 1


@protocol.action(by=DRAIN, src="drain.c: drain")
def drain(m: Step, s: State) -> None:
    """All of it."""
    m.require(s.level > 0, "not empty")
    m.require(~s.blocked, "open")
    if m.variant("blocked"):
        m.require(s.level < 2, "blocked")
    s.level = 0


properties = Properties("leaky")


@properties.invariant("never-full", protects="basin.c", twin=lambda s: s.level > 0)
def never_full(s: State) -> Bool:
    """The basin does not fill up."""
    return s.level < 3


@properties.invariant("never-blocked", protects="drain.c", twin=lambda s: s.blocked)
def never_blocked(s: State) -> Bool:
    """A blocked drain holds nothing."""
    return (~s.blocked) | (s.level == 0)
