"""CompleteCpuWait: wait for the marker's signal without the lock, and tell the tracker under it."""

from __future__ import annotations

from fencepost import Fairness, Kind, Step
from fencepost_rocm.hardware import host_sees_done
from fencepost_rocm.retiring.retire import direct_proof
from fencepost_rocm.retiring.state import HostPc, RingSlot, in_ring, none_in_use
from fencepost_rocm.retiring_cpu_wait.declare import DEVICE, SECOND, WAITER, protocol
from fencepost_rocm.retiring_cpu_wait.state import State, WaiterPc, execution_is_free, has_unfinished, let_go


@protocol.action(by=WAITER, src="VirtualGPU::CompleteCpuWait (WaitForSignal)")
def wait_for_marker(m: Step, s: State) -> None:
    """Wait for the marker's signal, without execution(). The wait gives up after an error of the device."""
    m.require(s.waiter.pc == WaiterPc.WAIT, "waits")
    m.require(host_sees_done(s.gpu.value(s.marker.signal.get)) | s.error, "complete, or an error")
    m.note("the wait without the lock is over", of=s.marker.signal.get)
    s.wait_passed_stale = s.wait_passed_stale | s.marker.rearmed
    s.waiter.pc = WaiterPc.CHECK


@protocol.action(by=WAITER, src="VirtualGPU::CompleteCpuWait (IsGPUInError)")
def look_for_error(m: Step, s: State) -> None:
    """In an error state the GPU may still run: skip times and queue states."""
    m.require(s.waiter.pc == WaiterPc.CHECK, "error?")
    s.waiter.pc = WaiterPc.TIMING
    if not m.variant("error-ignored"):
        with m.when(s.error):
            s.waiter.pc = WaiterPc.CLEAR


@protocol.action(
    by=WAITER, src="VirtualGPU::CompleteCpuWait (ProcessSignalTiming, ResetQueueStates)", fair=Fairness.STRONG
)
def process_and_reset(m: Step, s: State) -> None:
    """Take execution() once: the signal is known complete, which proves its use; if nothing came after, reset."""
    waiter = s.waiter
    m.require(waiter.pc == WaiterPc.TIMING, "times and queue states")
    if m.variant("wait-holding-execution"):
        m.require(s.host.pc == HostPc.IDLE, "execution() held")
    else:
        m.require(execution_is_free(s), "execution() free")
    waiter.took_times_early = waiter.took_times_early | s.gpu.owes(s.marker.signal.get)
    _tell_tracker(m, s)
    drained = none_in_use(s)
    newer = waiter.overtaken
    waiter.pc = WaiterPc.CLEAR
    waiter.holds = False
    if m.variant("reset-though-newer"):
        _reset(m, s)
    else:
        with m.when(~newer):
            _reset(m, s)
            with m.when(drained):
                s.host.drained = True
                m.clear(s.tracker.pin)


def _tell_tracker(m: Step, s: State) -> None:
    """A direct proof, where the tracker has not retired or parked the signal meanwhile."""
    if m.variant("proof-of-the-newest"):
        direct_proof(m, s, RingSlot.of(s.tracker.length - 1))
        return
    for slot in m.each(RingSlot):
        with m.when(in_ring(s, slot) & (s.tracker.ring[slot].signal == s.marker.signal.get)):
            direct_proof(m, s, slot)


def _reset(m: Step, s: State) -> None:
    m.note("resets the queue states")
    s.waiter.reset_while_busy = s.waiter.reset_while_busy | s.gpu.is_busy()


@protocol.action(by=WAITER, src="HostQueue::finish (lastEnqueueCommand_)", fair=Fairness.STRONG)
def clear_last(m: Step, s: State) -> None:
    """Under execution(): if nothing came after the marker, the stream has no last command any more."""
    m.require(s.waiter.pc == WaiterPc.CLEAR, "last command")
    m.require(execution_is_free(s), "execution() free")
    s.marker.last = False
    s.waiter.pc = WaiterPc.RELEASE


@protocol.action(by=WAITER, src="HostQueue::finish (release)")
def end_finish(m: Step, s: State) -> None:
    """Drop the reference to the marker, and return."""
    m.require(s.waiter.pc == WaiterPc.RELEASE, "returns")
    m.note("has synchronized")
    s.waiter.returned_early = s.waiter.returned_early | (has_unfinished(s) & ~s.error)
    s.waiter.pc = WaiterPc.IDLE
    let_go(m, s)


@protocol.action(by=SECOND, src="HostQueue::finish (getLastQueuedCommand)", kind=Kind.ENVIRONMENT)
def find_marker(m: Step, s: State) -> None:
    """Another thread synchronizes, finds the marker as the last command, and takes a reference to it."""
    m.require(m.has("second"), "a second thread synchronizes")
    m.require(execution_is_free(s), "execution() free")
    m.require(s.marker.signal.is_some, "there is a marker")
    m.require(s.marker.last & ~s.marker.awaited, "it is the last command")
    m.note("another thread waits for the marker's signal", of=s.marker.signal.get)
    s.marker.awaited = True


@protocol.action(by=SECOND, src="HostQueue::finish (IsHwEventReady)")
def wait_for_event_of_marker(m: Step, s: State) -> None:
    """It sees the signal below 1, without a lock, or gives up after an error; then drops its reference."""
    m.require(s.marker.signal.is_some, "there is a marker")
    m.require(s.marker.awaited, "waits")
    m.require(host_sees_done(s.gpu.value(s.marker.signal.get)) | s.error, "complete, or an error")
    s.wait_passed_stale = s.wait_passed_stale | s.marker.rearmed
    s.marker.awaited = False
    let_go(m, s)


@protocol.action(by=DEVICE, src="callbackQueue (gpu_error_)", kind=Kind.ENVIRONMENT)
def report_error(m: Step, s: State) -> None:
    """The device reports an error, for good. What is under way may still end."""
    m.require(m.has("errors"), "errors are on")
    m.require(~s.error, "no error yet")
    m.require(s.gpu.is_busy(), "something is under way")
    m.note("the device reports an error")
    s.error = True
