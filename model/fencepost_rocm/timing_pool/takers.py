"""What a thread does that takes times: the Timestamp's lock, a listed signal's lock, the value, the times.

The host thread and the async handler do the same here, so each of these is written once, for a taker.
"""

from __future__ import annotations

from fencepost import Bool, Step
from fencepost_rocm.hardware import Handle
from fencepost_rocm.timing_pool.state import Stamp, State, Taker, Taking


def lock_stamp(taker: Taker, stamp: Stamp) -> None:
    """Take the Timestamp's lock; the caller requires it to be free."""
    taker.step = Taking.STAMP
    taker.stamp = stamp


def leaves_out(m: Step, s: State, stamp: Stamp) -> Bool:
    """The code leaves the times of its signals out while a blocking callback is set."""
    if not m.has("callbacks") or m.variant("repaired") or m.variant("callback-waited-for"):
        return Bool.constant(False)
    return s.stamps[stamp].blocking


def read_times(m: Step, s: State, taker: Taker) -> None:
    """Read the times that the signal holds. They should be those of the use for which it is listed."""
    signal = taker.signal.get
    wrong = s.stamps[taker.stamp].rearmed.has(signal) | ~s.gpu.stamped.has(signal)
    if m.variant("cached-times-kept"):
        wrong = wrong | s.times.cached.has(signal)
        s.times.cached = s.times.cached.adding(signal)
    m.note("its times are read for Timestamp {}", taker.stamp, of=signal)
    with m.when(wrong):
        m.note("they are not the listed use's", of=signal)
    s.times.not_its_own = s.times.not_its_own | wrong


def erase(m: Step, s: State, stamp: Stamp, signal: Handle) -> None:
    """Take the signal's first entry off the list."""
    entry = s.stamps[stamp]
    if m.variant("stale-entry"):
        listed_twice = entry.twice.has(signal)
        entry.twice = entry.twice.removing(signal)
        with m.when(~listed_twice):
            entry.listed = entry.listed.removing(signal)
    else:
        entry.listed = entry.listed.removing(signal)
    entry.rearmed = entry.rearmed.removing(signal)


def note_rearmed(m: Step, s: State, signal: Handle) -> None:
    """The signal was armed anew: where it is listed, it is listed for an earlier use."""
    for stamp in m.each(Stamp):
        with m.when(s.stamps[stamp].listed.has(signal)):
            s.stamps[stamp].rearmed = s.stamps[stamp].rearmed.adding(signal)
