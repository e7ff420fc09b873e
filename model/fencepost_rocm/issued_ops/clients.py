"""Who else reaches a signal: a command that outlives its call, a thread that waits for it, one that sets a flag."""

from __future__ import annotations

from fencepost import Fairness, Kind, Step
from fencepost_rocm.hardware import host_sees_done
from fencepost_rocm.issued_ops.declare import OTHER, protocol
from fencepost_rocm.issued_ops.references import let_go
from fencepost_rocm.issued_ops.state import CallPc, State


@protocol.action(by=OTHER, src="IsHwEventReady (wait), hipEventSynchronize", kind=Kind.ENVIRONMENT)
def wait_for_command(m: Step, s: State) -> None:
    """Begin to wait for a command, without a lock, once its call is over."""
    m.require(s.command.signal.is_some, "has a signal")
    m.require(~s.call.held, "its call is over")
    m.require(~s.command.awaited, "not waiting")
    s.command.awaited = True


@protocol.action(by=OTHER, src="IsHwEventReady (WaitForSignal)")
def wait_returns(m: Step, s: State) -> None:
    """The wait sees the signal below 1."""
    m.require(s.command.awaited, "waiting")
    signal = s.command.signal.get
    m.require(host_sees_done(s.gpu.value(signal)), "complete")
    m.note("the wait for the command is over", of=signal)
    s.command.ended_early = s.command.ended_early | (s.gpu.owed(signal) > 0)
    s.command.awaited = False


@protocol.action(by=OTHER, src="Command::release, ProfilingSignal::release", kind=Kind.ENVIRONMENT)
def release_command(m: Step, s: State) -> None:
    """The command's last holder drops it, and with it the reference to the signal."""
    m.require(s.command.signal.is_some, "has a signal")
    m.require(~s.call.held, "its call is over")
    m.require(~s.command.awaited, "not waiting")
    signal = s.command.signal.get
    m.note("the command lets go", of=signal)
    s.command.signal = None
    let_go(m, s, signal)


@protocol.action(by=OTHER, src="application: any call on the stream, then the store to the flag", fair=Fairness.STRONG)
def set_flag(m: Step, s: State) -> None:
    """The other thread makes a call on the same stream, for which it takes execution(), and then sets the flag."""
    if not m.has("host-kernel"):
        m.require(False, "host-kernel is on")
    m.require(~s.gpu.host_flag, "flag not set")
    m.require(s.call.pc.is_in(CallPc.CREATE, CallPc.IDLE), "execution() free")
    s.gpu.host_flag = True
