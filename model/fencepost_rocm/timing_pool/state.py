"""The retiring tracker's state with signals of three kinds, Timestamps, and what the two threads lock.

A Timestamp belongs to a command: a launch of several timed dispatches and the packet that ends it, or a
callback's marker alone. It lists the signals whose times are still to be taken. Its lock comes before that
of a signal. Who holds a lock is told by how far the two threads are that take times, so no lock has state of
its own. (The Timestamp's lock is recursive in the code. Nothing here takes it twice.)
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from fencepost import (
    Bool,
    Index,
    Int,
    Record,
    Step,
    boolean,
    choice,
    count,
    exists,
    forall,
    index,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware import Gpu, Handle, HwQueue, PacketSlot
from fencepost_rocm.retiring.state import Handler as RetiringHandler
from fencepost_rocm.retiring.state import State as Retiring
from fencepost_rocm.retiring.state import newest


class Stamp(Index):
    """A Timestamp there can be at a time."""


# The hardware.


class TimedGpu(Gpu):
    """The packet processor writes a packet's times into its signal before it decrements it."""

    stamped = members(Handle, ghost=True)
    """The signals that hold the times of the operation that they were armed for last."""

    def arm(self, m: Step, handle: Handle, value: Int | int = 1) -> None:
        """Armed for another operation, a signal holds the times of none that anybody should ask for."""
        super().arm(m, handle, value)
        self.stamped = self.stamped.removing(handle)

    def end(self, m: Step, queue: HwQueue, slot: PacketSlot) -> None:
        """Times, then the decrement."""
        completion = self.queues[queue].packets[slot].completion
        with m.when(completion.is_some):
            self.stamped = self.stamped.adding(completion.get)
        super().end(m, queue, slot)


# Signals of three kinds.


class Pool(Record):
    """Signals of a kind, and those of them that are for a slot to take."""

    made = members(Handle)
    """What kind a signal is of never changes."""
    unused = members(Handle)
    """Armed, and nobody holds them."""


class Signals(Record):
    """Signals in host memory, signals with an interrupt. All others are in device memory; unused ones are spares."""

    host = part(Pool)
    """Made for timing alone, or because a batch in device memory could not be had."""
    interrupt = part(Pool)
    """Made for handlers. The five that are made in advance only put off the first creation."""
    failed_batches = number(0, 2, ghost=True)
    """Batches that PlaceForUse asked for and that fell back, since Reclaim last took a spare; 2 is more than one."""

    def is_on_device(self, handle: Handle) -> Bool:
        """The signal is in device memory, without an interrupt."""
        return ~self.host.made.has(handle) & ~self.interrupt.made.has(handle)


# A use.


class Purpose(enum.Enum):
    """Why a packet has a signal."""

    TIMED = "timed dispatch"
    WAITED = "dispatch that may be waited for"
    BOTH = "timed dispatch that may be waited for"
    END = "packet that ends a timed batch"
    CALLBACK = "marker with a blocking callback"


class UseStep(enum.Enum):
    """How far a use is, from the slot to the packet."""

    PLACE = "PlaceForUse"
    RESET = "BeginUse: ResetCachedTiming"
    LIST = "Timestamp::AddProfilingSignal"
    ADD = "hsa_signal_add"
    REGISTER = "SetAsyncHandler"
    READY = "ready to be published"


class Waiting(enum.Enum):
    """LegacySignalTracker: how far a slot is that is proven free by waiting for it."""

    NOT = "does not wait"
    CURRENT = "CpuWait"
    NEXT = "CpuWait: timing, then WaitNext"
    NEXT_TIMES = "WaitNext: timing"
    ARM = "store"


class NextUse(Record):
    """The use that the call under way begins."""

    purpose = choice(Purpose)
    step = choice(UseStep)
    waiting = choice(Waiting)

    def is_closing(self) -> Bool:
        """A handler is to be registered, which will complete the batch."""
        return self.purpose.is_in(Purpose.END, Purpose.CALLBACK)

    def is_for_timing_alone(self) -> Bool:
        """Nobody but the profiler asks for the signal."""
        return self.purpose == Purpose.TIMED


# Times.


class StampPhase(enum.Enum):
    """The life of a Timestamp."""

    FREE = "free"
    OPEN = "its command is being submitted"
    CLOSED = "to be processed by the batch's handler"
    DONE = "processed by the handler, which has still to let the batch go"


