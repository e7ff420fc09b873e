"""The host thread takes times: in Reclaim's walk, before a signal is armed anew, and after a wait.

Both know the use complete, so they read its times without a look at the signal's value.
"""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step, exists
from fencepost_rocm.hardware import Handle, HwQueue, host_sees_done
from fencepost_rocm.retiring import reclaim
from fencepost_rocm.retiring.reclaim import is_next_to_arm
from fencepost_rocm.retiring.state import HostPc, RingSlot, UsePhase
from fencepost_rocm.timing_pool.declare import HOST, OTHER, protocol
from fencepost_rocm.timing_pool.place import create_spares, give_back, may_fail
from fencepost_rocm.timing_pool.state import (
    Stamp,
    State,
    Taking,
    UseStep,
    Waiting,
    current,
    first,
    is_pointed,
    is_signal_free,
    is_stamp_free,
)
from fencepost_rocm.timing_pool.takers import erase, leaves_out, lock_stamp, note_rearmed, read_times


def is_due(m: Step, s: State, handle: Handle) -> Bool:
    """The host thread is to take the signal's times now."""
    synchronized = (s.host.pc == HostPc.SYNC) & (current(s) == handle) & host_sees_done(s.gpu.value(handle))
    if m.variant("rearm-before-timing"):
        walked = s.host.pc.is_in(HostPc.LIST, HostPc.PUBLISH) & (s.use.step == UseStep.RESET) & (current(s) == handle)
    else:
        walked = (s.host.pc == HostPc.WALK) & exists(
            RingSlot, lambda slot: is_next_to_arm(s, slot) & (s.tracker.ring[slot].signal == handle)
        )
    if not m.has("legacy-tracker"):
        return synchronized | walked
    oldest, following = (s.tracker.ring[RingSlot.at(position)].signal for position in range(2))
    due = handle == oldest
    if m.variant("wait-next-takes-its-times"):
        due = due | (~is_pointed(s, oldest) & (handle == following) & host_sees_done(s.gpu.value(following)))
    return synchronized | ((s.use.waiting == Waiting.NEXT) & due)


@protocol.action(by=HOST, src="Timestamp::checkGpuTime (Timestamp lock)", fair=Fairness.STRONG)
def lock_timestamp(m: Step, s: State, stamp: Stamp, handle: Handle) -> None:
    """Take the lock of the Timestamp that the signal points to."""
    taker = s.times.app
    m.require(s.stamps[stamp].pointed.has(handle), "points to it")
    if m.variant("signal-lock-first"):
        m.require((taker.step == Taking.SIGNAL_FIRST) & (taker.signal == handle), "holds the signal's lock")
    else:
        m.require((taker.step == Taking.OFF) & is_due(m, s, handle), "its times are due")
    m.require(is_stamp_free(s, stamp), "Timestamp lock free")
    lock_stamp(taker, stamp)
    taker.signal = handle
    if m.variant("signal-lock-first"):
        with m.when(s.stamps[stamp].listed.has(handle)):
            taker.step = Taking.READ


@protocol.action(by=HOST, src="ProfilingSignal::CacheTimingData (signal lock)", fair=Fairness.STRONG)
def lock_signal(m: Step, s: State, handle: Handle) -> None:
    """Take the lock of a signal whose times are due: inside the Timestamp's, if it is still listed there."""
    taker = s.times.app
    if m.variant("signal-lock-first"):
        m.require((taker.step == Taking.OFF) & is_due(m, s, handle), "its times are due")
        m.require(is_pointed(s, handle), "has a Timestamp")
    else:
        m.require((taker.step == Taking.STAMP) & (taker.signal == handle), "holds the Timestamp's lock")
        m.require(s.stamps[taker.stamp].listed.has(handle) & ~leaves_out(m, s, taker.stamp), "listed")
    m.require(is_signal_free(s, handle), "signal lock free")
    taker.signal = handle
    taker.step = Taking.SIGNAL_FIRST if m.variant("signal-lock-first") else Taking.READ


@protocol.action(by=HOST, src="Timestamp::ExtractSignalTiming")
def take_times(m: Step, s: State) -> None:
    """Read the times of a use that is known to be complete, erase its entry, and let the locks go."""
    taker = s.times.app
    m.require(taker.step == Taking.READ, "reads")
    m.require(s.use.waiting != Waiting.NEXT_TIMES, "of the signal itself")
    read_times(m, s, taker)
    if not m.variant("stale-entry"):
        erase(m, s, taker.stamp, taker.signal.get)
    _is_taken(m, s)


@protocol.action(by=HOST, src="Timestamp::checkGpuTime (end)")
def leave_times(m: Step, s: State) -> None:
    """The signal is not listed any more, or its times are left out for a blocking callback: the entry goes."""
    taker = s.times.app
    m.require((taker.step == Taking.STAMP) & taker.signal.is_some, "holds the Timestamp's lock")
    m.require(s.use.waiting != Waiting.NEXT_TIMES, "of the signal itself")
    listed = s.stamps[taker.stamp].listed.has(taker.signal.get)
    m.require(~listed | leaves_out(m, s, taker.stamp), "nothing to take")
    if m.has("callbacks"):
        with m.when(listed):
            m.note("erased without its times", of=taker.signal.get)
            s.times.lost = True
            erase(m, s, taker.stamp, taker.signal.get)
    _is_taken(m, s)


