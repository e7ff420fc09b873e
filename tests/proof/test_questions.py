"""The questions about an invariant against a look at every state, on random models; and faults in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from fencepost.ir.model import Model
from fencepost.proof import questions, symbolic
from fencepost.proof.clause import Bit, Clause, Vocabulary
from fencepost.proof.questions import ask, bounded_actions
from fencepost.proof.solvers import CHECKERS
from fencepost.smt.bits import Bit as Condition
from fencepost.verdict import OBLIGATIONS
from tests.foreign import lacking
from tests.profile import as_drawn, examples
from tests.proof.agreement import failed, refuted
from tests.strategies import models


@st.composite
def invariants(draw: st.DrawFn, model: Model) -> tuple[Clause, ...]:
    """A few clauses, some of them true of the initial state."""
    words = Vocabulary.of(model)
    packed = [value - var.sort.lo for var in model.vars for value in var.init]
    places = [(at, bit) for at, (_, sort) in enumerate(words.elements) for bit in range(sort.width)]
    made: list[Clause] = []
    for _ in range(draw(st.integers(0, 3)) if places else 0):
        chosen = draw(st.lists(st.sampled_from(places), min_size=1, max_size=3, unique=True))
        bits = [Bit(at, bit, draw(st.booleans())) for at, bit in chosen[1:]]
        at, bit = chosen[0]
        clause = words.clause([Bit(at, bit, bool(packed[at] >> bit & 1) ^ (draw(st.integers(0, 9)) == 0)), *bits])
        if clause is not None:
            made.append(clause)
    return tuple(made)


def agree(model: Model, invariant: tuple[Clause, ...], proves: list[str], solver: str) -> None:
    asked = ask(model, invariant, proves, bounded_actions(model))
    found, expected = failed(asked, solver), refuted(model, invariant, proves)
    assert (found in expected) if expected else found is None, "the questions say otherwise"


@settings(deadline=None, max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(st.data(), models(), st.sampled_from(sorted(CHECKERS)))
def test_solvers_refuse_what_the_interpreter_refutes(data: st.DataObject, model: Model, solver: str) -> None:
    if reason := CHECKERS[solver].missing():
        lacking(reason)
    assume(small(model))
    proves = [prop.name for prop in model.properties] + [OBLIGATIONS] * data.draw(st.booleans())
    agree(model, data.draw(invariants(model)), proves, solver)


def small(model: Model) -> bool:
    """Few enough states to look at each."""
    count = 1
    for var in model.vars:
        count *= var.sort.size**var.count
    return count <= 150


Plant = Callable[[pytest.MonkeyPatch], None]


def steps_change_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(symbolic, "after", lambda system, instance: symbolic.before(system))


def obligations_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(questions, "disj", lambda bits: False)


def initial_state_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        questions, "_initiation", lambda system, assumed: questions.Question(questions.Part.INITIATION, False)
    )


def others_as_the_value(patch: pytest.MonkeyPatch) -> None:
    literal = symbolic._literal

    def first_value_only(one, value) -> Condition:  # type: ignore[no-untyped-def]
        return literal(evolve(one, values=one.values[:1]) if hasattr(one, "values") else one, value)

    patch.setattr(symbolic, "_literal", first_value_only)


def sets_upside_down(patch: pytest.MonkeyPatch) -> None:
    literal = symbolic._literal

    def turned(one, value) -> Condition:  # type: ignore[no-untyped-def]
        return literal(evolve(one, present=not one.present) if hasattr(one, "present") else one, value)

    patch.setattr(symbolic, "_literal", turned)


FAULTS = [
    steps_change_nothing,
    obligations_forgotten,
    others_as_the_value,
    *(pytest.param(plant, marks=pytest.mark.deep) for plant in (initial_state_forgotten, sets_upside_down)),
]


@pytest.mark.parametrize(
    "plant",
    FAULTS,
    ids=lambda plant: plant.__name__,
)
def test_random_models_see_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := CHECKERS["bitwuzla"].missing():
        lacking(reason)
    plant(monkeypatch)
    with pytest.raises(AssertionError, match="say otherwise"):
        _agree()


@as_drawn(300)
@given(st.data(), models())
def _agree(data: st.DataObject, model: Model) -> None:
    assume(small(model))
    proves = [*(prop.name for prop in model.properties), OBLIGATIONS]
    agree(model, data.draw(invariants(model)), proves, "bitwuzla")
