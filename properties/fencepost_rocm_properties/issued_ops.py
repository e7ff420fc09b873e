"""Properties of operations that share a signal, and of their failure."""

from __future__ import annotations

from fencepost import Bool, Properties, exists
from fencepost_rocm.hardware import HwQueue, PacketSlot
from fencepost_rocm.issued_ops.state import CallPc, State, SubOp, current, init_value, is_shared
from fencepost_rocm_properties import hardware

properties = Properties("issued-ops")
properties.include(hardware.completions, of=lambda s: s.gpu)


@properties.invariant(
    "rolled-back-only-when-nothing-is-owed",
    protects="HwQueueTracker::WaitForIssuedOps, ResetCurrentSignal",
    twin=lambda s: (s.call.pc == CallPc.RESET) & (s.call.issued > 0),
)
def rolled_back_only_when_nothing_is_owed(s: State) -> Bool:
    """A slot is rolled back only when no operation has still to decrement its signal."""
    return (s.call.pc == CallPc.RESET).implies(~s.gpu.owes(current(s)))


def is_counted(s: State) -> Bool:
    """Operations are being issued, or the ones that were are waited for."""
    return s.call.pc.is_in(CallPc.ISSUE, CallPc.DRAIN, CallPc.STAND_IN)


@properties.invariant(
    "counts-what-is-left",
    protects="HwQueueTracker::ActiveSignal, ResetCurrentSignal",
    twin=lambda s: is_counted(s) & s.gpu.owes(current(s)),
)
def counts_what_is_left(s: State) -> Bool:
    """A signal counts the operations that are under way and those that are not issued, and no others."""
    return is_counted(s).implies(s.gpu.value(current(s)) == SubOp.count() - s.call.issued + s.gpu.owed(current(s)))


@properties.invariant(
    "begins-with-its-own-count",
    protects="HwQueueTracker::BeginUse",
    twin=lambda s: s.call.pc == CallPc.PUBLISH,
)
def begins_with_its_own_count(s: State) -> Bool:
    """When a packet is published, its signal has the value that the use was armed with.

    The signal is of that use alone: nobody but the tracker holds it when it is armed, and when something is
    submitted with it the call's own command does, if that outlives the call, and no other.
    """
    armed = (s.call.pc == CallPc.PUBLISH).implies(s.gpu.value(current(s)) == init_value(s))
    unshared = (s.call.pc == CallPc.ARM).implies(~is_shared(s, current(s)))
    its_own = is_shared(s, current(s)) == s.call.held
    return armed & unshared & (s.call.pc.is_in(CallPc.PUBLISH, CallPc.ISSUE)).implies(its_own)


@properties.invariant(
    "last-signal-covers-all-work",
    protects="HwQueueTracker::ResetCurrentSignal, WaitingSignal",
    twin=lambda s: (s.call.pc == CallPc.IDLE) & s.gpu.is_busy(),
)
def last_signal_covers_all_work(s: State) -> Bool:
    """Between calls, when the current slot's use is over, nothing that was submitted before is under way.

    For what goes to the engine waits for what was submitted last, and queues start in order. What a call waits
    for it chooses itself: a call that is over has left nothing to it, nor has the attempt that failed to the
    kernel that copies instead.
    """
    call = s.call
    over = ~s.tracker.armed.has(current(s)) & (s.gpu.value(current(s)) < 1)
    left = call.shares | call.spins | call.held | call.dep.is_some
    chosen = (call.pc == CallPc.LOOK) & call.dep.is_some
    covers = ((call.pc == CallPc.IDLE) & over).implies(~s.gpu.is_busy())
    return covers & ~((call.pc == CallPc.IDLE) & left) & ~chosen & engine_waits(s) & starts_in_order(s)


def engine_waits(s: State) -> Bool:
    """A call that goes to the engine is to wait for the last use, if that is under way."""
    looked = s.call.shares & s.call.pc.is_in(CallPc.PEEK, CallPc.ACQUIRE)
    return (looked & s.gpu.owes(current(s))).implies(s.call.dep == current(s))


def starts_in_order(s: State) -> Bool:
    """Nothing has started in a queue while something older has not."""

    def overtakes(queue: HwQueue, slot: PacketSlot) -> Bool:
        ring = s.gpu.queues[queue]
        return ring.packets[slot].is_launched() & ~ring.before(slot, lambda earlier: earlier.is_launched())

    return ~exists(HwQueue, PacketSlot, overtakes)


@properties.invariant(
    "wait-ends-after-every-operation",
    protects="IsHwEventReady, HwQueueTracker::ResetCurrentSignal",
    twin=lambda s: s.command.awaited & s.gpu.owes(s.command.signal.get),
)
def wait_ends_after_every_operation(s: State) -> Bool:
    """A wait for a command, failed or not, ends only when none of its operations is under way."""
    return ~s.command.ended_early


@properties.hang("no-hang", protects="HwQueueTracker::WaitForIssuedOps, ResetCurrentSignal")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a wait or an operation is under way, some step but a new call can be taken."""
    return ~s.call.pc.is_in(CallPc.CREATE, CallPc.IDLE) | s.command.awaited | s.gpu.is_busy()
