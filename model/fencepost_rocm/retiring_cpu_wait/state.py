"""The tracker's state with a marker that holds a signal, and the threads that wait for it."""

from __future__ import annotations

import enum

from fencepost import Bool, Record, Step, boolean, choice, exists, maybe, part, table
from fencepost_rocm.hardware import AqlQueue, Gpu, Handle, HwQueue, Packet, PacketSlot, Phase
from fencepost_rocm.retiring.state import HostPc
from fencepost_rocm.retiring.state import State as Retiring


class AwaitedPacket(Packet):
    """A packet that knows who waits for it."""

    before = boolean(ghost=True)
    """It was submitted before the synchronization under way began."""


class AwaitedRing(AqlQueue):
    """The window of such packets."""

    packets = table(PacketSlot, AwaitedPacket)


class AwaitedGpu(Gpu):
    """The hardware queues with such packets."""

    queues = table(HwQueue, AwaitedRing)


class WaiterPc(enum.Enum):
    """Where the thread that synchronizes is. Until the marker is enqueued it is the thread inside the call."""

    IDLE = "not synchronizing"
    ENQUEUE = "enqueue"
    ATTACH = "submitMarker: attach the signal"
    WAIT = "CompleteCpuWait: wait"
    CHECK = "CompleteCpuWait: error of the device"
    TIMING = "CompleteCpuWait: times and queue states"
    CLEAR = "finish: last command"
    RELEASE = "finish: release"


class Waiter(Record):
    """A thread that synchronizes the stream."""

    pc = choice(WaiterPc)
    holds = boolean()
    """It holds execution()."""
    overtaken = boolean(live_when=lambda waiter: waiter.pc.is_in(WaiterPc.WAIT, WaiterPc.CHECK, WaiterPc.TIMING))
    """Something was submitted after the marker."""
    returned_early = boolean(ghost=True)
    """It returned before something that was submitted before it was complete, without an error of the device."""
    took_times_early = boolean(ghost=True)
    """Times were taken of a signal that had not reached 0."""
    reset_while_busy = boolean(ghost=True)
    """Queue states were reset while a kernel might still read its arguments."""


class Marker(Record):
    """The last marker, while the waiter, the stream or another thread holds it. It holds its signal."""

    signal = maybe(Handle)
    last = boolean()
    """It is the stream's last command, which has a reference."""
    awaited = boolean()
    """Another thread synchronizes with it, and has a reference."""
    rearmed = boolean(ghost=True)
    """The signal was armed anew meanwhile."""


class State(Retiring):
    """One VirtualGPU with its tracker, and the threads that synchronize with it."""

    gpu = part(AwaitedGpu)
    pending = boolean()
    """hasPendingDispatch_: a kernel was submitted after the last barrier."""
    error = boolean()
    """Device::IsGPUInError, for good. HIP_SKIP_ABORT_ON_GPU_ERROR is set."""
    marker = part(Marker)
    waiter = part(Waiter)
    wait_passed_stale = boolean(ghost=True)
    """Some wait for the marker was over by what meant another use of its signal."""

    def is_held(self, m: Step, handle: Handle) -> Bool:
        held = super().is_held(m, handle)
        return held if m.variant("signal-not-held") else held | (self.marker.signal == handle)

    def note_rearmed(self, m: Step, handle: Handle) -> None:
        super().note_rearmed(m, handle)
        with m.when(self.marker.signal == handle):
            self.marker.rearmed = True

    def is_outstanding(self) -> Bool:
        return super().is_outstanding() | (self.waiter.pc != WaiterPc.IDLE) | self.marker.awaited


# What several steps ask.


def execution_is_free(s: State) -> Bool:
    """No thread is inside a call that holds execution()."""
    return (s.host.pc == HostPc.IDLE) & ~s.waiter.holds


def is_unfinished(packet: AwaitedPacket) -> Bool:
    """A packet that is not complete."""
    return packet.is_there() & (packet.phase != Phase.COMPLETE)


def has_unfinished(s: State) -> Bool:
    """A packet that was submitted before the synchronization began is not complete."""

    def was_before(queue: HwQueue, slot: PacketSlot) -> Bool:
        packet = s.gpu.queues[queue].packets[slot]
        return is_unfinished(packet) & packet.before

    return exists(HwQueue, PacketSlot, was_before)


def let_go(m: Step, s: State) -> None:
    """After a reference to the marker was dropped: if that was the last one, it drops its signal."""
    with m.when((s.waiter.pc == WaiterPc.IDLE) & ~s.marker.last & ~s.marker.awaited):
        m.clear(s.marker)
