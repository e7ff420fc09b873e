"""Responses: what the language makes of them, and what the IR keeps of them."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost import Actor, Bool, Index, Kind, Properties, Protocol, Record, Size, Step, boolean, table
from fencepost.errors import ModelError
from fencepost.ir.check import check
from fencepost.ir.digest import digest
from fencepost.ir.expr import TRUE, Quantified
from fencepost.ir.model import Model, PropertyKind
from fencepost.ir.show import show_property


class Lamp(Index):
    """Lamps."""


class Light(Record):
    wanted = boolean()
    lit = boolean()
    never = boolean()


class Room(Record):
    lamps = table(Lamp, Light)


room = Protocol("room", state=Room, sizes=[Size("lamps", Lamp, default=2)])


@room.action(by=Actor("guest"), src="room.c: ask", kind=Kind.ENVIRONMENT)
def ask(m: Step, s: Room, lamp: Lamp) -> None:
    m.require(~s.lamps[lamp].wanted, "not yet")
    s.lamps[lamp].wanted = True


@room.action(by=Actor("house"), src="room.c: light")
def light(m: Step, s: Room, lamp: Lamp) -> None:
    m.require(s.lamps[lamp].wanted, "wanted")
    s.lamps[lamp].wanted = False
    s.lamps[lamp].lit = True


def built(**goal: object) -> Model:
    properties = Properties("room")

    @properties.response("gets-light", protects="room.c: light", **goal)  # type: ignore[arg-type]
    def gets_light(s: Room, lamp: Lamp) -> Bool:
        """Whoever asks for light gets it."""
        return s.lamps[lamp].wanted & ~s.lamps[lamp].never

    return room.build(properties=[properties])


def test_a_response_has_trigger_and_goal_over_its_parameters() -> None:
    prop = built(goal=lambda s, lamp: s.lamps[lamp].lit).property("gets-light")
    assert prop.kind is PropertyKind.RESPONSE
    assert prop.holds == TRUE
    assert isinstance(prop.twin, Quantified)
    assert show_property(prop) == (
        "response gets-light: Whoever asks for light gets it.\n"
        "    for lamp in Lamp\n"
        "    whenever lamps[lamp].wanted and not false\n"
        "    some time lamps[lamp].lit\n"
    )


def test_what_only_a_goal_reads_is_kept_and_what_never_changes_is_folded() -> None:
    names = [var.name for var in built(goal=lambda s, lamp: s.lamps[lamp].lit).vars]
    assert names == ["lamps[].wanted", "lamps[].lit"]


def test_a_goal_may_take_the_state_alone() -> None:
    asked = built(goal=lambda s: s.lamps[Lamp.at(1)].lit).property("gets-light").response
    assert asked is not None
    assert [var.name for var in asked.over] == ["lamp"]


def test_a_goal_over_what_the_property_does_not_name_is_refused() -> None:
    with pytest.raises(ModelError, match="the goal of 'gets-light' takes 'light', which the property does not"):
        built(goal=lambda s, light: s.lamps[light].lit)


def test_a_goal_that_is_no_condition_is_refused() -> None:
    with pytest.raises(ModelError, match="the goal of 'gets-light'"):
        built(goal=lambda s, lamp: lamp)


def test_the_goal_is_part_of_the_digest() -> None:
    lit = built(goal=lambda s, lamp: s.lamps[lamp].lit)
    unlit = built(goal=lambda s, lamp: ~s.lamps[lamp].lit)
    assert digest(lit) != digest(unlit)
    assert digest(lit) == digest(built(goal=lambda s, lamp: s.lamps[lamp].lit))


def test_a_response_without_its_goal_is_not_well_formed() -> None:
    model = built(goal=lambda s, lamp: s.lamps[lamp].lit)
    with pytest.raises(ModelError, match="a response, and nothing else"):
        check(evolve(model, properties=(evolve(model.properties[0], response=None),)))
