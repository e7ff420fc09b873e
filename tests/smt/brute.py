"""Shortest lengths by plain breadth-first search with the interpreter: what a bounded check must find."""

from __future__ import annotations

from attrs import field, frozen

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State, Stepped
from fencepost.ir.expr import Expr
from fencepost.ir.model import Model


@frozen
class Lengths:
    """By name, the least length of a run to each violation, broken obligation and twin; `longest` if runs end."""

    violated: dict[str, int] = field(factory=dict)
    in_step: dict[str, int] = field(factory=dict)
    in_state: dict[str, int] = field(factory=dict)
    twins: dict[str, int] = field(factory=dict)
    levels: list[set[State]] = field(factory=list)
    """The states that runs of exactly so many steps lead to."""


def lengths(model: Model, depth: int) -> Lengths:
    """Look at every run of at most `depth` steps."""
    interpreter = Interpreter(model)
    found = Lengths()
    level = {interpreter.initial()}
    for length in range(depth + 1):
        found.levels.append(level)
        following: set[State] = set()
        for state in level:
            for prop in model.properties:
                if _value(interpreter, state, prop.holds, prop.name, length, found) is False:
                    found.violated.setdefault(prop.name, length)
                if _value(interpreter, state, prop.twin, prop.name, length, found) is True:
                    found.twins.setdefault(prop.name, length)
            for action, args in interpreter.instances():
                outcome = interpreter.fire(state, action, args)
                if isinstance(outcome, Stepped):
                    following.add(outcome.state)
                elif isinstance(outcome, Broken) and length < depth:
                    found.in_step.setdefault(outcome.obligation, length + 1)
        level = following
    return found


def _value(interpreter: Interpreter, state: State, expr: Expr, where: str, length: int, found: Lengths) -> bool | None:
    try:
        return bool(interpreter.evaluate(state, expr, where))
    except ObligationBroken as broken:
        found.in_state.setdefault(broken.name, length)
        return None
