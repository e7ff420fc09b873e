"""VMT-LIB: read by pyvmt, whose formulas, put one after the other, are asked of a solver through pysmt."""

from __future__ import annotations

import importlib
import importlib.util
import io
from typing import Any

import pytest
from attrs import evolve

from fencepost import registry
from fencepost.export.formats import FORMATS
from fencepost.ir.model import Model
from tests.export.reads import elements
from tests.foreign import lacking


def read(text: str) -> Any:
    """The transition system as pyvmt understands the text."""
    if importlib.util.find_spec("pyvmt") is None:
        lacking("pyvmt")
    reader = importlib.import_module("pyvmt.vmtlib.reader")
    environment = importlib.import_module("pyvmt.environment").Environment()
    return reader.read(io.StringIO(text), environment)


def shortest(text: str, depth: int) -> dict[int, int]:
    """By number of a property, the length of the shortest run to a state in which it does not hold."""
    system = read(text)
    env = system.get_env()
    mgr = env.formula_manager
    state, given = list(system.get_state_vars()), list(system.get_input_vars())

    def at(formula: Any, step: int) -> Any:
        names = {var: mgr.Symbol(f"{var.symbol_name()}@{step}", var.symbol_type()) for var in (*state, *given)}
        later = {mgr.Next(var): mgr.Symbol(f"{var.symbol_name()}@{step + 1}", var.symbol_type()) for var in state}
        return env.substituter.substitute(formula, subs={**names, **later})

    found: dict[int, int] = {}
    with env.factory.Solver(name="z3", logic="QF_BV") as solver:
        solver.add_assertion(at(system.get_init_constraint(), 0))
        for step in range(depth + 1):
            for number, prop in sorted(system.get_all_properties().items()):
                if number not in found:
                    solver.push()
                    solver.add_assertion(mgr.Not(at(prop.formula, step)))
                    if solver.solve():
                        found[number] = step
                    solver.pop()
            solver.add_assertion(at(system.get_trans_constraint(), step))
    return found


@pytest.fixture(scope="module")
def buggy() -> Model:
    return registry.find("recycled-handle").build(variant="buggy")


def _text(model: Model) -> str:
    return FORMATS["vmt"].export(model).text


@pytest.mark.parametrize("name", ["recycled-handle", "graph-pool"])
def test_the_elements_are_the_models(name: str) -> None:
    model = registry.find(name).build()
    system = read(_text(model))
    ours = {name: width for name, width, _ in elements(model)}
    theirs = {
        var.symbol_name(): 1 if var.symbol_type().is_bool_type() else var.symbol_type().width
        for var in system.get_state_vars()
    }
    assert theirs == ours
    assert [var.symbol_name() for var in system.get_input_vars()] == ["step"]
    asked = [prop for prop in model.properties if prop.response is None]
    assert sorted(system.get_invar_properties()) == list(range(len(asked) + 1))


def test_the_shortest_runs_are_those_of_the_reference_model(buggy: Model) -> None:
    """Six steps to the dangling packet and eight to the hang, as counted by hand-written models."""
    assert shortest(_text(buggy), 8) == {0: 6, 1: 8}


class TestPlantedFaults:
    def test_a_dropped_guard(self, buggy: Model) -> None:
        action = buggy.action("complete")
        weaker = evolve(action, guards=action.guards[:1])
        bad = evolve(buggy, actions=tuple(weaker if each is action else each for each in buggy.actions))
        assert shortest(_text(bad), 6) != {0: 6}

    def test_a_lost_frame_condition(self, buggy: Model) -> None:
        text = _text(buggy)
        kept = "(= |queues[0].transition'| |next queues[0].transition|)"
        assert kept in text
        assert shortest(text.replace(kept, "true"), 6) != {0: 6}

    def test_another_first_value(self, buggy: Model) -> None:
        text = _text(buggy)
        bad = text.replace("(= |queues[0].packets[0].kind| #b00)", "(= |queues[0].packets[0].kind| #b01)", 1)
        assert bad != text
        assert shortest(bad, 6) != {0: 6}

    def test_a_range_one_too_wide(self, buggy: Model) -> None:
        text = _text(buggy)
        bad = text.replace("|barriers[0].signal| () (_ BitVec 2)", "|barriers[0].signal| () (_ BitVec 3)")
        assert bad != text
        errors = importlib.import_module("pysmt.exceptions")
        with pytest.raises(errors.PysmtSyntaxError, match="expected type"):
            read(bad)
