"""The calls: what they wait for on the GPU, and what they submit.

A call begins by taking execution(), which nobody else takes while it runs, so that is one step with the choice
of the call. Within it, each load, wait and store of a signal, each creation and each dropped reference is a
step, since the GPU and other threads reach those without the lock.
"""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.hardware import HwQueue
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.issued_ops.declare import HOST, protocol
from fencepost_rocm.issued_ops.references import arm, let_go
from fencepost_rocm.issued_ops.state import COMPUTE, ENGINE, CallPc, Engine, State, SubOp, current, init_value


@protocol.action(by=HOST, src="HwQueueTracker::Create", kind=Kind.ENVIRONMENT)
def create_tracker(m: Step, s: State, device: Bool) -> None:
    """DEBUG_CLR_DEV_SIGNALS decides which tracker the queue has. The retiring one's signals are made armed."""
    m.require(s.call.pc == CallPc.CREATE, "not created")
    tracker = s.tracker
    tracker.device = device
    with m.when(device):
        m.note("signals in device memory: RetiringSignalTracker")
        for slot in m.each(RingSlot):
            with m.when(tracker.ring.slots[slot].is_some):
                handle = tracker.ring.slots[slot].get
                s.gpu.pool.signals[handle].value = 1
                tracker.armed = tracker.armed.adding(handle)
    with m.otherwise():
        m.note("signals in host memory: LegacySignalTracker")
    s.call.pc = CallPc.IDLE


@protocol.action(
    by=HOST,
    src="DmaBlitManager::copyBufferRect, VirtualGPU::SubmitSvmPrefetchBatchAsync",
    kind=Kind.ENVIRONMENT,
)
def call_copy(m: Step, s: State, held: Bool) -> None:
    """Copy a rectangle line by line, or prefetch a batch: operations that share a signal."""
    _begin(m, s, held)
    m.note("operations that share a signal")
    s.call.shares = True
    s.call.pc = CallPc.LOOK
    s.tracker.engine = Engine.SDMA


@protocol.action(by=HOST, src="VirtualGPU::submitMarker, submitKernel", kind=Kind.ENVIRONMENT)
def call_marker(m: Step, s: State, held: Bool, spins: Bool) -> None:
    """Submit a packet with a signal to the compute queue."""
    if not m.has("host-kernel"):
        m.require(~spins, "no kernel spins")
    _begin(m, s, held)
    m.note("a packet with a signal of its own")
    s.call.spins = spins
    to_compute(m, s)


def _begin(m: Step, s: State, held: Bool) -> None:
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    m.bound(~held | s.command.signal.is_none, "one command at a time")
    s.call.held = held


def to_compute(m: Step, s: State) -> None:
    """WaitingSignal notes the engine, and looks at the current slot where that has changed."""
    with m.when(s.tracker.engine == Engine.COMPUTE):
        to_slot(m, s)
    with m.otherwise():
        s.call.pc = CallPc.LOOK
    s.tracker.engine = Engine.COMPUTE


def to_slot(m: Step, s: State) -> None:
    """ActiveSignal is next."""
    s.call.pc = CallPc.PEEK
    with m.when(s.tracker.device):
        s.call.pc = CallPc.ACQUIRE


@protocol.action(by=HOST, src="HwQueueTracker::WaitingSignal")
def look_at_current(m: Step, s: State) -> None:
    """Where the last operation is not done, what is submitted will wait for its signal.

    Legacy loads the signal. Retiring goes by what it knows, and pins the signal.
    """
    m.require(s.call.pc == CallPc.LOOK, "WaitingSignal")
    signal = current(s)
    busy = (s.tracker.device & s.tracker.is_in_use(signal)) | (~s.tracker.device & (s.gpu.value(signal) > 0))
    to_slot(m, s)
    with m.when(busy):
        s.call.dep = signal


def begin_use(m: Step, s: State) -> None:
    """Store the initial value, and attach the signal to the command, which nobody else reaches before the call ends.

    The retiring tracker skips the store of 1, which is there. The command lets go of what it held: a copy that
    failed, and goes on as a kernel, held another signal, which nobody but it and the tracker could hold.
    """
    signal = current(s)
    with m.when(~s.tracker.device | (init_value(s) != 1)):
        arm(m, s, signal, init_value(s))
    before = s.command.signal
    with m.when(s.call.held):
        m.note("held by the command", of=signal)
        s.command.signal = signal
        with m.when(before.is_some & (before != signal)):
            let_go(m, s, before.get)
    s.call.pc = CallPc.PUBLISH
    with m.when(s.call.shares):
        s.call.pc = CallPc.ISSUE


@protocol.action(by=HOST, src="VirtualGPU::dispatchBarrierPacket, dispatchGenericAqlPacket")
def publish(m: Step, s: State) -> None:
    """Publish the packet with its signal, and leave the call."""
    compute = HwQueue.at(COMPUTE)
    m.require(s.call.pc == CallPc.PUBLISH, "publish")
    m.bound(s.gpu.queues[compute].has_window(), "window")
    signal = current(s)
    m.note("the compute queue gets a packet with signal {}", signal, of=signal)
    packet = s.gpu.submit(compute, s.call.dep, signal)
    packet.barrier = True
    packet.spins = s.call.spins
    m.clear(s.call)
    s.call.pc = CallPc.IDLE


@protocol.action(by=HOST, src="hsa_amd_memory_async_copy, hsa_amd_svm_prefetch_async")
def issue(m: Step, s: State) -> None:
    """ROCr takes the next operation: the engine will wait, work and decrement. After the last one the call is over."""
    engine = HwQueue.at(ENGINE)
    m.require(s.call.pc == CallPc.ISSUE, "issue")
    m.bound(s.gpu.queues[engine].has_window(), "window")
    signal = current(s)
    m.note("the engine gets an operation with signal {}", signal, of=signal)
    s.gpu.submit(engine, s.call.dep, signal)
    s.call.issued = s.call.issued + 1
    with m.when(s.call.issued == SubOp.count()):
        m.clear(s.call)
        s.call.pc = CallPc.IDLE
