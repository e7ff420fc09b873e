"""hipGraphExecDestroy at any time, and ~GraphSignalManager once the last launch is over."""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.graph_pool import batch
from fencepost_rocm.graph_pool.declare import HOST, LAST, protocol
from fencepost_rocm.graph_pool.finish import destroy_if_last
from fencepost_rocm.graph_pool.state import ExecPhase, SetSignal, State, exec_is_held, some_call_runs
from fencepost_rocm.hardware import host_sees_done


@protocol.action(by=HOST, src="hipGraphExecDestroy, GraphExec::release", kind=Kind.ENVIRONMENT)
def destroy_exec(m: Step, s: State) -> None:
    """Drop the application's reference, whatever is in flight."""
    m.require(s.exec.app_holds & (s.exec.phase == ExecPhase.READY), "the graph is there")
    m.require(~some_call_runs(s), "calls on one graph are serialized")
    s.exec.app_holds = False
    if m.variant("launch-holds-no-reference"):
        destroy_if_last(m, s, Bool.constant(True))
    else:
        destroy_if_last(m, s, ~exec_is_held(s))


@protocol.action(by=LAST, src="GraphSignalManager::~GraphSignalManager, Device::QuiesceHwEvents")
def quiesce_set(m: Step, s: State) -> None:
    """The next set of the pool: store 0 to its signals, since a signal that is armed is waited for when it goes."""
    m.require((s.exec.phase == ExecPhase.DESTROY) & s.exec.dying.is_none, "at a set")
    with m.when(s.exec.pooled() > 0):
        signals = s.exec.pop()
        s.exec.dying = signals
        for signal in m.each(SetSignal):
            s.exec.undestroyed = s.exec.undestroyed.adding(signal)
            if not m.variant("destroyed-armed"):
                s.sets[signals].values[signal] = 0
    with m.otherwise():
        s.exec.phase = ExecPhase.GONE


@protocol.action(by=LAST, src="ProfilingSignal::~ProfilingSignal, hsa_signal_destroy")
def destroy_signal(m: Step, s: State, signal: SetSignal) -> None:
    """Wait until the signal is below 1, then destroy it. In any order: somebody else may hold the ProfilingSignal."""
    m.require(s.exec.dying.is_some & s.exec.undestroyed.has(signal), "to be destroyed")
    signals = s.exec.dying.get
    memory = s.sets[signals]
    m.require(host_sees_done(memory.values[signal]), "idle")
    s.exec.destroyed_twice = s.exec.destroyed_twice | ~memory.alive.has(signal)
    batch.destroy_signal(m, s, signals, signal)
    s.exec.undestroyed = s.exec.undestroyed.removing(signal)
    with m.when(s.exec.undestroyed.is_empty):
        s.exec.dying = None
