"""Protocols composed of others: more state, other components, and variants that stay behind."""

from __future__ import annotations

import pytest

from fencepost import (
    Actor,
    Component,
    Feature,
    Index,
    Protocol,
    Record,
    Size,
    Step,
    Variant,
    action,
    number,
    part,
    table,
)
from fencepost.errors import ModelError, UsageError
from fencepost.explore.bfs import run
from fencepost.ir.digest import digest
from fencepost.ir.model import Model

WHO = Actor("who")


class Cup(Index):
    """A cup."""


class Tap(Component):
    """Fills by one."""

    poured = number(0, 3)

    def pour(self, m: Step) -> None:
        """One more."""
        self.poured = self.poured + 1

    @action(by=WHO, src="tap.c: drip")
    def drip(self, m: Step) -> None:
        """By itself."""
        m.require(self.poured == 0, "dry")
        self.poured = self.poured + 1


class Bar(Record):
    """A tap and its cups."""

    tap = part(Tap)
    cups = table(Cup, Record)


def bar() -> Protocol:
    protocol = Protocol(
        "bar",
        state=Bar,
        sizes=[Size("cups", Cup, default=2)],
        features=[Feature("ice", "with ice")],
        variants=[Variant("flood", "two at once")],
    )

    @protocol.action(by=WHO, src="bar.c: serve")
    def serve(m: Step, s: Bar) -> None:
        """Pour, and twice in the variant."""
        m.require(s.tap.poured < 2, "not full")
        s.tap.pour(m)
        if m.variant("flood"):
            s.tap.pour(m)

    return protocol


class Meter(Tap):
    """A tap that counts what it pours."""

    counted = number(0, 3)

    def pour(self, m: Step) -> None:
        super().pour(m)
        self.counted = self.counted + 1

    @action(by=WHO, src="meter.c: drip")
    def drip(self, m: Step) -> None:
        """Dry since there is a meter."""
        m.require(False, "never")


class MeteredBar(Bar):
    """A bar with a meter, and a till."""

    tap = part(Meter)
    till = number(0, 1)


def metered(**more: object) -> Protocol:
    return bar().compose("metered", state=MeteredBar, **more)  # type: ignore[arg-type]


def names(model: Model) -> list[str]:
    return [var.name for var in model.vars]


def test_actions_of_the_base_call_the_component_that_takes_anothers_place() -> None:
    model = metered().build()
    assert names(model) == ["tap.poured", "tap.counted"]
    assert [action.name for action in model.actions] == ["serve"]
    assert run(model).states == 3


def test_actions_can_be_added_and_guarded() -> None:
    protocol = metered()

    @protocol.action(by=WHO, src="till.c: pay")
    def pay(m: Step, s: MeteredBar) -> None:
        """Pay."""
        m.require(s.tap.counted == 2, "counted")
        s.till = 1

    @protocol.guard("serve", "not paid")
    def not_paid(m: Step, s: MeteredBar) -> object:
        return s.till == 0

    assert run(protocol.build()).states == 4


def test_the_base_is_left_as_it_was() -> None:
    base = bar()
    before = digest(base.build())
    base.compose("metered", state=MeteredBar)
    assert digest(base.build()) == before
    assert base.base is None


def test_variants_stay_behind_and_are_never_built() -> None:
    protocol = metered(variants=[Variant("own", "changes nothing")])
    with pytest.raises(UsageError, match="no variant 'flood'"):
        protocol.build(variant="flood")
    assert run(protocol.build()).states == 3  # `serve` asks for it, and is told no
    with pytest.raises(ModelError, match="changes nothing"):
        protocol.build(variant="own")


def test_an_unknown_variant_is_still_refused() -> None:
    protocol = metered()

    @protocol.action(by=WHO, src="bar.c: close")
    def close(m: Step, s: MeteredBar) -> None:
        """Asks for what nobody declared."""
        m.require(not m.variant("flod"), "open")
        s.till = 1

    with pytest.raises(ModelError, match="did you mean 'flood'"):
        protocol.build()


def test_sizes_and_features_of_the_same_name_take_the_others_place() -> None:
    protocol = metered(
        sizes=[Size("cups", Cup, default=4)], features=[Feature("ice", "none", default=False), Feature("lime", "green")]
    )
    model = protocol.build()
    assert (model.sizes, model.features) == ((("cups", 4),), ("lime",))
    assert [feature.name for feature in protocol.features] == ["ice", "lime"]


def test_what_is_composed_can_be_extended_and_composed_again() -> None:
    extended = metered().extend("again")
    assert run(extended.build()).states == 3

    class Wider(MeteredBar):
        """More still."""

        door = number(0, 1)

    protocol = extended.compose("wider", state=Wider)

    @protocol.action(by=WHO, src="door.c: open")
    def open_door(m: Step, s: Wider) -> None:
        """Open."""
        s.door = 1

    assert run(protocol.build()).states == 6


def test_an_action_that_took_a_components_place_is_kept() -> None:
    base = bar()

    @base.replace("drip")
    def drip(m: Step, s: Bar) -> None:
        """Never."""
        m.require(s.tap.poured == 3, "full")
        s.tap.poured = 0

    model = base.compose("metered", state=MeteredBar).build()
    assert [action.name for action in model.actions] == ["drip", "serve"]
