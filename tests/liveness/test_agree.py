"""The engines against the reference: whether a response can wait for ever, and on which run."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings

from fencepost.ir.model import Model
from tests.liveness.agreement import MOST, checks_like_the_reference, explores_like_the_reference
from tests.liveness.examples import every
from tests.liveness.reference import explored
from tests.liveness.systems import live_models, tangles
from tests.profile import examples

DEPTH = 8


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=examples(200))
@given(tangles())
def test_tangles(model: Model) -> None:
    explores_like_the_reference(model)
    checks_like_the_reference(model, DEPTH)


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=examples(60))
@given(live_models())
def test_random_models(model: Model) -> None:
    found = explored(model, MOST)
    assume(found is not None)
    explores_like_the_reference(model, found)
    checks_like_the_reference(model, DEPTH // 2, found)


@pytest.mark.parametrize("model", every(), ids=lambda model: model.protocol)
def test_examples(model: Model) -> None:
    explores_like_the_reference(model)
    checks_like_the_reference(model, DEPTH)
