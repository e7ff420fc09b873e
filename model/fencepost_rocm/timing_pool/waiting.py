"""LegacySignalTracker's way to a free slot, for the variant that takes times where it should only wait.

Of `legacy` what times meet: the next slot is taken and waited for, its times are taken, and the slot after it
is waited for. The ring does not grow, as when no signal can be created, and shared signals are not replaced.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Step
from fencepost_rocm.hardware import Handle, host_sees_done
from fencepost_rocm.retiring.reclaim import arm
from fencepost_rocm.retiring.state import HostPc, RingSlot, UsePhase, is_shared
from fencepost_rocm.timing_pool.declare import HOST, protocol
from fencepost_rocm.timing_pool.state import (
    Stamp,
    State,
    Taking,
    Waiting,
    is_pointed,
    is_signal_free,
    is_stamp_free,
)
from fencepost_rocm.timing_pool.takers import erase, lock_stamp, note_rearmed, read_times


def oldest(s: State) -> Handle:
    """The signal of the slot that is taken next."""
    return s.tracker.ring[RingSlot.at(0)].signal


def following(s: State) -> Handle:
    """The signal of the slot after that."""
    return s.tracker.ring[RingSlot.at(1)].signal


def is_at_next(s: State) -> Bool:
    """The slot is complete, its times are taken, and the next one is to be waited for."""
    return (s.use.waiting == Waiting.NEXT) & (s.times.app.step == Taking.OFF) & ~is_pointed(s, oldest(s))


@protocol.guard("begin_reclaim", "retiring tracker")
def is_retiring_tracker(m: Step, s: State) -> Bool:
    """LegacySignalTracker has no Reclaim."""
    return Bool.constant(not m.has("legacy-tracker"))


def require_legacy(m: Step) -> None:
    """The step is LegacySignalTracker's."""
    if not m.has("legacy-tracker"):
        m.require(False, "legacy tracker")


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot")
def take_busy_slot(m: Step, s: State) -> None:
    """The next slot is not armed: it has to be waited for."""
    require_legacy(m)
    m.require((s.host.pc == HostPc.ACQUIRE) & (s.use.waiting == Waiting.NOT), "acquires")
    m.require(s.tracker.ring[RingSlot.at(0)].phase != UsePhase.ARMED, "not armed")
    s.use.waiting = Waiting.CURRENT


@protocol.action(by=HOST, src="HwQueueTracker::CpuWaitForSignal")
def wait_current(m: Step, s: State) -> None:
    """Wait, holding execution(), until the slot's last use is complete."""
    require_legacy(m)
    m.require(s.use.waiting == Waiting.CURRENT, "waits")
    m.require(host_sees_done(s.gpu.value(oldest(s))), "complete")
    m.note("retired", of=oldest(s))
    s.tracker.ring[RingSlot.at(0)].phase = UsePhase.RETIRED
    s.use.waiting = Waiting.NEXT


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext")
def wait_next(m: Step, s: State) -> None:
    """Wait for the value of the next slot's signal. Its times are taken when it is its turn."""
    require_legacy(m)
    m.require(is_at_next(s), "waits")
    if m.variant("wait-next-takes-all-times") or m.variant("wait-next-takes-its-times"):
        m.require(~is_pointed(s, following(s)), "no times")
    m.require(host_sees_done(s.gpu.value(following(s))), "complete")
    s.use.waiting = Waiting.ARM


@protocol.action(by=HOST, src="LegacySignalTracker::BeginUse")
def arm_waited(m: Step, s: State) -> None:
    """Both are complete: store the initial value."""
    require_legacy(m)
    m.require(s.use.waiting == Waiting.ARM, "arms")
    m.bound(~is_shared(s, oldest(s)), "unshared")
    signal = oldest(s)
    arm(m, s, signal)
    note_rearmed(m, s, signal)
    s.tracker.ring[RingSlot.at(0)].phase = UsePhase.ARMED
    s.use.waiting = Waiting.NOT


# WaitNext as it was when it called CpuWait: all listed signals of the next one's Timestamp are processed, and
# none is waited for while a callback is set.


def require_times_of_next(m: Step) -> None:
    """The step is the variant's."""
    if not m.variant("wait-next-takes-all-times"):
        m.require(False, "wait-next-takes-all-times")


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext (Timestamp lock)", fair=Fairness.STRONG)
def next_locks_timestamp(m: Step, s: State, stamp: Stamp) -> None:
    """Take the lock of the Timestamp that the next slot's signal points to."""
    require_times_of_next(m)
    m.require(is_at_next(s), "waits")
    m.require(s.stamps[stamp].pointed.has(following(s)), "points to it")
    m.require(is_stamp_free(s, stamp), "Timestamp lock free")
    s.use.waiting = Waiting.NEXT_TIMES
    lock_stamp(s.times.app, stamp)


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext (checkGpuTime: signal lock)", fair=Fairness.STRONG)
def next_locks_signal(m: Step, s: State, handle: Handle) -> None:
    """Take the lock of a listed signal. Its value is looked at only where no callback is set."""
    require_times_of_next(m)
    taker = s.times.app
    m.require((s.use.waiting == Waiting.NEXT_TIMES) & (taker.step == Taking.STAMP), "holds the Timestamp's lock")
    entry = s.stamps[taker.stamp]
    m.require(entry.listed.has(handle), "listed")
    m.require(is_signal_free(s, handle), "signal lock free")
    taker.signal = handle
    taker.step = Taking.WAIT
    with m.when(entry.blocking):
        taker.step = Taking.READ


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext (checkGpuTime: wait)")
def next_sees_complete(m: Step, s: State) -> None:
    """Wait for it to come below 1."""
    require_times_of_next(m)
    taker = s.times.app
    m.require(taker.step == Taking.WAIT, "looks at the value")
    m.require(host_sees_done(s.gpu.value(taker.signal.get)), "complete")
    taker.step = Taking.READ


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext (checkGpuTime)")
def next_takes_times(m: Step, s: State) -> None:
    """Read its times, and erase its entry."""
    require_times_of_next(m)
    taker = s.times.app
    m.require((s.use.waiting == Waiting.NEXT_TIMES) & (taker.step == Taking.READ), "reads")
    read_times(m, s, taker)
    erase(m, s, taker.stamp, taker.signal.get)
    taker.signal = None
    taker.step = Taking.STAMP


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext (checkGpuTime: end)")
def next_is_taken(m: Step, s: State) -> None:
    """The list is empty: ts_ of the next slot's signal is cleared, and the lock goes back."""
    require_times_of_next(m)
    taker = s.times.app
    m.require((s.use.waiting == Waiting.NEXT_TIMES) & (taker.step == Taking.STAMP), "holds the Timestamp's lock")
    entry = s.stamps[taker.stamp]
    m.require(entry.listed.is_empty, "all taken")
    entry.pointed = entry.pointed.removing(following(s))
    m.clear(taker)
    s.use.waiting = Waiting.ARM
