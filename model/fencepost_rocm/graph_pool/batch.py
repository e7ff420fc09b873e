"""CreateSignals: a set as one batch, in device memory or in host memory, or as signals of their own.

While a set is made nobody else has its handles. Other threads take part only in what they may find afterwards:
a batch handle that is still there, memory that is gone.
"""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.graph_pool.declare import HOST, protocol
from fencepost_rocm.graph_pool.state import (
    Arena,
    ExecPhase,
    Location,
    Prepopulated,
    SetSignal,
    SignalSet,
    State,
    made,
    newest,
    wants_device_memory,
)


def is_single(m: Step, s: State, batch_fails: Bool) -> Bool:
    """The signals are made one by one: the batch fails, or the set is of one launch.

    As repaired, also while a profiler is attached.
    """
    if m.has("child-graph") and not m.variant("batch-for-each-launch"):
        return Bool.constant(True)
    if m.variant("single-signals-under-a-tool"):
        return batch_fails | s.tool.attached
    return batch_fails


def create_signals(m: Step, s: State, signals: SignalSet, single: Bool) -> None:
    """A set, armed. A batch has a handle, and an arena that counts it and each signal."""
    new = s.sets[signals]
    for signal in m.each(SetSignal):
        new.values[signal] = 1
        new.alive = new.alive.adding(signal)
    with m.when(single):
        m.note("signals of their own in host memory", of=signals)
        new.location = Location.HOST
    with m.otherwise():
        new.batch = True
        new.arena = Arena.MAPPED
        with m.when(wants_device_memory(m, s)):
            m.note("a batch in device memory", of=signals)
            new.location = Location.DEVICE
        with m.otherwise():
            m.note("a batch in host memory", of=signals)
            new.location = Location.HOST_BATCH


def release_batch(m: Step, s: State, signals: SignalSet) -> None:
    """hsa_amd_signal_batch_destroy: the arena stays while a signal is left."""
    batch = s.sets[signals]
    m.note("batch handle released", of=signals)
    batch.batch = False
    if m.variant("arena-goes-with-batch"):
        free_arena(m, s, signals)


def destroy_signal(m: Step, s: State, signals: SignalSet, signal: SetSignal) -> None:
    """hsa_signal_destroy: the arena goes with the last reference to it."""
    batch = s.sets[signals]
    m.note("signal {} DESTROYED", signal, of=signals)
    batch.alive = batch.alive.removing(signal)
    batch.values[signal] = 0
    if m.variant("arena-goes-with-last-slot"):
        unused = signal == SetSignal.last()
    else:
        unused = batch.alive.is_empty & ~batch.batch
    with m.when(unused & (batch.arena == Arena.MAPPED)):
        free_arena(m, s, signals)


def free_arena(m: Step, s: State, signals: SignalSet) -> None:
    """Free the memory of a batch. That of the device is unmapped; whether that of the host is, is a feature."""
    batch = s.sets[signals]
    m.note("arena FREED", of=signals)
    if m.has("host-unmap"):
        batch.arena = Arena.UNMAPPED
    else:
        with m.when(batch.is_in_device_memory()):
            batch.arena = Arena.UNMAPPED
        with m.otherwise():
            batch.arena = Arena.FREED


# Prepopulate, while nobody else knows of the graph.


@protocol.action(by=HOST, src="GraphExec::Init, BuildSyncPlan", kind=Kind.ENVIRONMENT)
def instantiate(m: Step, s: State, system_rings: Bool) -> None:
    """hipGraphInstantiate: a graph with no sets yet. Where rings are is a setting of the device."""
    m.require(s.exec.phase == ExecPhase.NEW, "not instantiated")
    s.exec.phase = ExecPhase.READY if m.has("child-graph") else ExecPhase.PREPOPULATE
    s.exec.system_rings = system_rings
    s.exec.app_holds = True


@protocol.action(by=HOST, src="GraphSignalManager::Prepopulate, Device::CreateSignals")
def prepopulate(m: Step, s: State, batch_fails: Bool) -> None:
    """Make one more set; signals of their own are complete with that."""
    m.require(s.exec.phase == ExecPhase.PREPOPULATE, "Prepopulate")
    m.require(~_batch_is_open(s) & (made(s) < Prepopulated.count()), "sets lack")
    signals = SignalSet.of(made(s))
    single = is_single(m, s, batch_fails)
    create_signals(m, s, signals, single)
    with m.when(single):
        _keep(m, s, signals)


@protocol.action(by=HOST, src="Device::CreateSignals (hsa_amd_signal_batch_destroy)")
def release_prepopulated(m: Step, s: State) -> None:
    """Release the handle of the batch just made."""
    m.require(s.exec.phase == ExecPhase.PREPOPULATE, "Prepopulate")
    m.require(_batch_is_open(s), "a batch was made")
    signals = newest(s)
    if not m.variant("batch-handle-kept"):
        release_batch(m, s, signals)
    _keep(m, s, signals)


def _batch_is_open(s: State) -> Bool:
    """The newest set is not in the pool yet."""
    return s.exec.pooled() < made(s)


def _keep(m: Step, s: State, signals: SignalSet) -> None:
    s.exec.push(signals)
    with m.when(s.exec.pooled() == Prepopulated.count()):
        s.exec.phase = ExecPhase.READY
