"""From the solver's model to a path, trusted only after the interpreter has taken the same steps."""

from __future__ import annotations

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Path


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
