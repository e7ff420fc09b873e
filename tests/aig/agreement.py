"""Whether a model's circuit and the interpreter say the same of it, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.aig.circuit import Broken, Circuit, circuit_of
from fencepost.exec.interpreter import Broken as BrokenStep
from fencepost.exec.interpreter import Interpreter, Refused, State, Stepped
from fencepost.ir.model import Model
from tests.engines.agreement import REFUSED, Difference, judged


class Concrete:
    """A circuit's literals in one state, with one choice of inputs."""

    def __init__(self, circuit: Circuit, state: State, number: int = 0) -> None:
        known = {latch.literal: bit for latch, bit in zip(circuit.latches, circuit.bits(state), strict=True)}
        known |= {literal: number >> place & 1 for place, literal in enumerate(circuit.inputs)}
        self._values = circuit.graph.evaluate(known, range(2 * circuit.graph.size))

    def holds(self, literal: int) -> bool:
        return bool(self._values[literal])

    def broken(self, broken: Broken) -> list[str]:
        return sorted(name for name, literal in broken.items() if self.holds(literal))

    def after(self, circuit: Circuit) -> State:
        return circuit.state(self._values[literal] for literal in circuit.nexts)


def differences(model: Model, states: Iterable[State]) -> Iterator[Difference]:
    """Every instance, property and twin, in every state."""
    interpreter, circuit = Interpreter(model), circuit_of(model)
    if circuit.state(latch.reset for latch in circuit.latches) != interpreter.initial():
        yield Difference("reset", interpreter.initial(), None, circuit.latches)
    for state in states:
        concrete = Concrete(circuit, state)
        if not concrete.holds(circuit.within):
            yield Difference("within", state, True, False)
        yield from _step_differences(interpreter, circuit, state)
        yield from _check_differences(interpreter, circuit, state, concrete)


def _step_differences(interpreter: Interpreter, circuit: Circuit, state: State) -> Iterator[Difference]:
    steps = list(interpreter.instances())
    for number, (instance, (action, args)) in enumerate(zip(circuit.instances, steps, strict=True)):
        expected: object
        match interpreter.fire(state, action, args):
            case Stepped(after):
                expected = after
            case BrokenStep(obligation):
                expected = [obligation]
            case Refused():
                expected = REFUSED
        concrete = Concrete(circuit, state, number)
        got: object = concrete.broken(instance.broken) or (
            concrete.after(circuit) if concrete.holds(circuit.moves) else REFUSED
        )
        if isinstance(got, list) and concrete.holds(instance.enabled):
            yield Difference(f"{action.name}{args}", state, expected, ["enabled and broken", *got])
        if not concrete.holds(circuit.moves) and concrete.after(circuit) != state:
            yield Difference(f"pause at {action.name}{args}", state, state, concrete.after(circuit))
        if concrete.holds(circuit.moves) != concrete.holds(instance.enabled):
            yield Difference(f"moves by {action.name}{args}", state, concrete.holds(instance.enabled), "not so")
        if got != expected:
            yield Difference(f"{action.name}{args}", state, expected, got)
    if len(steps) < 1 << len(circuit.inputs):
        concrete = Concrete(circuit, state, len(steps))
        if concrete.holds(circuit.moves) or concrete.after(circuit) != state:
            yield Difference("a step of no instance", state, state, concrete.after(circuit))


def _check_differences(
    interpreter: Interpreter, circuit: Circuit, state: State, concrete: Concrete
) -> Iterator[Difference]:
    for prop, target in zip(interpreter.model.properties, circuit.targets, strict=True):
        expected = judged(interpreter, state, prop)
        got = (concrete.holds(target.violated), concrete.holds(target.twin), concrete.broken(target.broken))
        if got != expected:
            yield Difference(prop.name, state, expected, got)
