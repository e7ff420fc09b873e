"""A use begins: PlaceForUse gives the slot a signal of the kind that the use wants, and BeginUse attaches it.

The slot is the call's own by then, its signal is armed and nobody else holds it, and so it is with what the
pools hold. So a swap, and the batch that it may take, are one step under execution().
"""

from __future__ import annotations

from fencepost import Bool, Choice, Fairness, Kind, Step, exists, ite
from fencepost_rocm.hardware import Handle
from fencepost_rocm.retiring import dispatch
from fencepost_rocm.retiring.reclaim import SPARE_BATCH, can_create, create_batch
from fencepost_rocm.retiring.state import HostPc, has_use, newest
from fencepost_rocm.timing_pool.declare import HOST, protocol
from fencepost_rocm.timing_pool.state import (
    Pool,
    Purpose,
    Stamp,
    StampPhase,
    State,
    Taking,
    UseStep,
    current,
    first,
    is_first_free,
    is_pointed,
    is_signal_free,
    is_stamp_free,
)


@protocol.action(by=HOST, src="HwQueueTracker::Create (the batch falls back)", kind=Kind.ENVIRONMENT)
def ring_falls_back(m: Step, s: State) -> None:
    """The ring's first signals could not be had in device memory, and are in host memory."""
    if not m.has("device-failures"):
        m.require(False, "device-failures is on")
    m.require((s.host.pc == HostPc.IDLE) & ~has_use(s), "nothing dispatched yet")
    m.require(s.signals.host.made.is_empty, "not fallen back yet")
    m.note("the ring's signals are in host memory")
    s.signals.host.made = s.tracker.created


@protocol.replace("call_dispatch")
def call_dispatch(m: Step, s: State, purpose: Choice[Purpose], barrier: Bool) -> None:
    """A new dispatch or marker takes execution()."""
    timed = purpose != Purpose.WAITED
    closing = purpose.is_in(Purpose.END, Purpose.CALLBACK)
    m.require(m.has("any-order") | barrier, "barrier bit")
    m.require(barrier | ~closing, "markers have the barrier bit")
    m.require(m.has("handler") | ~closing, "a handler")
    m.require(m.has("callbacks") | (purpose != Purpose.CALLBACK), "callbacks are on")
    dispatch.require_call(m, s, barrier, timed, Bool.constant(False))
    m.bound(dispatch.one_pin_at_a_time(s), "one pin at a time")
    m.bound(~closing | s.handler.signal.is_none, "one batch at a time")
    m.bound(~timed | (purpose == Purpose.CALLBACK) | has_stamp(s, StampPhase.OPEN, StampPhase.FREE), "a Timestamp")
    m.bound((purpose != Purpose.CALLBACK) | has_stamp(s, StampPhase.FREE), "a Timestamp of its own")
    dispatch.begin_call(m, s, barrier, timed, Bool.constant(False))
    for each in Purpose:
        with m.when(purpose == each):
            m.note(each.value)
    s.use.purpose = purpose
    s.use.step = UseStep.PLACE


@protocol.replace("call_dispatch_spinning")
def call_dispatch_spinning(m: Step, s: State) -> None:
    """A kernel that spins on a host flag, with a signal that may be waited for."""
    dispatch.call_dispatch_spinning(m, s)
    s.use.purpose = Purpose.WAITED


def has_stamp(s: State, *phases: StampPhase) -> Bool:
    """Some Timestamp is in such a phase."""
    return exists(Stamp, lambda stamp: s.stamps[stamp].phase.is_in(*phases))


# PlaceForUse.


def is_placing(s: State) -> Bool:
    """The call has a slot, and its signal is looked at."""
    return s.host.pc.is_in(HostPc.LIST, HostPc.PUBLISH) & (s.use.step == UseStep.PLACE)


def wants_host(m: Step, s: State) -> Bool:
    """A signal in host memory is what the use wants."""
    return s.use.is_for_timing_alone() if m.has("host-pool") else Bool.constant(False)


def wants_interrupt(m: Step, s: State) -> Bool:
    """A signal with an interrupt is what the use wants."""
    return s.use.is_closing() if m.has("interrupts") else Bool.constant(False)


def give_back(m: Step, s: State, signal: Handle) -> None:
    """An armed signal that nobody holds goes where signals of its kind are kept."""
    for pool in (s.signals.host, s.signals.interrupt):
        with m.when(pool.made.has(signal)):
            pool.unused = pool.unused.adding(signal)
    with m.when(s.signals.is_on_device(signal)):
        s.tracker.spares = s.tracker.spares.adding(signal)


