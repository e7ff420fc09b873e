"""What happens to a signal, told to everybody who refers to it: armed, created, destroyed, dropped."""

from __future__ import annotations

from fencepost import Step
from fencepost_rocm.hardware import Handle
from fencepost_rocm.legacy.state import Event, State, is_shared


def arm(m: Step, s: State, handle: Handle) -> None:
    """hsa_signal_silent_store of 1: from now on whoever refers to the signal's last use is stale."""
    m.note("ARMED (=1)", of=handle)
    s.gpu.arm(m, handle, 1)
    for event in m.each(Event):
        with m.when(s.events[event].signal == handle):
            s.events[event].rearmed = True
    if m.has("callbacks"):
        with m.when(s.handler.holds(handle)):
            s.handler.rearmed = True
    if m.has("timing"):
        with m.when(s.timestamp.listed.has(handle)):
            s.timestamp.rearmed = True
        with m.when(s.timestamp.never_ran == handle):
            s.timestamp.never_ran = None


def create(m: Step, s: State, *, interrupt: bool) -> Handle:
    """HwQueueTracker::CreateSignal: idle (value 0), of the given type."""
    handle = s.gpu.create(m, 0)
    m.note("CREATED", of=handle)
    if m.has("timing"):
        s.timestamp.stamped = s.timestamp.stamped.removing(handle)
    if m.has("callbacks"):
        others = s.tracker.with_interrupt
        s.tracker.with_interrupt = others.adding(handle) if interrupt else others.removing(handle)
    return handle


def let_go(m: Step, s: State, handle: Handle) -> None:
    """After a reference was dropped: nobody has one left, so the signal dies."""
    with m.when(~s.tracker.owns(handle) & ~is_shared(s, handle)):
        m.note("DESTROYED", of=handle)
        s.gpu.destroy(m, handle)
        if m.variant("raw-handle-cached"):
            with m.when(s.tracker.cached == handle):
                s.tracker.cached_destroyed = True


def take_times(m: Step, s: State, handle: Handle) -> None:
    """Timestamp::ExtractSignalTiming: the times that the signal's operation has written."""
    with m.when(s.timestamp.never_ran == handle):
        s.timestamp.took_never_ran = True
        s.timestamp.never_ran = None
