"""Whether the lowering to Z3 and the interpreter say the same of a model, step by step.

Nothing is solved: a state's values take the place of the lowering's constants, and Z3 simplifies
what remains to literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import z3

from fencepost.exec.interpreter import Broken, Interpreter, Refused, State, Stepped
from fencepost.ir.model import Model
from fencepost.smt import kernel
from fencepost.smt.bits import Bit
from fencepost.smt.execute import Broken as BrokenBits
from fencepost.smt.system import Instance, System, lower
from tests.engines.agreement import REFUSED, Difference, judged


class Concrete:
    """A lowered model's terms in one state."""

    def __init__(self, system: System, state: State) -> None:
        self._system, self._state = system, state
        self._put = kernel.Substitution(system.consts, system.literals(state))

    def number(self, term: kernel.Term) -> int:
        return kernel.number_in(z3.simplify(self._put(term)))

    def holds(self, bit: Bit) -> bool:
        return bit if isinstance(bit, bool) else bool(self.number(bit))

    def broken(self, broken: BrokenBits) -> list[str]:
        return sorted(name for name, bit in broken.items() if self.holds(bit))

    def outcome(self, instance: Instance) -> object:
        """The next state, `refused`, or the names of broken obligations (a list: there must be one at most)."""
        broken = self.broken(instance.broken)
        if broken:
            return broken if not self.holds(instance.enabled) else ["enabled and broken", *broken]
        if not self.holds(instance.enabled):
            return REFUSED
        flat = [value for elements in self._state for value in elements]
        for position, value in instance.changes.items():
            slot = self._system.slots[position]
            flat[position] = slot.read([z3.simplify(self._put(term)) for term in slot.terms(value)])
        rest = iter(flat)
        return tuple(tuple(next(rest) for _ in range(var.count)) for var in self._system.model.vars)


def differences(model: Model, states: Iterable[State], *, discharge: bool = False) -> Iterator[Difference]:
    """Every instance, property and twin, in every state."""
    interpreter, system = Interpreter(model), lower(model, discharge=discharge)
    for state in states:
        yield from _step_differences(interpreter, system, state)
        yield from _check_differences(interpreter, system, state)


def _step_differences(interpreter: Interpreter, system: System, state: State) -> Iterator[Difference]:
    """Each instance's next state, refusal or broken obligation."""
    concrete = Concrete(system, state)
    if system.state(system.literals(state)) != state:
        yield Difference("coding", state, state, system.state(system.literals(state)))
    for instance, (action, args) in zip(system.instances, interpreter.instances(), strict=True):
        if instance.label != (action.name, args):
            yield Difference("label", state, (action.name, args), instance.label)
        expected: object
        match interpreter.fire(state, action, args):
            case Stepped(after):
                expected = after
            case Broken(obligation):
                expected = [obligation]
            case Refused():
                expected = REFUSED
        got = concrete.outcome(instance)
        if got != expected:
            yield Difference(f"{action.name}{args}", state, expected, got)


def _check_differences(interpreter: Interpreter, system: System, state: State) -> Iterator[Difference]:
    """Each property's and twin's truth, and broken obligations."""
    concrete = Concrete(system, state)
    for prop, target in zip(interpreter.model.properties, system.targets, strict=True):
        expected = judged(interpreter, state, prop)
        got = (concrete.holds(target.violated), concrete.holds(target.twin), concrete.broken(target.broken))
        if got != expected:
            yield Difference(prop.name, state, expected, got)
