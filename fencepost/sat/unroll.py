"""Runs of a circuit in a SAT solver: a copy of its gates for each step, folded as it is made.

The copies are one graph. In the first the latches are constants, so the early steps fold to little;
what is alike in several is one. Only the gates that a question depends on become clauses.

Every step has inputs of its own. `moves` is asserted, or assumed, of each step that a run is to take,
so a run is exact in its length; and of each state that its elements are within their sorts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.aig.circuit import Broken, Circuit, Target
from fencepost.aig.cnf import Clauses, number_of
from fencepost.aig.graph import FALSE, TRUE, Graph
from fencepost.errors import InternalError
from fencepost.exec.interpreter import State
from fencepost.ir.model import Model
from fencepost.sat.solver import NAME, Solver, Unknown
from fencepost.verdict import Path

Condition = int | tuple[int, ...]
"""A literal of the circuit, or several of which one is to hold; a `bool` is the literal of its value."""


class Unrolling:
    """The runs, extended one step at a time in one solver."""

    engine = "sat"
    solver_name = NAME

    def __init__(self, circuit: Circuit, solver: Solver) -> None:
        self.circuit, self._solver = circuit, solver
        self._graph = Graph()
        self._clauses = Clauses(self._graph, solver.add)
        self._gates = list(circuit.graph.gates())
        self._frames: list[list[int]] = []
        """For each state of a run, the unrolled literal of each of the circuit's variables."""
        self._inputs: list[list[int]] = []
        self._settled = 0
        self._begin([latch.reset for latch in circuit.latches])

    def _begin(self, latches: list[int]) -> None:
        """Add a frame with these values of the latches."""
        frame = [FALSE] * self.circuit.graph.size
        self._inputs.append([self._graph.free() for _ in self.circuit.inputs])
        for literal, new in zip(self.circuit.inputs, self._inputs[-1], strict=True):
            frame[literal >> 1] = new
        for latch, new in zip(self.circuit.latches, latches, strict=True):
            frame[latch.literal >> 1] = new
        both = self._graph.both
        for literal, a, b in self._gates:
            frame[literal >> 1] = both(frame[a >> 1] ^ a & 1, frame[b >> 1] ^ b & 1)
        self._frames.append(frame)
        self._clauses.require(self._literal(self.depth, self.circuit.within))

    def _literal(self, frame: int, literal: int) -> int:
        return self._frames[frame][literal >> 1] ^ literal & 1

    @property
    def model(self) -> Model:
        return self.circuit.model

    @property
    def targets(self) -> tuple[Target, ...]:
        """The properties."""
        return self.circuit.targets

    @property
    def in_step(self) -> Iterator[Broken]:
        """What each instance breaks."""
        return (instance.broken for instance in self.circuit.instances)

    @property
    def depth(self) -> int:
        """How many steps the runs have."""
        return len(self._frames) - 1

    def extend(self) -> None:
        """Add a step."""
        self._begin([self._literal(self.depth, literal) for literal in self.circuit.nexts])

    def settle(self, length: int) -> None:
        """Take the first `length` steps for good: no shorter run will be asked about again."""
        for step in range(self._settled, min(length, self.depth)):
            self._clauses.require(self._literal(step, self.circuit.moves))
        self._settled = max(self._settled, min(length, self.depth))

    def at(self, frame: int, condition: Condition) -> int:
        """A condition on the circuit's state, of the state of a frame."""
        literals = condition if isinstance(condition, tuple) else (condition,)
        return self._graph.any_of(self._literal(frame, literal) for literal in literals)

    def either(self, conditions: Iterable[int]) -> Condition:
        """That one of some conditions on the state holds."""
        return tuple(conditions)

    def question(self, sought: int) -> object:
        """The number to assume for the condition."""
        return self._clauses.number(sought)

    def ask(self, frame: int, question: object, seconds: float) -> bool | Unknown:
        """Whether a run takes all steps to a frame and has what the question is about."""
        assert isinstance(question, int)
        steps = range(self._settled, frame)
        taken = [self._clauses.number(self._literal(step, self.circuit.moves)) for step in steps]
        impossible = number_of(FALSE)
        if question == impossible or impossible in taken:
            return False
        return self._solver.satisfiable([*taken, question], seconds)

    def deny(self, sought: int) -> None:
        """Assert that it is not so; what is always so was the run's fault, and says nothing of states."""
        if sought != TRUE:
            self._clauses.require(sought ^ 1)

    def path(self, length: int) -> Path:
        """The first steps of the run that the solver has just found."""
        return tuple(self._label(step) for step in range(length))

    def states(self, length: int) -> list[State]:
        """The states of those steps: what follows from the steps, for not every bit of them was asked about."""
        known = {literal: self._value(literal) for inputs in self._inputs for literal in inputs}
        latches = [latch.literal for latch in self.circuit.latches]
        frames = range(length + 1)
        bits = self._graph.evaluate(known, [self._literal(frame, literal) for frame in frames for literal in latches])
        count = len(latches)
        return [self.circuit.state(bits[frame * count : (frame + 1) * count]) for frame in frames]

    def afresh(self) -> Unrolling:
        """The same circuit's runs in a new solver."""
        return Unrolling(self.circuit, Solver())

    def _value(self, literal: int) -> int:
        return self._solver.value(number_of(literal))

    def _label(self, step: int) -> tuple[str, tuple[int, ...]]:
        chosen = sum(self._value(literal) << place for place, literal in enumerate(self._inputs[step]))
        if chosen >= len(self.circuit.instances):
            raise InternalError(f"step {step} of a run that the solver found is that of no instance")
        return self.circuit.instances[chosen].label
