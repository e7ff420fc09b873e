"""Fields that have to be given back: somewhere, by some action, unless a variant wants to forget it."""

from __future__ import annotations

import pytest

from fencepost import Protocol, Record, Step, Variant, maybe, part, table
from fencepost.errors import ModelError
from tests.lang.systems import HAND, Handle, Queue, protocol


class Held(Record):
    owner = maybe(Handle, given_back="set it to None")
    heir = maybe(Handle)


class State(Record):
    held = table(Queue, Held)
    other = part(Held)


def take(m: Step, s: State, queue: Queue, handle: Handle) -> None:
    s.held[queue].owner = handle


def give_back(m: Step, s: State, queue: Queue) -> None:
    s.held[queue].owner = None


def clear(m: Step, s: State, queue: Queue) -> None:
    m.clear(s.held[queue])


def pass_on(m: Step, s: State, queue: Queue) -> None:
    s.held[queue].owner = s.held[queue].heir


def give_another_back(m: Step, s: State) -> None:
    s.other.owner = None


@pytest.mark.parametrize("giving", [give_back, clear, pass_on], ids=lambda value: value.__name__)
def test_an_action_that_may_set_it_to_none_gives_it_back(giving: object) -> None:
    assert len(protocol(State, take, giving).build().actions) == 2  # type: ignore[arg-type]


def test_what_is_never_taken_need_not_be_given_back() -> None:
    assert protocol(State, give_another_back).build().actions


def test_another_field_of_the_same_record_does_not_count() -> None:
    with pytest.raises(
        ModelError, match=r"test_given_back\.py:\d+: held\[\]\.owner is taken, and no action gives it back"
    ):
        protocol(State, take, give_another_back).build()


def test_a_variant_may_forget_it() -> None:
    made = Protocol("forgetful", state=State, sizes=protocol(State).sizes, variants=[Variant("leaky", "forgets it")])
    made.action(by=HAND, src="f()")(take)

    @made.action(by=HAND, src="f()")
    def leave(m: Step, s: State, queue: Queue) -> None:
        m.require(s.held[queue].owner.is_some, "taken")
        if not m.variant("leaky"):
            s.held[queue].owner = None

    assert made.build().variant is None
    assert made.build(variant="leaky").variant == "leaky"
