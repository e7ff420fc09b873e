"""GraphExec::Run: take a set, patch its handles into the graph's packets, publish those, enqueue the join.

Calls on one graph are serialized by the application, as the API asks for; the code takes no lock over patching
and publishing. Between two calls launches overlap as they like.
"""

from __future__ import annotations

from fencepost import Bool, Int, Kind, Step, forall, ite
from fencepost_rocm.graph_pool.batch import create_signals, is_single, release_batch
from fencepost_rocm.graph_pool.declare import HOST, protocol
from fencepost_rocm.graph_pool.state import (
    FORK,
    LEAF,
    ExecPhase,
    Launch,
    LaunchPc,
    LaunchSlot,
    Packet,
    PacketPhase,
    SetSignal,
    SignalSet,
    State,
    made,
    own_set,
    some_call_runs,
)


@protocol.action(by=HOST, src="GraphExec::Run", kind=Kind.ENVIRONMENT)
def begin_launch(m: Step, s: State, launch: LaunchSlot, other_stream: Bool) -> None:
    """hipGraphLaunch: take a reference to the graph. A launch takes the lowest number that is free."""
    new = s.launches[launch]
    m.require((s.exec.phase == ExecPhase.READY) & s.exec.app_holds, "the graph is there")
    m.require(~some_call_runs(s), "calls on one graph are serialized")
    m.bound(_is_free(new) & _lower_are_taken(s, launch), "a number for it")
    m.note("launch {}", launch)
    new.pc = LaunchPc.ACQUIRE
    new.other_stream = other_stream
    for other in m.each(LaunchSlot):
        with m.when(~_is_free(s.launches[other]) & (other != launch)):
            new.older = new.older.adding(other)
    running = _launches(s)
    with m.when(running > s.exec.most_launches):
        s.exec.most_launches = running


def _is_free(launch: Launch) -> Bool:
    return (launch.pc == LaunchPc.FREE) & ~launch.is_in_flight()


def _lower_are_taken(s: State, launch: LaunchSlot) -> Bool:
    return forall(LaunchSlot, lambda other: (other.ordinal < launch.ordinal).implies(~_is_free(s.launches[other])))


def _launches(s: State) -> Int:
    taken = ite(_is_free(s.launches[LaunchSlot.at(0)]), 0, 1)
    for position in range(1, LaunchSlot.count()):
        taken = taken + ite(_is_free(s.launches[LaunchSlot.at(position)]), 0, 1)
    return taken


@protocol.action(by=HOST, src="GraphSignalManager::AcquireSet")
def acquire_set(m: Step, s: State, launch: LaunchSlot) -> None:
    """Take the set that was returned last. Under the pool's lock."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.ACQUIRE, "AcquireSet")
    m.require(s.exec.pooled() > 0, "a set is there")
    signals = s.exec.pop()
    m.note("taken by launch {}", launch, of=signals)
    call.set = signals
    call.pc = LaunchPc.PATCH
    if m.variant("set-reused-in-flight"):
        for signal in m.each(SetSignal):
            s.sets[signals].values[signal] = 1


@protocol.action(by=HOST, src="GraphSignalManager::AcquireSet (empty)")
def find_pool_empty(m: Step, s: State, launch: LaunchSlot) -> None:
    """No set is there. Under the pool's lock, which is let go of before a set is made."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.ACQUIRE, "AcquireSet")
    m.require(s.exec.pooled() == 0, "no set is there")
    call.pc = LaunchPc.CREATE


@protocol.action(by=HOST, src="GraphSignalManager::AcquireSet (fallback), Device::CreateSignals")
def create_set(m: Step, s: State, launch: LaunchSlot, batch_fails: Bool) -> None:
    """Make a set, which joins the pool when it is released, unless it is of this launch alone."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.CREATE, "no set was there")
    if m.has("child-graph"):
        m.require(~batch_fails | m.variant("batch-for-each-launch"), "no batch is asked for")
        m.bound(launch.ordinal < SignalSet.count(), "sets")
        signals = own_set(launch)
    else:
        m.bound(made(s) < SignalSet.count(), "sets")
        signals = SignalSet.of(made(s))
    single = is_single(m, s, batch_fails)
    create_signals(m, s, signals, single)
    if m.has("child-graph"):
        call.batches = ite(single, 0, 1)
    call.pc = LaunchPc.BATCH
    with m.when(single):
        call.pc = LaunchPc.PATCH
    call.set = signals


@protocol.action(by=HOST, src="Device::CreateSignals (hsa_amd_signal_batch_destroy)")
def release_created(m: Step, s: State, launch: LaunchSlot) -> None:
    """Release the handle of the batch just made."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.BATCH, "a batch was made")
    if not m.variant("batch-handle-kept"):
        release_batch(m, s, call.set)
    call.pc = LaunchPc.PATCH


