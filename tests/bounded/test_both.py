"""The bounded check by either solver: against brute force, and on models that show one thing each."""

from __future__ import annotations

from typing import Protocol

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.errors import UsageError
from fencepost.ir.expr import FALSE, TRUE, Const, Not
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL
from fencepost.sat import bmc as by_sat
from fencepost.smt import bmc as by_z3
from fencepost.smt.follow import feasible
from fencepost.verdict import Finding, Run, Stop
from tests.profile import examples
from tests.smt.brute import lengths
from tests.smt.tiny import counter, looping, never, prop
from tests.strategies import models

DEPTH = 4


class Check(Protocol):
    """The bounded check by one of the solvers."""

    def __call__(
        self, model: Model, *, depth: int | None = 10, timeout: float | None = None, **options: object
    ) -> Run: ...


@pytest.fixture(params=[by_sat, by_z3], ids=["sat", "bmc"])
def check(request: pytest.FixtureRequest) -> Check:
    def run(model: Model, *, depth: int | None = 10, timeout: float | None = None, **options: object) -> Run:
        found: Run = request.param.run(model, depth=depth, timeout=timeout, **options)
        return found

    return run


@settings(suppress_health_check=list(HealthCheck), max_examples=examples(80))
@given(model=models())
def test_shortest_lengths_are_those_of_brute_force(check: Check, model: Model) -> None:
    expected = lengths(model, DEPTH)
    # A property that never fails keeps the check going to the full depth, for the obligations' sake.
    lasting = evolve(model, properties=(*model.properties, prop("lasting", TRUE)))
    run = check(lasting, depth=DEPTH)
    assert {f.name: len(f.path) for f in run.findings if f.in_state} == expected.in_state
    assert {f.name: len(f.path) for f in run.findings if not f.in_state} == expected.violated | expected.in_step
    assert {name: depth for name, depth in run.twins.items() if name != "lasting"} == expected.twins
    longest = max(length for length, level in enumerate(expected.levels) if level)
    assert (run.stop, run.depth) == (Stop.DEPTH if longest == DEPTH else Stop.EXHAUSTED, longest)
    for finding in run.findings:
        assert feasible(lasting, finding)


def test_a_violation_is_found_at_its_length_and_not_before(check: Check) -> None:
    run = check(counter(7, never(7, 5)))
    assert run.findings == (Finding("never", (("tick", ()),) * 5),)
    assert (run.stop, run.depth, dict(run.bounds), dict(run.twins)) == (Stop.DECIDED, 5, {"never": 5}, {"never": 4})
    assert check(counter(7, never(7, 5)), depth=4).findings == ()


def test_a_violated_property_does_not_hide_what_lies_beyond_it(check: Check) -> None:
    run = check(counter(7, never(7, 2, "first"), never(7, 6, "second")))
    assert {f.name: len(f.path) for f in run.findings} == {"first": 2, "second": 6}


def test_each_property_has_its_own_bound(check: Check) -> None:
    run = check(looping(prop("false", FALSE), prop("true", TRUE)), depth=3)
    assert dict(run.bounds) == {"false": 0, "true": 3}
    assert (run.stop, run.depth) == (Stop.DEPTH, 3)


def test_only_the_properties_asked_for_are_checked(check: Check) -> None:
    run = check(counter(7, never(7, 2, "first"), never(7, 6, "second")), properties=["second"])
    assert [finding.name for finding in run.findings] == ["second"]
    with pytest.raises(UsageError, match="no property 'third' in tiny; there are first"):
        check(counter(7, never(7, 2, "first")), properties=["third"])


def test_runs_that_all_end_are_exhausted(check: Check) -> None:
    run = check(counter(3, prop("true", TRUE)), depth=None)
    assert (run.stop, run.depth, dict(run.bounds)) == (Stop.EXHAUSTED, 3, {"true": 3})


def test_a_state_without_a_successor_is_still_a_state(check: Check) -> None:
    run = check(counter(3, never(3, 3)))
    assert [len(finding.path) for finding in run.findings] == [3]


def test_a_step_out_of_range_is_a_finding_and_no_step(check: Check) -> None:
    run = check(counter(3, prop("true", TRUE), guarded=False))
    assert run.findings == (Finding("range:tick/x", (("tick", ()),) * 4),)
    assert (run.stop, run.depth) == (Stop.EXHAUSTED, 3)


def test_a_model_without_properties_is_still_searched(check: Check) -> None:
    assert [f.name for f in check(counter(3, guarded=False), depth=4).findings] == ["range:tick/x"]
    assert check(looping(), depth=4).depth == 4


def test_twins_can_be_switched_off(check: Check) -> None:
    assert dict(check(looping(prop("true", TRUE)), depth=2, twins=False).twins) == {}
    assert dict(check(looping(prop("true", TRUE, Not(Const(0, BOOL)))), depth=2).twins) == {"true": 0}


def test_no_time_decides_nothing(check: Check) -> None:
    run = check(looping(prop("true", TRUE)), depth=5, timeout=0)
    assert (run.stop, run.depth, dict(run.bounds)) == (Stop.TIMEOUT, -1, {"true": -1})
    assert "true is decided to depth -1" in run.reason
