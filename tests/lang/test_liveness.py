"""Fields with `live_when`: zero while dead, whatever was assigned and whatever they depend on; reading one breaks."""

from __future__ import annotations

import enum

import pytest

from fencepost import Bool, Properties, Record, Step, array, boolean, choice, maybe, number, part, table
from fencepost.exec.interpreter import Interpreter, ObligationBroken
from tests.lang.systems import Handle, Queue, System, build, protocol


class Phase(enum.Enum):
    FREE = "free"
    ARMED = "armed"
    DONE = "done"


def is_used(slot: Slot) -> Bool:
    return slot.phase != Phase.FREE


class Slot(Record):
    phase = choice(Phase)
    owner = maybe(Queue, live_when=is_used)
    level = number(2, 9, live_when=is_used)
    marks = array(Handle, boolean(live_when=lambda slot: slot.phase == Phase.DONE))


class Slots(Record):
    slots = table(Queue, Slot)
    pick = maybe(Queue)
    seen = number(0, 9)


def free(m: Step, s: Slots, queue: Queue) -> None:
    s.slots[queue].phase = Phase.FREE


USED = {"slots[0].phase": 1, "slots[0].owner": 1, "slots[0].level": 7}


def test_a_field_is_zero_once_it_is_dead() -> None:
    system = System(build(Slots, free), **USED).do("free", 0)
    assert (system["slots[0].owner"], system["slots[0].level"]) == (-1, 2)


def test_a_field_that_stays_alive_keeps_its_value() -> None:
    def finish(m: Step, s: Slots, queue: Queue) -> None:
        s.slots[queue].phase = Phase.DONE

    system = System(build(Slots, finish), **USED).do("finish", 0)
    assert (system["slots[0].owner"], system["slots[0].level"]) == (1, 7)


def test_other_records_keep_theirs() -> None:
    system = System(build(Slots, free), **USED).do("free", 1)
    assert system["slots[0].level"] == 7


def test_every_element_of_an_array_dies() -> None:
    marks = {f"slots[0].marks[{i}]": 1 for i in range(3)}
    system = System(build(Slots, free), **{"slots[0].phase": 2}, **marks).do("free", 0)
    assert [system[name] for name in marks] == [0, 0, 0]


def test_what_is_assigned_to_a_dead_field_is_lost() -> None:
    def write(m: Step, s: Slots, queue: Queue) -> None:
        s.slots[queue].level = 5

    assert System(build(Slots, write)).do("write", 0)["slots[0].level"] == 2
    assert System(build(Slots, write), **{"slots[0].phase": 1}).do("write", 0)["slots[0].level"] == 5


def test_a_field_may_be_assigned_before_what_makes_it_live() -> None:
    def take(m: Step, s: Slots, queue: Queue) -> None:
        with m.when(s.seen > 0):
            s.slots[queue].level = 5
        s.slots[queue].phase = Phase.ARMED

    assert System(build(Slots, take), seen=1).do("take", 0)["slots[0].level"] == 5


def test_a_loop_resets_each_record_that_it_touches() -> None:
    def free_all(m: Step, s: Slots) -> None:
        for queue in m.each(Queue):
            with m.when(s.slots[queue].level > 5):
                s.slots[queue].phase = Phase.FREE

    model = build(Slots, free_all)
    system = System(model, **USED, **{"slots[1].phase": 1, "slots[1].level": 4}).do("free_all")
    assert [system[f"slots[{i}].level"] for i in range(2)] == [2, 4]


def test_a_record_found_in_a_branch_is_reset() -> None:
    def free_picked(m: Step, s: Slots) -> None:
        with m.when(s.pick.is_none):
            s.pick = Queue.at(0)
            s.slots[s.pick.get].phase = Phase.FREE

    system = System(build(Slots, free_picked), **USED).do("free_picked")
    assert (system["pick"], system["slots[0].level"]) == (0, 2)


def test_a_copy_of_a_record_that_has_died_is_as_dead() -> None:
    def move(m: Step, s: Slots) -> None:
        s.slots[Queue.at(0)].phase = Phase.FREE
        m.copy(s.slots[Queue.at(1)], s.slots[Queue.at(0)])

    system = System(build(Slots, move), **USED).do("move")
    assert [system[f"slots[{i}].level"] for i in range(2)] == [2, 2]


def test_reading_a_dead_field_breaks_an_obligation() -> None:
    def read(m: Step, s: Slots, queue: Queue) -> None:
        s.seen = s.slots[queue].level

    model = build(Slots, read)
    assert System(model).do("read", 0).ended == "dead:read/slots[].level"
    assert System(model, **USED).do("read", 0)["seen"] == 7


def test_a_field_dies_in_the_middle_of_an_action() -> None:
    def read_late(m: Step, s: Slots, queue: Queue) -> None:
        s.slots[queue].phase = Phase.FREE
        s.seen = s.slots[queue].level

    assert System(build(Slots, read_late), **USED).do("read_late", 0).ended == "dead:read_late/slots[].level"


def test_a_property_that_reads_a_dead_field_breaks_an_obligation() -> None:
    properties = Properties("system")

    @properties.invariant("low", protects="f()", twin=lambda s: s.seen == 0)
    def low(s: Slots, queue: Queue) -> Bool:
        """Every level is low."""
        return s.slots[queue].level < 9

    model = protocol(Slots, free).build(properties=[properties])
    interpreter = Interpreter(model)
    with pytest.raises(ObligationBroken, match=r"dead:low/slots\[\]\.level"):
        interpreter.evaluate(interpreter.initial(), model.property("low").holds, "low")


class Lid(Record):
    open = boolean()


class Box(Record):
    lid = part(Lid)
    content = number(0, 9, live_when=lambda box: box.lid.open)
    weight = number(0, 9, live_when=lambda box: box.lid.open & (box.content > 3))


class Boxes(Record):
    boxes = table(Queue, Box)


FULL = {"boxes[1].lid.open": 1, "boxes[1].content": 7, "boxes[1].weight": 2}


def test_a_field_depends_on_a_record_inside_its_own() -> None:
    def shut(m: Step, s: Boxes, queue: Queue) -> None:
        s.boxes[queue].lid.open = False

    assert System(build(Boxes, shut), **FULL).do("shut", 1)["boxes[1].content"] == 0


def test_a_field_depends_on_a_record_that_is_cleared() -> None:
    def shut(m: Step, s: Boxes, queue: Queue) -> None:
        m.clear(s.boxes[queue].lid)

    assert System(build(Boxes, shut), **FULL).do("shut", 1)["boxes[1].content"] == 0


def test_a_field_depends_on_one_that_dies() -> None:
    def shut(m: Step, s: Boxes, queue: Queue) -> None:
        s.boxes[queue].lid.open = False

    def empty(m: Step, s: Boxes, queue: Queue) -> None:
        s.boxes[queue].content = 1

    model = build(Boxes, shut, empty)
    for action in ("shut", "empty"):
        assert System(model, **FULL).do(action, 1)["boxes[1].weight"] == 0, action


def test_a_field_that_is_live_at_the_start_may_start_with_a_value() -> None:
    made = protocol(Slots, free)

    @made.start
    def start(s: Slots) -> None:
        s.slots[Queue.at(1)].phase = Phase.ARMED
        s.slots[Queue.at(1)].level = 4

    assert System(made.build())["slots[1].level"] == 4
