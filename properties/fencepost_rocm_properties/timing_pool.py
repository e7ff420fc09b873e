"""Properties of timing-only signals, Timestamps and the threads that take times."""

from __future__ import annotations

from fencepost import Bool, Int, Properties, count, exists, ite
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot, host_sees_done
from fencepost_rocm.retiring.state import HostPc, RingSlot, UsePhase, any_slot, in_ring, is_shared
from fencepost_rocm.timing_pool.state import Purpose, Stamp, StampPhase, State, Taker, Taking, UseStep, current, first
from fencepost_rocm_properties.retiring import owes_this_use

properties = Properties("timing-pool")


# K-I1, K-I2: times.


@properties.invariant(
    "no-timestamp-lists-an-armed-signal",
    protects="RetiringSignalTracker::Reclaim (timing)",
    twin=lambda s, stamp, handle: s.stamps[stamp].listed.has(handle) & is_retired(s, handle),
    needs=("timing",),
)
def no_timestamp_lists_an_armed_signal(s: State, stamp: Stamp, handle: Handle) -> Bool:
    """No Timestamp lists a signal that was armed anew since it was listed."""
    return ~s.stamps[stamp].rearmed.has(handle)


def is_retired(s: State, handle: Handle) -> Bool:
    """The last use of the signal is taken for complete, and it is not armed yet."""
    return any_slot(
        s, lambda slot: (s.tracker.ring[slot].signal == handle) & (s.tracker.ring[slot].phase == UsePhase.RETIRED)
    )


@properties.invariant(
    "times-are-of-their-own-operation",
    protects="ProfilingSignal::CacheTimingData",
    twin=lambda s: (s.times.app.step == Taking.READ) | (s.times.handler.step == Taking.READ),
    needs=("timing",),
)
def times_are_of_their_own_operation(s: State) -> Bool:
    """The times that are taken for a use are those that its operation has written."""
    return ~s.times.not_its_own


@properties.invariant(
    "no-times-lost",
    protects="Timestamp::checkGpuTime",
    twin=lambda s, stamp, handle: s.stamps[stamp].listed.has(handle),
    needs=("timing",),
)
def no_times_lost(s: State, stamp: Stamp, handle: Handle) -> Bool:
    """A use leaves its Timestamp's list only with its times."""
    return ~s.times.lost


@properties.invariant(
    "listed-while-nobody-reads",
    protects="Timestamp::AddProfilingSignal",
    twin=lambda s, stamp: s.times.handler.holds_stamp(stamp) | s.times.app.holds_stamp(stamp),
    needs=("timing",),
)
def listed_while_nobody_reads(s: State, stamp: Stamp) -> Bool:
    """A signal is put on a Timestamp's list, which takes no lock, only while nobody goes through the list."""
    return ~s.times.listed_under_a_reader


# K-I3: signals of three kinds.


@properties.invariant(
    "timing-only-signal-means-its-own-use",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=lambda s, handle: s.signals.host.made.has(handle) & is_shared(s, handle),
    needs=("host-pool", "events|pins"),
)
def timing_only_signal_means_its_own_use(s: State, handle: Handle) -> Bool:
    """Who holds or waits for a timing-only signal sees its own use, and what the tracker retires is complete."""
    stale = ((s.event.signal == handle) & s.event.rearmed) | exists(
        HwQueue,
        PacketSlot,
        lambda queue, slot: (
            s.gpu.queues[queue].packets[slot].waits_for(handle) & s.gpu.queues[queue].packets[slot].dep_rearmed
        ),
    )
    early = is_retired(s, handle) & owes_this_use(s, handle)
    return s.signals.host.made.has(handle).implies(~stale & ~early)


def in_pool(s: State, handle: Handle) -> Bool:
    """The signal is in one of the pools, for a slot to take."""
    return s.signals.host.unused.has(handle) | s.signals.interrupt.unused.has(handle) | s.tracker.spares.has(handle)


@properties.invariant(
    "pools-hold-armed-unshared-signals",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=in_pool,
    needs=("host-pool|interrupts",),
)
def pools_hold_armed_unshared_signals(s: State, handle: Handle) -> Bool:
    """A signal in a pool is armed, nobody holds it, and nothing is owed to it."""
    return in_pool(s, handle).implies((s.gpu.value(handle) == 1) & ~is_shared(s, handle) & ~owes_this_use(s, handle))


