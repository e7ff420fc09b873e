"""Runs by label under the interpreter: the last word on a run that was made shorter on generated code."""

from __future__ import annotations

from attrs import evolve, frozen

from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State, Stepped
from fencepost.ir.expr import Expr
from fencepost.ir.model import Model
from fencepost.verdict import Finding


@frozen
class Replayer:
    """Replays findings of one model."""

    interpreter: Interpreter

    @classmethod
    def of(cls, model: Model) -> Replayer:
        """A replayer of the model's runs."""
        return cls(Interpreter(model))

    def least(self, finding: Finding, clock: Clock) -> Finding:
        """The finding, with every step left out that can be while there is time.

        Raises:
            InternalError: the interpreter does not reproduce it.
        """
        if not self.reproduces(finding):
            raise InternalError(f"the run of {len(finding.path)} steps to {finding.name} does not replay")
        position = 0
        while position < len(finding.path) and not clock.over:
            shorter = evolve(finding, path=finding.path[:position] + finding.path[position + 1 :])
            if self.reproduces(shorter):
                finding, position = shorter, 0  # what was needed for this step may not be any more
            else:
                position += 1
        return finding

    def reproduces(self, finding: Finding) -> bool:
        """Whether every step of the run can be taken, and it ends in what was found."""
        state = self.interpreter.initial()
        for number, (name, args) in enumerate(finding.path, start=1):
            outcome = self.interpreter.fire(state, self.interpreter.model.action(name), args)
            if not isinstance(outcome, Stepped):
                is_last = number == len(finding.path) and not finding.in_state
                return is_last and isinstance(outcome, Broken) and outcome.obligation == finding.name
            state = outcome.state
        return self._violates(state, finding)

    def _violates(self, state: State, finding: Finding) -> bool:
        properties = self.interpreter.model.properties
        if finding.in_state:
            sides = [(prop.name, side) for prop in properties for side in (prop.holds, prop.twin)]
            return any(self._told(state, side, name) == finding.name for name, side in sides)
        return any(self._told(state, prop.holds, prop.name) == 0 for prop in properties if prop.name == finding.name)

    def _told(self, state: State, expr: Expr, where: str) -> int | str:
        """The value of an expression, or the obligation that it breaks."""
        try:
            return self.interpreter.evaluate(state, expr, where)
        except ObligationBroken as broken:
            return broken.name
