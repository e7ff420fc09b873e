"""The Hypothesis state machine of a model."""

from __future__ import annotations

import pytest
from hypothesis.stateful import run_state_machine_as_test

from fencepost.errors import InternalError
from fencepost.ir.model import Model
from fencepost.stateful.machine import EnabledStep, ModelMachine, PropertyViolated, machine
from fencepost.stateful.player import Moves, Player
from fencepost.stateful.walk import machine_settings
from fencepost.verdict import Finding
from fencepost_rocm.recycled_handle import protocol
from fencepost_rocm_properties.recycled_handle import properties
from tests.stateful.toys import CLOCK, LEVELS, LOST, STILL, violates


def run(model: Model, runs: int = 20) -> None:
    run_state_machine_as_test(machine(model), settings=machine_settings(runs, 30))


def test_a_protocol_that_holds_passes() -> None:
    run(protocol.build(properties=[properties]), 10)


def test_a_violation_is_raised_with_its_shrunk_run_and_its_statement() -> None:
    with pytest.raises(PropertyViolated, match=r"dark is violated after 1 steps\. dark holds\.") as raised:
        run(Model(CLOCK.protocol, None, (), (), CLOCK.vars, CLOCK.actions, CLOCK.properties[1:]))
    assert raised.value.finding == Finding("dark", (("flip", ()),))


@pytest.mark.parametrize("model", [LEVELS, LOST])
def test_a_broken_obligation_is_a_violation(model: Model) -> None:
    with pytest.raises(PropertyViolated) as raised:
        run(model)
    assert violates(model, raised.value.finding)


def test_a_model_in_which_nothing_happens_idles() -> None:
    run(STILL)


def test_every_violation_is_reported_instead_of_raised_if_asked() -> None:
    found: set[str] = set()
    shape = machine(CLOCK, report=lambda finding: found.add(finding.name))
    run_state_machine_as_test(shape, settings=machine_settings(20, 30))
    assert found == {"dark", "early"}


def test_it_is_a_test_case_for_pytest() -> None:
    shape = machine(CLOCK)
    assert issubclass(shape, ModelMachine)
    assert shape.__name__ == "Clock"
    assert hasattr(shape.TestCase, "runTest")


def test_a_step_is_shown_as_a_call() -> None:
    player = Player.of(LEVELS)
    assert [repr(EnabledStep(instance)) for instance in player.steps.instances] == [
        "raise(q=0)",
        "raise(q=1)",
        "raise(q=2)",
    ]


def test_generated_code_that_steps_elsewhere_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Player.moves

    def lying(self: Player, state: int) -> Moves:
        moves = honest(self, state)
        return Moves({item: after ^ 1 for item, after in moves.steps.items()}, moves.broken)

    monkeypatch.setattr(Player, "moves", lying)
    shape = machine(CLOCK, report=lambda _: None)
    with pytest.raises(InternalError, match="generated code and interpreter differ at step 1"):
        run_state_machine_as_test(shape, settings=machine_settings(5, 5))
