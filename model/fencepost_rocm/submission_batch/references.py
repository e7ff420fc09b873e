"""What happens to a signal, told to everybody who refers to it: armed, created, dropped."""

from __future__ import annotations

from fencepost import Step
from fencepost_rocm.hardware import Handle
from fencepost_rocm.submission_batch.state import State, is_shared


def arm(m: Step, s: State, handle: Handle) -> None:
    """Store 1."""
    m.note("ARMED (=1)", of=handle)
    s.gpu.arm(m, handle, 1)
    s.tracker.held_rearmed = s.tracker.held_rearmed | is_shared(s, handle)


def let_go(m: Step, s: State, handle: Handle) -> None:
    """After a reference was dropped: was it the last one, a signal that the tracker has given up dies."""
    if not m.has("retiring"):
        with m.when(~s.tracker.owns(handle) & ~is_shared(s, handle)):
            m.note("DESTROYED", of=handle)
            s.gpu.destroy(m, handle)
    else:
        with m.when(s.tracker.looked & ~is_shared(s, handle)):
            s.tracker.let_go_since = s.tracker.let_go_since.adding(handle)


def require_feature(m: Step, *names: str) -> None:
    """The action is of these optional parts."""
    for name in names:
        if not m.has(name):
            m.require(False, f"{name} is on")
