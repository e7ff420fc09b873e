"""Facts about the CPU wait of a small batch: what breaks it, how soon, and what prevents what does not."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost.explore.bfs import run
from fencepost.ir.model import Fairness, Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import calls, lengths


def built(
    variant: str | None = None, features: list[str] | None = None, without: tuple[str, ...] = (), **sizes: int
) -> Model:
    return find("cpu-wait").build(variant=variant, sizes=sizes, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("wait-holding-execution", "no-hang", 11),
        ("second-wait", "no-wait-holding-execution", 14),
        ("reset-though-newer", "reset-only-when-drained", 18),
        ("newer-looked-at-early", "reset-only-when-drained", 18),
        ("error-ignored", "times-only-of-complete-signals", 14),
        ("error-leaves-batch", "no-hang", 26),
        ("signal-not-held", "held-signal-not-rearmed", 47),
        ("batch-not-private", "completed-once", 27),
        ("skips-another-threads-marker", "synchronized-means-complete", 16),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("cpu-wait").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize("features", [[], ["early-arguments", "host-kernel"], ["errors"]])
def test_merged_breaks_nothing_but_what_is_written_up(features: list[str]) -> None:
    outcome = run(built(features=features, handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == ({"reset-only-when-drained"} if "early-arguments" in features else set())


def test_merged_meets_every_situation() -> None:
    model = built(features=["errors"], handles=2)
    assert set(run(model).twins) == {prop.name for prop in model.properties}


def test_the_deadlock_before_the_fix() -> None:
    model = built("wait-holding-execution")
    actions = calls(model, run(model, depth=11, properties=["no-hang"]), "no-hang")
    assert actions[-1] == "attach 0"
    assert "set_flag" not in actions


def test_a_second_wait_under_the_lock_gives_up_too_and_so_hangs_nobody() -> None:
    outcome = run(built("second-wait", handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert "no-hang" not in lengths(outcome)
    assert "times-only-of-complete-signals" in lengths(outcome)


def test_loading_the_signal_again_is_as_good_as_asking_for_the_error() -> None:
    outcome = run(built("signal-reloaded", handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_a_batch_that_is_not_private_is_completed_early_twice_and_in_part() -> None:
    outcome = run(built("batch-not-private"), depth=30)
    assert lengths(outcome) == {
        "completed-after-its-work": 19,
        "completed-once": 27,
        "every-wait-returns": 30,
        "no-hang": 30,
    }


def test_a_wait_under_execution_keeps_the_lock_for_ever() -> None:
    outcome = run(built("wait-holding-execution"), properties=["execution-is-released", "every-wait-returns"])
    assert lengths(outcome) == {"execution-is-released": 11, "every-wait-returns": 11}


def test_a_batch_left_behind_leaves_a_wait_that_never_returns() -> None:
    outcome = run(built("error-leaves-batch"), properties=["execution-is-released", "every-wait-returns"])
    assert lengths(outcome) == {"every-wait-returns": 26}


def test_a_signal_armed_again_and_again_starves_whoever_waits_for_its_first_use() -> None:
    outcome = run(built("signal-not-held"), properties=["every-wait-returns", "no-hang"])
    (finding,) = outcome.findings
    assert (finding.name, len(finding.path), finding.loop) == ("every-wait-returns", 95, 53)
    assert ("arm", (1,)) in finding.path[finding.loop :]


def test_one_synchronization_starves_another_unless_the_lock_is_strongly_fair() -> None:
    model = built(features=[], handles=2, commands=2)
    assert lengths(run(model, properties=["every-wait-returns"])) == {}
    unfair = evolve(model, actions=tuple(evolve(each, fair=weak(each.fair)) for each in model.actions))
    (finding,) = run(unfair, properties=["every-wait-returns"]).findings
    assert finding.loop is not None
    loop = finding.path[finding.loop :]
    assert {args for name, args in loop if name == "enqueue"} in ({(0,)}, {(1,)})


def weak(fair: Fairness) -> Fairness:
    return Fairness.WEAK if fair is Fairness.STRONG else fair


def test_a_launch_on_the_null_stream_waits_for_a_lock_that_is_held_during_the_wait() -> None:
    model = built(features=["host-kernel", "null-stream"])
    outcome = run(model, depth=19, properties=["no-hang"])
    assert lengths(outcome) == {"no-hang": 19}
    actions = calls(model, outcome, "no-hang")
    assert actions.index("name_last") < actions.index("notify_queue 1")
    assert "notify_last" not in actions


@pytest.mark.parametrize("features", [["host-kernel", "null-stream"], ["early-arguments"]])
def test_repaired_holds_in_every_state(features: list[str]) -> None:
    outcome = run(built("repaired", features, handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_the_code_before_the_fix_resets_under_unlaunched_arguments_too() -> None:
    model = built("wait-holding-execution", ["early-arguments"])
    assert lengths(run(model, depth=19, properties=["reset-only-when-drained"])) == {"reset-only-when-drained": 19}
