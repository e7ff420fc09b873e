"""A profiler's interposition holds up a completion: it adds 1 to the signal with a host atomic, and takes it back.

On host memory that is one atomic operation. On device memory the load and the store are two operations on
the bus, and the device's own decrement may come between them.
"""

from __future__ import annotations

from fencepost import Kind, Step
from fencepost_rocm.hardware import TOOL, Handle
from fencepost_rocm.store_visibility.declare import protocol
from fencepost_rocm.store_visibility.state import Life, State, ToolPc, in_submission, signals_in_device


@protocol.action(
    by=TOOL, src="rocprofiler-sdk: hsa_signal_add_screlease on an application's signal", kind=Kind.ENVIRONMENT
)
def tool_adds(m: Step, s: State, handle: Handle) -> None:
    """Hold up the completion: add 1; on device memory, load the value first."""
    signal = s.device.signals[handle]
    m.require(m.has("tool"), "a tool is attached")
    m.require(s.tool.pc == ToolPc.IDLE, "one signal at a time")
    m.require((signal.life == Life.USED) & ~in_submission(s, handle), "in use")
    _begin(m, s, handle, ToolPc.ADD, ToolPc.HOLDS, 1)
    s.tool.signal = handle


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_add_screlease, the store")
def tool_add_lands(m: Step, s: State) -> None:
    """The sum reaches memory, behind what was posted to the signal before."""
    m.require(m.has("tool") and signals_in_device(m), "the load came before")
    m.require(s.tool.pc == ToolPc.ADD, "has loaded")
    m.require(~s.device.is_posted(s.tool.signal.get), "in order")
    s.device.signals[s.tool.signal.get].value = s.tool.loaded + 1
    m.note("the tool stores {}", s.tool.loaded + 1, of=s.tool.signal.get)
    s.tool.pc = ToolPc.HOLDS


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_subtract_screlease on an application's signal")
def tool_subtracts(m: Step, s: State) -> None:
    """Let the completion go: subtract 1; on device memory, load the value first."""
    m.require(m.has("tool"), "a tool is attached")
    m.require(s.tool.pc == ToolPc.HOLDS, "holds it up")
    handle = s.tool.signal.get
    _begin(m, s, handle, ToolPc.SUBTRACT, ToolPc.IDLE, -1)
    if not signals_in_device(m):
        s.tool.signal = None


@protocol.action(by=TOOL, src="rocprofiler-sdk: hsa_signal_subtract_screlease, the store")
def tool_subtraction_lands(m: Step, s: State) -> None:
    """The difference reaches memory."""
    m.require(m.has("tool") and signals_in_device(m), "the load came before")
    m.require(s.tool.pc == ToolPc.SUBTRACT, "has loaded")
    m.require(~s.device.is_posted(s.tool.signal.get), "in order")
    s.device.signals[s.tool.signal.get].value = s.tool.loaded - 1
    m.note("the tool stores {}", s.tool.loaded - 1, of=s.tool.signal.get)
    m.clear(s.tool)


def _begin(m: Step, s: State, handle: Handle, loaded: ToolPc, done: ToolPc, change: int) -> None:
    """A host atomic: all of it on host memory, its load on device memory."""
    value = s.device.signals[handle].value
    if signals_in_device(m):
        m.note("the tool loads the signal", of=handle)
        s.tool.pc = loaded
        s.tool.loaded = s.device.seen_on_bus(handle, value)
    else:
        m.note("the tool stores {}", value + change, of=handle)
        s.device.signals[handle].value = value + change
        s.tool.pc = done
