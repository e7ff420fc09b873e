"""The calls of the application: what they wait for on the GPU, and what they publish.

A call begins by taking execution(), which nobody else takes while it runs, so that is one step with the
choice of the call. Within it, each load, wait and store of a signal, each creation and each dropped
reference is a step, since the GPU, the handler and other threads reach those without the lock.
"""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.hardware import HwQueue
from fencepost_rocm.legacy.declare import HOST, protocol
from fencepost_rocm.legacy.state import Callback, CallPc, Engine, Event, Operation, State, TrackedPacket


@protocol.action(by=HOST, src="VirtualGPU::submitMarker", kind=Kind.ENVIRONMENT)
def call_marker(m: Step, s: State, timed: Bool) -> None:
    """Submit a marker: a barrier packet with a signal."""
    begin(m, s, Operation.MARKER, timed=timed)


@protocol.action(by=HOST, src="hipEventRecord, VirtualGPU::submitMarker", kind=Kind.ENVIRONMENT)
def call_record(m: Step, s: State, event: Event) -> None:
    """Record an event: a marker whose command, and through it whose signal, the event will hold."""
    require_feature(m, "events")
    m.require(s.events[event].signal.is_none, "event free")
    begin(m, s, Operation.MARKER)
    s.call.event = event


@protocol.action(by=HOST, src="VirtualGPU::submitMarker (batch head, Callback)", kind=Kind.ENVIRONMENT)
def call_callback(m: Step, s: State, blocking: Bool) -> None:
    """Submit a marker whose completion the async handler is to process."""
    require_feature(m, "callbacks")
    begin(m, s, Operation.MARKER)
    if m.has("timing"):
        # While a callback blocks, checkGpuTime leaves its own signal out.
        s.call.timed = ~blocking & s.timestamp.closed_by.is_none
    s.call.callback = Callback.BATCH
    with m.when(blocking):
        s.call.callback = Callback.BLOCKING


@protocol.action(by=HOST, src="VirtualGPU::submitKernel", kind=Kind.ENVIRONMENT)
def call_kernel(m: Step, s: State) -> None:
    """Launch a kernel that needs no signal. What it is told to wait for goes into a barrier packet before it."""
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    m.note("kernel without a signal")
    note_packet(m, s, pending=True, tracked=False)
    with m.when(s.tracker.engine != Engine.COMPUTE):
        s.tracker.engine = Engine.COMPUTE
        s.call.operation = Operation.KERNEL
        s.call.pc = CallPc.LOOK


@protocol.action(by=HOST, src="VirtualGPU::submitKernel (hipExtAnyOrderLaunch, profiled)", kind=Kind.ENVIRONMENT)
def call_launch(m: Step, s: State, timed: Bool) -> None:
    """Launch a kernel with a signal and without the barrier bit."""
    require_feature(m, "any-order")
    begin(m, s, Operation.LAUNCH, timed=timed)


@protocol.action(by=HOST, src="DmaBlitManager::rocrCopyBuffer", kind=Kind.ENVIRONMENT)
def call_copy(m: Step, s: State, timed: Bool) -> None:
    """Copy on an SDMA engine. The code submits a barrier first where a dispatch is pending: a marker call here."""
    require_feature(m, "copies")
    m.require(~s.tracker.pending, "barrier before the copy")
    begin(m, s, Operation.COPY, timed=timed)


@protocol.action(by=HOST, src="VirtualGPU::submitSvmPrefetchAsync", kind=Kind.ENVIRONMENT)
def call_prefetch(m: Step, s: State) -> None:
    """Prefetch managed memory. The engine is unknown to the tracker, and no barrier is submitted first."""
    require_feature(m, "prefetch")
    if m.variant("repaired"):
        m.require(~s.tracker.pending, "barrier before the prefetch")
    begin(m, s, Operation.PREFETCH)


@protocol.action(by=HOST, src="VirtualGPU::flush, releaseGpuMemoryFence", kind=Kind.ENVIRONMENT)
def call_sync(m: Step, s: State) -> None:
    """Wait on the CPU for the last operation, behind a barrier where a dispatch is pending, as for a copy."""
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    m.require(~s.tracker.pending, "barrier before the wait")
    m.note("wait for the last operation")
    s.call.operation = Operation.SYNC
    s.call.pc = CallPc.SYNC


def note_packet(m: Step, s: State, *, pending: Bool | bool, tracked: Bool | bool) -> None:
    """An AQL packet goes out: hasPendingDispatch_, and TrackQueueProgress."""
    s.tracker.pending = pending
    if m.has("idle-check"):
        s.tracker.last_packet_tracked = tracked


def require_feature(m: Step, feature: str) -> None:
    """The call exists only with the feature."""
    if not m.has(feature):
        m.require(False, f"{feature} is on")


def begin(m: Step, s: State, operation: Operation, *, timed: Bool | None = None) -> None:
    """Take execution(). WaitingSignal notes the engine, and looks at the current slot where it may have to wait."""
    m.require(s.call.pc == CallPc.IDLE, "execution() free")
    if timed is not None:
        if m.has("timing"):
            m.bound(~timed | s.timestamp.closed_by.is_none, "one timed batch at a time")
            s.call.timed = timed
        else:
            m.require(~timed, "timing is on")
    m.note(f"{operation.value}")
    s.call.operation = operation
    engine = _ENGINES[operation]
    if engine is Engine.COMPUTE:
        s.call.pc = CallPc.PEEK
        with m.when(s.tracker.engine != engine):
            s.call.pc = CallPc.LOOK
    else:
        s.call.pc = CallPc.LOOK
    s.tracker.engine = engine


