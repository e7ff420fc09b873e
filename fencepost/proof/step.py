"""One step of a circuit in a SAT solver: clauses over the state before it, and over the state after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define, field

from fencepost.aig.circuit import Circuit
from fencepost.aig.cnf import Clauses, number_of
from fencepost.clock import Clock
from fencepost.ir.sorts import SetSort
from fencepost.proof.clause import Clause, Literal, Membership
from fencepost.sat.solver import Solver, Unknown

SOLVER = "minisat22"
"""No solver that checks certificates has it in it, and here it is no slower than CaDiCaL."""


class OutOfTime(Exception):
    """A question was not decided in its time."""


@define(eq=False)
class Element:
    """An element of the state: which latches hold it, and what its packed values stand for."""

    at: int
    first: int
    width: int
    lo: int
    size: int
    is_set: bool


def elements_of(circuit: Circuit) -> list[Element]:
    """The elements of a circuit's state, in the order of the flat state."""
    found: list[Element] = []
    first = 0
    for var in circuit.model.vars:
        sort = var.sort
        for _ in range(var.count):
            found.append(Element(len(found), first, sort.width, sort.lo, sort.size, isinstance(sort, SetSort)))
            first += sort.width
    return found


@define(eq=False)
class Step:
    """The numbers that say, in one solver, that a clause holds before the step, or after it.

    The states before it are those whose elements are within their sorts.
    """

    circuit: Circuit
    solver: Solver = field(factory=lambda: Solver(SOLVER))
    elements: list[Element] = field(init=False)
    _clauses: Clauses = field(init=False)
    _latches: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.elements = elements_of(self.circuit)
        self._latches = [latch.literal for latch in self.circuit.latches]
        self._clauses = Clauses(self.circuit.graph, self.solver.add)
        for literal in (*self._latches, *self.circuit.inputs):
            self._clauses.number(literal)

    def number(self, literal: int) -> int:
        """The solver's number of a literal of the circuit."""
        return self._clauses.number(literal)

    def require(self, literal: int) -> None:
        """Assert a literal of the circuit for good."""
        self._clauses.require(literal)

    def can(self, numbers: Sequence[int], clock: Clock) -> bool:
        """Whether some step goes with all of these numbers.

        Raises:
            OutOfTime: that was not decided in time.
        """
        if clock.over:
            raise OutOfTime
        answer = self.solver.satisfiable(numbers, clock.left)
        if isinstance(answer, Unknown):
            raise KeyboardInterrupt if answer.interrupted else OutOfTime
        return answer

    def before(self, clause: Clause) -> int:
        """The circuit's literal that says that the clause holds before the step."""
        return self._holds(clause, self._latches)

    def after(self, clause: Clause) -> int:
        """The circuit's literal that says that the clause holds after the step."""
        return self._holds(clause, self.circuit.nexts)

    def within_sorts(self) -> Iterator[Clause]:
        """For each element that has more packed values than its sort has, that it is within it."""
        for element in self.elements:
            if not element.is_set and element.size < 1 << element.width:
                yield (Literal(element.at, tuple(range(element.lo, element.lo + element.size))),)

    def _holds(self, clause: Clause, bits: Sequence[int]) -> int:
        return self.circuit.graph.any_of(self._literal(literal, bits) for literal in clause)

    def _literal(self, literal: Literal | Membership, bits: Sequence[int]) -> int:
        element = self.elements[literal.at]
        if isinstance(literal, Membership):
            return bits[element.first + literal.item] ^ (not literal.present)
        graph, own = self.circuit.graph, bits[element.first : element.first + element.width]
        return graph.any_of(
            graph.all_of(bit ^ (~(value - element.lo) >> place & 1) for place, bit in enumerate(own))
            for value in literal.values
        )

    def state(self) -> list[int]:
        """The numbers of the latches, each as it is in the model that the solver has just found."""
        return [self._as_found(literal) for literal in self._latches]

    def chosen(self) -> list[int]:
        """The numbers of the inputs, likewise."""
        return [self._as_found(literal) for literal in self.circuit.inputs]

    def _as_found(self, literal: int) -> int:
        number = number_of(literal)
        return number if self.solver.value(number) else -number
