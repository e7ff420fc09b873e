"""Leaving out the clauses of an invariant that it can do without.

What a prover finds holds far more than it needs to. What is kept here is what the properties need, and
what the clauses that are kept need to be kept by every step; each answer's core says what that is. In
the end no clause can be left out any more, unless the time was over before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from attrs import define, field

from fencepost.bounded.clock import Clock
from fencepost.ir.model import Model
from fencepost.proof import symbolic
from fencepost.proof.clause import Clause
from fencepost.proof.questions import Part, Question, ask
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, conj, disj, implies, neg
from fencepost.smt.kernel import BoolTerm
from fencepost.smt.solver import Solver
from fencepost.smt.system import System

Goal = int
"""A clause by its number, or what a property needs: minus one and below."""


class _OutOfTime(Exception):
    pass


def minimised(model: Model, invariant: Sequence[Clause], proves: Collection[str], clock: Clock) -> tuple[Clause, ...]:
    """A part of the invariant that proves the same.

    It is the whole of it where time is over early, and where it does not prove what it should.
    """
    asked = ask(model, invariant, proves, [action.name for action in model.actions])
    kept = frozenset(range(len(invariant)))
    try:
        smaller = _Minimiser.of(asked.system, asked.questions, invariant, clock)
        while (less := smaller.needed(kept)) is not None and less < kept:
            kept = less
        while less is not None and (less := smaller.without_one_more(kept)) < kept:
            kept = less
    except _OutOfTime:
        pass
    return tuple(clause for number, clause in enumerate(invariant) if number in kept)


@define(eq=False)
class _Minimiser:
    solver: Solver
    clock: Clock
    selects: dict[int, BoolTerm]
    """For each clause, the literal that assumes it."""
    goals: dict[Goal, BoolTerm]
    """For each goal, the literal that says that it is missed."""
    cores: dict[Goal, frozenset[int]] = field(factory=dict)
    """For each goal, clauses that are enough for it."""

    @classmethod
    def of(cls, system: System, questions: Iterable[Question], invariant: Sequence[Clause], clock: Clock) -> _Minimiser:
        solver = Solver()
        solver.add(symbolic.within_sorts(system, symbolic.before(system)))
        made = cls(solver, clock, {}, {})
        state = symbolic.before(system)
        followings = [(one, symbolic.after(system, one)) for one in system.instances]
        for number, clause in enumerate(invariant):
            made.selects[number] = select = kernel.boolean(f"clause{number}")
            solver.add(implies(select, symbolic.holds(clause, state)))
            places = {literal.at for literal in clause}
            lost = disj(
                conj((one.enabled, neg(symbolic.holds(clause, following))))
                for one, following in followings
                if not places.isdisjoint(one.changes)
            )
            made._goal(number, lost)
        needs = [question.asks for question in questions if question.part is Part.SAFETY]
        needs += [
            conj((one.enabled, neg(symbolic.within_sorts(system, following, sorted(one.changes)))))
            for one, following in followings
        ]
        for number, missed in enumerate(needs, 1):
            made._goal(-number, missed)
        return made

    def _goal(self, goal: Goal, missed: Bit) -> None:
        self.goals[goal] = literal = kernel.boolean(f"goal{goal}")
        self.solver.add(implies(literal, missed))

    def enough(self, goal: Goal, kept: Collection[int]) -> frozenset[int] | None:
        """Clauses among those kept that are enough for the goal; None if all of them are not."""
        if self.clock.over:
            raise _OutOfTime
        numbers = {self.selects[number].get_id(): number for number in kept}
        answer = self.solver.satisfiable(
            [self.goals[goal], *(self.selects[number] for number in sorted(kept))], self.clock.left
        )
        if answer is True:
            return None
        if answer is not False:
            raise KeyboardInterrupt if answer.interrupted else _OutOfTime
        return frozenset(numbers[term] for term in self.solver.core() if term in numbers)

    def needed(self, kept: frozenset[int]) -> frozenset[int] | None:
        """What the properties need of the clauses kept, and what that needs; None if they are not enough."""
        found: set[int] = set()
        waiting: list[Goal] = sorted(goal for goal in self.goals if goal < 0)
        while waiting:
            goal = waiting.pop()
            core = self.enough(goal, kept)
            if core is None:
                return None
            self.cores[goal] = core
            waiting += sorted(core - found)
            found |= core
        return frozenset(found)

    def without_one_more(self, kept: frozenset[int]) -> frozenset[int]:
        """Try to leave out each clause once, the last ones first."""
        for number in sorted(kept, reverse=True):
            rest = kept - {number}
            users = [goal for goal in self.cores if (goal < 0 or goal in rest) and number in self.cores[goal]]
            cores: dict[Goal, frozenset[int]] = {}
            for goal in users:
                core = self.enough(goal, rest)
                if core is None:
                    break
                cores[goal] = core
            else:
                self.cores |= cores
                kept = rest
        return kept
