"""What happens to a signal, told to everybody who refers to it: armed, created, dropped; and the ends of both."""

from __future__ import annotations

from fencepost import Bool, Step, exists
from fencepost_rocm.async_handler.state import (
    Registration,
    State,
    is_owned,
    is_retained,
    is_shared,
    needs_signal,
)
from fencepost_rocm.hardware import Handle, HwQueue


def arm(m: Step, s: State, handle: Handle) -> None:
    """Store 1 for a new use: from now on whoever refers to the signal's last use is stale."""
    m.note("ARMED (=1)", of=handle)
    s.gpu.arm(m, handle, 1)
    for place in m.each(Registration):
        with m.when(needs_signal(s, place) & (s.registrations[place].signal == handle)):
            s.registrations[place].rearmed = True


def create(m: Step, s: State, queue: HwQueue) -> Handle:
    """A signal for a tracker, from a batch: armed."""
    handle = s.gpu.create(m, 1)
    m.note("CREATED (=1)", of=handle)
    s.owners[handle] = queue
    _mark_recycled(m, s, handle)
    return handle


def let_go(m: Step, s: State, handle: Handle, *, by_handler: bool) -> None:
    """After a reference was dropped: if that was the last one, the ProfilingSignal dies.

    Its destructor waits until the signal is below 1, and calls hsa_signal_destroy. ROCr frees the block unless an
    entry of its list retains it.
    """
    with m.when(~is_owned(s, handle) & ~is_shared(m, s, handle)):
        m.note("DESTROYED", of=handle)
        _mark_recycled(m, s, handle)
        if by_handler:
            s.handler.destroyed = True
        with m.when(~is_retained(s, handle)):
            free(m, s, handle, on_handler_thread=by_handler)


def free(m: Step, s: State, handle: Handle, *, on_handler_thread: bool) -> None:
    """core::Signal::Release, the last: the block is free, and with the last one of a batch its arena goes."""
    owner = s.owners[handle]
    s.gpu.destroy(m, handle)
    if not (m.has("device-batch") and on_handler_thread):
        return
    signals = s.gpu.pool.signals
    with m.when(~exists(Handle, lambda other: signals[other].alive & (s.owners[other] == owner))):
        if m.variant("repaired"):
            s.left_mapped = True
        else:
            m.note("the arena is unmapped on the handler thread")
            s.handler.unmapped = True


def is_referenced(m: Step, s: State, handle: Handle) -> Bool:
    """The ProfilingSignal lives."""
    return is_owned(s, handle) | is_shared(m, s, handle)


def _mark_recycled(m: Step, s: State, handle: Handle) -> None:
    for place in m.each(Registration):
        with m.when(needs_signal(s, place) & (s.registrations[place].signal == handle)):
            s.registrations[place].recycled = True
