"""The explorer against a search that is nothing but the interpreter, on random models."""

from __future__ import annotations

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Stepped
from fencepost.explore.bfs import run
from fencepost.ir.expr import FALSE, TRUE
from fencepost.ir.model import Model, Property
from fencepost.verdict import Finding, Path, Run, Stop
from tests.explore.naive import search
from tests.strategies import models

DEPTH = 6

ALWAYS = Property("always", TRUE, FALSE, "It holds.", "nothing")
"""Never violated, so that a search goes on after the others are."""


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(models(), st.integers(0, DEPTH), st.booleans())
def test_the_explorer_finds_what_the_interpreter_finds(model: Model, depth: int, undecided: bool) -> None:
    if undecided:
        model = evolve(model, properties=(*model.properties, ALWAYS))
    found, expected = run(model, depth=depth), search(model, depth)
    assert (found.states, found.transitions) == (expected.states, expected.transitions)
    assert (found.held_back, found.cut) == (expected.held_back, expected.cut)
    assert found.depth == expected.depth
    assert (found.stop is Stop.DEPTH) <= (found.depth == depth)
    assert {finding.name: len(finding.path) for finding in found.findings} == expected.findings
    assert found.twins == expected.twins
    assert {name: count.fired for name, count in found.actions.items()} == expected.fired
    assert {name: count.enabled for name, count in found.actions.items()} == expected.enabled
    check_paths(model, found)


def check_paths(model: Model, found: Run) -> None:
    """Every finding and twin is what its path leads to."""
    interpreter = Interpreter(model)
    for finding in found.findings:
        assert shows(interpreter, finding)
    for name, path in found.twin_paths.items():
        assert interpreter.evaluate(follow(interpreter, path), model.property(name).twin, name)


def follow(interpreter: Interpreter, path: Path) -> tuple[tuple[int, ...], ...]:
    state = interpreter.initial()
    for name, args in path:
        outcome = interpreter.fire(state, interpreter.model.action(name), args)
        assert isinstance(outcome, Stepped)
        state = outcome.state
    return state


def shows(interpreter: Interpreter, finding: Finding) -> bool:
    properties = {prop.name: prop for prop in interpreter.model.properties}
    if finding.name in properties:
        return not interpreter.evaluate(follow(interpreter, finding.path), properties[finding.name].holds, "")
    if not finding.in_state:
        state, (name, args) = follow(interpreter, finding.path[:-1]), finding.path[-1]
        outcome = interpreter.fire(state, interpreter.model.action(name), args)
        return isinstance(outcome, Broken) and outcome.obligation == finding.name
    state = follow(interpreter, finding.path)
    for prop in properties.values():
        for expr in (prop.holds, prop.twin):
            try:
                interpreter.evaluate(state, expr, prop.name)
            except ObligationBroken as broken:
                if broken.name == finding.name:
                    return True
    return False
