"""What the interpreter says of a state that somebody else has found: the reference has the last word."""

from __future__ import annotations

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State
from fencepost.ir.cases import cases
from fencepost.ir.expr import Expr
from fencepost.ir.model import Model
from fencepost.verdict import Label


def value_in(model: Model, state: State, expr: Expr, where: str) -> bool | ObligationBroken:
    """A closed condition in a state, or the obligation that it breaks there."""
    try:
        return bool(Interpreter(model).evaluate(state, expr, where))
    except ObligationBroken as broken:
        return broken


def broken_in(model: Model, state: State) -> dict[str, list[str]]:
    """Obligations that the evaluation of each property breaks in a state: names by property."""
    found: dict[str, list[str]] = {}
    for prop in model.properties:
        conditions = [prop.holds, prop.twin]
        if prop.response is not None:
            conditions += [condition for case in cases(prop) for condition in (case.trigger, case.goal)]
        outcomes = [value_in(model, state, expr, prop.name) for expr in conditions]
        found[prop.name] = sorted({outcome.name for outcome in outcomes if isinstance(outcome, ObligationBroken)})
    return found


def breaking_steps(model: Model, state: State) -> dict[str, Label]:
    """Obligations that a step from a state breaks: by name, the first such step."""
    interpreter = Interpreter(model)
    found: dict[str, Label] = {}
    for action, args in interpreter.instances():
        outcome = interpreter.fire(state, action, args)
        if isinstance(outcome, Broken):
            found.setdefault(outcome.obligation, (action.name, args))
    return found
