"""The pool of a graph's signals, the launches that borrow from it, and who else looks at a signal.

The graph forks and joins: a first segment on the launch stream, then a leaf on a parallel stream that waits for
it, and another leaf behind it on the launch stream. A set has one signal for each segment that somebody waits
for: the first one, and the leaf on the parallel stream, for which the accumulate command waits.
"""

from __future__ import annotations

import enum

from fencepost import (
    Bool,
    Index,
    Int,
    Record,
    Step,
    array,
    boolean,
    choice,
    count,
    exists,
    index,
    maybe,
    members,
    number,
    part,
    table,
)
from fencepost_rocm.hardware.signals import HIGH, LOW


class SignalSet(Index):
    """A set of signals, in the order in which they were made. As many as the pool may come to."""


class Prepopulated(Index):
    """The sets that are made with the graph (16)."""


class SetSignal(Index):
    """A signal of a set: `FORK`, then `LEAF`."""


class LaunchSlot(Index):
    """A launch that is not over. Its number means nothing."""


FORK, LEAF = 0, 1
"""Positions of a set's two signals: of the first segment, and of the leaf on the parallel stream."""


# Signals.


class Location(enum.Enum):
    """Where a set's signals are, as each ProfilingSignal records it."""

    NONE = "not made"
    DEVICE = "a batch in device memory"
    HOST_BATCH = "a batch in host memory"
    HOST = "signals of their own in host memory"


class Arena(enum.Enum):
    """The memory of a batch."""

    NONE = "no batch"
    MAPPED = "mapped"
    FREED = "freed"
    UNMAPPED = "freed and unmapped"


class Signals(Record):
    """A set: its signals, and the batch that they came from."""

    location = choice(Location)
    arena = choice(Arena)
    batch = boolean()
    """CLR still has the batch handle."""
    alive = members(SetSignal)
    values = array(SetSignal, number(LOW, HIGH))
    posted = members(SetSignal)
    """Signals whose arming is on the bus or in the HDP, on its way to device memory."""

    def is_in_device_memory(self) -> Bool:
        """Stores to it cross PCIe."""
        return self.location == Location.DEVICE

    def is_readable(self) -> Bool:
        """A load from one of its signals does not fault."""
        return self.arena != Arena.UNMAPPED

    def is_kept(self) -> Bool:
        """Its memory is its own: not freed."""
        return self.arena.is_in(Arena.NONE, Arena.MAPPED)


# Launches.


class PacketPhase(enum.Enum):
    """How far a packet has come. All have the barrier bit, so it is launched when everything before it is complete."""

    NONE = "not published"
    VALID = "valid"
    LAUNCHED = "launched"
    SATISFIED = "wait satisfied"
    COMPLETE = "complete"


def _is_in_flight(packet: Packet) -> Bool:
    return packet.phase.is_in(PacketPhase.VALID, PacketPhase.LAUNCHED, PacketPhase.SATISFIED)


class Packet(Record):
    """The packets of a segment, or of the accumulate command: a wait, then work, then a decrement."""

    phase = choice(PacketPhase)
    set = index(SignalSet, live_when=_is_in_flight)
    """The set whose handles are in it."""

    def is_in_flight(self) -> Bool:
        """Published, and not complete."""
        return _is_in_flight(self)

    def refers_to(self, signals: SignalSet) -> Bool:
        """It has still to decrement a signal of the set, or to read one."""
        return _is_in_flight(self) & (self.set == signals)


class LaunchPc(enum.Enum):
    """Where a launch is: in GraphExec::Run, in flight, then in OnLaunchComplete."""

    FREE = "no launch"
    ACQUIRE = "AcquireSet"
    CREATE = "AcquireSet: CreateHwEvents"
    BATCH = "CreateSignals: release the batch handle"
    PATCH = "ApplyHwEventPatches"
    FIRST = "EnqueueSegment: first"
    PARALLEL = "EnqueueSegment: leaf on the parallel stream"
    SECOND = "EnqueueSegment: leaf on the launch stream"
    JOIN = "enqueue the accumulate command"
    FAILED = "a segment failed"
    IN_FLIGHT = "in flight"
    REARM = "ResetHwEvents"
    FLUSH = "ResetHwEvents: flush"
    RETURN = "ReleaseSet"
    RELEASE = "release the GraphExec"


_IN_CALL = (
    LaunchPc.ACQUIRE,
    LaunchPc.CREATE,
    LaunchPc.BATCH,
    LaunchPc.PATCH,
    LaunchPc.FIRST,
    LaunchPc.PARALLEL,
    LaunchPc.SECOND,
    LaunchPc.JOIN,
    LaunchPc.FAILED,
)


def _owns_set(launch: Launch) -> Bool:
    return ~launch.pc.is_in(LaunchPc.FREE, LaunchPc.ACQUIRE, LaunchPc.CREATE, LaunchPc.RELEASE)


