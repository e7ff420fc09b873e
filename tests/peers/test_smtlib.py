"""cvc5 and bitwuzla on exported SMT-LIB: equal verdicts and shortest lengths; faults of the exporter are seen."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

import pytest
from attrs import evolve
from hypothesis import given

from fencepost import registry
from fencepost.export.flat import flatten
from fencepost.export.smtlib import script
from fencepost.ir.model import Model
from fencepost.peers.crosscheck import ours
from fencepost.peers.smtlib import SOLVERS, search, search_text
from fencepost.verdict import OBLIGATIONS
from tests.foreign import lacking
from tests.peers.bounded import Violating, of_properties, violating
from tests.profile import DEEP, PATIENCE, as_drawn, examples
from tests.strategies import models

GATE_ROWS, DEEP_DEPTH = {"bitwuzla": 3, "cvc5": 1}, 8


def rows() -> list[tuple[str, Violating]]:
    """In the gate the easiest rows, each of another protocol; in the deep run all that are not too deep."""
    every = violating(DEEP_DEPTH)
    if DEEP:
        return [(solver, row) for row in every for solver in SOLVERS]
    first = {row.pin.protocol: row for row in reversed(every)}
    easiest = sorted(first.values(), key=lambda row: (row.depth * row.model.bits, row.id))
    return [(solver, row) for solver in SOLVERS for row in easiest[: GATE_ROWS[solver]]]


def found(model: Model, solver: str, depth: int) -> Mapping[str, int]:
    if importlib.util.find_spec(solver) is None:
        lacking(solver)
    return search(model, solver, depth, PATIENCE).lengths


@pytest.fixture(scope="module")
def buggy() -> Model:
    return registry.find("recycled-handle").build(variant="buggy")


@pytest.mark.parametrize(("solver", "row"), rows(), ids=lambda value: getattr(value, "id", value))
def test_a_solver_agrees(solver: str, row: Violating) -> None:
    model = row.model
    assert of_properties(dict(found(model, solver, row.depth))) == row.expected(model)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_counts_what_the_reference_models_count(solver: str, buggy: Model) -> None:
    """Six steps to the dangling packet and eight to the hang, as counted by hand-written models."""
    assert found(buggy, solver, 8) == {"no-handle-destroyed-while-referenced": 6, "no-hang": 8}


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_finds_nothing_where_nothing_is(solver: str) -> None:
    assert found(registry.find("recycled-handle").build(), solver, 6) == {}


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_agrees_on_random_models(solver: str) -> None:
    broken = []

    @given(models())
    @as_drawn(examples(8))
    def look(model: Model) -> None:
        here: dict[str, int] = {}
        for name, length in sorted(ours(model, 60.0).lengths.items(), key=lambda item: item[1]):
            if length <= 4:
                here.setdefault(OBLIGATIONS if name.startswith(("range:", "dead:")) else name, length)
        assert found(model, solver, 4) == here
        broken.extend(here)

    look()
    assert {OBLIGATIONS} < set(broken)


@pytest.mark.parametrize("solver", SOLVERS)
class TestPlantedFaults:
    """Each is a fault of the exporter, seen as another shortest length or another verdict."""

    RIGHT = {"no-handle-destroyed-while-referenced": 6}  # noqa: RUF012

    def ask(self, solver: str, text: str) -> dict[str, int]:
        if importlib.util.find_spec(solver) is None:
            lacking(solver)
        return dict(search_text(text, solver, 6, PATIENCE).lengths)

    def test_a_dropped_guard(self, solver: str, buggy: Model) -> None:
        action = buggy.action("complete")
        weaker = evolve(action, guards=action.guards[:1])
        bad = evolve(buggy, actions=tuple(weaker if each is action else each for each in buggy.actions))
        assert self.ask(solver, script(flatten(bad), 6)) != self.RIGHT

    def test_a_range_one_too_small(self, solver: str, buggy: Model) -> None:
        """Of two handles the second is none."""
        text = script(flatten(buggy), 6)
        bad = text.replace("(= |step| |number of disable(handle=0)|)", "false")
        assert bad != text
        assert self.ask(solver, bad) != self.RIGHT

    def test_a_lost_frame_condition(self, solver: str, buggy: Model) -> None:
        text = script(flatten(buggy), 6)
        start = text.index("(= |queues[0].transition'| (|next queues[0].transition|")
        line = text[start : text.index("\n", start)]
        assert line.endswith("))")
        assert self.ask(solver, text.replace(line, "true")) != self.RIGHT
