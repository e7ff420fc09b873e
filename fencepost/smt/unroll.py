"""Runs of a system as formulas: one frame of constants a state, one selector an instance a step.

The step from a frame to the next is lowered once, over template constants, and copied for each
frame by substitution. At most one selector of a step is true; it implies that its instance is
enabled, and gives the elements that it changes their next values. Where none is true the state
stays, and `active` rules that out for the steps that a query is about. So a run is exact in its
length, and frames beyond a query's depth do not ask of its last state that it has a successor.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import cast

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.model import Model
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, conj, disj, implies, neg, term
from fencepost.smt.execute import Broken
from fencepost.smt.kernel import BoolTerm, Substitution, Term
from fencepost.smt.solver import Solver, Unknown
from fencepost.smt.system import System, Target
from fencepost.verdict import Path


class Unrolling:
    """The runs of a system, extended one step at a time in one solver."""

    engine = "bmc"
    solver_name = "Z3"

    def __init__(self, system: System, solver: Solver, *, anywhere: bool = False) -> None:
        """Runs from the initial state, or with `anywhere` from any, which the constants of `system` then are."""
        self.system, self.solver = system, solver
        initial = system.literals(Interpreter(system.model).initial())
        self._initial = system.consts if anywhere else initial
        self._next = tuple(_renamed(system, "'"))
        self._select = tuple(kernel.boolean(f"step{i}") for i in range(len(system.instances)))
        self._active = kernel.boolean("active")
        self._step = conj(_step(system, self._next, self._select, self._active))
        self.frames: list[tuple[Term, ...]] = [self._initial]
        self.selectors: list[tuple[BoolTerm, ...]] = []
        self._taken: list[BoolTerm] = []
        """For each step, the literal that says it is taken."""
        self._settled = 0
        self._questions = 0

    @property
    def model(self) -> Model:
        return self.system.model

    @property
    def targets(self) -> tuple[Target, ...]:
        """The properties."""
        return self.system.targets

    @property
    def in_step(self) -> Iterator[Broken]:
        """What each instance breaks."""
        return (instance.broken for instance in self.system.instances)

    @property
    def depth(self) -> int:
        """How many steps the runs have."""
        return len(self.frames) - 1

    def extend(self) -> None:
        """Add a step."""
        at = self.depth
        consts = tuple(_renamed(self.system, f"@{at + 1}"))
        chosen = tuple(kernel.boolean(f"step{i}@{at}") for i in range(len(self._select)))
        active = kernel.boolean(f"active@{at}")
        copy = Substitution(
            (*self.system.consts, *self._next, *self._select, self._active),
            (*self.frames[at], *consts, *chosen, active),
        )
        if not isinstance(self._step, bool):
            self.solver.add(copy(self._step))
        self.frames.append(consts)
        self.selectors.append(chosen)
        self._taken.append(active)

    def active(self, length: int) -> list[BoolTerm]:
        """What to assume so that the first `length` steps are taken."""
        return self._taken[self._settled : length]

    def settle(self, length: int) -> None:
        """Take the first `length` steps for good: no shorter run will be asked about again."""
        for taken in self._taken[self._settled : length]:
            self.solver.add(taken)
        self._settled = max(self._settled, min(length, self.depth))

    def at(self, frame: int, bit: Bit) -> Bit:
        """A condition on the template state, of the state of a frame."""
        return bit if isinstance(bit, bool) else Substitution(self.system.consts, self.frames[frame])(bit)

    def either(self, conditions: Iterable[Bit]) -> Bit:
        """That one of some conditions on the template state holds."""
        return disj(conditions)

    def question(self, sought: Bit) -> BoolTerm:
        """A literal to assume for the condition."""
        self._questions += 1
        literal = kernel.boolean(f"question{self._questions}")
        self.solver.add(implies(literal, sought))
        return literal

    def ask(self, frame: int, question: object, seconds: float) -> bool | Unknown:
        """Whether a run takes all steps to a frame and has what the question is about."""
        return self.solver.satisfiable((*self.active(frame), cast("BoolTerm", question)), seconds)

    def deny(self, sought: Bit) -> None:
        """Assert that it is not so."""
        self.solver.add(neg(sought))

    def afresh(self) -> Unrolling:
        """The same system's runs in a new solver."""
        return Unrolling(self.system, Solver())

    def path(self, length: int) -> Path:
        """The first steps of the run that the solver has just found."""
        return tuple(self._label(step) for step in range(length))

    def states(self, length: int) -> list[State]:
        """The states of those steps, one more than there are steps."""
        return [self.system.state(self.solver.values(self.frames[at])) for at in range(length + 1)]

    def _label(self, step: int) -> tuple[str, tuple[int, ...]]:
        found = self.solver.values(self.selectors[step])
        chosen = [i for i, value in enumerate(found) if kernel.number_in(value)]
        if len(chosen) != 1:
            raise InternalError(f"step {step} of a run that the solver found has {len(chosen)} instances, not one")
        return self.system.instances[chosen[0]].label


def _renamed(system: System, suffix: str) -> Iterator[Term]:
    return (kernel.renamed(const, suffix) for const in system.consts)


def _step(system: System, after: tuple[Term, ...], select: tuple[BoolTerm, ...], active: BoolTerm) -> Iterator[Bit]:
    """What relates a state to the next."""
    yield implies(active, disj(select))
    yield from _at_most_one(select)
    for chosen, instance in zip(select, system.instances, strict=True):
        yield implies(chosen, instance.enabled)
    rest = iter(after)
    for position, slot in enumerate(system.slots):
        writers = _writers(system, position, select)
        for const, old, *news in zip(
            itertools.islice(rest, len(slot.consts)), slot.consts, *(terms for terms, _ in writers), strict=True
        ):
            value = old
            for new, (_, choices) in zip(news, writers, strict=True):
                value = kernel.if_term(term(disj(choices)), new, value)
            yield kernel.equals(const, value)


def _writers(
    system: System, position: int, select: tuple[BoolTerm, ...]
) -> list[tuple[tuple[Term, ...], list[BoolTerm]]]:
    """The values that an element may be given, each with the selectors of the instances that give it.

    The next value is then a chain of if-then-elses over them. Implications, one a value, made
    Z3 two to four times slower.
    """
    found: dict[tuple[int, ...], tuple[tuple[Term, ...], list[BoolTerm]]] = {}
    for chosen, instance in zip(select, system.instances, strict=True):
        if position in instance.changes:
            terms = system.slots[position].terms(instance.changes[position])
            found.setdefault(tuple(item.get_id() for item in terms), (terms, []))[1].append(chosen)
    return list(found.values())


def _at_most_one(select: tuple[BoolTerm, ...]) -> Iterator[Bit]:
    for i, one in enumerate(select):
        for other in select[:i]:
            yield disj((neg(one), neg(other)))
