"""An error of the device, and the thread whose call comes before the flag that a kernel spins on."""

from __future__ import annotations

from fencepost import Bool, Fairness, Kind, Step
from fencepost_rocm.cpu_wait.declare import DEVICE, OTHER, protocol
from fencepost_rocm.cpu_wait.references import let_go
from fencepost_rocm.cpu_wait.state import CommandPhase, State
from fencepost_rocm.hardware import PacketSlot, Thread


@protocol.action(by=DEVICE, src="callbackQueue (gpu_error_)", kind=Kind.ENVIRONMENT)
def report_error(m: Step, s: State, stops: Bool) -> None:
    """The device reports an error, for good. What is under way may still end, or not."""
    if not m.has("errors"):
        m.require(False, "errors is on")
    m.require(~s.stream.error, "no error yet")
    m.require(s.gpu.is_busy(), "something is under way")
    m.note("the device reports an error")
    s.stream.error = True
    s.gpu.stopped = stops
    for slot in m.each(PacketSlot):  # from now on an error excuses whatever they would tell
        s.gpu.ring().packets[slot].command = None
        s.gpu.ring().packets[slot].before = _NONE


@protocol.action(by=OTHER, src="hip::Device::WaitActiveStreams (getLastQueuedCommand)", fair=Fairness.STRONG)
def name_last(m: Step, s: State) -> None:
    """A launch on the null stream looks for this stream's last command, under execution()."""
    if not m.has("null-stream"):
        m.require(False, "null-stream is on")
    m.require(~s.other.named, "begins")
    m.require(s.stream.execution.is_free(), "execution() free")
    s.other.named = True
    s.other.command = s.stream.last


@protocol.action(by=OTHER, src="hip::Device::WaitActiveStreams (notifyCmdQueue)", fair=Fairness.STRONG)
def notify_last(m: Step, s: State) -> None:
    """It takes notify_lock_ of that command. The marker that it would send if it came first is left out."""
    if not m.has("null-stream"):
        m.require(False, "null-stream is on")
    m.require(s.other.command.is_some, "has a command")
    slot = s.other.command.get
    command = s.commands[slot]
    m.require(command.notify_lock.is_none, "notify_lock_ free")
    m.bound((command.phase == CommandPhase.COMPLETE) | command.hw_event.is_some | command.notified, "needs no marker")
    s.other.command = None
    let_go(m, s, slot)


@protocol.action(by=OTHER, src="application: the call on the stream, then the store to the flag", fair=Fairness.STRONG)
def set_flag(m: Step, s: State) -> None:
    """The call takes execution() and lets it go, or returns at once with an error; then the flag is set."""
    if not m.has("host-kernel"):
        m.require(False, "host-kernel is on")
    m.require(~s.gpu.host_flag, "flag not set")
    if m.has("null-stream"):
        m.require(s.other.named & s.other.command.is_none, "the launch on the null stream is done")
    m.require(s.stream.execution.is_free() | s.stream.error, "execution() free")
    m.note("sets the flag")
    s.gpu.host_flag = True


_NONE: list[Thread] = []
