"""Whether what is proved of a model is so, by the interpreter alone: every state, reachable or not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State, Stepped
from fencepost.ir.model import Model
from fencepost.proof.clause import Clause, holds
from fencepost.proof.questions import Asked, Part
from fencepost.proof.recheck import answers
from fencepost.proof.solvers import CHECKERS
from fencepost.verdict import OBLIGATIONS


def every_state(model: Model) -> Iterator[State]:
    """All that are within their sorts."""
    elements = [var.sort.values() for var in model.vars for _ in range(var.count)]
    for flat in itertools.product(*(tuple(values) for values in elements)):
        rest = iter(flat)
        yield tuple(tuple(itertools.islice(rest, var.count)) for var in model.vars)


def flat(state: State) -> tuple[int, ...]:
    return tuple(itertools.chain.from_iterable(state))


def refuted(model: Model, invariant: Sequence[Clause], proves: Sequence[str]) -> set[Part]:
    """What an invariant fails of, found by looking at every state."""
    interpreter, found = Interpreter(model), set[Part]()
    if not all(holds(clause, flat(interpreter.initial())) for clause in invariant):
        found.add(Part.INITIATION)
    for state in every_state(model):
        if not all(holds(clause, flat(state)) for clause in invariant):
            continue
        for action, args in interpreter.instances():
            outcome = interpreter.fire(state, action, args)
            if isinstance(outcome, Stepped) and not all(holds(clause, flat(outcome.state)) for clause in invariant):
                found.add(Part.CONSECUTION)
            if isinstance(outcome, Broken) and OBLIGATIONS in proves:
                found.add(Part.SAFETY)
        if not _safe(interpreter, state, proves):
            found.add(Part.SAFETY)
    return found


def _safe(interpreter: Interpreter, state: State, proves: Sequence[str]) -> bool:
    for prop in interpreter.model.properties:
        if prop.name not in proves:
            continue
        for expr, matters in ((prop.holds, True), (prop.twin, False)):
            try:
                if not interpreter.evaluate(state, expr, prop.name) and matters:
                    return False
            except ObligationBroken:
                if OBLIGATIONS in proves:
                    return False
    return True


def failed(asked: Asked, solver: str) -> Part | None:
    """The first part that a solver fails an invariant of, in this process."""
    found = answers(asked, CHECKERS[solver])
    return None if found.failure is None else found.failure.question.part
