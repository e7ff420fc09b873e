"""What is claimed of responses where time or memory is up, or somebody interrupts."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from fencepost.agree import bound, check_agreement
from fencepost.check import conclude
from fencepost.engines import Limits
from fencepost.errors import InternalError
from fencepost.explore import endless, survey
from fencepost.explore.bfs import run
from fencepost.ir.model import Fairness, Model
from fencepost.stateful import walk
from fencepost.verdict import NO_LOOPS, Finding, Run, Stop, Verdict
from tests.liveness.examples import mutex

WEAK, STRONG = mutex(Fairness.WEAK), mutex(Fairness.STRONG)


def verdict(model: Model, found: Run, name: str, depth: int | None = None) -> tuple[Verdict, str]:
    done = conclude(model, Limits(depth, 60.0), (found,))
    decision = next(decision for decision in done.decisions if decision.name == name)
    return decision.verdict, decision.why


def stopping(patch: pytest.MonkeyPatch, after: int, *stops: Stop) -> None:
    """Say at the look of that number, and at the ones after it, why to stop."""
    patch.setattr(survey, "_BATCH", 1)
    told = [*[None] * after, *stops]

    def check(self: Any, level: int, states: int, frontier: int) -> Stop | None:
        return told.pop(0) if told else None

    patch.setattr(endless.Budget, "check", check)


@pytest.mark.parametrize(("stop", "what"), [(Stop.TIMEOUT, "time"), (Stop.MEMORY, "memory")])
def test_what_was_found_before_time_was_up_is_looked_at(monkeypatch: pytest.MonkeyPatch, stop: Stop, what: str) -> None:
    stopping(monkeypatch, 6, stop)
    found = run(STRONG, compile_after=None)
    assert found.stop is Stop.EXHAUSTED
    depth = found.bounds["gets-it"]
    assert 0 < depth < found.depth
    assert verdict(STRONG, found, "gets-it") == (Verdict.NO_VIOLATION, "")
    why = f"explore: no {what} was left to look for runs without an end beyond depth {depth}"
    assert verdict(STRONG, found, "gets-it", depth=9) == (
        Verdict.INCONCLUSIVE,
        f"{why}, no violation to depth {depth}",
    )


def test_a_loop_among_them_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping(monkeypatch, 7, Stop.TIMEOUT)
    found = run(WEAK, compile_after=None)
    assert "gets-it" in found.partial
    assert verdict(WEAK, found, "gets-it")[0] is Verdict.VIOLATED
    assert verdict(WEAK, found, "never-held-for-ever")[0] is Verdict.NO_VIOLATION


def test_without_any_time_left_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    stopping(monkeypatch, 0, *[Stop.TIMEOUT] * 2)
    found = run(STRONG, compile_after=None)
    assert bound(found, "gets-it") == -1
    assert verdict(STRONG, found, "gets-it") == (
        Verdict.INCONCLUSIVE,
        "explore: no time was left to look for runs without an end",
    )


def test_an_interrupt_is_one_and_says_what_was_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(endless, "_anew", interrupt)
    found = run(STRONG, compile_after=None)
    assert found.stop is Stop.INTERRUPTED
    assert verdict(STRONG, found, "gets-it") == (Verdict.INCONCLUSIVE, "explore: interrupted")


def test_a_walk_says_that_it_does_not_look() -> None:
    found = walk.run(STRONG, runs=5, machine_runs=0)
    assert verdict(STRONG, found, "gets-it") == (
        Verdict.INCONCLUSIVE,
        f"walk: {NO_LOOPS}",
    )
    check_agreement((found, run(WEAK, compile_after=None)))


def test_a_lasso_where_another_engine_saw_everything_is_a_contradiction() -> None:
    claims = run(STRONG, compile_after=None)
    finding = Finding("gets-it", (("want", (0,)),), loop=1)
    other = Run("bmc", Stop.DEPTH, 1, findings=(finding,), bounds={"gets-it": 1})
    with pytest.raises(InternalError, match="bmc violates gets-it in 1 steps, but explore found none"):
        check_agreement((claims, other))


def test_a_longer_lasso_of_the_explorer_contradicts_no_shorter_one() -> None:
    longer = run(WEAK, compile_after=None)
    finding = next(finding for finding in longer.findings if finding.name == "gets-it")
    shorter = evolve(finding, path=finding.path[:-1])
    check_agreement((longer, Run("bmc", Stop.DEPTH, 4, findings=(shorter,), bounds={"gets-it": 4})))
