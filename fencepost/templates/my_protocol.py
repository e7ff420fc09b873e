"""Buffers that the host lends to a device: a protocol to start from.

The host arms a signal, hands the buffer to the device, and takes it back once the device has cleared
the signal. Replace the state, the actions and the properties by your own, one after the other, and ask

    verify --protocol ./my_protocol.py                    does it hold?
    verify --protocol ./my_protocol.py --variant buggy    what does the mistake do?
"""

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
    table,
)

# The state: what the actors can see or must remember, and nothing else.


class Slot(Index):
    """A buffer with a signal of its own; how many there are is a size, `--slots N`."""


class Host(enum.Enum):
    """Where the host is with a buffer."""

    IDLE = "the buffer is its own"
    ARMED = "the signal is armed"
    WAITING = "the device has the buffer"


class Loan(Record):
    """A buffer. A field starts at its first or lowest value unless it says otherwise."""

    host = choice(Host)
    armed = boolean()
    """The buffer's signal: armed, or cleared."""
    busy = boolean()
    """The device works on the buffer."""


class State(Record):
    """All buffers."""

    loans = table(Slot, Loan)


protocol = Protocol(
    "my-protocol",
    state=State,
    sizes=[Size("slots", Slot, default=2, high=4, help="buffers")],
    # A small difference with a name, and the property that it violates.
    variants=[Variant("buggy", "takes the buffer back without a look at the signal", breaks="no-touch-while-busy")],
    default="correct",
    doc=__doc__,
)

# The actions: each is one atomic step of one actor, and names the code that it stands for.

HOST = Actor("host", lane="slot")
DEVICE = Actor("device", lane="slot")


@protocol.action(by=HOST, src="lend(), line 1", kind=Kind.ENVIRONMENT)  # the call may never come
def arm(m: Step, s: State, slot: Slot) -> None:
    """Arm the signal."""
    loan = s.loans[slot]
    m.require(loan.host == Host.IDLE, "the buffer is free")
    m.note("ARMED", of=slot)
    loan.armed = True
    loan.host = Host.ARMED


@protocol.action(by=HOST, src="lend(), line 2")
def submit(m: Step, s: State, slot: Slot) -> None:
    """Hand the buffer to the device."""
    loan = s.loans[slot]
    m.require(loan.host == Host.ARMED, "the signal is armed")
    loan.busy = True
    loan.host = Host.WAITING


@protocol.action(by=DEVICE, src="device: completion")
def complete(m: Step, s: State, slot: Slot) -> None:
    """The device is done with the buffer, and clears the signal."""
    loan = s.loans[slot]
    m.require(loan.busy, "there is work")
    m.note("CLEARED", of=slot)
    loan.busy = False
    loan.armed = False


@protocol.action(by=HOST, src="lend(), line 3")
def take_back(m: Step, s: State, slot: Slot) -> None:
    """Wait for the signal, then use the buffer again."""
    loan = s.loans[slot]
    m.require(loan.host == Host.WAITING, "the buffer is lent")
    if not m.variant("buggy"):
        m.require(~loan.armed, "the signal is cleared")
    loan.host = Host.IDLE


# What must hold in every state that some order of the steps leads to. A `twin` is where it says something at all.

properties = Properties("my-protocol")


@properties.invariant("no-touch-while-busy", protects="lend(), line 3", twin=lambda s, slot: s.loans[slot].busy)
def no_touch_while_busy(s: State, slot: Slot) -> Bool:
    """While the device works on a buffer, the host waits."""
    return s.loans[slot].busy.implies(s.loans[slot].host == Host.WAITING)


@properties.hang("no-hang", protects="lend()")
def a_loan_is_under_way(s: State, slot: Slot) -> Bool:
    """While a buffer is lent, something other than a new call can go on."""
    return s.loans[slot].host != Host.IDLE
