"""The lowering to Z3 against the interpreter, on random models: the same outcome of every step."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.agreement import reachable
from tests.profile import examples
from tests.smt.agreement import differences
from tests.strategies import models, states

COMMON = settings(suppress_health_check=list(HealthCheck))


@settings(COMMON, max_examples=examples(1000))
@given(st.data(), models())
def test_every_step_and_property_agrees(data: st.DataObject, model) -> None:  # type: ignore[no-untyped-def]
    tried = [*reachable(model, 8), *(data.draw(states(model)) for _ in range(4))]
    assert list(differences(model, tried)) == []


@settings(COMMON, max_examples=examples(100))
@given(st.data(), models())
def test_what_is_discharged_does_not_break(data: st.DataObject, model) -> None:  # type: ignore[no-untyped-def]
    tried = [*reachable(model, 8), *(data.draw(states(model)) for _ in range(20))]
    assert list(differences(model, tried, discharge=True)) == []
