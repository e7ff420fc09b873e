"""Components: their actions are written once and recorded for every place in which the state has one."""

from __future__ import annotations

import pytest

from fencepost import Actor, Component, Index, Kind, Protocol, Record, Size, Step, action, boolean, number, part, table
from fencepost.errors import ModelError
from fencepost.ir.model import Fairness, Model
from tests.lang.systems import HAND, Handle, Queue, System

THREAD = Actor("thread")


class Mutex(Component):
    held = boolean()

    @action(by=THREAD, src="pthread_mutex_lock", fair=Fairness.STRONG)
    def acquire(self, m: Step) -> None:
        """Take it."""
        m.require(~self.held, "free")
        self.held = True

    @action(by=THREAD, src="pthread_mutex_unlock", kind=Kind.ENVIRONMENT)
    def release(self, m: Step) -> None:
        """Give it back."""
        m.require(self.held, "held")
        self.held = False


class Counter(Component):
    value = number(0, 9)

    @action(by=Actor("counter", lane="amount"), src="add")
    def add(self, m: Step, amount: Handle) -> None:
        """Add."""
        self.value = self.value + amount.ordinal


class QuietMutex(Mutex):
    def release(self, m: Step) -> None:
        """Is never given back by itself."""


class Room(Record):
    lock = part(Mutex)
    counters = table(Queue, Counter)


def build(state: type[Record]) -> Model:
    sizes = [Size("queues", Queue, default=2), Size("handles", Handle, default=3)]
    return Protocol("components", state=state, sizes=sizes).build()


def test_one_part_brings_its_actions_as_they_are() -> None:
    class State(Record):
        lock = part(Mutex)

    model = build(State)
    assert [action.name for action in model.actions] == ["acquire", "release"]
    assert [(a.src, a.kind, a.fair, a.doc, a.params) for a in model.actions] == [
        ("pthread_mutex_lock", Kind.PROGRESS, Fairness.STRONG, "Take it.", ()),
        ("pthread_mutex_unlock", Kind.ENVIRONMENT, Fairness.NONE, "Give it back.", ()),
    ]
    assert System(model).do("acquire")["lock.held"] == 1


def test_a_table_of_components_has_a_lane_for_its_index() -> None:
    class State(Record):
        locks = table(Queue, Mutex)

    model = build(State)
    assert [param.name for param in model.action("acquire").params] == ["queue"]
    system = System(model).do("acquire", 1)
    assert (system["locks[0].held"], system["locks[1].held"]) == (0, 1)
    assert system.do("acquire", 1).ended == "free"


def test_the_lanes_come_before_the_actions_own_parameters() -> None:
    class State(Record):
        rooms = table(Handle, Room)

    model = build(State)
    add = model.action("counters.add")
    assert [param.name for param in add.params] == ["handle", "queue", "amount"]
    system = System(model).do("counters.add", 2, 1, 2)
    assert [system[f"rooms[{i}].counters[{j}].value"] for i in range(3) for j in range(2)] == [0, 0, 0, 0, 0, 2]


def test_two_of_one_class_are_told_apart_by_the_fields_that_hold_them() -> None:
    class State(Record):
        first = part(Mutex)
        second = part(Mutex)
        counter = part(Counter)

    model = build(State)
    assert [action.name for action in model.actions] == [
        "first.acquire",
        "first.release",
        "second.acquire",
        "second.release",
        "add",
    ]
    system = System(model).do("second.acquire")
    assert (system["first.held"], system["second.held"]) == (0, 1)


def test_one_index_class_twice_on_the_way_is_numbered() -> None:
    class Inner(Record):
        locks = table(Queue, Mutex)

    class State(Record):
        inner = table(Queue, Inner)

    model = build(State)
    assert [param.name for param in model.action("locks.acquire").params] == ["queue0", "queue1"]
    assert System(model).do("locks.acquire", 1, 0)["inner[1].locks[0].held"] == 1


def test_a_derived_component_may_leave_an_action_out() -> None:
    class State(Record):
        lock = part(QuietMutex)

    assert [action.name for action in build(State).actions] == ["acquire"]


def test_components_and_the_protocols_own_actions_share_the_state() -> None:
    class State(Record):
        lock = part(Mutex)
        done = boolean()

    made = Protocol("both", state=State)

    @made.action(by=HAND, src="work()")
    def work(m: Step, s: State) -> None:
        m.require(s.lock.held, "locked")
        s.done = True

    system = System(made.build())
    assert system.do("work").ended == "locked"
    assert system.do("acquire").do("work")["done"] == 1


def test_an_index_without_a_size_is_told_of_where_it_is_missing() -> None:
    class Cell(Index):
        """Has no size."""

    class State(Record):
        locks = table(Cell, Mutex)

    with pytest.raises(ModelError, match=r"test_components\.py:\d+: Cell has no size in this protocol"):
        build(State)
