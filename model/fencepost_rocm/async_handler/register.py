"""The last part of ActiveSignal: what the handler holds, and its registration with ROCr."""

from __future__ import annotations

from fencepost import Bool, Step
from fencepost_rocm.async_handler.declare import HOST, protocol
from fencepost_rocm.async_handler.state import Pc, Progress, State
from fencepost_rocm.hardware import Handle, HwQueue


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (QueuedAsyncHandlers, retain)")
def take_references(m: Step, s: State, queue: HwQueue) -> None:
    """Count the handler; it holds the VirtualGPU and the signal.

    Three atomic additions in one step: the stream and the tracker hold both, so nobody acts on what is between.
    """
    stream = s.streams[queue]
    m.require(stream.pc == Pc.REFERENCES, "use begun")
    m.bound(stream.handlers < 4, "handlers that were never taken off the count")
    stream.handlers = stream.handlers + 1
    if not m.variant("gpu-not-held"):
        stream.references = stream.references + 1
    if not (m.variant("signal-not-held") or m.variant("callback-held-by-nobody")):
        s.registrations[stream.draft.get].holds_signal = True
    s.registrations[stream.draft.get].counted = True
    s.registrations[stream.draft.get].holds_gpu = True
    stream.pc = Pc.REGISTER


@protocol.action(by=HOST, src="Runtime::SetAsyncSignalHandler")
def register(m: Step, s: State, queue: HwQueue, fails: Bool) -> None:
    """ROCr retains the signal, appends to new_events under its own lock, and wakes its thread; or it fails."""
    stream = s.streams[queue]
    m.require(stream.pc == Pc.REGISTER, "references taken")
    m.require(m.has("failures") | ~fails, "failures is on")
    with m.when(fails):
        m.note("the registration fails", of=s.registrations[stream.draft.get].signal.get)
        stream.pc = Pc.ROLL_BACK
    with m.otherwise():
        m.note("a handler is registered", of=s.registrations[stream.draft.get].signal.get)
        s.registrations[stream.draft.get].progress = Progress.NEW
        stream.draft = None
        stream.pc = Pc.PUBLISH


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (failed to set the handler)")
def roll_back(m: Step, s: State, queue: HwQueue) -> None:
    """Give back what the handler would hold. The batch's commands stay as they are: nobody will complete them."""
    stream = s.streams[queue]
    if not m.has("failures"):
        m.require(False, "failures is on")
    m.require(stream.pc == Pc.ROLL_BACK, "registration failed")
    registered = s.registrations[stream.draft.get]
    if m.variant("references-not-rolled-back"):
        stream.lost = stream.lost.adding(registered.signal.get)
    else:
        stream.handlers = stream.handlers - 1
        stream.references = stream.references - 1
    if m.variant("repaired"):
        _leave_batch_open(m, s, queue)
    else:
        for handle in m.each(Handle):
            with m.when(registered.held.has(handle)):
                stream.stranded = stream.stranded.adding(handle)
        stream.last_is_stranded = True
    stream.last = None
    m.clear(registered)
    stream.draft = None
    stream.pc = Pc.PUBLISH


def _leave_batch_open(m: Step, s: State, queue: HwQueue) -> None:
    """As repaired: the batch is the stream's again, and whoever waits for the callback's signal waits for the GPU."""
    stream = s.streams[queue]
    registered = s.registrations[stream.draft.get]
    for handle in m.each(Handle):
        with m.when(registered.held.has(handle)):
            stream.markers = stream.markers.adding(handle)
    stream.listed = registered.listed
    with m.when(registered.blocking):
        signal = registered.signal.get
        s.gpu.pool.signals[signal].value = s.gpu.value(signal) - 1
