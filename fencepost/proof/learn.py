"""Engine `learn`: an invariant from what is so in every state that a search reaches.

All reachable states are the strongest invariant there is, and one that nobody can read. What is learnt
here is a weaker one that is enough: to begin with, nothing but the properties is known; where a step
leads from a state in which everything known holds to one in which it does not, that state cannot be
reached, and a clause which all reached states satisfy and it does not is known from then on. That
ends, for every clause rules out a state, and what is known can become no stronger than "reached".

It is a prover like any other (`prover.Prover`): Z3 has to agree with what it learns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from importlib.metadata import version

from attrs import define, field

from fencepost.aig.aiger import Design
from fencepost.aig.circuit import Circuit
from fencepost.aig.graph import FALSE
from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.ir.model import Model
from fencepost.proof.clause import Clause
from fencepost.proof.prove import prove
from fencepost.proof.prover import Answer, Limits
from fencepost.proof.reached import Reached
from fencepost.proof.search import Failure, every_state
from fencepost.proof.step import OutOfTime, Step
from fencepost.verdict import Label, Progress, Run

ENGINE = "learn"

_TOO_LONG = "not all that it takes was learnt in its time"


def run(
    model: Model,
    *,
    depth: int | None,  # noqa: ARG001 - a proof is for every depth
    timeout: float | None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
) -> Run:
    """Prove what is asked for, or find how it is violated.

    Raises:
        InternalError: what was learnt is contradicted, by Z3 or by the interpreter.
    """
    learner = Learner()
    try:
        return prove(ENGINE, learner, model, timeout=timeout, memory=memory, properties=properties, progress=progress)
    finally:
        learner.close()


@define(eq=False)
class Learner:
    """Searches once, and learns about one circuit after the other."""

    tool: str = "fencepost"
    version: str = field(factory=lambda: version("fencepost"))
    _states: Reached | Failure | None = None
    _lesson: Lesson | None = None

    def prove(self, what: Design, limits: Limits) -> Answer:
        """Ask whether no output of the design is ever 1."""
        clock = Clock(limits.seconds)
        answer = self._reached(what, clock, limits.memory)
        if not isinstance(answer, Reached):
            return answer
        circuit = what.circuit
        if self._lesson is None or self._lesson.step.circuit is not circuit:
            self._lesson = Lesson(answer, Step(circuit))
        learnt = self._lesson.learn([circuit.bads[name] for name, _ in what.bads], clock)
        return Answer(reason=_TOO_LONG) if learnt is None else Answer(invariant=learnt)

    def reach(self, what: Design, limits: Limits) -> Answer:
        """Look for a shortest run to where an output of the design is 1."""
        answer = self._reached(what, Clock(limits.seconds), limits.memory)
        return Answer(reason="no state that can be reached is one") if isinstance(answer, Reached) else answer

    def close(self) -> None:
        """Give back the memory of the search."""
        if isinstance(self._states, Reached):
            self._states.close()
        self._states = None

    def _reached(self, what: Design, clock: Clock, memory: int | None) -> Reached | Answer:
        """The states, if no output is 1 in any of them; else the run to the first one, or why there are none."""
        circuit = what.circuit
        if self._states is None:
            self._states = every_state(circuit.model, clock, memory)
        states = self._states
        if isinstance(states, Failure):
            return Answer(reason=states.reason, out_of_memory=states.out_of_memory)
        found = states.first(circuit, circuit.graph.any_of(circuit.bads[name] for name, _ in what.bads))
        return states if found is None else Answer(choices=_choices(circuit, states.path(found)))


def _choices(circuit: Circuit, path: Iterable[Label]) -> tuple[int, ...]:
    numbers = {instance.label: number for number, instance in enumerate(circuit.instances)}
    return tuple(numbers[label] for label in path)


@define(eq=False)
class Lesson:
    """What is known of the states of one circuit, and what of that is still to be looked at."""

    states: Reached
    step: Step
    known: dict[Clause, None] = field(factory=dict)
    _waiting: deque[Clause] = field(factory=deque)
    _alone: Step = field(init=False)
    """The step by itself, with nothing known: it says what of a state matters."""

    def __attrs_post_init__(self) -> None:
        self._alone = Step(self.step.circuit)
        self.step.require(self.step.circuit.within)

    def learn(self, bads: Iterable[int], clock: Clock) -> tuple[Clause, ...] | None:
        """Clauses that every step keeps and that rule out each condition; None if that takes too long.

        What was learnt by then is kept for the next time.

        Raises:
            InternalError: the conditions hold in reached states, or steps lead from those to others.
        """
        try:
            for bad in bads:
                self._rule_out(bad, clock)
            while self._waiting:
                self._rule_out(self.step.after(self._waiting[0]) ^ 1, clock)
                self._waiting.popleft()
        except OutOfTime:
            return None
        return tuple(self.known)

    def _rule_out(self, condition: int, clock: Clock) -> None:
        """Learn until no state in which everything known holds has, with some inputs, a condition."""
        while condition != FALSE and self.step.can([self.step.number(condition)], clock):
            self._know(self.states.against(*self._what_matters(condition)))

    def _know(self, clause: Clause) -> None:
        if clause in self.known:
            raise InternalError("a clause was learnt twice")
        self.known[clause] = None
        self._waiting.append(clause)
        self.step.require(self.step.before(clause))

    def _what_matters(self, condition: int) -> tuple[list[int], list[int]]:
        """Of the state that the solver has just found: each column's value, and which the condition needs."""
        state, inputs = self.step.state(), self.step.chosen()
        needs = self._needs(condition, inputs, self._needs(condition, inputs, state))
        values = [
            sum((number > 0) << place for place, number in enumerate(state[column.first : column.first + column.width]))
            for column in self.states.columns
        ]
        kept = set(needs)
        among = [
            number
            for number, column in enumerate(self.states.columns)
            if not kept.isdisjoint(state[column.first : column.first + column.width])
        ]
        return values, among

    def _needs(self, condition: int, inputs: list[int], state: list[int]) -> list[int]:
        """Of the latches' values, some that with the inputs are enough for the condition."""
        missed = self._alone.number(condition ^ 1)
        if self._alone.solver.satisfiable([missed, *inputs, *state]) is not False:
            raise InternalError("a state does not decide what a step from it does")
        core = set(self._alone.solver.core())
        return [number for number in state[::-1] if number in core]
