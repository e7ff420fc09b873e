"""What reads the pool is submitted: a kernel with its arguments, or a staged copy."""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step, exists, ite
from fencepost_rocm.chunks.acquire import overtake, publish_barrier
from fencepost_rocm.chunks.declare import OTHER, protocol
from fencepost_rocm.chunks.state import HostThread, Pc, State, Unit, first_free_copy, has_free_copy
from fencepost_rocm.hardware import APP, Handle, PacketKind, Thread


@protocol.action(by=OTHER, src="VirtualGPU::create (ManagedBuffer::Create)", kind=Kind.ENVIRONMENT)
def create_pool(m: Step, s: State, staging: Bool) -> None:
    """One of the stream's two pools."""
    if not m.has("staging"):
        m.require(~staging, "no staged copies")
    m.require(~s.pool.made, "not made")
    with m.when(staging):
        m.note("the pool of staged copies")
    with m.otherwise():
        m.note("the pool of kernel arguments")
    s.pool.made = True
    s.pool.staging = staging


# Kernels.


@protocol.action(by=APP, src="VirtualGPU::submitKernelInternal, KernelBlitManager::fillBuffer", kind=Kind.ENVIRONMENT)
def call_launch(m: Step, s: State, thread: Thread, twice: Bool, spins: Bool) -> None:
    """Take execution() to launch a kernel. It takes room for its arguments, and perhaps for more before."""
    me = s.threads[thread]
    if not m.has("twice"):
        m.require(~twice, "no kernel takes room twice")
    if m.variant("repaired") and m.size(Unit) < 2:
        m.require(~twice, "what is taken at once fits into a chunk")
    if not m.has("host-kernel"):
        m.require(~spins, "no kernel spins")
    _begin(m, s, thread)
    with m.when(twice):
        m.note("launches a kernel that takes room twice")
    with m.otherwise():
        m.note("launches a kernel")
    me.lacks = ite(twice, 2, 1)
    me.spins = spins


def _begin(m: Step, s: State, thread: Thread, *, staging: bool = False) -> None:
    m.require(s.pool.made & (s.pool.staging if staging else ~s.pool.staging), "the pool is there")
    m.require(s.threads[thread].pc == Pc.IDLE, "not in a call")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.stream.execution.acquire(m, thread)
    s.threads[thread].pc = Pc.ACQUIRE


@protocol.action(by=APP, src="VirtualGPU::allocKernelArguments", kind=Kind.ENVIRONMENT)
def call_arguments(m: Step, s: State, thread: Thread) -> None:
    """ROC_SKIP_KERNEL_ARG_COPY: take execution() to take room for arguments, and write them, before the launch."""
    if not m.has("early-arguments"):
        m.require(False, "early-arguments is on")
    _begin(m, s, thread)
    m.note("writes arguments")
    s.threads[thread].lacks = 1
    s.threads[thread].early = True


@protocol.action(by=APP, src="VirtualGPU::submitKernel (ROC_SKIP_KERNEL_ARG_COPY)", fair=Fairness.STRONG)
def launch_with_arguments(m: Step, s: State, thread: Thread) -> None:
    """Take execution() again, to launch the kernel whose arguments are written."""
    if not m.has("early-arguments"):
        m.require(False, "early-arguments is on")
    m.require(s.threads[thread].pc == Pc.ARGUMENTS, "arguments are written")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.stream.execution.acquire(m, thread)
    s.threads[thread].pc = Pc.PUBLISH


@protocol.action(by=APP, src="VirtualGPU::dispatchGenericAqlPacket")
def publish_kernel(m: Step, s: State, thread: Thread) -> None:
    """Publish the kernel's packet, and leave the call."""
    me, pool = s.threads[thread], s.pool
    m.require((me.pc == Pc.PUBLISH) & ~pool.staging, "dispatch")
    if m.variant("doorbell-left"):
        m.require(pool.unclosed.is_empty, "earlier packets are under a doorbell")
    m.require(s.gpu.can_submit(m), "room on the bus")
    m.bound(s.gpu.ring().has_window(), "window")
    packet = s.gpu.submit(m, PacketKind.KERNEL, barrier=False)
    with m.when(me.spins):
        m.note("the kernel is submitted, and will spin until the flag is set")
        packet.kind = PacketKind.HOST_KERNEL
    with m.otherwise():
        m.note("the kernel is submitted")
    for chunk in m.each(Handle):
        packet.reads[chunk] = me.has[chunk]
    s.stream.pending = True
    overtake(m, s)
    _end_launch(m, s, thread)