@properties.invariant(
    "signal-in-one-place",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=in_pool,
    needs=("host-pool|interrupts",),
)
def signal_in_one_place(s: State, handle: Handle) -> Bool:
    """A signal is in one slot, in one pool, or parked: not in two of them."""
    slots = count(RingSlot, lambda slot: in_ring(s, slot) & (s.tracker.ring[slot].signal == handle))
    return s.tracker.created.has(handle).implies(
        slots
        + one(s.signals.host.unused.has(handle))
        + one(s.signals.interrupt.unused.has(handle))
        + one(s.tracker.spares.has(handle))
        + one(s.tracker.parked.has(handle))
        == 1
    )


def one(there: Bool) -> Int:
    """1 if it is there."""
    return ite(there, 1, 0)


def is_placed(s: State) -> Bool:
    """PlaceForUse is over, and the packet has still to be published."""
    return s.host.pc.is_in(HostPc.LIST, HostPc.PUBLISH) & (s.use.step != UseStep.PLACE)


@properties.invariant(
    "signal-where-the-use-wants-it",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=lambda s: is_placed(s) & s.use.is_for_timing_alone(),
    needs=("host-pool",),
)
def signal_where_the_use_wants_it(s: State) -> Bool:
    """What is only timed has a host signal, what may be waited for none, unless the next spare fell back."""
    spares = s.tracker.spares
    fell_back = ~spares.is_empty & s.signals.host.made.has(first(spares.has))
    in_host_memory = s.signals.host.made.has(current(s))
    timed = s.use.is_for_timing_alone().implies(in_host_memory)
    waited = s.use.purpose.is_in(Purpose.WAITED, Purpose.BOTH).implies(s.signals.is_on_device(current(s)) | fell_back)
    return is_placed(s).implies(timed & waited)


@properties.invariant(
    "one-failed-batch-is-kept",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=lambda s: s.signals.failed_batches == 1,
    needs=("device-failures",),
)
def one_failed_batch_is_kept(s: State) -> Bool:
    """PlaceForUse does not ask for a second batch of spares while it has those of one that fell back."""
    return s.signals.failed_batches < 2


# K-I4, K-I5: locks.


def takes(s: State, step: Taking) -> Bool:
    """The host thread or the handler is there with taking times."""
    return (s.times.app.step == step) | (s.times.handler.step == step)


@properties.invariant(
    "timestamp-lock-before-signal-lock",
    protects="Timestamp::checkGpuTime, ProfilingSignal::CacheTimingData",
    twin=lambda s: takes(s, Taking.READ),
    needs=("timing",),
)
def timestamp_lock_before_signal_lock(s: State) -> Bool:
    """Nobody who holds a signal's lock wants a Timestamp's."""
    return ~takes(s, Taking.SIGNAL_FIRST)


@properties.invariant(
    "no-gpu-wait-under-a-timestamp-lock",
    protects="Timestamp::checkGpuTime",
    twin=lambda s: takes(s, Taking.WAIT),
    needs=("handler", "timing"),
)
def no_gpu_wait_under_a_timestamp_lock(s: State) -> Bool:
    """Whoever waits for a signal with a Timestamp's lock finds it complete: the host thread may need that lock."""

    def finds_complete(taker: Taker) -> Bool:
        return (taker.step == Taking.WAIT).implies(taker.signal.is_some & host_sees_done(s.gpu.value(taker.signal.get)))

    return finds_complete(s.times.app) & finds_complete(s.times.handler)


@properties.invariant(
    "callback-signal-not-waited-for",
    protects="Timestamp::checkGpuTime (blocking callback)",
    twin=lambda s, stamp: (s.stamps[stamp].phase == StampPhase.CLOSED) & s.stamps[stamp].blocking,
    needs=("callbacks",),
)
def callback_signal_not_waited_for(s: State, stamp: Stamp) -> Bool:
    """Nobody who takes times waits for a signal with a blocking callback pending, which keeps it above 0."""
    handler = s.times.handler
    app = s.times.app

    def is_blocking(taker: Taker) -> Bool:
        return (taker.step == Taking.WAIT) & s.stamps[taker.stamp].blocking

    return ~is_blocking(handler) & ~is_blocking(app)


@properties.hang("no-hang", protects="Timestamp lock, ProfilingSignal lock, HsaAmdSignalHandler")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a wait, a handler or a packet is under way, some step other than the application's can be taken."""
    return (s.host.pc != HostPc.IDLE) | s.event.waiting | s.handler.signal.is_some | s.gpu.is_busy()
