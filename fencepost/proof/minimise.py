"""Leaving out the clauses of an invariant that it can do without.

What a prover finds holds far more than it needs to. What is kept here is what the properties need, and
what the clauses that are kept need to be kept by every step; each answer's core says what that is. In
the end no clause can be left out any more, unless the time was over before.

Nothing is believed of this either: Z3 looks at what is left (`selfcheck`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import define, field

from fencepost.aig.circuit import Circuit
from fencepost.clock import Clock
from fencepost.proof.clause import Clause
from fencepost.proof.step import OutOfTime, Step

Goal = int
"""A clause by its number, or what a property needs: minus one and below."""


def minimised(circuit: Circuit, invariant: Sequence[Clause], bads: Collection[str], clock: Clock) -> tuple[Clause, ...]:
    """A part of the invariant that rules out the same of what is bad in the circuit.

    It is the whole of it where time is over early, and where it does not rule that out.
    """
    kept = frozenset(range(len(invariant)))
    try:
        smaller = _Minimiser.of(circuit, invariant, bads, clock)
        while (less := smaller.needed(kept)) is not None and less < kept:
            kept = less
        while less is not None and (less := smaller.without_one_more(kept)) < kept:
            kept = less
    except OutOfTime:
        pass
    return tuple(clause for number, clause in enumerate(invariant) if number in kept)


@define(eq=False)
class _Minimiser:
    step: Step
    clock: Clock
    selects: dict[int, int]
    """For each clause, the number that assumes it."""
    goals: dict[Goal, int]
    """For each goal, the number that says that it is missed."""
    cores: dict[Goal, frozenset[int]] = field(factory=dict)
    """For each goal, clauses that are enough for it."""

    @classmethod
    def of(cls, circuit: Circuit, invariant: Sequence[Clause], bads: Collection[str], clock: Clock) -> _Minimiser:
        step = Step(circuit)
        step.require(circuit.within)
        selects = {number: step.number(step.before(clause)) for number, clause in enumerate(invariant)}
        goals = {number: step.number(step.after(clause) ^ 1) for number, clause in enumerate(invariant)}
        needs = [circuit.bads[name] for name in bads]
        needs += [step.after(clause) ^ 1 for clause in step.within_sorts()]
        goals |= {-number: step.number(missed) for number, missed in enumerate(needs, 1)}
        return cls(step, clock, selects, goals)

    def enough(self, goal: Goal, kept: Collection[int]) -> frozenset[int] | None:
        """Clauses among those kept that are enough for the goal; None if all of them are not."""
        numbers = {self.selects[number]: number for number in kept}
        if self.step.can([self.goals[goal], *sorted(numbers)], self.clock):
            return None
        return frozenset(numbers[number] for number in self.step.solver.core() if number in numbers)

    def needed(self, kept: frozenset[int]) -> frozenset[int] | None:
        """What the properties need of the clauses kept, and what that needs; None if they are not enough."""
        found: set[int] = set()
        waiting: list[Goal] = sorted(goal for goal in self.goals if goal < 0)
        while waiting:
            goal = waiting.pop()
            core = self._few(goal, found, kept)
            if core is None:
                return None
            self.cores[goal] = core
            waiting += sorted(core - found)
            found |= core
        return frozenset(found)

    def _few(self, goal: Goal, found: Collection[int], kept: Collection[int]) -> frozenset[int] | None:
        """Clauses that are enough for a goal: if that can be, of those found to be needed; else few besides."""
        core = self.enough(goal, found)
        if core is None and (core := self.enough(goal, kept)) is not None:
            for number in sorted(core.difference(found)):
                if number in core and (less := self.enough(goal, core.union(found) - {number})) is not None:
                    core = less
        return core

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
