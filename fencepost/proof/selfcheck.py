"""Z3's look at an invariant that something else has found, before anything is claimed of it.

The invariant was found in the circuit of the model; Z3 sees the lowering that the bounded check
uses. So an error in one of the two, or in the prover, is seen here.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.clock import Clock
from fencepost.proof.questions import Asked, Part, Question
from fencepost.smt import kernel
from fencepost.smt.bits import implies
from fencepost.smt.solver import Solver, Unknown


class SelfCheck:
    """The questions about an invariant, put to Z3."""

    def __init__(self, asked: Asked, clock: Clock) -> None:
        self._clock = clock
        self._count = 0
        self._bare, self._solver = Solver(), Solver()
        for assumed in asked.assumed:
            self._solver.add(assumed)
        self.asked = asked

    def possible(self, question: Question) -> bool | Unknown:
        """Whether there is a state of that kind."""
        solver = self._bare if question.part is Part.INITIATION else self._solver
        self._count += 1
        literal = kernel.boolean(f"question{self._count}")
        solver.add(implies(literal, question.asks))
        return solver.satisfiable([literal], self._clock.left)

    def objections(self, parts: Sequence[Part]) -> list[tuple[Question, bool | Unknown]]:
        """The questions of some parts that are not answered with no; after one that is not decided, no more."""
        found: list[tuple[Question, bool | Unknown]] = []
        for question in self.asked.questions:
            if question.part in parts and (answer := self.possible(question)) is not False:
                found.append((question, answer))
                if isinstance(answer, Unknown):
                    break
        return found
