"""What happens to a signal, told to everybody who refers to it: armed, created, dropped."""

from __future__ import annotations

from fencepost import Int, Step
from fencepost_rocm.hardware import Handle
from fencepost_rocm.issued_ops.state import State, is_shared


def arm(m: Step, s: State, handle: Handle, value: Int | int) -> None:
    """Store the value of a new use: from now on whoever refers to the signal's last use is stale."""
    if isinstance(value, int):
        m.note(f"ARMED (={value})", of=handle)
    else:
        m.note("ARMED (={})", value, of=handle)
    s.gpu.arm(m, handle, value)


def let_go(m: Step, s: State, handle: Handle) -> None:
    """After a reference was dropped: nobody has one left, so the signal dies."""
    with m.when(~s.tracker.owns(handle) & ~is_shared(s, handle)):
        m.note("DESTROYED", of=handle)
        s.gpu.destroy(m, handle)
