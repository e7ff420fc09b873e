"""A marker is enqueued under execution(): it takes a signal of the tracker, and holds the queue's last one."""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.hardware import Handle, HwQueue, PacketSlot
from fencepost_rocm.retiring import dispatch
from fencepost_rocm.retiring.declare import HOST
from fencepost_rocm.retiring.state import HostPc, has_use, newest
from fencepost_rocm.retiring_cpu_wait.declare import protocol
from fencepost_rocm.retiring_cpu_wait.state import State, WaiterPc, execution_is_free, is_unfinished, let_go


def execution_free(m: Step, s: State, *parameters: object) -> Bool:
    """Nobody else is inside a call."""
    return execution_is_free(s)


def overtake(m: Step, s: State) -> None:
    """A dispatch is enqueued: it is the last command now, and comes after the marker under way."""
    with m.when(s.marker.signal.is_some):
        s.marker.last = False
    with m.when(s.waiter.pc.is_in(WaiterPc.WAIT, WaiterPc.CHECK, WaiterPc.TIMING)):
        s.waiter.overtaken = True
    let_go(m, s)


@protocol.replace("call_dispatch")
def call_dispatch(m: Step, s: State, barrier: Bool, timed: Bool, callback: Bool) -> None:
    """A new dispatch takes execution(), as `retiring` has it."""
    dispatch.call_dispatch(m, s, barrier, timed, callback)
    overtake(m, s)


@protocol.replace("call_dispatch_spinning")
def call_dispatch_spinning(m: Step, s: State) -> None:
    """A new dispatch of a kernel that spins, as `retiring` has it."""
    dispatch.call_dispatch_spinning(m, s)
    overtake(m, s)


for name in ("call_dispatch", "call_dispatch_spinning", "set_flag", "queue_change", "record_event"):
    protocol.guard(name, "no marker holds execution()")(execution_free)


@protocol.guard("call_synchronize", "synchronizes under the lock")
def synchronizes_under_the_lock(m: Step, s: State) -> Bool:
    """Who synchronizes enqueues a marker instead."""
    return Bool.constant(False)


@protocol.action(by=HOST, src="HostQueue::finish, Command::enqueue", kind=Kind.ENVIRONMENT)
def call_finish(m: Step, s: State) -> None:
    """Synchronize: enqueue a marker, under execution(). It dispatches a fence if a kernel came after the last one."""
    m.require(execution_is_free(s), "execution() free")
    m.require(s.waiter.pc == WaiterPc.IDLE, "not synchronizing")
    m.require(has_use(s), "work was submitted")
    m.require(~s.marker.last, "the last command is no marker")
    m.bound(s.marker.signal.is_none, "one marker at a time")
    m.bound(s.host.owed_wait.is_none | s.tracker.pin.signal.is_none, "one pin at a time")
    m.note("synchronizes: enqueues a marker")
    _note_submitted(m, s)
    s.host.drained = False
    s.waiter.holds = True
    s.waiter.pc = WaiterPc.ATTACH
    with m.when(s.pending):
        s.waiter.pc = WaiterPc.ENQUEUE
        s.host.operation.barrier = True
        s.host.operation.dep = s.host.owed_wait
        with m.when(s.host.owed_wait.is_some):
            s.tracker.pin.signal = s.host.owed_wait
            s.host.owed_wait = None
        s.host.pc = HostPc.ACQUIRE


def _note_submitted(m: Step, s: State) -> None:
    for queue in m.each(HwQueue):
        for slot in m.each(PacketSlot):
            packet = s.gpu.queues[queue].packets[slot]
            with m.when(packet.is_there()):
                packet.before = is_unfinished(packet)


@protocol.replace("publish")
def publish(m: Step, s: State) -> None:
    """Write the packet and ring the doorbell, as `retiring` has it. A marker's is a barrier; so is one that waits."""
    is_kernel = s.host.operation.dep.is_none & (s.waiter.pc != WaiterPc.ENQUEUE)
    dispatch.publish(m, s)
    s.pending = is_kernel
    with m.when(s.waiter.pc == WaiterPc.ENQUEUE):
        s.waiter.pc = WaiterPc.ATTACH


@protocol.action(by=HOST, src="VirtualGPU::submitMarker (AttachHwEvent)")
def attach(m: Step, s: State) -> None:
    """The marker takes the queue's last signal, with a reference, and is the last command. Let execution() go."""
    m.require(s.waiter.pc == WaiterPc.ATTACH, "attaches")
    signal: Handle = newest(s).signal
    m.note("held by the marker", of=signal)
    s.marker.signal = signal
    s.marker.last = True
    s.waiter.overtaken = False
    s.waiter.pc = WaiterPc.WAIT
    if not m.variant("wait-holding-execution"):
        s.waiter.holds = False
