"""ActiveSignal: the next slot, proven free by waiting, made unshared and of the right type, and armed."""

from __future__ import annotations

from fencepost import Bool, Fairness, Step
from fencepost_rocm.hardware import host_sees_done
from fencepost_rocm.legacy.declare import HOST, protocol
from fencepost_rocm.legacy.references import arm, create, let_go, take_times
from fencepost_rocm.legacy.state import Callback, CallPc, Operation, RingSlot, State, is_shared


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (peek two slots ahead)")
def peek(m: Step, s: State) -> None:
    """Load the signal after the next one: above 0, the ring shall grow; else the next slot becomes the current one."""
    m.require(s.call.pc == CallPc.PEEK, "peek")
    with m.when(s.gpu.value(s.tracker.ring[RingSlot.at(1)].get) > 0):
        s.call.pc = CallPc.GROW
    with m.otherwise():
        s.tracker.rotate(m)
        s.call.pc = CallPc.WAIT_CURRENT


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (grow)")
def grow(m: Step, s: State) -> None:
    """Insert a new signal before the oldest slot. It has no use behind it, so nothing is waited for."""
    m.require(s.call.pc == CallPc.GROW, "grow")
    m.bound(s.tracker.ring[RingSlot.last()].is_none, "room in the ring")
    m.bound(s.gpu.pool.can_create(), "handles")
    if m.variant("grows-before-current"):
        s.tracker.rotate_back(m)
    s.tracker.append(create(m, s, interrupt=False))
    to_type_or_arm(m, s)


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (CreateSignal fails)")
def grow_fails(m: Step, s: State) -> None:
    """No signal can be created: the next slot becomes the current one, and has to be waited for."""
    if not m.has("failures"):
        m.require(False, "failures is on")
    m.require(s.call.pc == CallPc.GROW, "grow")
    m.note("CreateSignal fails")
    s.tracker.rotate(m)
    s.call.pc = CallPc.WAIT_CURRENT


@protocol.action(by=HOST, src="HwQueueTracker::CpuWaitForSignal")
def wait_current(m: Step, s: State) -> None:
    """Wait, holding execution(), until the slot's last operation is complete."""
    current = s.tracker.current()
    m.require(s.call.pc == CallPc.WAIT_CURRENT, "CpuWait")
    if not m.variant("no-waits"):
        m.require(host_sees_done(s.gpu.value(current)), "complete")
    to_wait_next(m, s)
    if m.has("timing") and not m.variant("times-when-asked-for"):
        with m.when(s.timestamp.pointed.has(current)):
            s.call.pc = CallPc.TAKE_TIMES


def to_wait_next(m: Step, s: State) -> None:
    """The current signal's last use is done with."""
    if m.variant("no-wait-next") or m.variant("no-waits"):
        to_sharing(m, s)
    else:
        s.call.pc = CallPc.WAIT_NEXT


@protocol.action(by=HOST, src="HwQueueTracker::WaitCurrent, CpuWaitForSignal")
def synchronize(m: Step, s: State) -> None:
    """Wait, holding execution(), for the last operation."""
    current = s.tracker.current()
    m.require(s.call.pc == CallPc.SYNC, "WaitCurrent")
    m.require(host_sees_done(s.gpu.value(current)), "complete")
    times = s.timestamp.pointed.has(current)
    if m.variant("times-when-asked-for"):
        times = times & False
    with m.when(~times):
        m.clear(s.call)
    with m.otherwise():
        s.call.pc = CallPc.TAKE_TIMES


@protocol.action(by=HOST, src="HwQueueTracker::CpuWaitForSignal (Timestamp::checkGpuTime)", fair=Fairness.STRONG)
def take_times_of_current(m: Step, s: State) -> None:
    """Under the Timestamp's lock, take the signal's times, and its entry off the list."""
    if not m.has("timing"):
        m.require(False, "timing is on")
    current = s.tracker.current()
    m.require(s.call.pc == CallPc.TAKE_TIMES, "checkGpuTime")
    m.require(~s.timestamp.locked, "Timestamp lock free")
    with m.when(s.timestamp.listed.has(current)):
        take_times(m, s, current)
        if not m.variant("stale-timing-entry"):
            s.timestamp.listed = s.timestamp.listed.removing(current)
    s.timestamp.pointed = s.timestamp.pointed.removing(current)
    with m.when(s.call.operation == Operation.SYNC):
        m.clear(s.call)
    with m.otherwise():
        to_wait_next(m, s)


