"""Properties of submission batches: above all, that what they hold is bounded."""

from __future__ import annotations

from fencepost import Bool, Properties, exists, forall
from fencepost_rocm.hardware import Handle
from fencepost_rocm.hardware.ring import RingSlot
from fencepost_rocm.submission_batch.host_queue import BatchLimit, BatchSlot
from fencepost_rocm.submission_batch.retiring_slot import SPARE_BATCH
from fencepost_rocm.submission_batch.state import Event, Operation, Pc, State, SyncPc, is_complete, is_shared, live
from fencepost_rocm_properties import hardware

properties = Properties("submission-batch")
properties.include(hardware.completions, of=lambda s: s.gpu)

BATCHES = 2
"""Batches that hold signals at a time: one gathers, and one is open, if the handler keeps up."""


def bound() -> int:
    """Signals that there may be at a time: ring, spares, and what is parked because a batch or an event holds it.

    A batch goes one command beyond its limit, and the open one has a marker, too. Each event may hold one command
    that is complete. But when spares are asked for, the newest of all these signals are the ring's.
    """
    return RingSlot.count() + SPARE_BATCH + BATCHES * (BatchLimit.count() + 1) + Event.count() - 1


@properties.invariant(
    "live-signals-bounded",
    protects="HostQueue::FlushSubmissionBatch, RetiringSignalTracker::Reclaim (park)",
    twin=lambda s: s.stream.has_flushed,
)
def live_signals_bounded(s: State) -> Bool:
    """There are never more signals than the ring's cap, a batch of spares, and what two batches and the events hold."""
    return live(s) <= bound()


@properties.invariant(
    "parked-signals-come-back",
    protects="RetiringSignalTracker::Reclaim (parked)",
    twin=lambda s, handle: s.tracker.looked & s.tracker.parked.has(handle),
    needs=("retiring",),
)
def parked_signals_come_back(s: State, handle: Handle) -> Bool:
    """Once Reclaim has looked at what is parked, only what somebody holds is parked, or held until just now."""
    return (s.tracker.looked & s.tracker.parked.has(handle)).implies(
        is_shared(s, handle) | s.tracker.let_go_since.has(handle)
    )


@properties.invariant(
    "held-signal-not-rearmed",
    protects="HwQueueTracker::ActiveSignal, RetiringSignalTracker::Reclaim (arm)",
    twin=lambda s: is_shared(s, s.tracker.ring.oldest()),
)
def held_signal_not_rearmed(s: State) -> Bool:
    """No signal is armed anew while a command, an event, a handler or a GPU waiter holds it.

    So a packet is published with a signal at 1 that nobody holds, a slot is reclaimed when its use is over, and
    a signal is at 1 only while it is armed for a use or a packet will decrement it, for a command that holds it.
    A call holds the command that it has recorded, and nothing when it is over.
    """
    current, oldest = s.tracker.ring.current(), s.tracker.ring.oldest()
    fresh = (s.gpu.value(current) == 1) & ~is_shared(s, current)
    reclaims = s.call.pc.is_in(Pc.PARKED, Pc.SPARE)
    armed_early = (s.call.pc == Pc.SHARING) & s.tracker.armed.has(oldest)
    return (
        ~s.tracker.held_rearmed
        & (s.call.pc == Pc.PUBLISH).implies(fresh)
        & reclaims.implies(is_complete(s, oldest))
        & ~armed_early
        & holds_what_it_recorded(s)
        & forall(Handle, lambda handle: is_accounted_for(s, handle))
        & forall(RingSlot, lambda slot: is_once_in_the_ring(s, slot))
    )


def is_accounted_for(s: State, handle: Handle) -> Bool:
    """The signal is at 1 for a reason, and a command holds what a packet will decrement."""
    signal = s.gpu.pool.signals[handle]
    begins = s.call.pc.is_in(Pc.PLACE, Pc.PUBLISH) & (s.tracker.ring.current() == handle)
    at_one = signal.alive & (signal.value == 1)
    return at_one.implies(s.tracker.armed.has(handle) | s.gpu.owes(handle) | begins) & (
        ~s.gpu.owes(handle) | is_in_a_batch(s, handle)
    )


