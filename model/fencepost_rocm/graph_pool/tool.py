"""A profiler: it holds up completions with host atomics, and its completion monitor polls their signals.

It has the raw handle, and no reference to anything. On host memory an atomic is one operation; on device memory
its load and its store are two operations on the bus.
"""

from __future__ import annotations

from fencepost import Bool, Int, Kind, Step, ite
from fencepost_rocm.graph_pool.declare import protocol
from fencepost_rocm.graph_pool.state import (
    FORK,
    ExecPhase,
    LaunchSlot,
    SetSignal,
    SignalSet,
    State,
    ToolPc,
    is_profiled,
)
from fencepost_rocm.hardware import TOOL, host_sees_done


@protocol.action(by=TOOL, src="amd::activity_prof::tool_attached", kind=Kind.ENVIRONMENT)
def attach(m: Step, s: State) -> None:
    """rocprofiler-register accepts HIP's API tables, when HIP is loaded; with `late-attach`, at any time."""
    m.require(is_profiled(m), "there is a profiler")
    m.require(~s.tool.attached, "not attached")
    if not m.has("late-attach"):
        m.require(s.exec.phase == ExecPhase.NEW, "before any graph")
    m.note("a profiler is attached")
    s.tool.attached = True


@protocol.action(
    by=TOOL, src="rocprofiler-sdk: hsa_signal_add_screlease on an application's signal", kind=Kind.ENVIRONMENT
)
def tool_adds(m: Step, s: State, launch: LaunchSlot, signal: SetSignal) -> None:
    """Hold up a packet that is to decrement the signal: add 1; on device memory, load the value first."""
    m.require(m.has("atomics"), "holds up completions")
    _require_packet(m, s, launch, signal)
    _take(m, s, launch, signal)
    _begin(m, s, signal, ToolPc.ADD, ToolPc.HOLDS, 1)


@protocol.action(by=TOOL, src="rocprofiler-sdk: completion monitor (begins to poll)", kind=Kind.ENVIRONMENT)
def monitor_begins(m: Step, s: State, launch: LaunchSlot, signal: SetSignal) -> None:
    """The monitor is given the signal of a packet, to poll."""
    m.require(m.has("monitor"), "polls")
    _require_packet(m, s, launch, signal)
    _take(m, s, launch, signal)
    m.note("the monitor polls signal {}", signal, of=s.tool.set)


def _require_packet(m: Step, s: State, launch: LaunchSlot, signal: SetSignal) -> None:
    """A packet of the launch is in its ring that will decrement the signal."""
    first, leaf = s.launches[launch].first, s.launches[launch].leaf
    is_fork = signal == SetSignal.at(FORK)
    m.require(s.tool.attached & (s.tool.pc == ToolPc.IDLE), "one signal at a time")
    m.require((is_fork & first.is_in_flight()) | (~is_fork & leaf.is_in_flight()), "a packet has it")
    if m.variant("tool-spares-device-signals"):
        in_device = (is_fork & s.sets[first.set].is_in_device_memory()) | (
            ~is_fork & s.sets[leaf.set].is_in_device_memory()
        )
        m.require(~in_device, "not in device memory")


def _take(m: Step, s: State, launch: LaunchSlot, signal: SetSignal) -> None:
    """The profiler has the handle that is in the packet."""
    s.tool.pc = ToolPc.POLLS
    with m.when(signal == SetSignal.at(FORK)):
        s.tool.set = s.launches[launch].first.set
    with m.otherwise():
        s.tool.set = s.launches[launch].leaf.set
    s.tool.signal = signal


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_add_screlease, the store")
def tool_add_lands(m: Step, s: State) -> None:
    """The sum reaches device memory."""
    m.require(m.has("atomics"), "holds up completions")
    m.require(s.tool.pc == ToolPc.ADD, "has loaded")
    _store(m, s, s.tool.loaded + 1)
    s.tool.pc = ToolPc.HOLDS


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_subtract_screlease on an application's signal")
def tool_subtracts(m: Step, s: State) -> None:
    """Let the completion go: subtract 1; on device memory, load the value first."""
    m.require(m.has("atomics"), "holds up completions")
    m.require(s.tool.pc == ToolPc.HOLDS, "holds it up")
    _begin(m, s, s.tool.signal, ToolPc.SUBTRACT, _after(m), -1)


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_subtract_screlease, the store")
def tool_subtraction_lands(m: Step, s: State) -> None:
    """The difference reaches device memory."""
    m.require(m.has("atomics"), "holds up completions")
    m.require(s.tool.pc == ToolPc.SUBTRACT, "has loaded")
    _store(m, s, s.tool.loaded - 1)
    s.tool.pc = _after(m)


@protocol.action(by=TOOL, src="rocprofiler-sdk: completion monitor")
def monitor_sees_done(m: Step, s: State) -> None:
    """The monitor's poll finds less than 1. Where the memory is gone it faults instead."""
    m.require(m.has("monitor"), "polls")
    m.require(s.tool.pc == ToolPc.POLLS, "has a signal")
    memory = s.sets[s.tool.set]
    m.require(memory.is_readable() & host_sees_done(memory.values[s.tool.signal]), "sees less than 1")
    s.tool.pc = ToolPc.IDLE


def _after(m: Step) -> ToolPc:
    """What the profiler does with a signal that it has let go: its monitor polls it."""
    return ToolPc.POLLS if m.has("monitor") else ToolPc.IDLE


def _begin(m: Step, s: State, signal: SetSignal, loaded: ToolPc, done: ToolPc, by: int) -> None:
    """A host atomic: all of it on host memory, its load on device memory."""
    signals = s.tool.set
    memory = s.sets[signals]
    value = memory.values[signal]
    with m.when(memory.is_in_device_memory()):
        m.note("the tool loads signal {}", signal, of=signals)
        s.tool.pc = loaded
        s.tool.loaded = ite(_is_posted(s, signals, signal), 1, value)
    with m.otherwise():
        m.note("the tool stores {} to signal {}", value + by, signal, of=signals)
        memory.values[signal] = value + by
        s.tool.pc = done


def _is_posted(s: State, signals: SignalSet, signal: SetSignal) -> Bool:
    return s.sets[signals].posted.has(signal)


def _store(m: Step, s: State, value: Int) -> None:
    m.note("the tool stores {} to signal {}", value, s.tool.signal, of=s.tool.set)
    s.sets[s.tool.set].values[s.tool.signal] = value
