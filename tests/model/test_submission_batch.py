"""Facts about submission batches: what unbounds them, how soon, and what each property is broken by."""

from __future__ import annotations

import pytest

from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Run, Stop


def built(
    variant: str | None = None,
    features: list[str] | None = None,
    without: tuple[str, ...] = (),
    protocol: str = "submission-batch",
    **sizes: int,
) -> Model:
    return find(protocol).build(variant=variant, sizes=sizes, features=features, without=without)


def lengths(outcome: Run) -> dict[str, int]:
    return {finding.name: len(finding.path) for finding in outcome.findings}


def taken(model: Model, outcome: Run, name: str) -> list[str]:
    """The actions along the run to a violation, replayed by the interpreter."""
    interpreter = Interpreter(model)
    state, actions = interpreter.initial(), []
    [path] = [finding.path for finding in outcome.findings if finding.name == name]
    for action, args in path:
        step = interpreter.fire(state, model.action(action), args)
        assert isinstance(step, Stepped)
        state = step.state
        actions.append(action)
    return actions


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("limit-raised", "live-signals-bounded", 82),
        ("flush-asks-the-command", "live-signals-bounded", 85),
        ("sync-completes-batch", "no-hang", 29),
        ("swap-despite-fallback", "live-signals-bounded", 46),
        ("wrong-interrupt-type", "live-signals-bounded", 66),
        ("batch-before-parked", "parked-signals-come-back", 40),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("submission-batch").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize(
    "features", [["event-sync", "retiring"], ["stream-sync", "retiring"], ["host-fallback", "retiring"], []]
)
def test_merged_breaks_nothing(features: list[str]) -> None:
    outcome = run(built(features=features, slots=1))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}
    assert "live-signals-bounded" in outcome.twins


def test_no_signal_is_made_for_want_of_handles() -> None:
    """The bound is not met by a lack of handles: all signals that are ever asked for can be made."""
    assert (
        run(built(features=["retiring"], slots=1, handles=8)).states
        == run(built(features=["retiring"], slots=1, handles=10)).states
    )


def test_a_handler_that_falls_behind_lets_the_signals_grow() -> None:
    model = built(features=["retiring"], slots=1, batches=2)
    outcome = run(model, depth=78, properties=["live-signals-bounded"])
    assert lengths(outcome) == {"live-signals-bounded": 78}
    actions = taken(model, outcome, "live-signals-bounded")
    assert actions.count("publish_marker") == 2
    assert "handler_fires" not in actions


def test_a_batch_that_waits_for_the_one_before_is_bounded_again() -> None:
    outcome = run(built("repaired"))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_a_batch_that_is_completed_by_the_caller_makes_it_wait_for_a_kernel() -> None:
    """Without that a thread that waits for events takes no lock, and so lets a spinning kernel go."""
    model = built("sync-completes-batch")
    actions = taken(model, run(model, depth=29, properties=["no-hang"]), "no-hang")
    assert {"find_busy", "event_wait_returns"} <= set(actions)
    assert not {"take_batch", "set_flag"} & set(actions)
    assert (
        lengths(run(built(features=["event-sync", "host-kernel", "retiring"], slots=3, events=2, handles=6), depth=40))
        == {}
    )


def test_a_fallen_back_batch_is_asked_for_over_and_over_if_signals_are_swapped() -> None:
    outcome = run(built("swap-despite-fallback"), depth=50)
    assert lengths(outcome)["fallen-back-batch-not-asked-for-again"] < lengths(outcome)["live-signals-bounded"]


COMPLETE, UNSHARED = "find_complete:complete", "rearm:unshared"
TAKEN, FIRED = "take_slot:its last use is complete", "handler_fires:complete"


@pytest.mark.parametrize(
    ("features", "guards", "broken"),
    [
        (["retiring"], (UNSHARED,), "held-signal-not-rearmed"),
        (["retiring"], (COMPLETE, UNSHARED), "completion-decrements-its-own-use"),
        ([], (TAKEN, FIRED), "no-handle-destroyed-while-owed"),
    ],
)
def test_each_other_property_is_broken_without_guards(
    features: list[str], guards: tuple[str, ...], broken: str
) -> None:
    outcome = run(built(features=features, without=guards), depth=40, properties=[broken])
    assert broken in lengths(outcome)


# The retiring tracker under batches.


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("batch-before-parked", "parked-signals-come-back", 32),
        ("command-holds-no-signal", "held-signal-not-rearmed", 14),
        ("pins-never-released", "drained-queue-has-no-pins", 24),
        ("marker-without-handler", "open-batch-goes-on", 14),
    ],
)
def test_each_variant_of_the_tracker_under_batches_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant, protocol="retiring-submission-batch"), depth=length, properties=[broken])
    assert lengths(outcome) == {broken: length}


@pytest.mark.deep
def test_a_raised_limit_makes_the_tracker_park_more_than_there_should_be() -> None:
    model = built("limit-raised", protocol="retiring-submission-batch")
    outcome = run(model, depth=68, properties=["live-signals-bounded"])
    assert lengths(outcome) == {"live-signals-bounded": 68}
    actions = taken(model, outcome, "live-signals-bounded")
    assert actions.count("allocate_spares") == 4
    assert "reuse_parked" not in actions


def test_a_command_that_holds_no_signal_is_seen_by_neither_system_alone() -> None:
    """The tracker arms only what it takes for unshared, and the batch alone has no say in what is armed."""
    model = built("command-holds-no-signal", protocol="retiring-submission-batch")
    outcome = run(model, depth=60)
    assert set(lengths(outcome)) == {"held-signal-not-rearmed"}
    assert taken(model, outcome, "held-signal-not-rearmed")[-1] == "rearm"
