"""HsaAmdSignalHandler: times, commands, the hardware queue, the callback's 1, and then what it holds."""

from __future__ import annotations

from fencepost import Fairness, Step, forall
from fencepost_rocm.async_handler.declare import protocol
from fencepost_rocm.async_handler.references import let_go
from fencepost_rocm.async_handler.state import HandlerPc, Life, Progress, Stage, State, Stream, running
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, host_sees_done


def _stream(s: State) -> Stream:
    return s.streams[running(s).queue]


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Timestamp::checkGpuTime)")
def take_time(m: Step, s: State, handle: Handle) -> None:
    """Holding the Timestamp's lock, wait for a signal that it lists, and take its times."""
    m.require(s.handler.pc == HandlerPc.COLLECT, "takes times")
    m.require(running(s).listed.has(handle) & ~s.handler.seen.has(handle), "listed")
    m.require(host_sees_done(s.gpu.value(handle)), "complete")
    s.handler.seen = s.handler.seen.adding(handle)


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Timestamp::checkGpuTime)")
def end_times(m: Step, s: State) -> None:
    """All times are taken: the Timestamp lists nothing any more, and its lock is let go."""
    m.require(s.handler.pc == HandlerPc.COLLECT, "takes times")
    m.require(forall(Handle, lambda handle: running(s).listed.has(handle).implies(s.handler.seen.has(handle))), "all")
    running(s).listed = _NONE
    s.handler.seen = _NONE
    s.handler.pc = HandlerPc.COMPLETE


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (Hsa::signal_async_handler)")
def register_again(m: Step, s: State, handle: Handle) -> None:
    """The handler of 2024: where a listed signal is not complete it does not wait, but registers itself anew."""
    if not m.variant("requeue-for-ever"):
        m.require(False, "requeue-for-ever")
    me = running(s)
    m.require(s.handler.pc == HandlerPc.COLLECT, "takes times")
    m.require(me.listed.has(handle) & ~s.handler.seen.has(handle), "listed")
    m.require(~host_sees_done(s.gpu.value(handle)), "not complete")
    m.note("its handler registers itself anew", of=me.signal.get)
    for other in m.each(Handle):
        with m.when(s.handler.seen.has(other)):
            me.listed = me.listed.removing(other)
    me.progress = Progress.NEW
    s.handler.seen = _NONE
    s.handler.running = None
    s.handler.in_handler = False
    s.handler.pc = HandlerPc.LOOP


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Command::release)")
def release_command(m: Step, s: State, handle: Handle) -> None:
    """Complete and release a command before the marker: it drops the signal that it holds."""
    me = running(s)
    m.require(s.handler.pc == HandlerPc.COMPLETE, "completes commands")
    m.require(me.held.has(handle) & (me.signal != handle), "held by a command before the marker")
    me.held = me.held.removing(handle)
    let_go(m, s, handle, by_handler=True)


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Event::setStatus)")
def complete_marker(m: Step, s: State) -> None:
    """The marker is last, and whoever waits for its status goes on."""
    me, stream = running(s), _stream(s)
    m.require(s.handler.pc == HandlerPc.COMPLETE, "completes commands")
    m.require(forall(Handle, lambda handle: me.held.has(handle).implies(me.signal == handle)), "the marker is left")
    m.note("its batch is complete", of=me.signal.get)
    with m.when(stream.last == s.handler.running):
        stream.last = None
    s.handler.pc = HandlerPc.RELEASE


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::updateCommandsState (Command::release)")
def release_marker(m: Step, s: State) -> None:
    """Release the marker: it drops the signal."""
    m.require(s.handler.pc == HandlerPc.RELEASE, "releases the marker")
    signal = running(s).signal.get
    running(s).held = _NONE
    let_go(m, s, signal, by_handler=True)
    s.handler.pc = HandlerPc.HW_QUEUE


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::ReleaseHwQueue")
def release_hw_queue(m: Step, s: State) -> None:
    """If execution() is free, look whether the hardware queue is idle and give it back; else leave it at that.

    A stream's own queue is not given back. What giving back does is left out.
    """
    m.require(s.handler.pc == HandlerPc.HW_QUEUE, "hardware queue")
    s.handler.pc = HandlerPc.DROP_SIGNAL if m.variant("subtracted-last") else HandlerPc.SUBTRACT
    if m.variant("release-waits-for-execution"):
        with m.when(_stream(s).holds_execution()):
            m.note("the handler waits for execution(), which the application has")
            s.handler.pc = HandlerPc.WAIT_EXECUTION