def swap_in(m: Step, s: State, signal: Handle) -> None:
    """Put an armed signal in the slot, and the slot's where signals of its kind are kept."""
    old = current(s)
    m.note("back to its pool", of=old)
    give_back(m, s, old)
    m.note("swapped in", of=signal)
    newest(s).signal = signal


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (keep)")
def keep_signal(m: Step, s: State) -> None:
    """The slot's signal is of the kind that the use wants."""
    signal = current(s)
    host, interrupt = s.signals.host.made.has(signal), s.signals.interrupt.made.has(signal)
    m.require(is_placing(s), "places")
    fits = (host == wants_host(m, s)) & (interrupt == wants_interrupt(m, s))
    if m.variant("not-swapped-back"):
        fits = fits | (~wants_host(m, s) & ~wants_interrupt(m, s))
    m.require(fits, "fits")
    s.use.step = UseStep.RESET


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (timing only)")
def place_on_host(m: Step, s: State) -> None:
    """The signal is for timing alone: one in host memory."""
    if not m.has("host-pool"):
        m.require(False, "host-pool is on")
    m.require(is_placing(s), "places")
    m.require(wants_host(m, s) & ~s.signals.host.made.has(current(s)), "another signal is wanted")
    swap_from(m, s, s.signals.host)


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (handler)")
def place_interrupt(m: Step, s: State) -> None:
    """The signal is for a handler: one with an interrupt."""
    if not m.has("interrupts"):
        m.require(False, "interrupts is on")
    m.require(is_placing(s), "places")
    m.require(wants_interrupt(m, s) & ~s.signals.interrupt.made.has(current(s)), "another signal is wanted")
    swap_from(m, s, s.signals.interrupt)


def swap_from(m: Step, s: State, pool: Pool) -> None:
    """Swap in a signal of the pool, created where the pool is empty."""
    m.bound(~pool.unused.is_empty | can_create(s), "signals left")

    def to_pool(handle: Handle) -> None:
        pool.made = pool.made.adding(handle)
        pool.unused = pool.unused.adding(handle)

    with m.when(pool.unused.is_empty):
        create_batch(m, s, 1, to_pool)
    signal = first(pool.unused.has)
    if not m.variant("left-in-its-pool"):
        pool.unused = pool.unused.removing(signal)
    swap_in(m, s, signal)
    s.use.step = UseStep.RESET


@protocol.action(by=HOST, src="RetiringSignalTracker::PlaceForUse (may be waited for)")
def place_on_device(m: Step, s: State, fails: Bool) -> None:
    """A GPU waiter or a sync may read the signal: a spare of device memory, or none if the spare fell back."""
    signals, tracker = s.signals, s.tracker
    others = m.has("host-pool") or m.has("interrupts") or m.has("device-failures")
    if not others or m.variant("not-swapped-back"):
        m.require(False, "slots have other signals")
    m.require(is_placing(s), "places")
    m.require(~wants_host(m, s) & ~wants_interrupt(m, s) & ~signals.is_on_device(current(s)), "another one is wanted")
    m.require(may_fail(m, s, fails), "a batch may fail")
    m.bound(~tracker.spares.is_empty | can_create(s), "signals left")
    with m.when(tracker.spares.is_empty):
        create_spares(m, s, fails)
        if m.has("device-failures"):
            with m.when(fails):
                signals.failed_batches = ite(signals.failed_batches < 2, signals.failed_batches + 1, 2)
    spare = first(tracker.spares.has)
    swaps = Bool.constant(True) if m.variant("fallback-swapped") else ~signals.host.made.has(spare)
    with m.when(swaps):
        tracker.spares = tracker.spares.removing(spare)
        swap_in(m, s, spare)
    with m.otherwise():
        m.note("kept, since the replacement is in host memory", of=current(s))
    s.use.step = UseStep.RESET


def may_fail(m: Step, s: State, fails: Bool) -> Bool:
    """Whether a batch fails is asked only where one is made, and where that may happen."""
    return ~fails | s.tracker.spares.is_empty if m.has("device-failures") else ~fails


