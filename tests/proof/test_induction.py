"""Engine `induction`: against a search of every state, on random models; lemmas that help, are weak, or are wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter
from fencepost.explore.bfs import run as explore
from fencepost.ir.expr import Add, Not, Read
from fencepost.ir.model import Model
from fencepost.ir.stmt import Assign
from fencepost.proof import induction
from fencepost.proof.induction import run
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import OBLIGATIONS, Stop
from tests.explore.test_bfs_agrees import ALWAYS, shows
from tests.profile import as_drawn, examples
from tests.smt.tiny import action, below, counter, equals, model, number, prop
from tests.strategies import models


def compare(model: Model, depth: int = 3) -> None:
    """What induction proves a search proves, and what it finds a search finds in as many steps."""
    model = evolve(model, properties=(*model.properties, ALWAYS))
    found, seen = run(model, depth=depth, timeout=None), explore(model, depth=None, timeout=None)
    assert seen.stop is Stop.EXHAUSTED
    lengths = {finding.name: len(finding.path) for finding in seen.findings}
    for finding in found.findings:
        assert shows(Interpreter(model), finding)
        assert finding.name.startswith(("range:", "dead:")) or len(finding.path) == lengths[finding.name]
    for name, steps in found.twins.items():
        assert seen.twins[name] == steps
    proves = () if found.proof is None else found.proof.proves
    for name, steps in lengths.items():
        assert name not in proves, "induction differs on what it proves"
        assert steps > found.depth or name in found.names, "induction differs on what is violated"
        assert OBLIGATIONS not in proves or not name.startswith(("range:", "dead:")), "induction differs on obligations"


@settings(deadline=None, max_examples=examples(30), suppress_health_check=list(HealthCheck))
@given(models(), st.booleans())
def test_induction_and_a_search_agree(model: Model, some_are_lemmas: bool) -> None:
    if some_are_lemmas:
        model = evolve(model, properties=model.properties[1:], lemmas=model.properties[:1])
    compare(model)


Plant = Callable[[pytest.MonkeyPatch], None]


def initial_runs_forgotten(patch: pytest.MonkeyPatch) -> None:
    def forgetful(self, length: int) -> None:  # type: ignore[no-untyped-def]
        self.base = length

    patch.setattr(induction._Search, "_look_for_violations", forgetful)


def steps_from_the_start_alone(patch: pytest.MonkeyPatch) -> None:
    begin = Unrolling.__init__

    def from_the_start(self, system, solver, *, anywhere=False) -> None:  # type: ignore[no-untyped-def]
        begin(self, system, solver)

    patch.setattr(Unrolling, "__init__", from_the_start)


def what_failed_is_assumed(patch: pytest.MonkeyPatch) -> None:
    failed = induction._Search._failed

    def all_of_them(self, k: int, candidates: list[str]) -> set[str]:  # type: ignore[no-untyped-def]
        failed(self, k, candidates)
        self.proved |= dict.fromkeys(candidates, k)
        return set(candidates)

    patch.setattr(induction._Search, "_failed", all_of_them)


FAULTS = [initial_runs_forgotten, steps_from_the_start_alone, what_failed_is_assumed]


@pytest.mark.parametrize(
    "plant",
    FAULTS,
    ids=lambda plant: plant.__name__,
)
def test_random_models_see_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises((AssertionError, InternalError)):
        _agree()


@as_drawn(300)
@given(models())
def _agree(model: Model) -> None:
    compare(model)


X = counter(7).vars[0]
BY_TWO = model(
    [X],
    [action("step", [Assign(X, (), Add(Read(X), number(2)), 1)], below(Read(X), number(6)))],
    prop("never-seven", Not(equals(Read(X), number(7)))),
)
"""From 0 by twos to 6: 5 leads to 7, 3 to 5 and 1 to 3, but no run comes to any of them."""


def test_more_steps_prove_what_one_does_not() -> None:
    found = {k: run(BY_TWO, depth=k - 1, timeout=None) for k in (1, 3, 4)}
    for k, states in ((1, {5}), (3, {1})):
        proof = found[k].proof
        assert proof is None or "never-seven" not in proof.proves
        [gap] = [gap for gap in found[k].gaps if gap.name == "never-seven"]
        assert gap.state[0][0] in states
        assert len(gap.path) == k
    proof = found[4].proof
    assert proof is not None
    assert "never-seven" in proof.proves
    assert proof.argument == "4-induction"


def test_a_limit_ends_it_with_what_is_known() -> None:
    found = run(BY_TWO, depth=1, timeout=None)
    assert (found.stop, found.depth) == (Stop.DEPTH, 1)
