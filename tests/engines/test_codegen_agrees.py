"""Generated code against the interpreter, on random models: the same outcome of every step."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engines.agreement import check_differences, reachable, step_differences
from tests.profile import examples
from tests.strategies import models, states

ALL_CHECKS = settings(max_examples=examples(1000), suppress_health_check=list(HealthCheck))


@ALL_CHECKS
@given(st.data(), models())
def test_every_step_and_property_agrees(data: st.DataObject, model) -> None:  # type: ignore[no-untyped-def]
    tried = [*reachable(model, 10), *(data.draw(states(model)) for _ in range(4))]
    assert list(step_differences(model, tried)) == []
    assert list(check_differences(model, tried)) == []
