"""What has to be asked of an invariant, each as one question whose answer must be no.

An invariant and the sorts of the elements hold in every reachable state if they hold in the
initial one (initiation) and each step from a state in which they hold leads to one in which they do
(consecution). A property is safe if it is violated in no such state. The questions are made from
the model alone, by the lowering that the bounded check uses, with every obligation kept.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Sequence

from attrs import frozen

from fencepost.exec.interpreter import Interpreter
from fencepost.ir.model import GuardKind, Model, PropertyKind
from fencepost.proof import symbolic
from fencepost.proof.clause import Clause
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, conj, disj, neg, term
from fencepost.smt.kernel import Term
from fencepost.smt.system import Instance, System, lower
from fencepost.verdict import OBLIGATIONS, Label


class Part(enum.Enum):
    """What a question is part of."""

    INITIATION = "initiation"
    CONSECUTION = "consecution"
    SAFETY = "safety"
    BOUNDS = "bounds"


@frozen(eq=False)
class Question:
    """Whether there is such a state: there must be none.

    `label` is the step in question, `about` the property. Initiation is asked without the invariant.
    """

    part: Part
    asks: Bit
    label: Label | None = None
    about: str = ""

    @property
    def text(self) -> str:
        """The condition as SMT-LIB."""
        return text(self.asks)


@frozen(eq=False)
class Asked:
    """All the questions about one invariant: over which system, what is assumed, what is asked."""

    system: System
    assumed: tuple[Bit, ...]
    questions: tuple[Question, ...]

    @property
    def declared(self) -> tuple[str, ...]:
        """The constants of the state, declared as SMT-LIB."""
        return tuple(map(declaration, self.system.consts))


def ask(model: Model, invariant: Sequence[Clause], proves: Collection[str], bounds: Collection[str]) -> Asked:
    """The questions whose answers decide whether the invariant proves what it is said to.

    `bounds` are the actions whose bounds may be in the way; those of the others must not be.
    """
    system = lower(model, [name for name in proves if name != OBLIGATIONS], discharge=False)
    state = symbolic.before(system)
    clauses = [symbolic.holds(clause, state) for clause in invariant]
    assumed = (symbolic.within_sorts(system, state), *clauses)
    questions = [_initiation(system, assumed), *_consecutions(system, invariant)]
    questions += [*_safety(system, proves), *_bounds(system, bounds)]
    return Asked(system, tuple(bit for bit in assumed if bit is not True), tuple(questions))


def text(bit: Bit) -> str:
    """A condition as SMT-LIB."""
    written: str = term(bit).sexpr()  # type: ignore[attr-defined]
    return " ".join(written.split())


def declaration(const: Term) -> str:
    """A constant's declaration as SMT-LIB."""
    written: str = const.decl().sexpr()  # type: ignore[attr-defined]
    return " ".join(written.split())


def _initiation(system: System, assumed: Sequence[Bit]) -> Question:
    initial = system.literals(Interpreter(system.model).initial())
    there = conj(kernel.equals(const, value) for const, value in zip(system.consts, initial, strict=True))
    return Question(Part.INITIATION, conj((there, neg(conj(assumed)))))


def _consecutions(system: System, invariant: Sequence[Clause]) -> Iterator[Question]:
    """One a step: the clauses that speak of nothing that it changes hold after it as before."""
    touching: dict[int, list[int]] = {}
    for number, clause in enumerate(invariant):
        for literal in clause:
            touching.setdefault(literal.at, []).append(number)
    for instance in system.instances:
        numbers = sorted({number for at in instance.changes for number in touching.get(at, ())})
        following = symbolic.after(system, instance)
        kept = conj(
            (
                symbolic.within_sorts(system, following, sorted(instance.changes)),
                *(symbolic.holds(invariant[number], following) for number in numbers),
            )
        )
        lost = conj((instance.enabled, neg(kept)))
        if lost is not False:
            yield Question(Part.CONSECUTION, lost, instance.label)


def _safety(system: System, proves: Collection[str]) -> Iterator[Question]:
    for target in system.targets:
        if target.name in proves and target.violated is not False:
            yield Question(Part.SAFETY, target.violated, about=target.name)
        if (broken := disj(target.broken.values())) is not False and OBLIGATIONS in proves:
            yield Question(Part.SAFETY, broken, about=target.name)
    for instance in system.instances if OBLIGATIONS in proves else ():
        if (broken := disj(instance.broken.values())) is not False:
            yield Question(Part.SAFETY, broken, instance.label, OBLIGATIONS)


def bounded_actions(model: Model) -> tuple[str, ...]:
    """The actions that a bound may keep from being taken."""
    return tuple(a.name for a in model.actions if any(guard.kind is GuardKind.BOUND for guard in a.guards))


def _bounds(system: System, bounds: Collection[str]) -> Iterator[Question]:
    bounded = set(bounded_actions(system.model)) - set(bounds)
    for instance in system.instances:
        held = held_back(instance)
        if instance.label[0] in bounded and held is not False:
            yield Question(Part.BOUNDS, held, instance.label)


def held_back(instance: Instance) -> Bit:
    """That a bound alone keeps the step from being taken."""
    return conj((instance.wanted, neg(instance.enabled), neg(disj(instance.broken.values()))))


def provable(model: Model) -> tuple[str, ...]:
    """The properties that are a matter of single states, and so of an invariant."""
    return tuple(prop.name for prop in model.properties if prop.kind is not PropertyKind.RESPONSE)
