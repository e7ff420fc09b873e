"""What the tracker keeps, where a call is, and who holds a signal.

Either tracker has the same ring; which one it is is decided when the queue is made. Of the retiring one only
what the failure meets is here: a slot is armed ahead of its use, and a use is retired by its own signal.
"""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Int,
    Maybe,
    Record,
    boolean,
    choice,
    count,
    ite,
    maybe,
    members,
    number,
    part,
    table,
    total,
)
from fencepost_rocm.hardware import GpuWithoutReadIndex, Handle, HwQueue, PacketSlot, Phase, Signal, SignalPool
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.hardware.packets import AqlQueue, Packet
from fencepost_rocm.hardware.ring import SignalRing


class SubOp(Index):
    """An operation of those that complete one signal: a line of a rectangle, a range to prefetch."""


# The hardware.


class CountedSignal(Signal):
    """A signal that counts operations down. -1 is one decrement too many."""

    value = number(-1, SubOp)


class CountedPool(SignalPool):
    """Such signals."""

    signals = table(Handle, CountedSignal)


class Work(Packet):
    """A barrier-AND packet with the barrier bit, or an operation of an engine, which has none.

    An operation waits, works and decrements, as a barrier packet with a completion signal does. So `kind` tells
    nothing here, and is left alone.
    """

    spins = boolean()
    """A kernel that ends only once the host has set its flag."""

    def is_barrier(self) -> Bool:
        """Everything here may wait for a signal."""
        return self.is_there()

    def spins_on_host(self) -> Bool:
        """It is such a kernel."""
        return self.spins


class WorkQueue(AqlQueue):
    """The compute queue, or an engine."""

    packets = table(PacketSlot, Work)


class WorkGpu(GpuWithoutReadIndex):
    """The compute queue, and the engine beside it, which may end operations in any order."""

    pool = part(CountedPool)
    queues = table(HwQueue, WorkQueue)

    def is_satisfied(self, queue: HwQueue, slot: PacketSlot) -> Bool:
        """A barrier-AND, and an engine's poll, wait for 0."""
        return barrier_and_sees_done(self.value(self.queues[queue].packets[slot].dep.get))

    def submit(self, queue: HwQueue, dep: Maybe[Handle], completion: Handle) -> Work:
        """Reserve a slot, write the packet and ring the doorbell, in one step: see `Gpu.publish`."""
        ring = self.queues[queue]
        packet = ring.packets[PacketSlot.of(ring.length())]
        packet.phase = Phase.VALID
        packet.dep = dep
        packet.completion = completion
        return packet

    def owed(self, handle: Handle) -> Int:
        """How many decrements of the signal are outstanding."""
        return total(
            HwQueue,
            lambda queue: count(PacketSlot, lambda slot: self.queues[queue].packets[slot].owes(handle)),
        )


COMPUTE, ENGINE = 0, 1
"""Positions of the two queues."""


# The tracker.


class Engine(enum.Enum):
    """HwQueueEngine: where the last operation went."""

    COMPUTE = "compute"
    SDMA = "sdma"


class Tracker(Record):
    """HwQueueTracker, of either kind. All of it under execution()."""

    device = boolean()
    """Signals are in device memory: RetiringSignalTracker. Else LegacySignalTracker."""
    ring = part(SignalRing)
    engine = choice(Engine)
    armed = members(Handle)
    """RetiringSignalTracker: signals of the ring that are armed for a use which has not begun."""
    retired = members(Handle)
    """RetiringSignalTracker: signals of the ring whose last use is over."""
    parked = members(Handle)
    """RetiringSignalTracker: signals that a slot gave up because somebody else held them."""

    def owns(self, handle: Handle) -> Bool:
        """The tracker holds a reference to the signal."""
        return self.ring.has(handle) | self.parked.has(handle)

    def is_in_use(self, handle: Handle) -> Bool:
        """RetiringSignalTracker: the signal's use has begun and is not retired."""
        return ~self.armed.has(handle) & ~self.retired.has(handle)


# A call.


class CallPc(enum.Enum):
    """Where the thread that holds execution() is."""

    CREATE = "HwQueueTracker::Create"
    IDLE = "not in a call"
    LOOK = "WaitingSignal"
    PEEK = "LegacySignalTracker: peek two ahead"
    GROW = "LegacySignalTracker: grow"
    WAIT_CURRENT = "LegacySignalTracker: CpuWait"
    WAIT_NEXT = "LegacySignalTracker: WaitNext"
    SHARING = "LegacySignalTracker: references"
    REPLACE = "LegacySignalTracker: replace"
    ARM = "LegacySignalTracker: BeginUse"
    ACQUIRE = "RetiringSignalTracker: AcquireSlot"
    ISSUE = "issue"
    PUBLISH = "publish"
    DRAIN = "WaitForIssuedOps"
    RESET = "ResetCurrentSignal"
    FAILED = "after the failure"
    STAND_IN = "as repaired: stand in for what was not issued"
    TAKE_OFF = "subtract what was not issued"
    STORE = "subtract in device memory: store"


def _is_shared_call(call: Call) -> Bool:
    return call.shares


class Call(Record):
    """The call under way. One thread at a time is in one, since execution() is held to its end."""

    pc = choice(CallPc)
    shares = boolean()
    """Several operations complete one signal; else it is one packet of the compute queue."""
    issued = number(0, SubOp, live_when=_is_shared_call)
    """The operations that ROCr has taken."""
    spins = boolean()
    """The packet is a kernel that spins on a flag which another thread sets."""
    held = boolean()
    """The command outlives the call, and holds its signal."""
    dep = maybe(Handle)
    """What the packet or the operations wait for."""
    loaded = number(-1, SubOp)
    """What the host has loaded of a signal in device memory, to store less."""


class Command(Record):
    """A command that outlives its call, in a batch or in an event, and holds the signal of its last use."""

    signal = maybe(Handle)
    awaited = boolean()
    """Another thread waits for it, without any lock."""
    ended_early = boolean(ghost=True)
    """A wait for the command ended while an operation of its was under way."""


class State(Record):
    """One VirtualGPU with its tracker, its two queues, and a command that holds a signal."""

    gpu = part(WorkGpu)
    tracker = part(Tracker)
    call = part(Call)
    command = part(Command)


def is_shared(s: State, handle: Handle) -> Bool:
    """Somebody besides the tracker holds a reference."""
    return s.command.signal == handle


def current(s: State) -> Handle:
    """The signal of the use that was begun last."""
    return s.tracker.ring.current()


def init_value(s: State) -> Int:
    """What the use under way is armed with."""
    return ite(s.call.shares, SubOp.count(), 1)
