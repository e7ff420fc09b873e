"""A thread launches a kernel without a signal. A call that begins after an error of the device returns at once."""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.cpu_wait.declare import protocol
from fencepost_rocm.cpu_wait.references import append_to_batch, overtake
from fencepost_rocm.cpu_wait.state import Pc, State, first_free, has_free
from fencepost_rocm.hardware import APP, Thread


@protocol.action(by=APP, src="VirtualGPU::allocKernelArguments", kind=Kind.ENVIRONMENT)
def write_arguments(m: Step, s: State, thread: Thread) -> None:
    """ROC_SKIP_KERNEL_ARG_COPY: take room in the argument pool and write to it, before the launch takes execution()."""
    if not m.has("early-arguments"):
        m.require(False, "early-arguments is on")
    m.require(s.threads[thread].pc == Pc.IDLE, "not in a call")
    m.require(~s.stream.error, "no error (HIP_INIT_API)")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.threads[thread].pc = Pc.ARGUMENTS


@protocol.action(by=APP, src="Command::enqueue, VirtualGPU::submitKernel", kind=Kind.ENVIRONMENT)
def launch_kernel(m: Step, s: State, thread: Thread, spins: Bool) -> None:
    """Under execution(): write the arguments, add the command to the batch, publish its packet."""
    me = s.threads[thread]
    if not m.has("host-kernel"):
        m.require(~spins, "no kernel spins")
    if m.has("early-arguments"):
        m.require(me.pc == Pc.ARGUMENTS, "arguments are written")
    else:
        m.require(me.pc == Pc.IDLE, "not in a call")
        m.require(~s.stream.error, "no error (HIP_INIT_API)")
    m.require(s.stream.execution.is_free(), "execution() free")
    m.bound(has_free(s), "a command")
    m.bound(s.gpu.ring().has_window(), "window")
    fresh = first_free(s)
    with m.when(spins):
        m.note("launches kernel {}, which spins until the flag is set", fresh)
    with m.otherwise():
        m.note("launches kernel {}", fresh)
    append_to_batch(m, s, fresh)
    packet = s.gpu.submit()
    packet.spins = spins
    packet.command = fresh
    s.stream.pending = True
    overtake(m, s)
    me.pc = Pc.IDLE
