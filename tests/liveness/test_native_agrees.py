"""Responses over a compiled search and over one in Python: the same lassos, bounds and cuts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.check import conclude
from fencepost.engines import Limits
from fencepost.explore import endless, survey
from fencepost.explore.bfs import run
from fencepost.explore.compiler import find_compiler
from fencepost.explore.graph import Survey
from fencepost.explore.native import Native
from fencepost.ir.model import Fairness, Model
from fencepost.verdict import Stop, Verdict
from tests.liveness.examples import every, mutex
from tests.liveness.systems import live_models, tangles
from tests.profile import examples

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")

SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=examples(15))


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of compiled models of this module's own."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("FENCEPOST_CACHE", str(folder))
        yield folder


def compiled_first(model: Model) -> Model:
    """So that a search of it begins in C."""
    native = Native.of(model, model.properties)
    assert isinstance(native, Native)
    ready = native.ready(wait=True)
    assert ready is not None
    ready.close()  # type: ignore[union-attr]
    return model


def agrees(model: Model, depth: int | None = None, worth: int = 0) -> None:
    compiled_first(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(endless, "_anew", None)  # so that it cannot be Python's
        patch.setattr(survey, "_WORTH_C", worth)
        compiled = run(model, depth=depth, compile_after=0.0)
    python = run(model, depth=depth, compile_after=None)
    assert evolve(compiled, seconds=0.0) == evolve(python, seconds=0.0)


@pytest.mark.parametrize("model", every(), ids=lambda model: model.protocol)
def test_examples(model: Model) -> None:
    agrees(model)
    agrees(model, depth=2, worth=1 << 40)


@SLOW
@given(tangles())
def test_tangles(model: Model) -> None:
    agrees(model)


@SLOW
@given(live_models())
def test_random_models(model: Model) -> None:
    agrees(model, depth=5)


# Where time is short.


def with_seconds_left(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """After a first look at half of the states, which takes time however few they are."""
    patch.setattr(endless, "_WORTH_TWO_LOOKS", 0)
    patch.setattr(endless, "_FIRST_SHARE", 0.5)
    patch.setattr(endless.Budget, "left", lambda self: seconds)


def test_a_search_is_looked_at_as_deep_as_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with_seconds_left(monkeypatch, 0.0)
    model = compiled_first(mutex(Fairness.STRONG))
    found = run(model, compile_after=0.0, timeout=60.0)
    assert found.stop is Stop.EXHAUSTED
    depth = found.bounds["gets-it"]
    assert 0 < depth < found.depth
    assert found.partial["gets-it"] == f"no time was left to look for runs without an end beyond depth {depth}"
    [decision] = [each for each in conclude(model, Limits(None, 60.0), (found,)).decisions if each.name == "gets-it"]
    assert (decision.verdict, decision.depth) == (Verdict.NO_VIOLATION, depth)


def test_memory_that_gives_out_in_the_second_look_leaves_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with_seconds_left(monkeypatch, 1e6)
    looks = []

    def survey_of(*arguments: Any) -> Survey:
        looks.append(arguments[1])
        if len(looks) > 1:
            raise MemoryError
        return survey.survey_of(*arguments)

    monkeypatch.setattr(endless, "survey_of", survey_of)
    found = run(compiled_first(mutex(Fairness.STRONG)), compile_after=0.0, timeout=60.0)
    assert looks == [found.bounds["gets-it"], found.depth]
    assert found.partial["gets-it"].startswith("no memory was left")


def test_with_time_enough_the_first_look_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    model = compiled_first(mutex(Fairness.WEAK))
    at_once = run(model, compile_after=0.0)
    with_seconds_left(monkeypatch, 1e6)
    found = run(model, compile_after=0.0, timeout=60.0)
    assert evolve(found, seconds=0.0) == evolve(at_once, seconds=0.0)
    assert found.partial == {}
