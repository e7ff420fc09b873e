"""From runs to verdicts and outcomes."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from fencepost.check import Check, Decision, Known, Outcome, Reached, conclude
from fencepost.engines import Limits
from fencepost.errors import InternalError
from fencepost.registry import find
from fencepost.report import remark
from fencepost.verdict import OBLIGATIONS, ActionCount, Finding, Label, Run, Stop, Verdict

COUNTER = str(Path(__file__).parent / "cli" / "protocols" / "counter.py")
PUSH: Label = ("push", ())
TWINS = {"whole": 2, "no-hang": 1}


def concluded(
    *runs: Run, depth: int | None = None, variant: str | None = None, known: dict[str, Known] | None = None
) -> Check:
    model = find(COUNTER).build(variant=variant)
    return conclude(model, Limits(depth, 60.0), runs, known=known)


def decision(check: Check, name: str) -> Decision:
    return next(decision for decision in check.decisions if decision.name == name)


def explore(stop: Stop, depth: int, *findings: Finding, twins: dict[str, int] | None = None) -> Run:
    return Run("explore", stop, depth, findings=findings, states=4, twins=TWINS if twins is None else twins)


def bmc(stop: Stop, depth: int, **bounds: int) -> Run:
    return Run("bmc", stop, depth, bounds=bounds)


def test_complete_and_exercised_is_exhausted() -> None:
    check = concluded(explore(Stop.EXHAUSTED, 3))
    assert [(d.name, d.verdict, d.why) for d in check.decisions] == [
        ("whole", Verdict.EXHAUSTED, "all 4 reachable states"),
        ("no-hang", Verdict.EXHAUSTED, "all 4 reachable states"),
        (OBLIGATIONS, Verdict.EXHAUSTED, "ranges, indices and live fields in all 4 reachable states"),
    ]
    assert check.outcome() is Outcome.HOLDS


@pytest.mark.parametrize(
    ("held_back", "words"), [(0, ""), (1, " within the model's bounds"), (None, " within the model's bounds")]
)
def test_bounds_are_named_only_where_one_was_in_the_way(held_back: int | None, words: str) -> None:
    run = evolve(explore(Stop.EXHAUSTED, 3), held_back=held_back)
    assert decision(concluded(run, variant="walled"), "whole").why == f"all 4 reachable states{words}"
    free = decision(concluded(evolve(run, held_back=None)), "whole")
    assert free.why == "all 4 reachable states", "a model without bounds"


def test_complete_but_never_exercised_is_vacuous() -> None:
    check = concluded(explore(Stop.EXHAUSTED, 3, twins={"no-hang": 1}))
    assert decision(check, "whole").verdict is Verdict.VACUOUS
    assert decision(check, "no-hang").verdict is Verdict.EXHAUSTED
    assert check.outcome() is Outcome.VACUOUS


def test_bounded_and_never_exercised_says_so() -> None:
    run = explore(Stop.DEPTH, 2, twins={})
    check = concluded(run, depth=2, known={"whole": Known(twin=7), "no-hang": Known(twin=1)})
    whole = decision(check, "whole")
    assert (whole.verdict, whole.depth, whole.exercised_at) == (Verdict.NO_VIOLATION, 2, 7)
    assert whole.why == "not exercised (first exercised at depth 7)"
    assert decision(check, "no-hang").why == "not exercised"
    assert check.outcome() is Outcome.HOLDS


def test_a_walk_does_not_say_from_which_depth_a_property_is_exercised() -> None:
    walk = Run("walk", Stop.SAMPLED, 0, twins={"whole": 9, "no-hang": 1})
    alone = decision(concluded(walk, depth=2), "whole")
    assert (alone.reached, alone.twin) == (Reached(9, least=False), None)
    assert remark(alone, several=False).endswith(", exercised within 9 steps")
    beside = concluded(explore(Stop.DEPTH, 3), walk, depth=3)
    assert decision(beside, "whole").twin == 2
    assert remark(decision(beside, "whole"), several=False) == "exercised from depth 2"
    beyond = concluded(explore(Stop.DEPTH, 1, twins={"no-hang": 1}), walk, depth=1)
    assert decision(beyond, "whole").why == ""
    assert remark(decision(beyond, "whole"), several=False) == "exercised within 9 steps"


def test_the_deepest_bound_counts() -> None:
    check = concluded(explore(Stop.TIMEOUT, 5), bmc(Stop.TIMEOUT, 6, whole=12), depth=12)
    whole, hang = decision(check, "whole"), decision(check, "no-hang")
    assert (whole.verdict, whole.depth, whole.engines) == (Verdict.NO_VIOLATION, 12, ("bmc",))
    assert (hang.verdict, hang.depth) == (Verdict.INCONCLUSIVE, 6)
    assert hang.why == (
        "explore: time limit of 60 s, no violation to depth 5; bmc: time limit of 60 s, no violation to depth 6"
    )
    assert check.outcome() is Outcome.INCONCLUSIVE


def test_a_time_limit_is_an_end_only_where_no_depth_was_asked_for() -> None:
    assert decision(concluded(explore(Stop.TIMEOUT, 5)), "whole").verdict is Verdict.NO_VIOLATION
    assert decision(concluded(explore(Stop.TIMEOUT, 5), depth=5), "whole").verdict is Verdict.NO_VIOLATION
    assert decision(concluded(explore(Stop.TIMEOUT, 5), depth=6), "whole").verdict is Verdict.INCONCLUSIVE
    assert decision(concluded(explore(Stop.TIMEOUT, 0)), "whole").verdict is Verdict.INCONCLUSIVE
    assert decision(concluded(explore(Stop.DEPTH, 0), depth=0), "whole").verdict is Verdict.NO_VIOLATION
    assert decision(concluded(bmc(Stop.TIMEOUT, -1), depth=0), "whole").verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("run", "why"),
    [
        (Run("bmc", Stop.MISSING, 0, reason="z3 is not installed"), "bmc: missing, z3 is not installed"),
        (Run("walk", Stop.DEPTH, 0, reason="1,000 steps"), "walk: 1,000 steps"),
        (Run("explore", Stop.MEMORY, 4), "explore: memory limit, no violation to depth 4"),
        (Run("explore", Stop.INTERRUPTED, 4), "explore: interrupted, no violation to depth 4"),
    ],
)
def test_why_it_is_inconclusive(run: Run, why: str) -> None:
    whole = decision(concluded(run, depth=9), "whole")
    assert (whole.verdict, whole.why) == (Verdict.INCONCLUSIVE, why)


def test_a_violation_is_replayed_and_the_shortest_is_shown() -> None:
    short, long = Finding("whole", (PUSH,) * 3), Finding("whole", (PUSH, ("pull", ()), *(PUSH,) * 3))
    check = concluded(
        Run("walk", Stop.DEPTH, 0, findings=(long,)), explore(Stop.EXHAUSTED, 5, short), variant="brittle"
    )
    whole = decision(check, "whole")
    assert (whole.verdict, whole.depth, whole.engines) == (Verdict.VIOLATED, 3, ("explore",))
    assert whole.why == "3 steps"
    assert whole.trace is not None
    assert whole.trace.path == short.path
    assert decision(check, "no-hang").verdict is Verdict.EXHAUSTED
    assert check.outcome() is Outcome.VIOLATED


def test_a_walks_violation_may_not_be_the_shortest() -> None:
    found = Finding("whole", (PUSH,) * 3)
    check = concluded(Run("walk", Stop.DECIDED, 0, findings=(found,)), variant="brittle")
    assert decision(check, "whole").why == "3 steps, perhaps not the fewest"


def test_a_broken_obligation_has_a_row_of_its_own() -> None:
    found = Finding("range:push/value", (PUSH,) * 4)
    check = concluded(explore(Stop.EXHAUSTED, 3, found), variant="eager")
    assert [d.name for d in check.decisions] == ["whole", "no-hang", "range:push/value"]
    assert check.outcome() is Outcome.VIOLATED


def test_where_every_property_is_violated_obligations_are_owed_no_more() -> None:
    findings = (Finding("whole", (PUSH,) * 3), Finding("no-hang", (PUSH,)))
    check = conclude(
        find(COUNTER).build(variant="brittle"),
        Limits(9),
        (explore(Stop.DECIDED, 3, findings[0]),),
        properties=("whole",),
    )
    rest = decision(check, OBLIGATIONS)
    assert (rest.verdict, rest.depth) == (Verdict.NO_VIOLATION, 3)
    assert check.limits.depth == 9


@pytest.mark.parametrize(
    "found",
    [
        Finding("whole", (PUSH,) * 2),
        Finding("whole", (("pull", ()),)),
        Finding("whole", (("shove", ()),)),
        Finding("range:push/value", (PUSH,) * 3),
    ],
)
def test_a_finding_that_does_not_replay_is_an_internal_error(found: Finding) -> None:
    with pytest.raises(InternalError, match=f"explore's finding {found.name} does not replay"):
        concluded(explore(Stop.DEPTH, 9, found), variant="brittle")


def test_actions_are_counted_by_the_run_that_took_the_most_different_ones() -> None:
    one, two = ActionCount(1, 1), ActionCount(9, 9)
    explore = Run("explore", Stop.DEPTH, 3, actions={"push": one, "pull": one})
    walk = Run("walk", Stop.SAMPLED, 0, actions={"push": two, "pull": two})
    model = find(COUNTER).build()
    assert Check(model, Limits(), (explore, walk), ()).actions["push"] == one
    explore = evolve(explore, actions={"push": one})
    counts = Check(model, Limits(), (explore, walk), ()).actions
    assert counts == {"push": two, "pull": two}
    assert Check(model, Limits(), (explore,), ()).actions == {"push": one, "pull": ActionCount(0, 0)}


def test_outcomes_in_the_order_of_the_exit_codes() -> None:
    model = find(COUNTER).build()
    runs = {stop: Run("explore", stop, 3, actions={"push": ActionCount(1, 1)}) for stop in Stop}

    def outcome(stop: Stop, *verdicts: Verdict, cover: bool = False) -> Outcome:
        decisions = tuple(Decision("x", verdict, "") for verdict in verdicts)
        return Check(model, Limits(), (runs[stop],), decisions).outcome(cover=cover)

    fine, bad, open_, empty = Verdict.EXHAUSTED, Verdict.VIOLATED, Verdict.INCONCLUSIVE, Verdict.VACUOUS
    assert outcome(Stop.INTERRUPTED, bad, open_, empty) is Outcome.INTERRUPTED
    assert outcome(Stop.EXHAUSTED, empty, open_, bad, fine) is Outcome.VIOLATED
    assert outcome(Stop.EXHAUSTED, empty, open_, fine) is Outcome.INCONCLUSIVE
    assert outcome(Stop.EXHAUSTED, empty, fine, cover=True) is Outcome.VACUOUS
    assert outcome(Stop.EXHAUSTED, fine, cover=True) is Outcome.UNCOVERED
    assert outcome(Stop.EXHAUSTED, fine) is Outcome.HOLDS
    codes = [outcome.exit_code for outcome in Outcome]
    assert dict(zip([outcome.value for outcome in Outcome], codes, strict=True)) == {
        "holds": 0,
        "violated": 1,
        "inconclusive": 3,
        "vacuous": 4,
        "uncovered": 4,
        "interrupted": 130,
    }


def test_a_twin_that_was_given_up_is_not_one_that_never_happens() -> None:
    run = evolve(bmc(Stop.EXHAUSTED, 3, whole=3, **{"no-hang": 3}), twins={"no-hang": 1})
    assert decision(concluded(run), "whole").verdict is Verdict.VACUOUS
    given_up = evolve(run, twins_given_up=frozenset({"whole"}))
    whole = decision(concluded(given_up), "whole")
    assert (whole.verdict, whole.depth, whole.why) == (Verdict.NO_VIOLATION, 3, "not known whether exercised")
    assert concluded(given_up).outcome() is Outcome.HOLDS
    # Another complete run that did look knows it.
    both = concluded(given_up, explore(Stop.EXHAUSTED, 3, twins={"no-hang": 1}))
    assert decision(both, "whole").verdict is Verdict.VACUOUS


def test_a_bounded_run_that_gave_a_twin_up_does_not_say_that_it_is_not_reached() -> None:
    run = bmc(Stop.DEPTH, 5, whole=5, **{"no-hang": 5})
    given_up = evolve(run, twins_given_up=frozenset({"whole"}))
    assert decision(concluded(run, depth=5), "whole").why == "not exercised"
    assert decision(concluded(given_up, depth=5), "whole").why == "not known whether exercised"
    assert decision(concluded(given_up, run, depth=5), "whole").why == "not exercised"
    later = {"whole": Known(twin=9)}
    assert (
        decision(concluded(given_up, depth=5, known=later), "whole").why == "not exercised (first exercised at depth 9)"
    )
