"""From the solver's model to a path, trusted only after the interpreter has taken the same steps."""

from __future__ import annotations

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State, Stepped
from fencepost.ir.cases import cases
from fencepost.ir.expr import Expr
from fencepost.ir.model import Model
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Label, Path


def replayed(unrolling: Unrolling, length: int) -> tuple[Path, State]:
    """The run that the solver has just found, and its last state.

    Raises:
        InternalError: the interpreter does not take the same steps through the same states.
    """
    model = unrolling.system.model
    path, states = unrolling.path(length), unrolling.states(length)
    interpreter = Interpreter(model)
    state = interpreter.initial()
    for number, (label, expected) in enumerate(zip(path, states[1:], strict=True), 1):
        outcome = interpreter.fire(state, model.action(label[0]), label[1])
        if not isinstance(outcome, Stepped):
            raise InternalError(f"bmc takes step {number}, {label}, where the interpreter says {outcome}")
        if outcome.state != expected:
            raise InternalError(f"bmc and the interpreter differ on the state after step {number}, {label}")
        state = outcome.state
    return path, state


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
