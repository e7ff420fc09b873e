"""Retirement: what proves a use complete.

The read index only nominates the newest fence that it has passed, since it may pass a packet that
is still running; one load of that fence's signal confirms it.
"""

from __future__ import annotations

from fencepost import Bool, Step
from fencepost_rocm.retiring import costs
from fencepost_rocm.retiring.declare import HOST, protocol
from fencepost_rocm.retiring.state import (
    HostPc,
    RingSlot,
    State,
    UsePhase,
    any_slot,
    in_ring,
    is_newest,
)


def is_fence(m: Step, s: State, slot: RingSlot) -> Bool:
    """The slot's use is a fence of the current generation."""
    use = s.tracker.ring[slot]
    if m.variant("generation-ignored"):
        return use.is_in_use() & use.fence
    return use.is_current_fence()


def is_nominated(m: Step, s: State, slot: RingSlot) -> Bool:
    """The read index of its queue has passed the slot's fence."""
    signal = s.tracker.ring[slot].signal
    return is_fence(m, s, slot) & s.gpu.read_index_passed(signal)


def retire_up_to(m: Step, s: State, fence: RingSlot) -> None:
    """Every use of the fence's generation, up to the fence itself, is complete."""
    for slot in m.each(RingSlot):
        use = s.tracker.ring[slot]
        covered = in_ring(s, slot) & (slot.ordinal <= fence.ordinal) & use.is_in_use()
        if not m.variant("generation-ignored"):
            covered = covered & ~use.old_generation
        with m.when(covered):
            m.note("retired", of=use.signal)
            use.phase = UsePhase.RETIRED
            costs.count_retired(m, s.cost)


def direct_proof(m: Step, s: State, slot: RingSlot) -> None:
    """A CPU wait saw this use complete; a fence of the current generation proves the earlier ones too."""
    use = s.tracker.ring[slot]
    proves_more = use.is_in_use() if m.variant("any-completion-is-proof") else use.is_current_fence()
    with m.when(proves_more):
        retire_up_to(m, s, slot)
    with m.when(use.is_in_use()):
        m.note("retired", of=use.signal)
        use.phase = UsePhase.RETIRED


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim")
def begin_reclaim(m: Step, s: State) -> None:
    """The next slot is not armed: look for uses that are complete."""
    m.require(s.host.pc == HostPc.ACQUIRE, "acquires")
    m.require(s.tracker.ring[RingSlot.at(0)].phase != UsePhase.ARMED, "not armed")
    s.host.pc = HostPc.NOMINATE
    costs.begin_walk(m, s.cost)


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (read index)")
def nominate(m: Step, s: State, slot: RingSlot) -> None:
    """The newest fence that the read index has passed is nominated."""
    m.require(s.host.pc == HostPc.NOMINATE, "reads the read index")
    m.require(is_newest(s, slot, lambda other: is_nominated(m, s, other)), "newest fence passed")
    m.note("read index passed the fence with signal {}", s.tracker.ring[slot].signal)
    if m.variant("read-index-is-proof"):
        retire_up_to(m, s, slot)
        s.host.pc = HostPc.WALK
    else:
        s.host.candidate = slot
        s.host.pc = HostPc.CONFIRM


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (read index)")
def nominate_none(m: Step, s: State) -> None:
    """The read index has passed no fence: probe the newest one, if there is any."""
    m.require(s.host.pc == HostPc.NOMINATE, "reads the read index")
    m.require(~any_slot(s, lambda slot: is_nominated(m, s, slot)), "no fence passed")
    with m.when(any_slot(s, lambda slot: is_fence(m, s, slot))):
        s.host.pc = HostPc.PROBE
    with m.otherwise():
        s.host.pc = HostPc.WALK


@protocol.action(by=HOST, src="RetiringSignalTracker::Reclaim (confirm)")
def confirm(m: Step, s: State) -> None:
    """One load of the nominated fence's signal: 0 proves every use up to it."""
    m.require(s.host.pc == HostPc.CONFIRM, "confirms")
    fence = s.host.candidate.get
    costs.count_read(m, s.cost)
    with m.when(s.gpu.value(s.tracker.ring[fence].signal) == 0):
        retire_up_to(m, s, fence)
    s.host.candidate = None
    s.host.pc = HostPc.WALK


@protocol.action(by=HOST, src="RetiringSignalTracker::ProbeFence")
def probe_fence(m: Step, s: State, slot: RingSlot) -> None:
    """One load of the newest fence's signal, which no read index nominated."""
    m.require(s.host.pc == HostPc.PROBE, "probes")
    m.require(is_newest(s, slot, lambda other: is_fence(m, s, other)), "newest fence")
    costs.count_read(m, s.cost)
    with m.when(s.gpu.value(s.tracker.ring[slot].signal) == 0):
        retire_up_to(m, s, slot)
    s.host.pc = HostPc.WALK