_ENGINES = {
    Operation.MARKER: Engine.COMPUTE,
    Operation.LAUNCH: Engine.COMPUTE,
    Operation.COPY: Engine.SDMA,
    Operation.PREFETCH: Engine.UNKNOWN,
}


@protocol.action(by=HOST, src="HwQueueTracker::WaitingSignal (IsBusy)")
def look_at_current(m: Step, s: State) -> None:
    """Load the current slot's signal: where it is above 0, the packet will wait for the raw handle."""
    m.require(s.call.pc == CallPc.LOOK, "WaitingSignal")
    current = s.tracker.current()
    busy = s.gpu.value(current) > 0
    kernel = s.call.operation == Operation.KERNEL
    s.call.pc = CallPc.PEEK
    with m.when(busy):
        s.call.dep = current
        with m.when(kernel | (s.call.operation == Operation.LAUNCH)):
            s.call.pc = CallPc.PUBLISH_WAIT
    with m.when(~busy & kernel):
        m.clear(s.call)


@protocol.action(by=HOST, src="VirtualGPU::dispatchBlockingWait")
def publish_wait(m: Step, s: State) -> None:
    """A kernel packet has no dependency: a barrier packet without a signal waits before it."""
    compute = s.gpu.queues[HwQueue.at(0)]
    m.require(s.call.pc == CallPc.PUBLISH_WAIT, "dispatchBlockingWait")
    m.bound(compute.has_window(), "window")
    m.note("queue 0 gets a barrier packet that waits for signal {}", s.call.dep.get, of=s.call.dep.get)
    s.gpu.submit(HwQueue.at(0), s.call.dep, None)
    note_packet(m, s, pending=True, tracked=False)
    with m.when(s.call.operation == Operation.KERNEL):
        m.clear(s.call)
    with m.otherwise():
        s.call.dep = None
        s.call.pc = CallPc.PEEK


@protocol.action(by=HOST, src="VirtualGPU::dispatchBarrierPacket, dispatchGenericAqlPacket")
def publish(m: Step, s: State) -> None:
    """Publish the AQL packet with its signal, and leave the call."""
    m.require(s.call.pc == CallPc.PUBLISH, "publish")
    m.require(s.call.operation.is_in(Operation.MARKER, Operation.LAUNCH), "AQL")
    m.bound(s.gpu.queues[HwQueue.at(0)].has_window(), "window")
    signal = s.tracker.current()
    m.note("queue 0 gets a packet with signal {}", signal, of=signal)
    with m.when(s.call.dep.is_some):
        m.note("which waits for signal {}", s.call.dep.get, of=s.call.dep.get)
    packet = s.gpu.submit(HwQueue.at(0), s.call.dep, signal)
    marker = s.call.operation == Operation.MARKER
    if m.has("any-order"):
        packet.any_order = ~marker
    note_packet(m, s, pending=~marker, tracked=marker if m.variant("repaired") else True)
    if m.variant("raw-handle-cached"):
        s.tracker.cached = signal
        s.tracker.cached_destroyed = False
    m.clear(s.call)


@protocol.action(by=HOST, src="hsa_amd_memory_async_copy_on_engine")
def submit_copy(m: Step, s: State) -> None:
    """ROCr takes the copy: the engine will wait, copy, and decrement the signal."""
    require_feature(m, "copies")
    m.require(s.call.operation == Operation.COPY, "copy")
    packet = _submit(m, s, HwQueue.at(1))
    packet.copies = True
    timed = s.call.timed
    if m.has("timing"):
        with m.when(timed):
            s.timestamp.stamped = s.timestamp.stamped.adding(s.tracker.current())
    if m.has("timing") and m.variant("repaired"):
        s.call.pc = CallPc.LIST
        with m.when(~timed):
            m.clear(s.call)
    else:
        m.clear(s.call)


@protocol.action(by=HOST, src="hsa_amd_svm_prefetch_async")
def submit_prefetch(m: Step, s: State) -> None:
    """ROCr takes the prefetch: a thread of its will wait, move the pages, and decrement the signal."""
    require_feature(m, "prefetch")
    m.require(s.call.operation == Operation.PREFETCH, "prefetch")
    _submit(m, s, HwQueue.last())
    m.clear(s.call)


def _submit(m: Step, s: State, queue: HwQueue) -> TrackedPacket:
    """One operation of an engine, behind what WaitingSignal found."""
    m.require(s.call.pc == CallPc.PUBLISH, "publish")
    m.bound(s.gpu.queues[queue].has_window(), "window")
    signal = s.tracker.current()
    m.note("queue {} gets an operation with signal {}", queue, signal, of=signal)
    with m.when(s.call.dep.is_some):
        m.note("which waits for signal {}", s.call.dep.get, of=s.call.dep.get)
    return s.gpu.submit(queue, s.call.dep, signal)


@protocol.action(by=HOST, src="LegacySignalTracker::ResetCurrentSignal")
def reset_current(m: Step, s: State) -> None:
    """ROCr did not take it: store 0 and go back a slot. The command goes on (another call) or ends with an error."""
    if not m.has("failures"):
        m.require(False, "failures is on")
    m.require(s.call.pc == CallPc.PUBLISH, "publish")
    m.require(s.call.operation.is_in(Operation.COPY, Operation.PREFETCH), "engine")
    signal = s.tracker.current()
    m.note("ROCr fails: RESET (=0)", of=signal)
    s.gpu.pool.signals[signal].value = 0
    if not m.variant("reset-keeps-slot"):
        s.tracker.rotate_back(m)
    timed = s.call.timed
    m.clear(s.call)
    if m.has("timing"):
        with m.when(timed & s.timestamp.listed.has(signal) & s.timestamp.stamped.has(signal)):
            s.timestamp.never_ran = signal