@protocol.action(by=ASYNC_HANDLER, src="VirtualGPU::ReleaseHwQueue", fair=Fairness.STRONG)
def get_execution(m: Step, s: State) -> None:
    """The handler that waits for execution() gets it, gives the queue back, and lets go."""
    if not m.variant("release-waits-for-execution"):
        m.require(False, "release-waits-for-execution")
    m.require(s.handler.pc == HandlerPc.WAIT_EXECUTION, "waits")
    m.require(~_stream(s).holds_execution(), "execution() free")
    s.handler.pc = HandlerPc.SUBTRACT


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (Hsa::signal_subtract_relaxed)")
def subtract(m: Step, s: State) -> None:
    """A blocking callback has run: take the 1 off its signal, so that the queue goes on. One atomic operation."""
    m.require(s.handler.pc == HandlerPc.SUBTRACT, "subtracts")
    me = running(s)
    if m.has("callbacks"):
        with m.when(me.blocking):
            m.note("the handler takes the callback's 1 off", of=me.signal.get)
            signal = s.gpu.pool.signals[me.signal.get]
            signal.value = signal.value - 1
            s.handler.subtracted_stale = s.handler.subtracted_stale | me.rearmed | me.recycled
    s.handler.pc = HandlerPc.COUNT


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (QueuedAsyncHandlers)")
def take_off_count(m: Step, s: State) -> None:
    """One handler less is outstanding."""
    m.require(s.handler.pc == HandlerPc.COUNT, "counts")
    stream = _stream(s)
    stream.handlers = stream.handlers - 1
    running(s).counted = False
    s.handler.pc = HandlerPc.DROP_SIGNAL
    if m.variant("gpu-dropped-first") or m.variant("subtracted-last"):
        s.handler.pc = HandlerPc.DROP_GPU


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (ProfilingSignal::release)")
def drop_signal(m: Step, s: State) -> None:
    """Drop the handler's reference to the signal, while the VirtualGPU is still held."""
    m.require(s.handler.pc == HandlerPc.DROP_SIGNAL, "drops the signal")
    me = running(s)
    held, signal = me.holds_signal, me.signal.get
    me.holds_signal = False
    with m.when(held):
        let_go(m, s, signal, by_handler=True)
    s.handler.pc = HandlerPc.DROP_GPU
    if m.variant("gpu-dropped-first"):
        s.handler.pc = HandlerPc.RETURN
    if m.variant("subtracted-last"):
        s.handler.pc = HandlerPc.SUBTRACT
    if m.variant("dropped-outside-the-scope"):
        s.handler.in_handler = False


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (VirtualGPU::release)")
def drop_gpu(m: Step, s: State) -> None:
    """Drop the reference to the VirtualGPU. If it was the last one, an application thread will have to destroy it."""
    m.require(s.handler.pc == HandlerPc.DROP_GPU, "drops the VirtualGPU")
    stream = _stream(s)
    running(s).holds_gpu = False
    s.handler.pc = HandlerPc.DROP_SIGNAL if m.variant("gpu-dropped-first") else HandlerPc.RETURN
    if m.variant("gpu-not-held"):
        return
    last = stream.references == 1
    stream.references = stream.references - 1
    with m.when(last):
        if m.variant("only-queue-deferred") or m.variant("dropped-outside-the-scope"):
            m.note("the handler is the last to hold the VirtualGPU of queue {}", running(s).queue)
            stream.life = Life.DYING
            stream.stage = Stage.FENCE
            s.handler.pc = HandlerPc.DESTROY
        else:
            m.note("the VirtualGPU of queue {} is left to an application thread", running(s).queue)
            stream.life = Life.DEFERRED


_NONE: list[Handle] = []
