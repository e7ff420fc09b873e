"""What is wrong with an invariant that a solver does not accept, confirmed by the interpreter and told as a step."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from attrs import frozen

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.ir.model import GuardKind, Model
from fencepost.proof.clause import Clause, Vocabulary, holds
from fencepost.proof.questions import Part
from fencepost.proof.recheck import Failure
from fencepost.verdict import Path


@frozen
class Refusal:
    """Why an invariant is refused: a line, the state that shows it, the steps from there, and what fails after them."""

    line: str
    state: State
    path: Path
    fails: str


def refusal(model: Model, invariant: Sequence[Clause], failure: Failure, solver: str) -> Refusal:
    """A solver's failure, looked at again.

    Raises:
        InternalError: the interpreter does not agree.
    """
    look = _Look(model, invariant, solver)
    question, state = failure.question, failure.state
    match question.part:
        case Part.INITIATION:
            lost = look.lost(Interpreter(model).initial(), "the initial state")
            return Refusal(f"not so in the initial state: {lost}", state, (), lost)
        case Part.CONSECUTION:
            return look.consecution(failure)
        case Part.SAFETY:
            return look.safety(failure)
        case Part.BOUNDS:
            return look.bounds(failure)


@frozen
class _Look:
    model: Model
    invariant: Sequence[Clause]
    solver: str

    def lost(self, state: State, where: str) -> str:
        """The first clause that does not hold in a state."""
        flat = tuple(itertools.chain.from_iterable(state))
        for clause in self.invariant:
            if not holds(clause, flat):
                return Vocabulary.of(self.model).show(clause)
        raise InternalError(f"{self.solver} loses a clause in {where} where the interpreter loses none")

    def consecution(self, failure: Failure) -> Refusal:
        label = failure.question.label
        assert label is not None
        action = self.model.action(label[0])
        outcome = Interpreter(self.model).fire(failure.state, action, label[1])
        if not isinstance(outcome, Stepped):
            raise InternalError(f"{self.solver} takes {action.call(label[1])} where the interpreter says {outcome}")
        lost = self.lost(outcome.state, f"the state after {action.call(label[1])}")
        return Refusal(f"not kept by {action.call(label[1])}: {lost}", failure.state, (label,), lost)

    def safety(self, failure: Failure) -> Refusal:
        about, label = failure.question.about, failure.question.label
        if label is not None:
            action = self.model.action(label[0])
            outcome = Interpreter(self.model).fire(failure.state, action, label[1])
            if not isinstance(outcome, Broken):
                raise InternalError(f"{self.solver} breaks an obligation of {action.call(label[1])}; it is {outcome}")
            what = f"{outcome.obligation} breaks in {action.call(label[1])}"
            return Refusal(f"allows a state in which {what}", failure.state, (label,), outcome.obligation)
        prop = self.model.property(about)
        what = f"{about} is violated"
        try:
            for expr in (prop.holds, prop.twin):
                if not Interpreter(self.model).evaluate(failure.state, expr, about):
                    break
        except ObligationBroken as broken:
            what = f"{broken.name} breaks in {about}"
        return Refusal(f"allows a state in which {what}", failure.state, (), what)

    def bounds(self, failure: Failure) -> Refusal:
        label = failure.question.label
        assert label is not None
        action = self.model.action(label[0])
        outcome = Interpreter(self.model).fire(failure.state, action, label[1])
        if not isinstance(outcome, Refused) or outcome.guard.kind is not GuardKind.BOUND:
            raise InternalError(f"{self.solver} has a bound hold back {action.call(label[1])}; it is {outcome}")
        what = f'the bound "{outcome.guard.name}" is in the way of {action.call(label[1])}'
        return Refusal(f"allows a state in which {what}, which is not among its bounds", failure.state, (), what)
