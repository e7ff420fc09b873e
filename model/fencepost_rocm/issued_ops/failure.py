"""ROCr refuses an operation after it has taken others: wait for those, roll the slot back, go on or give up."""

from __future__ import annotations

from fencepost import Int, Kind, Step
from fencepost_rocm.hardware import HwQueue, host_sees_done
from fencepost_rocm.issued_ops.declare import HOST, protocol
from fencepost_rocm.issued_ops.state import COMPUTE, CallPc, State, SubOp, current
from fencepost_rocm.issued_ops.submit import to_compute


@protocol.action(by=HOST, src="hsa_amd_memory_async_copy, hsa_amd_svm_prefetch_async (fails)", kind=Kind.ENVIRONMENT)
def refuse(m: Step, s: State) -> None:
    """ROCr does not take the operation. Those before it are under way."""
    m.require(s.call.pc == CallPc.ISSUE, "issue")
    m.note("ROCr refuses, after {} were issued", s.call.issued, of=current(s))
    if m.variant("repaired"):
        s.call.pc = CallPc.STAND_IN
    elif m.variant("taken-off-by-the-host"):
        s.call.pc = CallPc.TAKE_OFF
    elif m.variant("reset-at-once") or m.variant("roll-back-then-wait"):
        s.call.pc = CallPc.RESET
    else:
        s.call.pc = CallPc.DRAIN
        if m.variant("wait-in-one-tracker"):
            with m.when(~s.tracker.device):
                s.call.pc = CallPc.RESET


@protocol.action(by=HOST, src="HwQueueTracker::WaitForIssuedOps")
def wait_for_issued(m: Step, s: State) -> None:
    """Wait, holding execution(), until the signal is down to what was never issued."""
    m.require(s.call.pc == CallPc.DRAIN, "waits")
    if m.variant("roll-back-then-wait"):
        m.require(s.gpu.value(s.tracker.ring.oldest()) <= _never_issued(s), "issued ones complete")
        s.call.pc = CallPc.FAILED
        return
    value = s.gpu.value(current(s))
    if m.variant("wait-for-zero"):
        m.require(host_sees_done(value), "issued ones complete")
    else:
        m.require(value <= _never_issued(s), "issued ones complete")
    s.call.pc = CallPc.RESET


def _never_issued(s: State) -> Int:
    return SubOp.count() - s.call.issued


@protocol.action(by=HOST, src="HwQueueTracker::ResetCurrentSignal")
def reset_current(m: Step, s: State) -> None:
    """Store 0 and go back a slot."""
    m.require(s.call.pc == CallPc.RESET, "resets")
    signal = current(s)
    m.note("RESET (=0)", of=signal)
    if not m.variant("signal-not-cleared"):
        s.gpu.pool.signals[signal].value = 0
    with m.when(s.tracker.device):
        s.tracker.retired = s.tracker.retired.adding(signal)
    if not m.variant("slot-not-rolled-back"):
        s.tracker.ring.rotate_back(m)
    s.call.pc = CallPc.DRAIN if m.variant("roll-back-then-wait") else CallPc.FAILED


@protocol.action(by=HOST, src="VirtualGPU::SubmitSvmPrefetchBatchAsync, DmaBlitManager::copyBufferRect (error)")
def fail(m: Step, s: State) -> None:
    """The command ends with an error, and the call is over."""
    m.require(s.call.pc == CallPc.FAILED, "failed")
    m.note("the command fails")
    m.clear(s.call)
    s.call.pc = CallPc.IDLE


@protocol.action(by=HOST, src="KernelBlitManager::copyBufferRect")
def fall_back(m: Step, s: State) -> None:
    """The command goes on in the same call: a kernel copies."""
    m.require(s.call.pc == CallPc.FAILED, "failed")
    m.note("a kernel copies instead")
    s.call.issued = 0
    s.call.shares = False
    s.call.dep = None
    to_compute(m, s)


@protocol.action(by=HOST, src="as repaired: VirtualGPU::dispatchBarrierPacket")
def stand_in(m: Step, s: State) -> None:
    """As repaired: an empty packet with the same signal, for one operation that was not issued."""
    if not m.variant("repaired"):
        m.require(False, "repaired")
    compute = HwQueue.at(COMPUTE)
    m.require(s.call.pc == CallPc.STAND_IN, "stands in")
    m.bound(s.gpu.queues[compute].has_window(), "window")
    signal = current(s)
    m.note("an empty packet stands in for an operation", of=signal)
    packet = s.gpu.submit(compute, s.call.dep, signal)
    packet.barrier = True
    s.call.issued = s.call.issued + 1
    with m.when(s.call.issued == SubOp.count()):
        s.call.pc = CallPc.FAILED


@protocol.action(by=HOST, src="hsa_signal_subtract_relaxed")
def take_off(m: Step, s: State) -> None:
    """Subtract what was not issued: one atomic operation in host memory; in device memory a load comes first."""
    if not m.variant("taken-off-by-the-host"):
        m.require(False, "taken-off-by-the-host")
    m.require(s.call.pc == CallPc.TAKE_OFF, "subtracts")
    signal = current(s)
    value = s.gpu.value(signal)
    with m.when(s.tracker.device):
        s.call.loaded = value
        s.call.pc = CallPc.STORE
    with m.otherwise():
        m.note("SUBTRACT", of=signal)
        s.gpu.pool.signals[signal].value = value - _never_issued(s)
        s.call.pc = CallPc.FAILED


@protocol.action(by=HOST, src="hsa_signal_subtract_relaxed (over PCIe: store)")
def take_off_lands(m: Step, s: State) -> None:
    """The store of a subtraction in device memory: over PCIe it is not atomic with the engine's decrement."""
    if not m.variant("taken-off-by-the-host"):
        m.require(False, "taken-off-by-the-host")
    m.require(s.call.pc == CallPc.STORE, "stores")
    signal = current(s)
    m.note("SUBTRACT", of=signal)
    s.gpu.pool.signals[signal].value = s.call.loaded - _never_issued(s)
    s.call.loaded = 0
    s.call.pc = CallPc.FAILED
