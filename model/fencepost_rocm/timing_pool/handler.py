"""The async handler: it takes the times of the batch's Timestamps, lets the batch go, and its own signal last."""

from __future__ import annotations

from fencepost import Bool, Fairness, Step, forall
from fencepost_rocm.hardware import ASYNC_HANDLER, Handle, host_sees_done
from fencepost_rocm.retiring.state import HandlerPc
from fencepost_rocm.timing_pool.declare import protocol
from fencepost_rocm.timing_pool.state import (
    HandlerStep,
    Stamp,
    StampPhase,
    State,
    Taking,
    is_signal_free,
    is_stamp_free,
)
from fencepost_rocm.timing_pool.takers import erase, leaves_out, lock_stamp, read_times


@protocol.replace("handler_fires")
def handler_fires(m: Step, s: State) -> None:
    """The handler's signal is below its threshold: 1, or 2 with a blocking callback."""
    m.require(s.handler.signal.is_some & (s.handler.pc == HandlerPc.IDLE), "registered")
    handle = s.handler.signal.get
    value = s.gpu.value(handle)
    m.require(host_sees_done(value) | (s.handler.blocking & (value < 2)), "below the threshold")
    m.note("handler fires for signal {}", handle, of=handle)
    s.handler.pc = HandlerPc.COLLECT


def is_of_batch(m: Step, s: State, stamp: Stamp) -> Bool:
    """The handler has still to take the times of the Timestamp."""
    entry = s.stamps[stamp]
    closed = entry.phase == StampPhase.CLOSED
    if m.variant("handler-registered-early"):
        return closed | ((entry.phase == StampPhase.OPEN) & ~entry.listed.is_empty)
    return closed


@protocol.action(by=ASYNC_HANDLER, src="Timestamp::getTime (Timestamp lock)", fair=Fairness.STRONG)
def handler_locks_timestamp(m: Step, s: State, stamp: Stamp) -> None:
    """Take the lock of a Timestamp of the batch."""
    taker = s.times.handler
    if not m.has("handler"):
        m.require(False, "handlers are on")
    m.require((s.handler.pc == HandlerPc.COLLECT) & (s.handler.step == HandlerStep.TIMES), "takes times")
    m.require(taker.step == Taking.OFF, "holds no lock")
    m.require(is_of_batch(m, s, stamp), "of the batch")
    m.require(is_stamp_free(s, stamp), "Timestamp lock free")
    m.note("handler holds the lock of Timestamp {}", stamp)
    lock_stamp(taker, stamp)


@protocol.action(by=ASYNC_HANDLER, src="ProfilingSignal::CacheTimingData (signal lock)", fair=Fairness.STRONG)
def handler_locks_signal(m: Step, s: State, handle: Handle) -> None:
    """Take the lock of a listed signal, inside the Timestamp's."""
    taker = s.times.handler
    if not m.has("handler"):
        m.require(False, "handlers are on")
    m.require(taker.step == Taking.STAMP, "holds the Timestamp's lock")
    stamp = taker.stamp
    m.require(s.stamps[stamp].listed.has(handle) & ~leaves_out(m, s, stamp), "listed")
    m.require(is_signal_free(s, handle), "signal lock free")
    taker.signal = handle
    taker.step = Taking.WAIT
    if m.variant("repaired"):
        with m.when(s.stamps[stamp].blocking):
            taker.step = Taking.READ
    if m.variant("cached-times-kept"):
        with m.when(s.times.cached.has(handle)):
            taker.step = Taking.READ


@protocol.action(by=ASYNC_HANDLER, src="ProfilingSignal::CacheTimingData (wait)")
def handler_sees_complete(m: Step, s: State) -> None:
    """Holding both locks, wait for the signal to come below 1."""
    taker = s.times.handler
    if not m.has("handler"):
        m.require(False, "handlers are on")
    m.require(taker.step == Taking.WAIT, "looks at the value")
    m.require(host_sees_done(s.gpu.value(taker.signal.get)), "complete")
    taker.step = Taking.READ


@protocol.replace("handler_collects")
def handler_collects(m: Step, s: State) -> None:
    """Read the signal's times, erase its entry, and let the signal's lock go."""
    taker = s.times.handler
    m.require(taker.step == Taking.READ, "reads")
    read_times(m, s, taker)
    erase(m, s, taker.stamp, taker.signal.get)
    taker.signal = None
    taker.step = Taking.STAMP


@protocol.action(by=ASYNC_HANDLER, src="Timestamp::checkGpuTime (blocking callback)")
def handler_leaves_out(m: Step, s: State) -> None:
    """While a blocking callback is set its signal is one higher; checkGpuTime leaves it out, and clears the list."""
    taker = s.times.handler
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(taker.step == Taking.STAMP, "holds the Timestamp's lock")
    entry = s.stamps[taker.stamp]
    m.require(leaves_out(m, s, taker.stamp) & ~entry.listed.is_empty, "leaves its signals out")
    for handle in m.each(Handle):
        with m.when(entry.listed.has(handle)):
            m.note("erased without its times", of=handle)
            s.times.lost = True
            erase(m, s, taker.stamp, handle)


@protocol.action(by=ASYNC_HANDLER, src="Timestamp::checkGpuTime (end)")
def handler_unlocks_timestamp(m: Step, s: State) -> None:
    """The list is empty: the Timestamp's lock goes back."""
    taker = s.times.handler
    if not m.has("handler"):
        m.require(False, "handlers are on")
    m.require(taker.step == Taking.STAMP, "holds the Timestamp's lock")
    m.require(s.stamps[taker.stamp].listed.is_empty, "all taken")
    with m.when(s.stamps[taker.stamp].phase == StampPhase.CLOSED):
        s.stamps[taker.stamp].phase = StampPhase.DONE
    m.clear(taker)


@protocol.replace("handler_ends")
def handler_ends(m: Step, s: State) -> None:
    """The batch's commands are complete and let go, their Timestamps with them; the reference to the signal last."""
    m.require((s.handler.pc == HandlerPc.COLLECT) & (s.handler.step == HandlerStep.TIMES), "takes times")
    m.require(s.times.handler.step == Taking.OFF, "holds no lock")
    m.require(forall(Stamp, lambda stamp: ~is_of_batch(m, s, stamp)), "all taken")
    for stamp in m.each(Stamp):
        with m.when(s.stamps[stamp].phase == StampPhase.DONE):
            m.clear(s.stamps[stamp])
    m.note("batch complete")
    if m.has("callbacks"):
        with m.when(s.handler.blocking):
            s.handler.step = HandlerStep.UNBLOCK
        with m.otherwise():
            m.clear(s.handler)
    else:
        m.clear(s.handler)


@protocol.action(by=ASYNC_HANDLER, src="HsaAmdSignalHandler (hsa_signal_subtract)")
def handler_unblocks(m: Step, s: State) -> None:
    """The blocking callback has returned: take its 1 off, and drop the reference to the signal."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require((s.handler.pc == HandlerPc.COLLECT) & (s.handler.step == HandlerStep.UNBLOCK), "subtracts")
    signal = s.handler.signal.get
    m.note("SUBTRACT", of=signal)
    s.gpu.pool.signals[signal].value = s.gpu.value(signal) - 1
    m.clear(s.handler)
