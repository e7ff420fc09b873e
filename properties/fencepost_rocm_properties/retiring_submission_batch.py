"""Properties of the retiring tracker under submission batches: those of the tracker, and that its signals come back."""

from __future__ import annotations

from fencepost import Bool, Properties, count
from fencepost_rocm.hardware import Handle
from fencepost_rocm.retiring.reclaim import SPARE_BATCH
from fencepost_rocm.retiring.state import HostPc, RingSlot, is_shared
from fencepost_rocm.retiring_submission_batch.state import State
from fencepost_rocm.submission_batch.host_queue import BatchLimit
from fencepost_rocm_properties.retiring import properties as tracker

properties = Properties("retiring-submission-batch")
properties.include(tracker, of=lambda s: s)

OTHERS = 1
"""An event or a pin, which may hold a signal beside the batches."""


def bound() -> int:
    """Signals that there may be at a time: the ring's, a batch of spares, and what is parked.

    What is parked is held: by the commands of the batch that gathers, one beyond the limit; by those of the open one
    and its marker; or by an event or a pin. Of all these the one whose slot needs the spare is the ring's.
    """
    return RingSlot.count() + SPARE_BATCH + 2 * (BatchLimit.count() + 1) + OTHERS


@properties.invariant(
    "live-signals-bounded",
    protects="HostQueue::FlushSubmissionBatch, RetiringSignalTracker::Reclaim (park)",
    twin=lambda s: s.stream.has_flushed & ~s.tracker.parked.is_empty,
)
def live_signals_bounded(s: State) -> Bool:
    """There are never more signals than the ring's cap, a batch of spares, and what two batches and one more hold."""
    return count(Handle, s.tracker.created.has) <= bound()


@properties.invariant(
    "parked-signals-come-back",
    protects="RetiringSignalTracker::Reclaim (parked)",
    twin=lambda s, handle: s.tracker.parked.has(handle) & ~s.stream.holds(handle),
)
def parked_signals_come_back(s: State, handle: Handle) -> Bool:
    """New signals are made only when all that is parked is held by somebody."""
    return ~s.left_parked


@properties.invariant(
    "held-signal-not-rearmed",
    protects="RetiringSignalTracker::Reclaim (arm)",
    twin=lambda s, handle: s.tracker.parked.has(handle) & s.stream.holds(handle),
)
def held_signal_not_rearmed(s: State, handle: Handle) -> Bool:
    """No signal is armed anew while a command of the stream holds it."""
    return ~s.held_rearmed


@properties.response(
    "free-parked-signal-is-reclaimed",
    protects="RetiringSignalTracker::Reclaim (parked)",
    goal=lambda s, handle: ~s.tracker.parked.has(handle),
)
def reclaim_finds_it_free(s: State, handle: Handle) -> Bool:
    """A parked signal that nobody else holds when Reclaim walks is parked no longer, sooner or later."""
    held = is_shared(s, handle) | s.stream.holds(handle)
    return (s.host.pc == HostPc.WALK) & s.tracker.parked.has(handle) & ~held


@properties.hang("open-batch-goes-on", protects="HostQueue::FlushSubmissionBatch, HsaAmdSignalHandler")
def a_batch_is_open(s: State) -> Bool:
    """While a batch is too long or open, some step other than the application's can be taken."""
    return s.flushes | s.stream.is_open()