def create_spares(m: Step, s: State, fails: Bool) -> None:
    """A batch of spares in device memory; where that fails, so many signals in host memory."""

    def to_spares(handle: Handle) -> None:
        s.tracker.spares = s.tracker.spares.adding(handle)
        if m.has("device-failures"):
            with m.when(fails):
                m.note("fell back to host memory", of=handle)
                s.signals.host.made = s.signals.host.made.adding(handle)

    create_batch(m, s, SPARE_BATCH, to_spares)


# BeginUse.


@protocol.action(by=HOST, src="ProfilingSignal::ResetCachedTiming", fair=Fairness.STRONG)
def reset_cached_times(m: Step, s: State) -> None:
    """Under the signal's lock, forget the times of its last use."""
    m.require(s.host.pc.is_in(HostPc.LIST, HostPc.PUBLISH) & (s.use.step == UseStep.RESET), "begins")
    m.require(is_signal_free(s, current(s)), "signal's lock free")
    if m.variant("rearm-before-timing"):
        m.require((s.times.app.step == Taking.OFF) & ~is_pointed(s, current(s)), "times taken")
    s.use.step = UseStep.READY
    with m.when(s.host.pc == HostPc.LIST):
        s.use.step = UseStep.LIST


@protocol.replace("list_in_timestamp")
def list_in_timestamp(m: Step, s: State, stamp: Stamp) -> None:
    """The command's Timestamp lists the signal. No lock: nobody else has the Timestamp of a command so early."""
    target = s.stamps[stamp]
    own = s.use.purpose == Purpose.CALLBACK
    m.require((s.host.pc == HostPc.LIST) & (s.use.step == UseStep.LIST), "lists")
    m.require(is_its_stamp(s, stamp, own=own), "the command's")
    signal = current(s)
    m.note("listed in Timestamp {}", stamp, of=signal)
    s.times.listed_under_a_reader = s.times.listed_under_a_reader | ~is_stamp_free(s, stamp)
    target.phase = StampPhase.OPEN
    if m.has("callbacks"):
        target.blocking = own
    if m.variant("stale-entry"):
        with m.when(target.listed.has(signal)):
            target.twice = target.twice.adding(signal)
    target.listed = target.listed.adding(signal)
    target.pointed = target.pointed.adding(signal)
    s.use.step = UseStep.READY
    with m.when(has_handler(m, s)):
        s.use.step = UseStep.REGISTER
    if m.has("callbacks"):
        with m.when(own):
            s.use.step = UseStep.ADD
    s.host.pc = HostPc.PUBLISH


def has_handler(m: Step, s: State) -> Bool:
    """The use is the one for whose completion the batch's handler waits."""
    if m.variant("handler-registered-early"):
        return s.handler.signal.is_none
    return s.use.is_closing()


def is_its_stamp(s: State, stamp: Stamp, *, own: Bool) -> Bool:
    """The Timestamp that the command under way has, or gets: the open one, else the first free one."""
    phase = s.stamps[stamp].phase
    goes_on = ~own & has_stamp(s, StampPhase.OPEN)
    return (goes_on & (phase == StampPhase.OPEN)) | (~goes_on & is_first_free(s, stamp))


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (hsa_signal_add)")
def add_for_callback(m: Step, s: State) -> None:
    """A blocking callback: one more, which the handler takes off once the callback has returned."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(s.use.step == UseStep.ADD, "adds")
    signal = current(s)
    m.note("ADD (=2)", of=signal)
    s.gpu.pool.signals[signal].value = s.gpu.value(signal) + 1
    s.handler.blocking = True
    s.use.step = UseStep.REGISTER


@protocol.action(by=HOST, src="RetiringSignalTracker::SetAsyncHandler (hsa_amd_signal_async_handler)")
def register_handler(m: Step, s: State) -> None:
    """The handler of the batch is registered, with a reference to the signal; the batch's Timestamps are its."""
    if not m.has("handler"):
        m.require(False, "handlers are on")
    m.require(s.use.step == UseStep.REGISTER, "registers")
    m.note("handler registered", of=current(s))
    s.handler.signal = current(s)
    with m.when(s.use.is_closing()):
        for stamp in m.each(Stamp):
            with m.when(s.stamps[stamp].phase == StampPhase.OPEN):
                s.stamps[stamp].phase = StampPhase.CLOSED
    s.use.step = UseStep.READY


@protocol.replace("publish")
def publish(m: Step, s: State) -> None:
    """Publish the packet, once the signal is attached, listed, and its handler registered."""
    m.require(s.use.step == UseStep.READY, "use begun")
    dispatch.publish(m, s)
    m.clear(s.use)
