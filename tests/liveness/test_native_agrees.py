"""Responses over a compiled search and over one in Python: the same lassos, bounds and cuts."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.explore import endless, survey
from fencepost.explore.bfs import run
from fencepost.explore.compiler import find_compiler
from fencepost.explore.native import Native
from fencepost.ir.model import Model
from tests.liveness.examples import every
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


def agrees(model: Model, depth: int | None = None, worth: int = 0) -> None:
    native = Native.of(model, model.properties)
    assert isinstance(native, Native)
    ready = native.ready(wait=True)
    assert ready is not None
    ready.close()  # type: ignore[union-attr]
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
