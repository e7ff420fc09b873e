"""Each part does what it stands for, and remembers what was done wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fencepost import Protocol, Record, Size, Step, number, part
from fencepost.parts import (
    Address,
    AutoResetEvent,
    ConditionVariable,
    Core,
    Counted,
    Life,
    MemoryBehindStores,
    Mutex,
    Point,
    StorePlace,
    Thread,
    TimelineSemaphore,
)
from tests.lang.systems import HAND, System

SIZES = (
    Size("threads", Thread, default=2),
    Size("cores", Core, default=2),
    Size("addresses", Address, default=2),
    Size("places", StorePlace, default=2),
    Size("points", Point, default=3),
)


def system(state: type[Record], *actions: Callable[..., None]) -> System:
    made = Protocol("parts", state=state, sizes=SIZES)
    for action in actions:
        made.action(by=HAND, src="f()")(action)
    return System(made.build())


class Locked(Record):
    lock = part(Mutex)
    condition = part(ConditionVariable)


def lock(m: Step, s: Locked, thread: Thread) -> None:
    m.require(s.lock.is_free(), "free")
    s.lock.acquire(m, thread)


def barge_in(m: Step, s: Locked, thread: Thread) -> None:
    s.lock.acquire(m, thread)


def unlock(m: Step, s: Locked, thread: Thread) -> None:
    s.lock.release(m, thread)


def sleep(m: Step, s: Locked, thread: Thread) -> None:
    m.require(s.lock.is_held_by(thread), "has the lock")
    s.condition.sleep(m, thread, s.lock)


def go_on(m: Step, s: Locked, thread: Thread) -> None:
    m.require(s.condition.can_go_on(thread, s.lock), "woken")
    s.condition.go_on(m, thread, s.lock)


def notify_one(m: Step, s: Locked, thread: Thread) -> None:
    m.require(s.condition.may_notify(thread), "asleep")
    s.condition.notify_one(m, thread)


def notify_all(m: Step, s: Locked) -> None:
    s.condition.notify_all(m)


def locked() -> System:
    return system(Locked, lock, barge_in, unlock, sleep, go_on, notify_one, notify_all)


def test_a_lock_has_one_owner() -> None:
    tried = locked().do("lock", 0)
    assert tried.do("lock", 1).ended == "free"
    tried.do("unlock", 0).do("lock", 1)
    assert (tried["lock.owner"], tried["lock.misused"]) == (1, 0)


@pytest.mark.parametrize("steps", [[("lock", 0), ("barge_in", 1)], [("lock", 0), ("unlock", 1)], [("unlock", 0)]])
def test_a_misused_lock_remembers_it(steps: list[tuple[str, int]]) -> None:
    tried = locked()
    for name, thread in steps:
        assert tried["lock.misused"] == 0
        assert tried.do(name, thread).ended == ""
    assert tried["lock.misused"] == 1


def test_who_sleeps_gives_the_lock_back_and_takes_it_again() -> None:
    tried = locked().do("lock", 0).do("sleep", 0).do("lock", 1)
    assert tried["lock.owner"] == 1
    assert tried.do("go_on", 0).ended == "woken"
    tried.do("notify_one", 0)
    assert tried.do("go_on", 0).ended == "woken", "the lock is not free"
    tried.do("unlock", 1).do("go_on", 0)
    assert (tried.ended, tried["lock.owner"], tried["condition.woken"]) == ("", 0, 0)


def test_a_wake_that_finds_nobody_is_lost() -> None:
    tried = locked().do("notify_one", 0).do("notify_all").do("lock", 0).do("sleep", 0)
    assert (tried["condition.asleep"], tried["condition.woken"]) == (0b01, 0)
    assert tried.do("go_on", 0).ended == "woken"


def test_one_is_woken_or_all() -> None:
    tried = locked().do("lock", 0).do("sleep", 0).do("lock", 1).do("sleep", 1)
    assert tried["condition.asleep"] == 0b11
    assert tried.do("notify_one", 1)["condition.woken"] == 0b10
    assert tried.do("notify_one", 1).ended == "asleep", "somebody else sleeps, so the wake is for them"
    assert tried.do("notify_all")["condition.woken"] == 0b11
    assert tried["condition.asleep"] == 0


def test_nobody_is_notified_who_is_awake_while_others_sleep() -> None:
    tried = locked().do("lock", 1).do("sleep", 1)
    assert tried.do("notify_one", 0).ended == "asleep"
    assert tried.do("notify_one", 1)["condition.woken"] == 0b10


def test_a_thread_may_wake_by_itself() -> None:
    tried = locked()
    assert tried.do("wake_by_itself", 0).ended == "asleep"
    tried.do("lock", 0).do("sleep", 0).do("wake_by_itself", 0).do("go_on", 0)
    assert (tried.ended, tried["lock.owner"]) == ("", 0)


class Event(Record):
    event = part(AutoResetEvent)


def test_an_event_lets_one_through_and_counts_no_further() -> None:
    def set_it(m: Step, s: Event) -> None:
        s.event.set(m)

    def take(m: Step, s: Event) -> None:
        m.require(s.event.can_pass(), "set")
        s.event.take(m)

    def reset(m: Step, s: Event) -> None:
        s.event.reset(m)

    tried = system(Event, set_it, take, reset)
    assert tried.do("take").ended == "set"
    assert tried.do("set_it").do("take")["event.dropped"] == 0
    assert tried.do("take").ended == "set"
    assert tried.do("set_it").do("set_it")["event.dropped"] == 1
    assert tried.do("take").do("take").ended == "set"
    assert tried.do("set_it").do("reset").do("take").ended == "set"


class Timeline(Record):
    semaphore = part(TimelineSemaphore)
    passed = number(0, Point)


def test_a_timeline_passes_what_it_has_reached() -> None:
    def signal(m: Step, s: Timeline, point: Point) -> None:
        s.semaphore.signal(m, point.ordinal)

    def wait(m: Step, s: Timeline, point: Point) -> None:
        m.require(s.semaphore.has_reached(point.ordinal), "reached")
        s.passed = point.ordinal

    tried = system(Timeline, signal, wait).do("signal", 1)
    assert tried.do("wait", 2).ended == "reached"
    assert tried.do("wait", 1)["passed"] == 1
    tried.do("signal", 2).do("wait", 1)
    assert (tried.ended, tried["semaphore.fell"]) == ("", 0)
    assert tried.do("signal", 2)["semaphore.fell"] == 1


class Shared(Record):
    one = part(Counted)


def counted() -> System:
    def create(m: Step, s: Shared) -> None:
        s.one.create(m)

    def retain(m: Step, s: Shared) -> None:
        s.one.retain(m)

    def release(m: Step, s: Shared) -> None:
        s.one.release(m)

    def use(m: Step, s: Shared) -> None:
        s.one.use(m)

    return system(Shared, create, retain, release, use)


def life(tried: System) -> Life:
    return list(Life)[tried["one.life"]]


def test_an_object_lives_as_long_as_it_is_referred_to() -> None:
    tried = counted().do("create").do("retain").do("release")
    assert (life(tried), tried["one.references"]) == (Life.ALIVE, 1)
    assert tried.do("destroy").ended == "doomed"
    assert life(tried.do("release")) is Life.DOOMED
    tried.do("use")
    assert tried["one.used_destroyed"] == 0
    assert life(tried.do("destroy")) is Life.DESTROYED
    assert tried["one.revived"] == 0
    assert tried.do("use")["one.used_destroyed"] == 1


def test_one_reference_too_many_is_a_broken_obligation() -> None:
    assert counted().do("create").do("release").do("release").ended == "range:release/one.references"


def test_a_reference_out_of_nothing_is_remembered() -> None:
    assert counted().do("create").do("release").do("retain")["one.revived"] == 1


def test_use_before_there_is_anything_is_remembered() -> None:
    assert counted().do("use")["one.used_destroyed"] == 1


class Stored(Record):
    memory = part(MemoryBehindStores)
    seen = number(0, 3)


def store(m: Step, s: Stored, core: Core, address: Address, again: Point) -> None:
    m.require(s.memory.has_room(core), "room")
    s.memory.store(m, core, address, again.ordinal + 1)


def load(m: Step, s: Stored, core: Core, address: Address) -> None:
    s.seen = s.memory.load(core, address)


def exchange(m: Step, s: Stored, core: Core, address: Address) -> None:
    m.require(s.memory.is_drained(core), "drained")
    s.memory.store_at_once(m, core, address, 3)


def stored(*steps: Any) -> System:
    tried = system(Stored, store, load, exchange)
    for step in steps:
        tried.do(*step)
        assert tried.ended == "", step
    return tried


def test_a_core_sees_its_own_last_store_and_others_see_memory() -> None:
    tried = stored(("store", 0, 1, 0), ("store", 0, 1, 1))
    assert tried.do("load", 0, 1)["seen"] == 2
    assert tried.do("load", 0, 0)["seen"] == 0
    assert tried.do("load", 1, 1)["seen"] == 0
    assert tried.do("drain", 0).do("load", 1, 1)["seen"] == 1
    assert tried.do("load", 0, 1)["seen"] == 2
    assert tried.do("drain", 0).do("load", 1, 1)["seen"] == 2
    assert tried.do("drain", 0).ended == "a store is pending"


def test_stores_reach_memory_in_their_order() -> None:
    tried = stored(("store", 0, 0, 0), ("store", 0, 1, 1), ("drain", 0))
    assert (tried["memory.memory[0]"], tried["memory.memory[1]"]) == (1, 0)


def test_a_buffer_that_is_full_takes_no_more() -> None:
    tried = stored(("store", 0, 0, 0), ("store", 0, 0, 0))
    assert tried.do("store", 0, 0, 0).ended == "room"
    assert tried.do("store", 1, 0, 0).ended == ""


def test_an_atomic_waits_for_the_core_s_own_stores_alone() -> None:
    tried = stored(("store", 0, 0, 0))
    assert tried.do("exchange", 0, 1).ended == "drained"
    assert tried.do("exchange", 1, 1)["memory.memory[1]"] == 3
    assert tried.do("drain", 0).do("exchange", 0, 0)["memory.memory[0]"] == 3