def _is_taken(m: Step, s: State) -> None:
    """ts_ is cleared, and both locks go."""
    taker = s.times.app
    entry = s.stamps[taker.stamp]
    entry.pointed = entry.pointed.removing(taker.signal.get)
    m.clear(taker)


# What of the tracker comes only after that.


def is_taken(m: Step, s: State, handle: Handle) -> Bool:
    """No Timestamp waits for the signal's times."""
    if m.variant("rearm-before-timing"):
        return Bool.constant(True)
    return (s.times.app.step == Taking.OFF) & ~is_pointed(s, handle)


@protocol.replace("rearm")
def rearm(m: Step, s: State, slot: RingSlot) -> None:
    """Arm a retired slot that nobody else holds, once its times are taken."""
    signal = s.tracker.ring[slot].signal
    m.require(is_taken(m, s, signal), "times taken")
    reclaim.rearm(m, s, slot)
    note_rearmed(m, s, signal)


@protocol.replace("park")
def park(m: Step, s: State, slot: RingSlot, spare: Handle) -> None:
    """Give a slot whose signal is still shared the next spare, once its times are taken."""
    m.require(is_taken(m, s, s.tracker.ring[slot].signal), "times taken")
    m.require(is_next_spare(s, spare), "next spare")
    reclaim.park(m, s, slot, spare)
    note_spare_taken(m, s)


@protocol.replace("grow")
def grow(m: Step, s: State, spare: Handle) -> None:
    """A longer ring: the new slot gets the next spare."""
    m.require(is_next_spare(s, spare), "next spare")
    reclaim.grow(m, s, spare)
    note_spare_taken(m, s)


def is_next_spare(s: State, spare: Handle) -> Bool:
    """Spares are alike but for where they are, which PlaceForUse looks at."""
    return ~s.tracker.spares.is_empty & (first(s.tracker.spares.has) == spare)


def note_spare_taken(m: Step, s: State) -> None:
    """Reclaim has a use for spares, wherever they are: a batch that fell back is not for nothing."""
    if m.has("device-failures"):
        s.signals.failed_batches = 0


@protocol.guard("synchronize", "times taken")
def synchronized_after_timing(m: Step, s: State) -> Bool:
    """A wait on the CPU ends with the times of what was waited for."""
    return (s.times.app.step == Taking.OFF) & ~is_pointed(s, current(s))


@protocol.guard("unpin", "no times under way")
def unpins_alone(m: Step, s: State) -> Bool:
    """One thread."""
    return s.times.app.step == Taking.OFF


@protocol.replace("reuse_parked")
def reuse_parked(m: Step, s: State, handle: Handle) -> None:
    """A parked signal to which the tracker holds the last reference is armed, and goes where its kind is kept."""
    m.require(s.times.app.step == Taking.OFF, "no times under way")
    reclaim.reuse_parked(m, s, handle)
    note_rearmed(m, s, handle)
    s.tracker.spares = s.tracker.spares.removing(handle)
    give_back(m, s, handle)


@protocol.replace("allocate_spares")
def allocate_spares(m: Step, s: State, fails: Bool) -> None:
    """No spare is left where Reclaim or a longer ring needs one: create a batch, which may fall back."""
    m.require(reclaim.needs_spare(m, s), "needed")
    m.require(s.tracker.spares.is_empty, "no spare left")
    m.require(may_fail(m, s, fails), "a batch may fail")
    m.bound(reclaim.can_create(s), "signals left")
    create_spares(m, s, fails)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (arm)")
def rearm_timing_only(m: Step, s: State, slot: RingSlot) -> None:
    """As `rearm`, of a host signal that somebody holds."""
    if not m.variant("timing-only-not-shared"):
        m.require(False, "timing-only-not-shared")
    use = s.tracker.ring[slot]
    m.require((s.host.pc == HostPc.WALK) & is_next_to_arm(s, slot), "next to arm")
    m.require(is_taken(m, s, use.signal), "times taken")
    m.require(s.signals.host.made.has(use.signal), "for timing alone")
    reclaim.arm(m, s, use.signal)
    use.phase = UsePhase.ARMED


@protocol.replace("collect_timing")
def collect_timing(m: Step, s: State, slot: RingSlot) -> None:
    """Not in one step: `lock_timestamp`, `lock_signal`, `take_times`."""
    m.require(False, "in one step")


@protocol.guard("queue_change", "pins are on")
def changes_queues(m: Step, s: State, queue: HwQueue) -> Bool:
    """Another hardware queue matters to times only for who waits on the GPU."""
    return Bool.constant(m.has("pins"))


@protocol.action(by=OTHER, src="EventDD::time, Device::getHwEventTime", kind=Kind.ENVIRONMENT)
def read_event_times(m: Step, s: State) -> None:
    """Another thread asks for the times of an event that is complete: no lock, but the event's reference."""
    if not (m.has("events") and m.has("timing")):
        m.require(False, "events and timing are on")
    m.require(s.event.signal.is_some, "recorded")
    signal = s.event.signal.get
    m.require(s.gpu.value(signal) == 0, "ready")
    m.note("its times are read for the event", of=signal)
    s.times.not_its_own = s.times.not_its_own | s.event.rearmed | ~s.gpu.stamped.has(signal)