@protocol.action(by=HOST, src="LegacySignalTracker::WaitNext")
def wait_next(m: Step, s: State) -> None:
    """Wait for the value of the next slot's signal: the GPU waiter of this one shall have passed by then."""
    m.require(s.call.pc == CallPc.WAIT_NEXT, "WaitNext")
    m.require(host_sees_done(s.gpu.value(s.tracker.ring[RingSlot.at(0)].get)), "complete")
    to_sharing(m, s)


def to_sharing(m: Step, s: State) -> None:
    """The slot is waited for: look at its references."""
    s.call.pc = CallPc.SHARING
    if m.variant("type-before-sharing"):
        with m.when(has_wrong_type(s)):
            s.call.pc = CallPc.TYPE


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (referenceCount)")
def look_at_references(m: Step, s: State) -> None:
    """A signal that somebody else still holds cannot be armed anew."""
    m.require(s.call.pc == CallPc.SHARING, "references")
    to_type_or_arm(m, s)
    if not m.variant("shared-signal-not-replaced"):
        with m.when(is_shared(s, s.tracker.current())):
            s.call.pc = CallPc.REPLACE


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (CreateSignal)")
def replace(m: Step, s: State) -> None:
    """Create a signal of the same type in place of the shared one."""
    m.require(s.call.pc == CallPc.REPLACE, "replace")
    m.bound(s.gpu.pool.can_create(), "handles")
    interrupt = s.tracker.with_interrupt.has(s.tracker.current())
    fresh = create(m, s, interrupt=False)
    if m.has("callbacks") and not m.variant("wrong-interrupt-type"):
        with m.when(interrupt):
            s.tracker.with_interrupt = s.tracker.with_interrupt.adding(fresh)
    s.call.fresh = fresh
    s.call.pc = CallPc.DROP


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (CreateSignal fails, assert compiled out)")
def replace_fails(m: Step, s: State) -> None:
    """No signal can be created, and a release build goes on with the shared one."""
    if not m.variant("replacement-failure-ignored"):
        m.require(False, "replacement-failure-ignored")
    m.require(s.call.pc == CallPc.REPLACE, "replace")
    m.note("CreateSignal fails")
    to_type_or_arm(m, s)


@protocol.action(by=HOST, src="LegacySignalTracker::AcquireSlot (ProfilingSignal::release)")
def drop_shared(m: Step, s: State) -> None:
    """Put the new signal in the slot and drop the tracker's reference to the old one, which may be the last by now."""
    m.require(s.call.pc == CallPc.DROP, "drop")
    old = s.tracker.current()
    s.tracker.ring[RingSlot.of(s.tracker.length() - 1)] = s.call.fresh
    s.call.fresh = None
    let_go(m, s, old)
    to_type_or_arm(m, s)


def has_wrong_type(s: State) -> Bool:
    """The current signal has an interrupt and no handler is wanted, or the other way round."""
    return s.tracker.with_interrupt.has(s.tracker.current()) != (s.call.callback != Callback.NONE)


