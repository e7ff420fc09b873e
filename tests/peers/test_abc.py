"""ABC on exported AIGER: equal verdicts and shortest lengths; yosys reads the text; faults of the exporter are seen."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given

from fencepost import registry
from fencepost.aig.aiger import Form
from fencepost.errors import UsageError
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.export import aiger, aiger_trace
from fencepost.ir.model import Model
from fencepost.peers import abc
from fencepost.peers.crosscheck import ours
from fencepost.programs import ABC
from tests.foreign import need
from tests.peers.bounded import Violating, of_properties, violating
from tests.profile import DEEP, PATIENCE, as_drawn, examples
from tests.strategies import models

pytestmark = pytest.mark.foreign

GATE_DEPTH, GATE_ROWS, DEEP_DEPTH = 9, 9, 40


def rows() -> list[Violating]:
    """In the gate the easiest row of each protocol and some more; in the deep run all."""
    if DEEP:
        return violating(DEEP_DEPTH)
    every = violating(GATE_DEPTH)
    first = {each.pin.protocol: each for each in reversed(every)}
    return [*first.values(), *[each for each in every if each not in first.values()][: GATE_ROWS - len(first)]]


def lengths(model: Model, depth: int) -> dict[str, int]:
    need(*ABC)
    return dict(abc.search(model, depth, PATIENCE).lengths)


@pytest.fixture(scope="module")
def buggy() -> Model:
    return registry.find("recycled-handle").build(variant="buggy")


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.id)
def test_abc_agrees(row: Violating) -> None:
    model = row.model
    assert of_properties(lengths(model, row.depth)) == row.expected(model)


def test_abc_counts_what_the_reference_models_count(buggy: Model) -> None:
    """Six steps to the dangling packet and eight to the hang, as counted by hand-written models."""
    assert lengths(buggy, 9) == {"no-handle-destroyed-while-referenced": 6, "no-hang": 8}


def test_abc_proves_what_we_exhaust(tmp_path: Path) -> None:
    exported = aiger.export(registry.find("recycled-handle").build()).beside[".aig"]
    assert isinstance(exported, bytes)
    (tmp_path / "m.aig").write_bytes(exported)
    command = [need(*ABC), "-c", "read_aiger m.aig; orpos; pdr"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=100)
    assert "Property proved" in done.stdout


@given(models())
@as_drawn(examples(12))
def test_abc_agrees_on_random_models(model: Model) -> None:
    here = {name: length for name, length in ours(model, 60.0).lengths.items() if length <= 8}
    assert lengths(model, 8) == here


def test_yosys_reads_the_text(buggy: Model, tmp_path: Path) -> None:
    (tmp_path / "m.aag").write_text(aiger.export(buggy).text)
    done = subprocess.run(
        [need("yosys"), "-p", "read_aiger m.aag; stat"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    latches = len(aiger.designed(buggy, Form.FULL).latches)
    assert f"$_FF_ {latches}".replace(" ", "") in done.stdout.replace(" ", "")


@pytest.mark.parametrize("flags", ["", "-n", "-a"])
def test_a_counterexample_of_abc_is_taken_by_the_interpreter(buggy: Model, tmp_path: Path, flags: str) -> None:
    exported = aiger.export(buggy).beside[".aig"]
    assert isinstance(exported, bytes)
    (tmp_path / "m.aig").write_bytes(exported)
    script = f"read_aiger m.aig; cone -s -O 1; bmc3 -F 9; write_cex {flags} m.cex"
    subprocess.run([need(*ABC), "-c", script], cwd=tmp_path, capture_output=True, check=True, timeout=100)
    path = aiger_trace.read((tmp_path / "m.cex").read_text(), buggy)
    interpreter = Interpreter(buggy)
    state = interpreter.initial()
    for name, args in path:
        outcome = interpreter.fire(state, buggy.action(name), args)
        assert isinstance(outcome, Stepped)
        state = outcome.state
    assert 6 <= len(path) <= 8
    assert any(not interpreter.evaluate(state, prop.holds, prop.name) for prop in buggy.properties)


def test_what_is_no_counterexample_is_refused(buggy: Model) -> None:
    with pytest.raises(UsageError, match=r"counterexample|witness"):
        aiger_trace.read("nothing of the sort", buggy)


class TestPlantedFaults:
    """Each is a fault of the exporter, seen as another shortest length or another verdict."""

    RIGHT = {"no-handle-destroyed-while-referenced": 6, "no-hang": 8}  # noqa: RUF012

    def test_a_dropped_guard(self, buggy: Model) -> None:
        action = buggy.action("complete")
        weaker = evolve(action, guards=action.guards[:1])
        bad = evolve(buggy, actions=tuple(weaker if each is action else each for each in buggy.actions))
        assert lengths(bad, 8) != self.RIGHT

    def test_an_index_range_one_too_small(self) -> None:
        smaller = registry.find("recycled-handle").build(variant="buggy", sizes={"queues": 1})
        assert lengths(smaller, 8) != self.RIGHT

    def test_a_lost_frame_condition(self, buggy: Model, tmp_path: Path) -> None:
        need(*ABC)
        lines = aiger.export(buggy).text.splitlines()
        inputs, latches = (int(count) for count in lines[0].split()[2:4])
        first = 2 * (1 + inputs)
        place = aiger.designed(buggy, Form.FULL).latches
        at = next(i for i in range(latches) if place[i].place < len(place) and f"l{i} queues[0].transition.0" in lines)
        lines[1 + inputs + at] = f"{first + 2 * at} 2"  # now it is whatever the step's lowest bit is
        (tmp_path / "m.aag").write_text("\n".join(lines) + "\n")
        subprocess.run(
            [need("yosys"), "-q", "-p", "read_aiger m.aag; aigmap; write_aiger -zinit m.aig"],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        names, actions = abc.outputs(buggy), [action.name for action in buggy.actions]
        found = abc.search_binary((tmp_path / "m.aig").read_bytes(), names, actions, 8, 100.0)
        assert dict(found.lengths) != self.RIGHT
