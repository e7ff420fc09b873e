"""OnLaunchComplete: re-arm the set, flush, return it to the pool, drop the launch's reference to the graph.

It runs on the thread that finds the accumulate command complete: the handler thread of ROCr, or a thread that
synchronizes. So the cleanup of two launches may overlap.
"""

from __future__ import annotations

from fencepost import Bool, Step
from fencepost_rocm.graph_pool import batch
from fencepost_rocm.graph_pool.declare import protocol
from fencepost_rocm.graph_pool.state import (
    Arena,
    ExecPhase,
    Launch,
    LaunchPc,
    LaunchSlot,
    Location,
    PacketPhase,
    SetSignal,
    State,
    exec_is_held,
    own_set,
    rings_in_system_memory,
)
from fencepost_rocm.hardware import ASYNC_HANDLER, host_sees_done


@protocol.action(by=ASYNC_HANDLER, src="GraphExec::OnLaunchComplete")
def begin_cleanup(m: Step, s: State, launch: LaunchSlot) -> None:
    """The accumulate command, or the marker, is complete: its callback runs."""
    this = s.launches[launch]
    m.require(this.pc == LaunchPc.IN_FLIGHT, "in flight")
    m.require(this.join.phase == PacketPhase.COMPLETE, "complete")
    m.note("OnLaunchComplete of launch {}", launch, of=this.set)
    if m.variant("set-reused-in-flight"):
        this.pc = LaunchPc.RELEASE
    elif m.variant("failed-launch-keeps-set"):
        this.pc = LaunchPc.REARM
        with m.when(this.failed):
            this.pc = LaunchPc.RELEASE
    elif m.has("child-graph"):
        this.pc = LaunchPc.RELEASE
    else:
        this.pc = LaunchPc.REARM


@protocol.action(by=ASYNC_HANDLER, src="Device::ResetHwEvents")
def rearm(m: Step, s: State, launch: LaunchSlot) -> None:
    """Store 1 to the next signal: through ROCr in host memory, directly, over PCIe, in device memory."""
    this = s.launches[launch]
    m.require(this.pc == LaunchPc.REARM, "ResetHwEvents")
    memory = s.sets[this.set]
    m.note("signal {} ARMED (=1)", this.at, of=this.set)
    crosses = memory.is_in_device_memory() & rings_in_system_memory(s)
    with m.when(crosses):
        memory.posted = memory.posted.adding(this.at)
    with m.otherwise():
        memory.values[this.at] = 1
    with m.when(this.at != SetSignal.last()):
        this.at = this.at.next
    with m.otherwise():
        this.pc = LaunchPc.RETURN
        if not m.variant("flush-skipped"):
            with m.when(crosses):
                this.pc = LaunchPc.FLUSH


@protocol.action(by=ASYNC_HANDLER, src="Device::FlushSignalStores")
def flush(m: Step, s: State, launch: LaunchSlot) -> None:
    """The HDP is flushed: what was stored to the set is in memory."""
    this = s.launches[launch]
    m.require(this.pc == LaunchPc.FLUSH, "a flush is due")
    m.require(s.sets[this.set].posted.is_empty, "all stores landed")
    this.pc = LaunchPc.RETURN


@protocol.action(by=ASYNC_HANDLER, src="GraphSignalManager::ReleaseSet")
def return_set(m: Step, s: State, launch: LaunchSlot) -> None:
    """The set joins the pool. Under the pool's lock."""
    this = s.launches[launch]
    m.require(this.pc == LaunchPc.RETURN, "re-armed")
    m.note("returned by launch {}", launch, of=this.set)
    s.exec.push(this.set)
    this.pc = LaunchPc.RELEASE


@protocol.action(by=ASYNC_HANDLER, src="AccumulateCommand::~AccumulateCommand, ProfilingSignal::~ProfilingSignal")
def destroy_own(m: Step, s: State, launch: LaunchSlot, signal: SetSignal) -> None:
    """The set was of this launch alone: its signals go with the accumulate command, each once it is below 1."""
    if not m.has("child-graph"):
        m.require(False, "child-graph is on")
    this, signals = s.launches[launch], own_set(launch)
    memory = s.sets[signals]
    m.require((this.pc == LaunchPc.RELEASE) & memory.alive.has(signal), "to be destroyed")
    m.require(host_sees_done(memory.values[signal]), "idle")
    kept = memory.is_kept()
    batch.destroy_signal(m, s, signals, signal)
    with m.when(kept & ~memory.is_kept()):
        this.batches = this.batches + 1
    with m.when(memory.alive.is_empty):
        memory.location = Location.NONE
        memory.arena = Arena.NONE


@protocol.action(by=ASYNC_HANDLER, src="GraphExec::release")
def release_exec(m: Step, s: State, launch: LaunchSlot) -> None:
    """Drop the launch's reference: perhaps the last one."""
    this = s.launches[launch]
    m.require(this.pc == LaunchPc.RELEASE, "set returned")
    if m.has("child-graph"):
        m.require(s.sets[own_set(launch)].alive.is_empty, "set destroyed")
    this.pc = LaunchPc.FREE
    if m.has("child-graph"):
        this.batches = 0
    with m.when(~this.is_in_flight()):
        _forget(m, s, launch, this)
    destroy_if_last(m, s, ~exec_is_held(s))


def _forget(m: Step, s: State, launch: LaunchSlot, this: Launch) -> None:
    for packet in (this.first, this.leaf, this.join):
        m.clear(packet)
    this.join_dep = None
    this.failed = False
    this.other_stream = False
    this.older = []
    for other in m.each(LaunchSlot):
        s.launches[other].older = s.launches[other].older.removing(launch)


def destroy_if_last(m: Step, s: State, last: Bool) -> None:
    """~GraphExec, on the thread that drops the last reference."""
    with m.when(last & (s.exec.phase == ExecPhase.READY)):
        m.note("the graph is destroyed")
        s.exec.phase = ExecPhase.DESTROY
