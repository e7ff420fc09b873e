"""What signals in device memory make dear: loads across PCIe, HDP flushes, and waits that need not be.

Ghost counters of the operation under way, with the feature `costs` alone. The default places signals and rings in
device memory; `host-signals` is what the tracker has left when no batch could be made there, and `system-ring`
puts the rings elsewhere, so that stores to signals have to be flushed.
"""

from __future__ import annotations

from fencepost import Bool, Int, Record, Step, boolean, ite, number
from fencepost_rocm.hardware import Handle

FLUSH_BATCH = 2
"""Stores that one HDP flush is for (32)."""


class Cost(Record):
    """What the call under way has cost."""

    reads = number(0, Handle, ghost=True)
    """Loads of signals across PCIe, but for those of a wait."""
    retired = number(0, Handle, ghost=True)
    """Uses that were retired."""
    waited = boolean(ghost=True)
    """The call waited for the GPU."""
    wait_reads = number(0, Handle, ghost=True)
    """Loads across PCIe of the last wait, had it been over when it began."""
    waited_for_complete = boolean(ghost=True)
    """It began to wait for a signal in host memory that was complete."""
    armed = number(0, Handle, ghost=True)
    """Stores to signals of the walk under way."""
    unflushed = number(0, FLUSH_BATCH - 1, ghost=True)
    """Those of them that are not flushed."""
    flushes = number(0, Handle, ghost=True)
    """HDP flushes of the walk."""
    flushed_in_vain = boolean(ghost=True)
    """The HDP was flushed though the rings are in device memory."""


def _more(cost: Int) -> Int:
    return ite(cost < Handle.count(), cost + 1, cost)


def begin_call(m: Step, cost: Cost) -> None:
    """A call begins."""
    if m.has("costs"):
        m.clear(cost)


def begin_walk(m: Step, cost: Cost) -> None:
    """Reclaim looks for what it can arm."""
    if m.has("costs"):
        cost.armed = 0
        cost.unflushed = 0
        cost.flushes = 0


def count_read(m: Step, cost: Cost) -> None:
    """The tracker loads a signal."""
    if m.has("costs") and not m.has("host-signals"):
        m.note("a load across PCIe")
        cost.reads = _more(cost.reads)


def count_retired(m: Step, cost: Cost) -> None:
    """A use is retired."""
    if m.has("costs"):
        cost.retired = _more(cost.retired)


def begin_wait(m: Step, cost: Cost, complete: Bool) -> None:
    """WaitForSignal looks at a signal in host memory first, which ROCr need not be asked for; not at others."""
    if not m.has("costs"):
        return
    if not m.has("host-signals"):
        if m.variant("load-before-wait"):
            m.note("a load across PCIe, before the wait")
            cost.wait_reads = _more(cost.wait_reads)
    elif m.variant("host-signal-not-looked-at"):
        m.note("waits without a look")
        cost.waited_for_complete = complete


def end_wait(m: Step, cost: Cost) -> None:
    """The load of the wait that sees the signal complete."""
    if m.has("costs"):
        cost.waited = True
        if not m.has("host-signals"):
            m.note("a load across PCIe, of the wait")
            cost.wait_reads = _more(cost.wait_reads)


def wait_at_cap(m: Step, cost: Cost) -> None:
    """A wait that begins and ends within a call."""
    if m.has("costs"):
        cost.wait_reads = 0
        begin_wait(m, cost, Bool.constant(False))
        end_wait(m, cost)
        begin_walk(m, cost)


def count_store(m: Step, cost: Cost) -> None:
    """A signal is armed; FlushStores follows the last store of a batch."""
    if m.has("costs"):
        cost.armed = _more(cost.armed)
        is_last = Bool.constant(True) if m.variant("flush-each-store") else cost.unflushed + 1 == FLUSH_BATCH
        left = cost.unflushed
        _flush(m, cost, is_last)
        cost.unflushed = ite(is_last, 0, left + 1)


def end_walk(m: Step, cost: Cost) -> None:
    """FlushStores for what is left of a batch."""
    if m.has("costs"):
        _flush(m, cost, cost.unflushed > 0)
        cost.unflushed = 0


def _flush(m: Step, cost: Cost, is_due: Bool) -> None:
    """The store fence, and where rings are in system memory an HDP flush."""
    if m.has("system-ring"):
        cost.flushes = ite(is_due, _more(cost.flushes), cost.flushes)
    elif m.variant("flush-always"):
        cost.flushed_in_vain = cost.flushed_in_vain | is_due
