"""Responses of systems whose answer a person can see, from the engines to the words of the report."""

from __future__ import annotations

import pytest

from fencepost.check import Check, Outcome, check
from fencepost.engines import Limits
from fencepost.ir.model import Fairness, Model
from fencepost.report import remark
from fencepost.verdict import Verdict
from tests.liveness.examples import corridor, counting, handler, mutex

ENGINES = ["explore"]


def explored(model: Model, depth: int | None = None) -> Check:
    return check(model, "explore", Limits(depth, 30.0))


def verdicts(done: Check) -> dict[str, Verdict]:
    return {decision.name: decision.verdict for decision in done.decisions if decision.name != "obligations"}


@pytest.mark.parametrize("fair", [Fairness.WEAK, Fairness.NONE])
def test_a_lock_that_is_not_strongly_fair_starves_whoever_wants_it(fair: Fairness) -> None:
    assert verdicts(explored(mutex(fair))) == {
        "gets-it": Verdict.VIOLATED,
        "never-held-for-ever": Verdict.EXHAUSTED,
    }


def test_a_weakly_fair_lock_starves_by_a_loop_of_the_other() -> None:
    trace = next(d.trace for d in explored(mutex(Fairness.WEAK)).decisions if d.name == "gets-it")
    assert trace is not None
    assert trace.lasso is not None
    loop = trace.steps[trace.lasso.back :]
    assert sorted(step.call for step in loop) == ["release(thread=1)", "take(thread=1)", "want(thread=1)"]
    assert [starved.call for starved in trace.lasso.starved] == ["take(thread=0)"]
    assert [(b.name, b.value) for b in trace.explanation.bindings] == [("thread", "0")]


def test_nobody_is_owed_a_lock_without_fairness_and_the_run_stops() -> None:
    decision = explored(mutex(Fairness.NONE)).decisions[0]
    assert decision.trace is not None
    assert decision.trace.lasso is not None
    assert (decision.depth, decision.trace.lasso.back) == (1, 1)
    assert decision.why == "1 step, and nothing more happens"


def test_a_strongly_fair_lock_starves_nobody() -> None:
    done = explored(mutex(Fairness.STRONG))
    assert set(verdicts(done).values()) == {Verdict.EXHAUSTED}
    assert done.decisions[0].why.startswith("every fair run in all ")


def test_two_who_step_aside_together_livelock() -> None:
    decision = explored(corridor(gives_way=False)).decisions[0]
    assert decision.trace is not None
    assert (decision.verdict, decision.depth) == (Verdict.VIOLATED, 2)
    assert decision.why == "2 steps, taken for ever, perhaps not the fewest"
    assert decision.trace.ending == "then for ever: steps 1 to 2"


def test_one_who_gives_way_lets_both_pass() -> None:
    assert verdicts(explored(corridor(gives_way=True))) == {"gets-by": Verdict.EXHAUSTED}


def test_a_handler_whose_signal_is_armed_again_queues_itself_for_ever() -> None:
    decision = explored(handler(armed_again=True)).decisions[0]
    assert decision.trace is not None
    assert decision.trace.lasso is not None
    assert decision.verdict is Verdict.VIOLATED
    loop = [step.call for step in decision.trace.steps[decision.trace.lasso.back :]]
    assert set(loop) == {"start()", "finish()", "complete()"}
    assert verdicts(explored(handler(armed_again=False))) == {"handler-ends": Verdict.EXHAUSTED}


def test_what_only_a_bound_stops_is_cut() -> None:
    done = explored(counting(bounded=True, fewer_will_do=True))
    assert verdicts(done) == {"is-answered": Verdict.EXHAUSTED}
    words = remark(done.decisions[0], several=False)
    assert words == (
        "every fair run in all 5 reachable states within the model's bounds, which cut off some that wait, "
        "exercised from depth 1"
    )
    assert verdicts(explored(counting(bounded=False))) == {"is-answered": Verdict.VIOLATED}


def test_a_goal_that_no_state_meets_says_nothing_however_much_is_cut() -> None:
    """Within the bound no answer ever comes, so whoever waits for one is cut off."""
    done = explored(counting(bounded=True))
    assert verdicts(done) == {"is-answered": Verdict.VACUOUS}
    assert done.decisions[0].why == (
        "its goal is met in none of 3 reachable states within the model's bounds, and what waits for it is cut off"
    )
    assert done.outcome() is Outcome.VACUOUS
    shallow = explored(counting(bounded=True), depth=1)
    assert verdicts(shallow) == {"is-answered": Verdict.NO_VIOLATION}


def test_within_a_depth_a_loop_is_found_and_its_absence_claims_that_depth() -> None:
    assert verdicts(explored(mutex(Fairness.WEAK), depth=1))["gets-it"] is Verdict.NO_VIOLATION
    done = explored(mutex(Fairness.WEAK), depth=3)
    assert verdicts(done) == {"gets-it": Verdict.VIOLATED, "never-held-for-ever": Verdict.NO_VIOLATION}
