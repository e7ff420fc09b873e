"""A model's circuit against the interpreter, on random models: the same outcome of every step."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.aig.agreement import differences
from tests.engines.agreement import reachable
from tests.profile import examples
from tests.strategies import models, states


@settings(suppress_health_check=list(HealthCheck), max_examples=examples(150))
@given(st.data(), models())
def test_every_step_and_property_agrees(data: st.DataObject, model) -> None:  # type: ignore[no-untyped-def]
    tried = [*reachable(model, 6), *(data.draw(states(model)) for _ in range(4))]
    assert list(differences(model, tried)) == []
