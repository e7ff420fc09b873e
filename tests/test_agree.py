"""Runs that can all be right, and runs that cannot."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost.agree import check_agreement
from fencepost.errors import InternalError
from fencepost.verdict import Finding, Label, Run, Stop

STEP: Label = ("go", ())


def found(length: int, name: str = "safe") -> tuple[Finding, ...]:
    return (Finding(name, (STEP,) * length),)


def explore(depth: int, *findings: Finding, stop: Stop = Stop.DEPTH) -> Run:
    return Run("explore", stop, depth, findings=findings, states=10, twins={"safe": 2})


def bmc(depth: int, *findings: Finding, **bounds: int) -> Run:
    return Run("bmc", Stop.DEPTH, depth, findings=findings, bounds=bounds)


def walk(*findings: Finding) -> Run:
    return Run("walk", Stop.DEPTH, 0, findings=findings)


@pytest.mark.parametrize(
    "runs",
    [
        (explore(8), bmc(8)),
        (explore(8, *found(6)), bmc(8, *found(6))),
        (explore(8, *found(6)), bmc(5)),
        (explore(8, *found(6)), bmc(8, safe=5)),
        (explore(8, *found(6)), walk()),
        (explore(8, *found(6)), walk(*found(40))),
        (explore(5), walk(*found(6))),
        (explore(5), bmc(6, *found(6))),
        (explore(8), evolve(bmc(8), twins={"safe": 2})),
        (explore(8), evolve(bmc(8), twins={"safe": 3})),
        (explore(1, stop=Stop.TIMEOUT), evolve(bmc(8), twins={"other": 2})),
    ],
    ids=str,
)
def test_runs_that_can_all_be_right(runs: tuple[Run, ...]) -> None:
    check_agreement(runs)
    check_agreement(runs[::-1])


@pytest.mark.parametrize(
    ("runs", "complaint"),
    [
        ((explore(8), bmc(8, *found(8))), "bmc violates safe in 8 steps, but explore found none to depth 8"),
        ((explore(8, *found(6)), bmc(6)), "explore violates safe in 6 steps, but bmc found none to depth 6"),
        ((explore(8, *found(6)), bmc(2, safe=7)), "but bmc found none to depth 7"),
        ((explore(8, *found(6)), bmc(8, *found(7))), "but bmc found none to depth 6"),
        (
            (explore(4, stop=Stop.EXHAUSTED), walk(*found(90))),
            "walk violates safe in 90 steps, but explore found none at",
        ),
        ((explore(8, *found(6)), walk(*found(5))), "walk violates safe in 5 steps, but explore found none to depth 5"),
        ((explore(8), evolve(bmc(8), twins={"safe": 1})), "bmc reaches the twin of safe at depth 1, explore at 2"),
        ((explore(8), evolve(bmc(8), twins={"other": 4})), "bmc reaches the twin of other at depth 4, explore nowhere"),
    ],
)
def test_runs_that_contradict_each_other(runs: tuple[Run, ...], complaint: str) -> None:
    for order in (runs, runs[::-1]):
        with pytest.raises(InternalError) as caught:
            check_agreement(order)
        assert complaint in str(caught.value)


def test_complete_runs_that_count_differently() -> None:
    one = explore(8, stop=Stop.EXHAUSTED)
    with pytest.raises(InternalError, match="explore counts 10 reachable states where again counts 11"):
        check_agreement((one, evolve(one, engine="again", states=11)))
