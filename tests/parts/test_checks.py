"""The families of properties for the parts: each is broken by the misuse that it is for, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fencepost import Properties, Protocol, Record, Step, part
from fencepost.check import check
from fencepost.engines import Limits
from fencepost.parts import AutoResetEvent, Counted, Mutex, Thread, TimelineSemaphore, checks
from fencepost.verdict import Verdict
from tests.lang.systems import HAND
from tests.parts.test_parts import SIZES


class Things(Record):
    lock = part(Mutex)
    event = part(AutoResetEvent)
    one = part(Counted)
    semaphore = part(TimelineSemaphore)


def violated(*actions: Callable[..., None]) -> dict[str, int]:
    """The properties that such actions violate, and after how many steps."""
    made = Protocol("things", state=Things, sizes=SIZES)
    for action in actions:
        made.action(by=HAND, src="f()")(action)
    properties = Properties("things")
    for family, of in (
        (checks.mutex, lambda s: s.lock),
        (checks.event, lambda s: s.event),
        (checks.counted, lambda s: s.one),
        (checks.timeline, lambda s: s.semaphore),
    ):
        properties.include(family, of=of)
    decisions = check(made.build(properties=[properties]), "explore", Limits(depth=6)).decisions
    return {
        one.name: len(one.trace.steps) for one in decisions if one.verdict is Verdict.VIOLATED and one.trace is not None
    }


def lock(m: Step, s: Things, thread: Thread) -> None:
    m.require(s.lock.is_free(), "free")
    s.lock.acquire(m, thread)


def lock_anyway(m: Step, s: Things, thread: Thread) -> None:
    s.lock.acquire(m, thread)


def unlock(m: Step, s: Things, thread: Thread) -> None:
    m.require(s.lock.is_held_by(thread), "held")
    s.lock.release(m, thread)


def unlock_anyway(m: Step, s: Things, thread: Thread) -> None:
    s.lock.release(m, thread)


def signal_event(m: Step, s: Things) -> None:
    m.require(~s.event.can_pass(), "taken")
    s.event.set(m)


def signal_event_anyway(m: Step, s: Things) -> None:
    s.event.set(m)


def take(m: Step, s: Things) -> None:
    m.require(s.event.can_pass(), "set")
    s.event.take(m)


def create(m: Step, s: Things) -> None:
    m.require(~s.one.is_referenced(), "not there")
    m.require(~s.semaphore.has_reached(1), "once")
    s.one.create(m)
    s.semaphore.signal(m, 1)


def release(m: Step, s: Things) -> None:
    m.require(s.one.is_referenced(), "there")
    s.one.release(m)


def retain(m: Step, s: Things) -> None:
    m.require(s.one.is_referenced(), "there")
    m.require(s.one.references < 2, "once")
    s.one.retain(m)


def retain_anyway(m: Step, s: Things) -> None:
    m.require(s.semaphore.has_reached(1) & (s.one.references < 1), "made")
    s.one.retain(m)


def use(m: Step, s: Things) -> None:
    m.require(s.one.is_referenced(), "there")
    s.one.use(m)


def use_anyway(m: Step, s: Things) -> None:
    m.require(s.semaphore.has_reached(1), "made")
    s.one.use(m)


def signal_again(m: Step, s: Things) -> None:
    m.require(s.semaphore.has_reached(1), "signalled")
    s.semaphore.signal(m, 1)


RIGHT = [lock, unlock, signal_event, take, create, release, retain, use]


def test_right_use_breaks_nothing() -> None:
    assert violated(*RIGHT) == {}


@pytest.mark.parametrize(
    ("misuse", "breaks"),
    [
        (lock_anyway, {"lock-taken-and-given-back": 2}),
        (unlock_anyway, {"lock-taken-and-given-back": 1}),
        (signal_event_anyway, {"no-wake-dropped": 2}),
        # Whoever has such a reference takes the object for alive.
        (retain_anyway, {"no-reference-from-nothing": 3, "no-use-after-destruction": 5}),
        (use_anyway, {"no-use-after-destruction": 4}),
        (signal_again, {"timeline-only-grows": 2}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_misuse_breaks_the_property_that_is_for_it(misuse: Callable[..., None], breaks: dict[str, int]) -> None:
    assert violated(*RIGHT, misuse) == breaks
