"""Facts about the async handler: what breaks it, how soon, and what prevents what does not."""

from __future__ import annotations

import pytest

from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Stop
from tests.model.facts import lengths, milestones, taken


def built(
    variant: str | None = None, features: list[str] | None = None, without: tuple[str, ...] = (), **sizes: int
) -> Model:
    return find("async-handler").build(variant=variant, sizes=sizes, features=features, without=without)


@pytest.mark.parametrize(
    ("variant", "broken", "length"),
    [
        ("signal-not-held", "signal-kept-for-its-handler", 25),
        ("callback-held-by-nobody", "callback-lets-its-own-queue-go", 28),
        ("dropped-outside-the-scope", "handler-destroys-nothing", 23),
        ("gpu-dropped-first", "handler-destroys-nothing", 24),
        ("release-waits-for-execution", "handler-waits-for-no-execution", 15),
        ("references-not-rolled-back", "handler-count-is-exact", 6),
        ("dropped-not-parked", "handler-destroys-nothing", 40),
        ("only-queue-deferred", "handler-destroys-nothing", 24),
        ("gpu-not-held", "virtual-gpu-outlives-its-handlers", 15),
        ("subtracted-last", "signal-kept-for-its-handler", 27),
        ("armed-before-timing", "no-hang", 27),
    ],
)
def test_each_variant_breaks_its_property(variant: str, broken: str, length: int) -> None:
    outcome = run(built(variant), depth=length, properties=[broken])
    assert find("async-handler").protocol.variant(variant).breaks == broken
    assert lengths(outcome) == {broken: length}


@pytest.mark.parametrize(
    "features",
    [
        ["callbacks", "teardown"],
        ["callbacks", "teardown", "timing"],
        ["forced-teardown", "pooled-queue", "teardown"],
        ["device-batch", "teardown"],
    ],
)
def test_merged_breaks_nothing_but_what_is_written_up(features: list[str]) -> None:
    outcome = run(built(features=features, handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_merged_meets_every_situation() -> None:
    model = built(features=["callbacks", "pooled-queue", "teardown"], handles=2)
    assert set(run(model).twins) == {prop.name for prop in model.properties}


def test_a_queue_destroyed_on_the_handler_thread_waits_for_that_thread() -> None:
    model = built("dropped-outside-the-scope")
    outcome = run(model, depth=23, properties=["no-hang"])
    assert taken(model, outcome, "no-hang")[-2:] == ["handler_drains", "handler_destroys_queue"]


def test_a_handler_that_waits_for_execution_waits_for_who_waits_for_it() -> None:
    model = built("release-waits-for-execution")
    outcome = run(model, depth=21, properties=["no-hang"])
    actions = taken(model, outcome, "no-hang")
    assert "subtract" not in actions
    assert "get_execution" not in actions


def test_dropping_the_gpu_first_harms_only_where_no_queue_is_destroyed() -> None:
    """A queue's destruction waits for the handler thread, and so for the handler to drop the signal."""
    outcome = run(built("gpu-dropped-first", ["teardown"]))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


def test_the_second_marker_of_a_callback_keeps_its_signal_too() -> None:
    outcome = run(built("signal-not-held"))
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == {"signal-kept-for-its-handler"}


def test_a_handler_that_registers_itself_anew_is_a_livelock_and_nothing_else() -> None:
    model = built("requeue-for-ever")
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == {"blocked-queue-is-released", "call-returns", "registered-handler-runs"}
    assert taken(model, outcome, "blocked-queue-is-released")[-3:] == ["begin_pass", "start_handler", "register_again"]


@pytest.mark.parametrize(
    ("features", "expected"), [(["failures", "teardown"], "await_completion"), (["callbacks", "failures"], "subtract")]
)
def test_a_batch_whose_registration_failed_is_never_completed(features: list[str], expected: str) -> None:
    model = built(features=features, handles=2)
    outcome = run(model, depth=14, properties=["no-hang"])
    assert "the registration fails" in milestones(model, outcome, "no-hang")
    assert expected not in taken(model, outcome, "no-hang")


def test_references_are_given_back_after_a_failure() -> None:
    outcome = run(built(features=["failures", "teardown"], handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == {"no-hang", "call-returns"}


def test_rocr_may_be_the_last_to_hold_a_signal() -> None:
    model = built(features=["device-batch", "pooled-queue", "teardown"], handles=2)
    outcome = run(model)
    assert outcome.stop is Stop.EXHAUSTED
    assert set(lengths(outcome)) == {"arena-unmapped-by-others"}
    assert taken(model, outcome, "arena-unmapped-by-others")[-1] == "return_false"


def test_repaired_holds_in_every_state() -> None:
    outcome = run(built("repaired", handles=2))
    assert outcome.stop is Stop.EXHAUSTED
    assert lengths(outcome) == {}


SUBMITS = ["call_marker", "acquire_slot", "begin_handled_use", "take_references", "register", "publish"]
HANDLER = ["end_times", "complete_marker", "release_marker", "release_hw_queue", "subtract", "take_off_count"]
DROPS = ["drop_signal", "drop_gpu", "return_false"]


def test_what_is_registered_during_a_pass_is_called_in_the_next_one() -> None:
    model = built(features=[], handles=2)
    interpreter = Interpreter(model)
    state = interpreter.initial()

    def take(*actions: str) -> None:
        nonlocal state
        for name in actions:
            action = model.action(name)
            step = interpreter.fire(state, action, tuple(0 for _ in action.params))
            assert isinstance(step, Stepped), name
            state = step.state

    def refuses(place: int) -> bool:
        return not isinstance(interpreter.fire(state, model.action("start_handler"), (place,)), Stepped)

    take(*SUBMITS, "launch", "complete", "begin_pass")
    take(*SUBMITS, "launch", "complete")
    assert refuses(1)
    take("start_handler", *HANDLER, *DROPS)
    assert refuses(1)
    take("begin_pass")
    assert not refuses(1)