def to_type_or_arm(m: Step, s: State) -> None:
    """The current signal is the tracker's alone."""
    s.call.pc = CallPc.ARM
    if m.has("callbacks") and not m.variant("type-before-sharing"):
        with m.when(has_wrong_type(s)):
            s.call.pc = CallPc.TYPE


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (interrupt and non-interrupt pools)")
def match_type(m: Step, s: State) -> None:
    """Set the current signal aside on its own stack, and take one of the other type, created where there is none."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(s.call.pc == CallPc.TYPE, "type")
    plain, interrupt = s.tracker.plain, s.tracker.interrupt
    wanted = s.call.callback != Callback.NONE
    m.bound((wanted & ~plain.is_full()) | (~wanted & ~interrupt.is_full()), "place in the stack")
    m.bound((wanted & (interrupt.depth() > 0)) | (~wanted & (plain.depth() > 0)) | s.gpu.pool.can_create(), "handles")
    old = s.tracker.current()
    slot = RingSlot.of(s.tracker.length() - 1)
    with m.when(wanted):
        with m.when(interrupt.depth() > 0):
            s.tracker.ring[slot] = interrupt.pop()
        with m.otherwise():
            s.tracker.ring[slot] = create(m, s, interrupt=True)
        plain.push(old)
    with m.otherwise():
        with m.when(plain.depth() > 0):
            s.tracker.ring[slot] = plain.pop()
        with m.otherwise():
            s.tracker.ring[slot] = create(m, s, interrupt=False)
        interrupt.push(old)
    s.call.pc = CallPc.SHARING if m.variant("type-before-sharing") else CallPc.ARM


@protocol.action(by=HOST, src="LegacySignalTracker::BeginUse")
def begin_use(m: Step, s: State) -> None:
    """Store the initial value, and attach the signal to the command (which nobody else reaches yet)."""
    m.require(s.call.pc == CallPc.ARM, "store")
    current = s.tracker.current()
    arm(m, s, current)
    with m.when(s.call.event.is_some):
        m.note("held by event {}", s.call.event.get, of=current)
        s.events[s.call.event.get].signal = current
    to_handler(m, s)
    if m.has("timing"):
        listed_now = s.call.timed
        if m.variant("repaired"):
            listed_now = listed_now & (s.call.operation != Operation.COPY)
        with m.when(listed_now):
            s.call.pc = CallPc.LIST


def to_handler(m: Step, s: State) -> None:
    """The next step is the handler's registration, if the command wants one."""
    s.call.pc = CallPc.PUBLISH
    if m.has("callbacks"):
        with m.when(s.call.callback == Callback.BATCH):
            s.call.pc = CallPc.REGISTER
        with m.when(s.call.callback == Callback.BLOCKING):
            s.call.pc = CallPc.ADD


@protocol.action(by=HOST, src="Timestamp::AddProfilingSignal", fair=Fairness.STRONG)
def list_in_timestamp(m: Step, s: State) -> None:
    """The Timestamp lists the signal, under its lock."""
    if not m.has("timing"):
        m.require(False, "timing is on")
    m.require(s.call.pc == CallPc.LIST, "list")
    m.require(~s.timestamp.locked, "Timestamp lock free")
    current = s.tracker.current()
    m.note("listed in the Timestamp", of=current)
    s.timestamp.listed = s.timestamp.listed.adding(current)
    s.timestamp.pointed = s.timestamp.pointed.adding(current)
    copies = s.call.operation == Operation.COPY
    to_handler(m, s)
    if m.variant("repaired"):
        with m.when(copies):
            m.clear(s.call)


@protocol.action(by=HOST, src="HwQueueTracker::ActiveSignal (hsa_signal_add_relaxed)")
def add_for_callback(m: Step, s: State) -> None:
    """A blocking callback: one more, which the handler will take off once the callback has returned."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(s.call.pc == CallPc.ADD, "add")
    current = s.tracker.current()
    m.note("ADD (=2)", of=current)
    s.gpu.pool.signals[current].value = s.gpu.value(current) + 1
    s.handler.blocking = s.handler.blocking.adding(current)
    s.call.pc = CallPc.REGISTER


@protocol.action(by=HOST, src="LegacySignalTracker::SetAsyncHandler (hsa_amd_signal_async_handler)")
def register_handler(m: Step, s: State) -> None:
    """Ask ROCr to call the handler once the signal is below the threshold."""
    if not m.has("callbacks"):
        m.require(False, "callbacks is on")
    m.require(s.call.pc == CallPc.REGISTER, "register")
    current = s.tracker.current()
    s.handler.registered = s.handler.registered.adding(current)
    if m.has("timing"):
        with m.when(s.timestamp.closed_by.is_none & ~s.timestamp.listed.is_empty):
            s.timestamp.closed_by = current
    s.call.pc = CallPc.PUBLISH