@protocol.action(by=HOST, src="Device::ApplyHwEventPatches")
def patch(m: Step, s: State, launch: LaunchSlot) -> None:
    """Write the set's handles into the packets that the graph keeps."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.PATCH, "has a set")
    if m.variant("patched-once"):
        with m.when(s.exec.patched.is_none):
            s.exec.patched = call.set
    else:
        s.exec.patched = call.set
    call.pc = LaunchPc.FIRST


@protocol.action(by=HOST, src="GraphExec::EnqueueSegment, VirtualGPU::dispatchAqlPacketBatchFlat (first segment)")
def publish_first(m: Step, s: State, launch: LaunchSlot) -> None:
    """Copy the first segment's packets to the launch stream's ring."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.FIRST, "patched")
    _publish(m, call.first, s.exec.patched.get)
    m.note("launch {}: first segment published", launch, of=s.exec.patched.get)
    call.pc = LaunchPc.PARALLEL


@protocol.action(by=HOST, src="GraphExec::EnqueueSegment, VirtualGPU::dispatchAqlPacketBatchFlat (parallel leaf)")
def publish_leaf(m: Step, s: State, launch: LaunchSlot) -> None:
    """Copy the packets of the leaf, its wait among them, to the parallel stream's ring."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.PARALLEL, "first segment published")
    _publish(m, call.leaf, s.exec.patched.get)
    m.note("launch {}: leaf published", launch, of=s.exec.patched.get)
    call.pc = LaunchPc.SECOND


@protocol.action(by=HOST, src="GraphExec::EnqueueSegment, VirtualGPU::dispatchAqlPacketBatchFlat (second leaf)")
def publish_second(m: Step, s: State, launch: LaunchSlot) -> None:
    """The leaf on the launch stream: its packets have no signals, and only make those behind them wait."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.SECOND, "leaf published")
    call.pc = LaunchPc.JOIN


def _publish(m: Step, packet: Packet, signals: SignalSet) -> None:
    packet.phase = PacketPhase.VALID
    packet.set = signals


@protocol.action(by=HOST, src="GraphExec::EnqueueSegmentedGraph (accumulate), Event::setCallback")
def enqueue_accumulate(m: Step, s: State, launch: LaunchSlot) -> None:
    """The accumulate command waits for the leaves of other streams; its completion calls OnLaunchComplete."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.JOIN, "segments published")
    m.note("launch {} joined", launch, of=call.set)
    _publish(m, call.join, call.set)
    if not m.variant("leaf-not-awaited"):
        call.join_dep = SetSignal.at(LEAF)
    if m.variant("set-reused-in-flight"):
        s.exec.push(call.set)
    _leave_call(m, s, call)


@protocol.action(by=HOST, src="GraphExec::EnqueueSegment (status != hipSuccess)", kind=Kind.ENVIRONMENT)
def fail_segment(m: Step, s: State, launch: LaunchSlot) -> None:
    """A node's command cannot be made, or packets cannot be dispatched. What was published stays published."""
    call = s.launches[launch]
    m.require(m.has("failures"), "segments may fail")
    m.require(call.pc.is_in(LaunchPc.FIRST, LaunchPc.PARALLEL, LaunchPc.SECOND), "at a segment")
    m.note("launch {} FAILS", launch, of=call.set)
    call.pc = LaunchPc.FAILED
    if m.variant("failed-launch-keeps-set"):
        call.failed = True
    if m.variant("set-released-twice"):
        s.exec.push(call.set)


@protocol.action(by=HOST, src="GraphExec::Run (marker), Event::setCallback")
def enqueue_marker(m: Step, s: State, launch: LaunchSlot) -> None:
    """Run gets no accumulate command, so a marker without a wait list, on the launch stream, calls OnLaunchComplete."""
    call = s.launches[launch]
    m.require(call.pc == LaunchPc.FAILED, "a segment failed")
    _publish(m, call.join, call.set)
    if m.variant("repaired"):
        with m.when(call.leaf.phase != PacketPhase.NONE):
            call.join_dep = SetSignal.at(LEAF)
        with m.otherwise(), m.when(call.first.phase != PacketPhase.NONE):
            call.join_dep = SetSignal.at(FORK)
    _leave_call(m, s, call)


def _leave_call(m: Step, s: State, call: Launch) -> None:
    """The packets are patched anew before anything of them is published again, so what they hold is forgotten."""
    call.pc = LaunchPc.IN_FLIGHT
    if not m.variant("patched-once"):
        with m.when(~some_call_runs(s)):
            s.exec.patched = None