def _end_launch(m: Step, s: State, thread: Thread) -> None:
    """Leave the call; as repaired, the last launch with room in an unclosed chunk closes it first."""
    me = s.threads[thread]
    if m.variant("repaired"):
        closes = me.chunk.is_some & s.pool.unclosed.has(me.chunk.get) & ~_others_have_room(s, thread)
        with m.when(closes):
            _forget_room(m, me)
            me.pc = Pc.CLOSE
        with m.otherwise():
            _leave(m, s, thread)
    else:
        _leave(m, s, thread)


def _others_have_room(s: State, thread: Thread) -> Bool:
    """Another thread has written arguments in the same chunk, and not launched."""
    return exists(Thread, lambda other: (other != thread) & (s.threads[other].chunk == s.threads[thread].chunk))


def _forget_room(m: Step, me: HostThread) -> None:
    me.spins = False
    for chunk in m.each(Handle):
        me.has[chunk] = _NOTHING


def _leave(m: Step, s: State, thread: Thread) -> None:
    me = s.threads[thread]
    _forget_room(m, me)
    me.chunk = None
    me.pc = Pc.IDLE
    s.stream.execution.release(m)


@protocol.action(by=APP, src="VirtualGPU::submitKernelInternal (return false)", kind=Kind.ENVIRONMENT)
def fail_launch(m: Step, s: State, thread: Thread) -> None:
    """The launch fails when it has taken room: nothing is dispatched, and what was published stays published."""
    me = s.threads[thread]
    if not m.has("failed-launch"):
        m.require(False, "failed-launch is on")
    m.require((me.pc == Pc.PUBLISH) & ~s.pool.staging, "dispatch")
    m.note("the launch fails")
    _end_launch(m, s, thread)


@protocol.action(by=APP, src="VirtualGPU::dispatchBarrierPacket, after the launch's own packet")
def close_left_chunk(m: Step, s: State, thread: Thread, chunk: Handle) -> None:
    """As repaired: the launch closes the chunk that was left to it. Or the doorbell that was left is rung."""
    me, pool = s.threads[thread], s.pool
    if m.variant("repaired"):
        m.require((me.pc == Pc.CLOSE) & (me.chunk == chunk), "closes")
    elif m.variant("doorbell-left"):
        m.require((me.pc == Pc.PUBLISH) & ~pool.staging & pool.unclosed.has(chunk), "rings")
    else:
        m.require(False, "repaired")
    m.require(s.gpu.can_submit(m), "room on the bus")
    m.bound(s.gpu.ring().has_window(), "window")
    pool.unclosed = pool.unclosed.removing(chunk)
    publish_barrier(m, s, chunk)
    if m.variant("repaired"):
        _leave(m, s, thread)


@protocol.action(by=OTHER, src="application: a call on the stream, then the store to the flag", fair=Fairness.STRONG)
def set_flag(m: Step, s: State) -> None:
    """The call takes execution() and lets it go; then the flag is set."""
    if not m.has("host-kernel"):
        m.require(False, "host-kernel is on")
    m.require(~s.gpu.host_flag, "flag not set")
    m.require(s.stream.execution.is_free(), "execution() free")
    m.note("sets the flag")
    s.gpu.host_flag = True


# Staged copies.


@protocol.action(by=APP, src="DmaBlitManager::hsaCopyStagedOrPinned (host to device)", kind=Kind.ENVIRONMENT)
def call_copy(m: Step, s: State, thread: Thread) -> None:
    """Take execution() to copy from host memory by way of the pool, which is written to first."""
    if not m.has("staging"):
        m.require(False, "staging is on")
    _begin(m, s, thread, staging=True)
    m.note("copies")
    s.threads[thread].lacks = 1


@protocol.action(by=APP, src="DmaBlitManager::rocrCopyBuffer")
def submit_copy(m: Step, s: State, thread: Thread) -> None:
    """ROCr gives the copy to the engine, behind the one before, and the call ends."""
    me, stream = s.threads[thread], s.stream
    if not m.has("staging"):
        m.require(False, "staging is on")
    m.require((me.pc == Pc.PUBLISH) & s.pool.staging, "copies")
    m.bound(has_free_copy(s), "one more copy")
    fresh = first_free_copy(s)
    m.note("the engine gets copy {}", fresh)
    copy = s.gpu.copies[fresh]
    copy.busy = True
    copy.behind = s.gpu.last_copy
    for chunk in m.each(Handle):
        copy.reads[chunk] = me.has[chunk]
    s.gpu.last_copy = fresh
    stream.engine_is_sdma = True
    _leave(m, s, thread)


_NOTHING: list[Unit] = []