class Timestamp(Record):
    """A Timestamp."""

    phase = choice(StampPhase)
    listed = members(Handle)
    """signals_: the signals whose times are still to be taken."""
    pointed = members(Handle)
    """The signals whose ts_ is this Timestamp."""
    blocking = boolean(live_when=lambda stamp: stamp.phase != StampPhase.FREE)
    """A blocking callback is set: the signal is armed one higher until the callback has returned."""
    twice = members(Handle)
    """The signals that are listed twice."""
    rearmed = members(Handle, ghost=True)
    """Listed signals that were armed anew since they were listed."""


class Taking(enum.Enum):
    """How far a thread is that takes times."""

    OFF = "holds no lock"
    STAMP = "holds the Timestamp's lock"
    WAIT = "holds both locks: looks at the value"
    READ = "holds both locks: reads the times"
    SIGNAL_FIRST = "holds the signal's lock, and wants the Timestamp's"


class Taker(Record):
    """A thread that takes times, and its locks."""

    step = choice(Taking)
    stamp = index(Stamp, live_when=lambda taker: taker.step.is_in(Taking.STAMP, Taking.WAIT, Taking.READ))
    signal = maybe(Handle)
    """The signal whose times it is about."""

    def holds_stamp(self, stamp: Stamp) -> Bool:
        """It holds the Timestamp's lock."""
        return self.step.is_in(Taking.STAMP, Taking.WAIT, Taking.READ) & (self.stamp == stamp)

    def holds_signal(self, handle: Handle) -> Bool:
        """It holds the signal's lock."""
        return self.step.is_in(Taking.SIGNAL_FIRST, Taking.WAIT, Taking.READ) & (self.signal == handle)


class HandlerStep(enum.Enum):
    """Where the handler is, once it has fired."""

    TIMES = "updateCommandsState: getTime"
    UNBLOCK = "hsa_signal_subtract"


class Handler(RetiringHandler):
    """The async handler: it holds its signal until it has processed the batch."""

    step = choice(HandlerStep)
    blocking = boolean()
    """The signal is armed one higher, and the handler waits for less than 2."""


class Times(Record):
    """Whoever takes times, and what went wrong with them."""

    app = part(Taker)
    handler = part(Taker)
    cached = members(Handle)
    """Signals whose cached times are valid, for the variant that never resets them. Else no use begins with any."""
    not_its_own = boolean(ghost=True)
    """Times were taken that the listed use's operation had not written."""
    lost = boolean(ghost=True)
    """An entry left the list without its times."""
    listed_under_a_reader = boolean(ghost=True)
    """A signal was listed while a thread went through the list."""


class State(Retiring):
    """One VirtualGPU with its tracker, its pools of signals, and the Timestamps of its commands."""

    gpu = part(TimedGpu)
    handler = part(Handler)
    signals = part(Signals)
    use = part(NextUse)
    stamps = table(Stamp, Timestamp)
    times = part(Times)


# What several steps ask.


def is_stamp_free(s: State, stamp: Stamp) -> Bool:
    """Nobody holds the Timestamp's lock."""
    return ~s.times.app.holds_stamp(stamp) & ~s.times.handler.holds_stamp(stamp)


def is_signal_free(s: State, handle: Handle) -> Bool:
    """Nobody holds the signal's lock."""
    return ~s.times.app.holds_signal(handle) & ~s.times.handler.holds_signal(handle)


def is_pointed(s: State, handle: Handle) -> Bool:
    """The signal's ts_ is some Timestamp."""
    return exists(Stamp, lambda stamp: s.stamps[stamp].pointed.has(handle))


def is_listed(s: State, handle: Handle) -> Bool:
    """Some Timestamp lists the signal."""
    return exists(Stamp, lambda stamp: s.stamps[stamp].listed.has(handle))


def current(s: State) -> Handle:
    """The signal of the use that was begun last."""
    return newest(s).signal


def first(has: Callable[[Handle], Bool]) -> Handle:
    """The first signal of a set that is not empty. Those of a pool are alike, so which one does not matter."""
    before = count(
        Handle,
        lambda handle: forall(Handle, lambda other: (other.ordinal <= handle.ordinal).implies(~has(other))),
    )
    return Handle.of(before)


def is_first_free(s: State, stamp: Stamp) -> Bool:
    """The first Timestamp that no command has."""
    return (s.stamps[stamp].phase == StampPhase.FREE) & forall(
        Stamp, lambda other: (other.ordinal < stamp.ordinal).implies(s.stamps[other].phase != StampPhase.FREE)
    )
