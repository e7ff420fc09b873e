"""Who else holds the tracker's signals: an event of another thread, and the async handler."""

from __future__ import annotations

from fencepost import Kind, Step
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, host_sees_done
from fencepost_rocm.retiring.declare import HOST, OTHER, protocol
from fencepost_rocm.retiring.state import HandlerPc, HostPc, State, has_use, newest


@protocol.action(by=HOST, src="hipEventRecord, VirtualGPU::AttachHwEvent", kind=Kind.ENVIRONMENT)
def record_event(m: Step, s: State) -> None:
    """An event takes a reference to the signal of the last use."""
    m.require(m.has("events"), "events are on")
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(s.event.signal.is_none, "event free")
    m.require(has_use(s), "there is a use")
    m.note("event holds signal {}", newest(s).signal, of=newest(s).signal)
    s.event.signal = newest(s).signal


@protocol.action(by=OTHER, src="hipEventSynchronize", kind=Kind.ENVIRONMENT)
def wait_for_event(m: Step, s: State) -> None:
    """Begin to wait for the event, without a lock."""
    m.require(s.event.signal.is_some, "recorded")
    m.require(~s.event.waiting, "not waiting")
    s.event.waiting = True


@protocol.action(by=OTHER, src="hipEventSynchronize (WaitForSignal)")
def event_wait_returns(m: Step, s: State) -> None:
    """The wait sees the signal below 1."""
    m.require(s.event.waiting, "waiting")
    m.require(host_sees_done(s.gpu.value(s.event.signal.get)), "complete")
    s.event.passed_stale = s.event.passed_stale | s.event.rearmed
    s.event.waiting = False


@protocol.action(by=OTHER, src="hipEventDestroy, ProfilingSignal::release", kind=Kind.ENVIRONMENT)
def release_event(m: Step, s: State) -> None:
    """The event drops its reference."""
    m.require(s.event.signal.is_some, "recorded")
    m.require(~s.event.waiting, "not waiting")
    s.event.signal = None
    s.event.rearmed = False


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler")
def handler_fires(m: Step, s: State) -> None:
    """The handler's signal is below 1: take the Timestamp's lock if there is timing to collect, else be done."""
    m.require(s.handler.signal.is_some & (s.handler.pc == HandlerPc.IDLE), "registered")
    handle = s.handler.signal.get
    m.require(host_sees_done(s.gpu.value(handle)), "complete")
    m.note("handler fires for signal {}", handle, of=handle)
    with m.when(s.timestamp.listed.is_empty):
        m.clear(s.handler)
    with m.otherwise():
        s.timestamp.held_by_handler = True
        s.handler.pc = HandlerPc.COLLECT


@protocol.action(by=ASYNC_HANDLER, src="Timestamp::checkGpuTime")
def handler_collects(m: Step, s: State, handle: Handle) -> None:
    """Holding the Timestamp's lock, wait for a listed signal and take its times."""
    m.require(s.handler.pc == HandlerPc.COLLECT, "collects")
    m.require(s.timestamp.listed.has(handle), "listed")
    m.require(host_sees_done(s.gpu.value(handle)), "complete")
    s.timestamp.listed = s.timestamp.listed.removing(handle)


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (end)")
def handler_ends(m: Step, s: State) -> None:
    """All times are taken: the lock goes back, and the reference to the signal is dropped."""
    m.require(s.handler.pc == HandlerPc.COLLECT, "collects")
    m.require(s.timestamp.listed.is_empty, "all collected")
    s.timestamp.held_by_handler = False
    m.clear(s.handler)