def holds_what_it_recorded(s: State) -> Bool:
    """Until its marker follows, what a call has recorded is the stream's last command; then its event takes it.

    It has the event's lock_, which nobody has who waits for the event.
    """
    call = s.call
    recorded = ((call.pc == Pc.EVENT) & (call.operation == Operation.RECORD)) | flushes(s)
    its_last = (recorded & call.command.is_some).implies(call.command == s.stream.last)
    nothing_left = (call.pc == Pc.IDLE).implies(call.command.is_none & call.event.is_none)
    one_has_the_lock = call.event.is_none | (call.event != s.sync.event)
    return its_last & nothing_left & one_has_the_lock


def flushes(s: State) -> Bool:
    """A marker for a batch that has become too long is being sent."""
    return s.call.holds_execution() & (s.call.operation == Operation.FLUSH)


def is_in_a_batch(s: State, handle: Handle) -> Bool:
    """A command of the batch, or of an open one, holds the signal."""
    opened = exists(BatchSlot, lambda batch: s.stream.open[batch].signals.has(handle))
    return s.stream.batch.signals.has(handle) | opened


def is_once_in_the_ring(s: State, slot: RingSlot) -> Bool:
    """No other slot has the signal of this one."""
    slots = s.tracker.ring.slots
    return slots[slot].is_none | forall(RingSlot, lambda other: (other == slot) | (slots[other] != slots[slot]))


@properties.invariant(
    "event-sync-takes-no-lock",
    protects="hipEventSynchronize",
    twin=lambda s: s.sync.pc == SyncPc.WAIT,
    needs=("event-sync",),
)
def event_sync_takes_no_lock(s: State) -> Bool:
    """A synchronization with an event never asks for execution(), which others hold while they wait."""
    return ~s.sync.took_lock


@properties.invariant(
    "fallen-back-batch-not-asked-for-again",
    protects="RetiringSignalTracker::PlaceForUse",
    twin=lambda s: (s.call.pc == Pc.PLACE) & ~s.tracker.spares.is_empty,
    needs=("host-fallback",),
)
def fallen_back_batch_not_asked_for_again(s: State) -> Bool:
    """For want of device memory a batch is asked for once, and again only when its signals are of use elsewhere."""
    return s.tracker.fruitless < 2


@properties.hang("no-hang", protects="Command::enqueue, RetiringSignalTracker::AcquireSlot, HsaAmdSignalHandler")
def work_is_outstanding(s: State) -> Bool:
    """While a call, a wait, a packet or an open batch is under way, some step but a new call can be taken."""
    return (s.call.pc != Pc.IDLE) | (s.sync.pc != SyncPc.IDLE) | s.gpu.is_busy() | s.stream.is_open()


@properties.response(
    "open-batch-completes",
    protects="HostQueue::FlushSubmissionBatch, HsaAmdSignalHandler",
    goal=lambda s, batch: s.stream.open[batch].marker.is_none,
)
def batch_is_open(s: State, batch: BatchSlot) -> Bool:
    """A batch that a marker has taken is complete sooner or later, whether or not another call is made."""
    return s.stream.open[batch].marker.is_some


@properties.response(
    "free-parked-signal-is-reclaimed",
    protects="RetiringSignalTracker::Reclaim (parked)",
    goal=lambda s, handle: ~s.tracker.parked.has(handle),
    needs=("retiring",),
)
def reclaim_finds_it_free(s: State, handle: Handle) -> Bool:
    """A parked signal that nobody else holds when Reclaim comes is parked no longer, sooner or later."""
    return (s.call.pc == Pc.PARKED) & s.tracker.parked.has(handle) & ~is_shared(s, handle)