class Launch(Record):
    """One hipGraphLaunch, with its cleanup record and its packets."""

    pc = choice(LaunchPc)
    other_stream = boolean()
    """It was made on another stream than the first one. The parallel stream is the graph's own."""
    set = index(SignalSet, live_when=_owns_set)
    at = index(SetSignal, live_when=lambda launch: launch.pc == LaunchPc.REARM)
    """The signal that ResetHwEvents is at."""
    older = members(LaunchSlot)
    """Launches whose packets come before its own."""
    first = part(Packet)
    """The first segment, on the launch stream. It decrements the signal FORK."""
    leaf = part(Packet)
    """The leaf on the parallel stream. It waits for FORK and decrements LEAF."""
    join = part(Packet)
    """The accumulate command, or the marker of a launch that failed, on the launch stream."""
    failed = boolean()
    """A segment failed: noted only where the cleanup goes by it."""
    join_dep = maybe(SetSignal)
    """The signal that the accumulate command waits for, until it has been seen."""
    batches = number(0, 2, ghost=True)
    """Where sets are of one launch: how often it had the memory of a batch made or freed."""

    def is_in_call(self) -> Bool:
        """Its hipGraphLaunch has not returned."""
        return self.pc.is_in(*_IN_CALL)

    def owns_set(self) -> Bool:
        """It has taken a set from the pool and not returned it."""
        return _owns_set(self)

    def is_in_flight(self) -> Bool:
        """Some packet of it is not complete."""
        return self.first.is_in_flight() | self.leaf.is_in_flight() | self.join.is_in_flight()

    def refers_to(self, signals: SignalSet) -> Bool:
        """Some packet of it has still to do with a signal of the set."""
        joins = self.join_dep.is_some & self.join.refers_to(signals)
        return self.first.refers_to(signals) | self.leaf.refers_to(signals) | joins


# The graph.


class ExecPhase(enum.Enum):
    """The life of the GraphExec."""

    NEW = "not instantiated"
    PREPOPULATE = "Prepopulate"
    READY = "ready"
    DESTROY = "~GraphSignalManager"
    GONE = "destroyed"


class Exec(Record):
    """The GraphExec, with its GraphSignalManager and the packets that it keeps."""

    phase = choice(ExecPhase)
    system_rings = boolean()
    """AQL rings are in system memory."""
    app_holds = boolean()
    """hipGraphExecDestroy was not called."""
    pool = array(SignalSet, maybe(SignalSet))
    """free_sets_: the set returned last is taken first."""
    patched = maybe(SignalSet)
    """The set whose handles are in flatPacketData."""
    dying = maybe(SignalSet)
    """The set that the destructor is at."""
    undestroyed = members(SetSignal)
    most_launches = number(0, LaunchSlot, ghost=True)
    """The most launches there have been at a time."""
    destroyed_twice = boolean(ghost=True)
    passed_early = boolean(ghost=True)
    """Some packet's wait was satisfied before the segment that it waits for was complete."""
    decremented_unarmed = boolean(ghost=True)
    """Some signal was decremented before its arming was in memory."""

    def pooled(self) -> Int:
        """Sets in the pool."""
        return count(SignalSet, lambda place: self.pool[place].is_some)

    def has_pooled(self, signals: SignalSet) -> Bool:
        """The set is in the pool."""
        return exists(SignalSet, lambda place: self.pool[place] == signals)

    def push(self, signals: SignalSet) -> None:
        """free_sets_.push_back."""
        self.pool[SignalSet.of(self.pooled())] = signals

    def pop(self) -> SignalSet:
        """free_sets_.pop_back; only where the pool is not empty."""
        place = SignalSet.of(self.pooled() - 1)
        signals = self.pool[place].get
        self.pool[place] = None
        return signals


# The profiler.


class ToolPc(enum.Enum):
    """Where the profiler is with the signal that it holds up."""

    IDLE = "idle"
    ADD = "has loaded, adds"
    HOLDS = "has added 1"
    SUBTRACT = "has loaded, subtracts"
    POLLS = "completion monitor polls"


def _has_signal(tool: Tool) -> Bool:
    return tool.pc != ToolPc.IDLE


class Tool(Record):
    """A profiler: it holds up a completion, and its completion monitor polls the signal, without a reference to it."""

    attached = boolean()
    """rocprofiler-register has accepted HIP's API tables."""
    pc = choice(ToolPc)
    set = index(SignalSet, live_when=_has_signal)
    signal = index(SetSignal, live_when=_has_signal)
    loaded = number(LOW, HIGH, live_when=lambda tool: tool.pc.is_in(ToolPc.ADD, ToolPc.SUBTRACT))

    def uses_atomics(self) -> Bool:
        """It is about to change the signal, or has and will again."""
        return self.pc.is_in(ToolPc.ADD, ToolPc.HOLDS, ToolPc.SUBTRACT)


class State(Record):
    """One graph, instantiated once."""

    exec = part(Exec)
    sets = table(SignalSet, Signals)
    launches = table(LaunchSlot, Launch)
    tool = part(Tool)


# What several steps ask.


def made(s: State) -> Int:
    """Sets that were made."""
    return count(SignalSet, lambda signals: s.sets[signals].location != Location.NONE)


def newest(s: State) -> SignalSet:
    """The set that was made last."""
    return SignalSet.of(made(s) - 1)


def exec_is_held(s: State) -> Bool:
    """The application or a launch has a reference to the GraphExec."""
    return s.exec.app_holds | exists(LaunchSlot, lambda launch: s.launches[launch].pc != LaunchPc.FREE)


def some_call_runs(s: State) -> Bool:
    """Some hipGraphLaunch has not returned."""
    return exists(LaunchSlot, lambda launch: s.launches[launch].is_in_call())


def rings_in_system_memory(s: State) -> Bool:
    """Not Device::AqlRingsInDeviceMemory: by the setting, or because a profiler is attached."""
    return s.exec.system_rings | s.tool.attached


def is_profiled(m: Step) -> bool:
    """There is a profiler, which may be attached."""
    return m.has("atomics") or m.has("monitor")


def own_set(launch: LaunchSlot) -> SignalSet:
    """The set of a launch that has one of its own: of the same number."""
    return SignalSet.of(launch.ordinal)


def wants_device_memory(m: Step, s: State) -> Bool:
    """A new set is to be in device memory: not while a profiler is attached."""
    if m.variant("device-arena-under-a-monitor") or m.variant("device-signals-under-a-tool"):
        return Bool.constant(True)
    return ~s.tool.attached
