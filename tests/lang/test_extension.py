"""Making another's protocol one's own: in a few lines, and without touching it."""

from __future__ import annotations

import pytest

from fencepost import Bool, Feature, Properties, Protocol, Record, Size, Step, Variant, table
from fencepost.errors import ModelError, UsageError
from fencepost.explore import bfs
from fencepost.ir.digest import digest
from fencepost_rocm.recycled_handle import Handle, Queue, Signal, State, is_referenced, protocol
from fencepost_rocm_properties.recycled_handle import properties
from tests.lang import systems
from tests.lang.systems import System
from tests.lang.test_components import Room

# Ten lines of a user's own.
mine = protocol.extend("patient", doc="Waits for everything.", variants=[Variant("hasty", "does not wait")])


@mine.guard("enable", "nothing is referenced")
def nothing_is_referenced(m: Step, s: State) -> Bool:
    referenced = is_referenced(s, Handle.at(0)) | is_referenced(s, Handle.at(1))
    return Bool.constant(True) if m.variant("hasty") else ~referenced


@mine.replace("complete")
def complete(m: Step, s: State, handle: Handle) -> None:
    """Complete at once."""
    m.require(s.barriers[handle].signal == Signal.ARMED, "armed")
    s.barriers[handle].signal = Signal.COMPLETE


class Rooms(Record):
    rooms = table(systems.Handle, Room)


def test_an_added_guard_comes_first_and_keeps_the_action() -> None:
    enable = mine.build().action("enable")
    original = protocol.build().action("enable")
    assert [guard.name for guard in enable.guards] == ["nothing is referenced", "disabled"]
    assert (enable.src, enable.kind, enable.actor, enable.doc) == (
        original.src,
        original.kind,
        original.actor,
        original.doc,
    )


def test_a_replaced_action_keeps_who_takes_it() -> None:
    replaced, original = mine.build().action("complete"), protocol.build().action("complete")
    assert [guard.name for guard in replaced.guards] == ["armed"]
    assert (replaced.src, replaced.kind, replaced.actor) == (original.src, original.kind, original.actor)
    assert replaced.doc == "Complete at once."


def test_the_extended_protocol_is_left_alone() -> None:
    assert [guard.name for guard in protocol.build().action("enable").guards] == ["disabled"]
    assert [variant.name for variant in protocol.variants] == ["buggy"]


def test_variants_are_inherited_and_added() -> None:
    assert [variant.name for variant in mine.variants] == ["buggy", "hasty"]
    names = [mine.build(variant=name).variant for name in ("buggy", "hasty")]
    assert names == ["buggy", "hasty"]
    assert len({digest(mine.build(variant=name)) for name in (None, "buggy", "hasty")}) == 3


def test_what_is_extended_can_be_checked() -> None:
    own = Properties("patient")
    own.include(properties, of=lambda s: s)
    model = mine.build(variant="buggy", properties=[own])
    assert [prop.name for prop in model.properties] == properties.names()
    # Waiting for every reference repairs the variant.
    found = {finding.name for finding in bfs.run(model).findings}
    assert "no-handle-destroyed-while-referenced" not in found


def test_a_component_s_action_can_be_guarded_and_replaced() -> None:
    sizes = [Size("queues", systems.Queue, default=2), Size("handles", systems.Handle, default=3)]
    base = Protocol("rooms", state=Rooms, sizes=sizes)
    extended = base.extend("locked rooms")

    @extended.guard("counters.add", "locked")
    def locked(m: Step, s: Rooms, handle: systems.Handle, queue: systems.Queue, amount: systems.Handle) -> Bool:
        return s.rooms[handle].lock.held

    @extended.replace("lock.release")
    def release(m: Step, s: Rooms, handle: systems.Handle) -> None:
        s.rooms[handle].lock.held = False
        m.clear(s.rooms[handle].counters[systems.Queue.at(0)])

    system = System(extended.build())
    assert system.do("counters.add", 1, 0, 2).ended == "locked"
    assert system.do("lock.acquire", 1).do("counters.add", 1, 0, 2)["rooms[1].counters[0].value"] == 2
    assert system.do("lock.release", 1)["rooms[1].counters[0].value"] == 0
    assert [guard.name for guard in base.build().action("counters.add").guards] == []


def test_guards_add_up() -> None:
    twice = mine.extend("twice")

    @twice.guard("enable", "idle")
    def idle(m: Step, s: State) -> Bool:
        return ~s.enabled

    assert [guard.name for guard in twice.build().action("enable").guards] == [
        "idle",
        "nothing is referenced",
        "disabled",
    ]


def test_a_feature_can_be_added() -> None:
    extended = protocol.extend("featured", features=[Feature("slow", "takes its time", default=False)])

    @extended.guard("execute", "not slow")
    def not_slow(m: Step, s: State, queue: Queue) -> Bool:
        return Bool.constant(not m.has("slow"))

    assert "execute" in [action.name for action in extended.build().actions]
    assert "execute" not in [action.name for action in extended.build(features=["slow"]).actions]


def test_an_action_that_is_not_there_cannot_be_guarded() -> None:
    with pytest.raises(ModelError, match="patient has no action 'enabel'; did you mean 'enable'"):
        mine.guard("enabel", "whatever")


def test_a_variant_that_changes_nothing_where_the_user_chose_is_the_users_fault() -> None:
    single = protocol.extend("single", variants=[Variant("second", "forgets the second queue")])

    @single.guard("dispatch", "first queue")
    def first_queue(m: Step, s: State, queue: Queue) -> Bool:
        forgets = m.variant("second") and Queue.count() > 1
        return queue == Queue.at(0) if forgets else Bool.constant(True)

    assert single.build(variant="second").variant == "second"
    with pytest.raises(UsageError, match="the variant 'second' changes nothing at these sizes and features"):
        single.build(variant="second", sizes={"queues": 1})
