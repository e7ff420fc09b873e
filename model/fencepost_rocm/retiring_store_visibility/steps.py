"""FlushStores, copies, and the peer: what the tracker does because its signals are in device memory."""

from __future__ import annotations

from fencepost import Bool, Kind, Step
from fencepost_rocm.hardware import PEER, SDMA, Handle
from fencepost_rocm.hardware.gpu import barrier_and_sees_done
from fencepost_rocm.hardware.visibility import Core
from fencepost_rocm.retiring.declare import HOST, OTHER
from fencepost_rocm.retiring.reclaim import is_next_to_arm
from fencepost_rocm.retiring.state import HostPc, any_slot, newest
from fencepost_rocm.retiring_store_visibility.declare import protocol
from fencepost_rocm.retiring_store_visibility.state import State


@protocol.action(by=HOST, src="application: a call from another thread", kind=Kind.ENVIRONMENT)
def change_core(m: Step, s: State, core: Core) -> None:
    """The next call on the VirtualGPU comes from a thread on another core."""
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(core != s.gpu.core, "another core")
    s.gpu.core = core


# FlushStores, between the last store of a walk and its end.


@protocol.action(by=HOST, src="RetiringSignalTracker::FlushStores (store fence)")
def fence_stores(m: Step, s: State) -> None:
    """The walk is over: fence the stores that it has made."""
    m.require(not m.variant("fence-elided"), "fences")
    m.require(s.host.pc == HostPc.WALK, "walks")
    m.require(~any_slot(s, lambda slot: is_next_to_arm(s, slot)), "nothing to arm")
    m.require(s.gpu.holds_back_signals(s.gpu.core), "has stored")
    m.require(s.gpu.can_fence(m, s.gpu.core), "room on the bus")
    if m.variant("flush-before-fence"):
        m.require(s.gpu.is_flushed(), "stores flushed")
    s.gpu.fence(m, s.gpu.core)


@protocol.guard("end_walk", "stores fenced")
def stores_are_fenced(m: Step, s: State) -> Bool:
    """FlushStores has fenced what this walk has stored."""
    if m.variant("fence-elided"):
        return Bool.constant(True)
    return ~s.gpu.holds_back_signals(s.gpu.core)


@protocol.guard("end_walk", "stores flushed")
def stores_are_flushed(m: Step, s: State) -> Bool:
    """FlushStores has flushed the HDP, where rings are in system memory."""
    late = m.variant("flush-after-hand-out") or m.variant("flush-before-fence")
    due = m.has("system-ring") and not late
    if due or m.variant("flush-for-peers"):
        return s.gpu.is_flushed()
    return Bool.constant(True)


@protocol.guard("publish", "room on the bus")
def packet_has_room(m: Step, s: State) -> Bool:
    """The stores of the packet, and what the core holds back, have room."""
    return s.gpu.can_fence(m, s.gpu.core, 1)


# Copies.


@protocol.action(by=HOST, src="DmaBlitManager::rocrCopyBuffer", kind=Kind.ENVIRONMENT)
def call_copy(m: Step, s: State) -> None:
    """A copy takes execution(), and a signal of the tracker."""
    m.require(m.has("copy"), "copies are on")
    m.require(s.host.pc == HostPc.IDLE, "not in a call")
    m.require(s.host.owed_wait.is_none, "the wait comes first")
    m.require(s.gpu.engine.signal.is_none, "one copy at a time")
    m.note("copy")
    s.host.drained = False
    s.copying = True
    s.host.pc = HostPc.ACQUIRE


@protocol.guard("publish", "a dispatch")
def is_a_dispatch(m: Step, s: State) -> Bool:
    """The call under way is not a copy."""
    return ~s.copying


@protocol.action(by=HOST, src="RetiringSignalTracker::BeginUse (copy), hsa_amd_memory_async_copy_on_engine")
def submit_copy(m: Step, s: State) -> None:
    """The HDP is flushed for the signal; ROCr writes the copy to the engine's ring, in system memory.

    The use has no place in a queue: only a look at its own signal proves it complete.
    """
    use = newest(s)
    m.require(m.has("copy"), "copies are on")
    m.require((s.host.pc == HostPc.PUBLISH) & s.copying, "copies")
    if not m.variant("fence-elided"):
        m.require(~s.gpu.holds_back_signals(s.gpu.core), "stores fenced")
    if not m.variant("copy-unflushed"):
        m.require(s.gpu.is_flushed(), "stores flushed")
    m.note("copy with signal {}", use.signal, of=use.signal)
    s.gpu.engine.signal = use.signal
    use.old_generation = not m.variant("fence-covers-copies")
    s.copying = False
    s.host.pc = HostPc.IDLE


@protocol.action(by=SDMA, src="SDMA: atomic decrement")
def complete_copy(m: Step, s: State) -> None:
    """The copy is made: decrement its signal in memory."""
    engine = s.gpu.engine
    m.require(m.has("copy"), "copies are on")
    m.require(engine.signal.is_some, "copies")
    handle = engine.signal.get
    signal = s.gpu.pool.signals[handle]
    m.note("decremented by the copy", of=handle)
    s.gpu.note_decrement(m, handle)
    s.gpu.decremented_stale = s.gpu.decremented_stale | engine.rearmed
    signal.value = signal.value - 1
    m.clear(engine)


# The peer.


@protocol.action(by=OTHER, src="hipStreamWaitEvent on a stream of another device", kind=Kind.ENVIRONMENT)
def make_peer_wait(m: Step, s: State) -> None:
    """A barrier packet on another device's ring waits for the event. Its way there has no order with this one's."""
    m.require(m.has("peer"), "there is a peer")
    m.require(s.event.signal.is_some, "recorded")
    m.require(s.peer.dep.is_none, "one wait at a time")
    m.note("a peer is to wait for signal {}", s.event.signal.get, of=s.event.signal.get)
    s.peer.dep = s.event.signal


@protocol.guard("release_event", "no peer waits")
def no_peer_waits(m: Step, s: State) -> Bool:
    """Whoever waits for an event holds its command, and that its signal."""
    return s.peer.dep.is_none


@protocol.action(by=PEER, src="packet processor of another device: barrier-AND condition")
def pass_peer(m: Step, s: State) -> None:
    """The peer reads the signal in this device's memory, past bus and HDP, and finds 0."""
    m.require(m.has("peer"), "there is a peer")
    m.require(s.peer.dep.is_some, "waits")
    dep: Handle = s.peer.dep.get
    m.require(barrier_and_sees_done(s.gpu.pool.signals[dep].value), "satisfied")
    s.peer.passed_early = s.peer.passed_early | s.gpu.owes(dep)
    m.note("the peer's wait for signal {} is satisfied", dep, of=dep)
    s.peer.dep = None
