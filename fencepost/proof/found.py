"""From the choices of a run to what is violated at its end, as the interpreter sees it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from fencepost.aig.circuit import Circuit
from fencepost.errors import InternalError
from fencepost.exec.confirm import breaking_steps, broken_in, value_in
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.model import Model
from fencepost.verdict import Finding, Label, Path, is_obligation


def violations(circuit: Circuit, choices: Sequence[int], names: Collection[str]) -> list[Finding]:
    """What of these names is violated in the first state of the run in which any of them is.

    Raises:
        InternalError: the interpreter comes to no such state.
    """
    model, interpreter = circuit.model, Interpreter(circuit.model)
    state, path = interpreter.initial(), list[Label]()
    for number in [*choices, -1]:
        found = [finding for finding in _violated(model, state, tuple(path), names) if finding.name in names]
        if found:
            return found
        if 0 <= number < len(circuit.instances):
            label = circuit.instances[number].label
            outcome = interpreter.fire(state, model.action(label[0]), label[1])
            if isinstance(outcome, Stepped):  # else the circuit stays where it is
                state = outcome.state
                path.append(label)
    raise InternalError(f"a counterexample of {len(choices)} steps leads to no violation of {', '.join(names)}")


def _violated(model: Model, state: State, path: Path, names: Collection[str]) -> Iterator[Finding]:
    for prop in model.properties:
        if prop.name in names and value_in(model, state, prop.holds, prop.name) is False:
            yield Finding(prop.name, path)
    if any(is_obligation(name) for name in names):
        in_state = {name for found in broken_in(model, state).values() for name in found}
        yield from (Finding(name, path, in_state=True) for name in sorted(in_state))
        steps = sorted(breaking_steps(model, state).items())
        yield from (Finding(name, (*path, step)) for name, step in steps if name not in in_state)
