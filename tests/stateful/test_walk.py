"""The engine `walk`: it finds what is there to be found, as short as can be, and claims nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.check import conclude
from fencepost.engines import Limits
from fencepost.errors import UsageError
from fencepost.explore import bfs
from fencepost.ir.model import Model
from fencepost.stateful import walk
from fencepost.verdict import Finding, ProgressEvent, Stop, Verdict
from fencepost_rocm.recycled_handle import protocol
from fencepost_rocm_properties.recycled_handle import properties
from tests.stateful.toys import BOUNDED, CLOCK, LEVELS, LOST, STILL, ends, violates
from tests.strategies import models

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def buggy() -> Model:
    return protocol.build(variant="buggy", properties=[properties])


def test_every_violated_property_is_found_in_one_run() -> None:
    found = walk.run(CLOCK, runs=20, machine_runs=0)
    assert [(finding.name, finding.path) for finding in found.findings] == [
        ("dark", (("flip", ()),)),
        ("early", (("tick", ()),) * 6),
    ]


def test_the_recycled_handle_is_found_and_no_step_can_be_left_out(buggy: Model) -> None:
    found = walk.run(buggy, runs=400, machine_runs=0)
    assert {finding.name for finding in found.findings} == {"no-handle-destroyed-while-referenced", "no-hang"}
    for finding in found.findings:
        assert violates(buggy, finding)
        for left_out in range(len(finding.path)):
            rest = finding.path[:left_out] + finding.path[left_out + 1 :]
            assert not violates(buggy, evolve(finding, path=rest))


def test_once_every_property_is_violated_nothing_is_left_to_look_for(buggy: Model) -> None:
    assert walk.run(buggy, runs=400, machine_runs=0).stop is Stop.DECIDED


def test_a_broken_obligation_ends_a_run_as_its_last_step() -> None:
    found = walk.run(LEVELS, runs=5, machine_runs=0)
    assert [finding.name for finding in found.findings] == ["range:raise/level[]"]
    assert found.findings[0].path == (("raise", (0,)),) * 3


def test_an_obligation_of_a_property_breaks_in_a_state() -> None:
    found = walk.run(LOST, runs=10, machine_runs=0)
    assert found.findings == (Finding("range:pointed/next", (("raise", (0,)),) * 2, in_state=True),)


def test_what_has_no_part_in_a_violation_is_left_out() -> None:
    found = walk.run(BOUNDED, runs=10, machine_runs=0)
    assert found.findings == (Finding("full", (("raise", (2,)),) * 2),)


def test_only_the_properties_asked_for_are_looked_at() -> None:
    found = walk.run(CLOCK, runs=20, machine_runs=0, properties=["early", "never"])
    assert [finding.name for finding in found.findings] == ["early"]
    assert found.stop is Stop.SAMPLED


def test_depth_is_the_length_of_a_run() -> None:
    assert walk.run(CLOCK, runs=30, machine_runs=0, depth=5, properties=["early"]).findings == ()
    assert walk.run(CLOCK, runs=30, machine_runs=0, depth=30, properties=["early"]).findings != ()


def test_an_unknown_property_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no property 'late' in clock; there are early, dark, never"):
        walk.run(CLOCK, properties=["late"])


def test_a_model_in_which_nothing_happens_is_no_fault() -> None:
    found = walk.run(STILL, runs=3, machine_runs=0)
    assert (found.findings, found.states, found.transitions) == ((), 1, 0)


def test_two_runs_of_the_engine_are_alike(buggy: Model) -> None:
    one, other = walk.run(buggy, runs=40, machine_runs=0), walk.run(buggy, runs=40, machine_runs=0)
    assert evolve(one, seconds=0) == evolve(other, seconds=0)


def test_another_seed_walks_elsewhere() -> None:
    one, other = (walk.run(protocol.build(), runs=3, machine_runs=0, seed=seed) for seed in (1, 2))
    assert one.actions != other.actions


def test_a_twin_is_reached_by_the_run_that_is_given_for_it() -> None:
    found = walk.run(CLOCK, runs=20, machine_runs=0)
    assert found.twins == {"early": 1, "dark": 1}
    assert {name: ends(CLOCK, path) for name, path in found.twin_paths.items()} == {
        "early": ((0,), (1,)),
        "dark": ((0,), (1,)),
    }


def test_steps_and_enabled_actions_are_counted() -> None:
    found = walk.run(CLOCK, runs=1, machine_runs=0, depth=10, properties=["never"])
    assert found.transitions == 10
    assert sum(count.fired for count in found.actions.values()) == 10
    assert {name: count.enabled for name, count in found.actions.items()} == {"flip": 10, "tick": 10}


def test_a_walk_that_finds_nothing_claims_nothing() -> None:
    model = evolve(CLOCK, properties=CLOCK.properties[2:])
    found = walk.run(model, runs=300, machine_runs=0)
    assert (found.depth, found.complete, found.stop) == (0, False, Stop.SAMPLED)
    verdicts = [decision.verdict for decision in conclude(model, Limits(), (found,)).decisions]
    assert verdicts == [Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE]


def test_nothing_is_left_in_the_users_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = "from fencepost.stateful import walk; from tests.stateful.toys import CLOCK; walk.run(CLOCK, runs=5)"
    paths = os.pathsep.join(str(ROOT / name) for name in ("", "model", "properties"))
    subprocess.run([sys.executable, "-c", command], check=True, env={**os.environ, "PYTHONPATH": paths})
    assert list(tmp_path.iterdir()) == []


def test_no_time_is_no_walk() -> None:
    found = walk.run(CLOCK, timeout=0)
    assert (found.stop, found.findings) == (Stop.TIMEOUT, ())


def test_an_interrupt_tells_what_was_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "_PROGRESS_SECONDS", 0.0)
    events: list[ProgressEvent] = []

    def interrupt(event: ProgressEvent) -> None:
        events.append(event)
        if len(events) == 3:
            raise KeyboardInterrupt

    found = walk.run(CLOCK, runs=50, machine_runs=0, depth=20, progress=interrupt)
    assert found.stop is Stop.INTERRUPTED
    assert found.transitions == 60
    assert {finding.name for finding in found.findings} == {"dark", "early"}
    assert [event.engine for event in events] == ["walk"] * 3


def test_an_interrupt_while_shrinking_keeps_the_run_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(walk.Shrinker, "shrink", interrupt)
    found = walk.run(CLOCK, runs=20, machine_runs=0)
    assert found.stop is Stop.INTERRUPTED
    assert all(violates(CLOCK, finding) for finding in found.findings)
    assert found.findings


def test_the_machine_finds_what_no_plain_walk_looked_at() -> None:
    found = walk.run(CLOCK, runs=0, machine_runs=20)
    assert [finding.name for finding in found.findings] == ["dark", "early"]
    assert found.transitions == 0


def test_time_ends_the_machine_in_the_middle() -> None:
    model = evolve(CLOCK, properties=CLOCK.properties[2:])
    for seconds in (0.1, 0.2, 0.3, 0.4, 0.5):  # Hypothesis minds the moment at which it is ended
        assert walk.run(model, runs=1, machine_runs=1_000_000, timeout=seconds).findings == ()


def test_an_interrupt_ends_the_machine_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "_PROGRESS_SECONDS", 0.0)
    model = evolve(CLOCK, properties=CLOCK.properties[2:])
    for last in (10, 60, 61, 75, 200):
        events: list[ProgressEvent] = []

        def interrupt(event: ProgressEvent, events: list[ProgressEvent] = events, last: int = last) -> None:
            events.append(event)
            if len(events) == last:
                raise KeyboardInterrupt

        assert walk.run(model, runs=1, machine_runs=1_000_000, progress=interrupt).stop is Stop.INTERRUPTED


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(models())
def test_what_a_walk_finds_is_there(model: Model) -> None:
    exact, found = bfs.run(model, depth=40), walk.run(model, runs=5, machine_runs=0, depth=20)
    shortest = {finding.name: len(finding.path) for finding in exact.findings}
    for finding in found.findings:
        assert violates(model, finding)
        if exact.stop is Stop.EXHAUSTED:
            assert len(finding.path) >= shortest[finding.name]
