"""What must hold of the parts, a family for each: `properties.include(checks.mutex, of=lambda s: s.lock)`."""

from __future__ import annotations

from fencepost import Bool, Properties
from fencepost.parts.conditions import AutoResetEvent
from fencepost.parts.counts import Counted, Life
from fencepost.parts.locks import Mutex
from fencepost.parts.timeline import TimelineSemaphore

mutex = Properties("mutex")
event = Properties("auto-reset event")
counted = Properties("counted")
timeline = Properties("timeline semaphore")


@mutex.invariant("lock-taken-and-given-back", protects="the lock", twin=lambda lock: lock.owner.is_some)
def lock_taken_and_given_back(lock: Mutex) -> Bool:
    """A lock is taken while it is free, and given back by the thread that has it."""
    return ~lock.misused


@event.invariant("no-wake-dropped", protects="the event", twin=lambda event: event.is_set)
def no_wake_dropped(event: AutoResetEvent) -> Bool:
    """An event that is set has been taken before it is set again, so no wake is lost in another."""
    return ~event.dropped


@counted.invariant("no-reference-from-nothing", protects="the count", twin=lambda one: one.references > 1)
def no_reference_from_nothing(one: Counted) -> Bool:
    """Nobody takes a reference once the last one is gone."""
    return ~one.revived


@counted.invariant("no-use-after-destruction", protects="the object", twin=lambda one: one.life == Life.DESTROYED)
def no_use_after_destruction(one: Counted) -> Bool:
    """Nobody uses the object once it is destroyed."""
    return ~one.used_destroyed


@timeline.invariant("timeline-only-grows", protects="the semaphore", twin=lambda semaphore: semaphore.value > 0)
def timeline_only_grows(semaphore: TimelineSemaphore) -> Bool:
    """Each signal raises the value."""
    return ~semaphore.fell
