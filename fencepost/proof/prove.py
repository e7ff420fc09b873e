"""Proving what is asked of a model with a prover, whichever it is.

The prover is asked about everything at once, and where that takes too long, about one thing after
the other: invariants can be put together. What it finds is believed only after others agree: of an
invariant Z3, which looks at another lowering of the model; of a counterexample the interpreter.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import define, evolve, field

from fencepost.aig.aiger import Form, design
from fencepost.aig.circuit import Circuit, circuit_of
from fencepost.aig.graph import FALSE
from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.ir.expr import negate
from fencepost.ir.model import Model
from fencepost.memory import resident
from fencepost.proof.clause import Clause, Vocabulary
from fencepost.proof.found import violations
from fencepost.proof.minimise import minimised
from fencepost.proof.prover import Limits, Prover
from fencepost.proof.questions import Part, ask, bounded_actions, provable
from fencepost.proof.selfcheck import SelfCheck
from fencepost.smt.solver import Unknown
from fencepost.verdict import OBLIGATIONS, Finding, Progress, ProgressEvent, Proof, Run, Stop

_TOGETHER = 0.5
"""The share of the time that everything at once may take."""
_FOR_CHECK = 0.8
"""The share of the time that all proving may take: the rest is for checking it and for twins."""
_FOR_LESS = 0.5
"""The share of what is then left that leaving out clauses may take."""
_TWIN_SECONDS = 10.0
"""A twin that takes longer is given up."""
_NO_RESPONSE = "a response is not a matter of single states, and has no invariant"


def prove(
    engine: str,
    prover: Prover,
    model: Model,
    *,
    timeout: float | None,
    memory: int | None,
    properties: Collection[str] | None,
    progress: Progress | None,
) -> Run:
    """An engine's run: what it proves, and how what it does not prove is violated.

    Raises:
        InternalError: the prover is contradicted, by Z3 or by the interpreter.
    """
    wanted = tuple(prop for prop in model.properties if properties is None or prop.name in properties)
    search = _Search(engine, prover, evolve(model, properties=wanted), Clock(timeout), memory, progress)
    try:
        stop = search.go()
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    return search.result(stop)


@define(eq=False)
class _Search:
    engine: str
    prover: Prover
    model: Model
    clock: Clock
    memory: int | None
    progress: Progress | None
    invariant: dict[Clause, None] = field(factory=dict)
    shown: set[str] = field(factory=set)
    """Properties and obligations that the prover has proved."""
    findings: dict[str, Finding] = field(factory=dict)
    proof: Proof | None = None
    twins: dict[str, int] = field(factory=dict)
    unsought: set[str] = field(factory=set)
    """Properties whose twins were given up."""
    reasons: list[str] = field(factory=list)
    stopped: Stop | None = None

    def go(self) -> Stop:
        """Ask for everything, look at it again, and look for the twins of what is proved."""
        self._tell()
        circuit = circuit_of(self.model)
        names = list(circuit.bads)
        self.shown.update(name for name in names if circuit.bads[name] == FALSE)
        while (still := self._open(names)) and self._prove(circuit, still, _TOGETHER):
            pass
        waiting = list(self._groups(names)) if len(still) > 1 else []
        while waiting:
            self._prove(circuit, waiting.pop(0), 1 / (len(waiting) + 1))
        self._look_again(circuit, names)
        self._look_for_twins()
        if self.stopped is not None:
            return self.stopped
        confirmed = self.proof is not None or not self.shown
        return Stop.DECIDED if confirmed and not self._open(names) else Stop.TIMEOUT

    def _open(self, names: Collection[str]) -> list[str]:
        return [name for name in names if name not in self.shown and name not in self.findings]

    def _groups(self, names: Collection[str]) -> Iterator[list[str]]:
        """What is left: obligations together, then each property."""
        properties = {prop.name for prop in self.model.properties}
        still = self._open(names)
        if obligations := [name for name in still if name not in properties]:
            yield obligations
        yield from ([name] for name in still if name in properties)

    def _prove(self, circuit: Circuit, names: list[str], share: float) -> bool:
        """Ask about some things at once, in a share of the time; whether that came to something."""
        left = None if self.clock.left is None else (self.clock.left * _FOR_CHECK) * share
        if self.stopped is not None or (left is not None and left < 1 and self.clock.seconds > 1):
            return False
        what = design(circuit, names, form=Form.ABC)
        answer = self.prover.prove(what, Limits(left, self.memory))
        if answer.invariant is not None:
            self.invariant |= dict.fromkeys(answer.invariant)
            self.shown.update(names)
        elif answer.choices is not None:
            self.findings |= {found.name: found for found in violations(circuit, answer.choices, names)}
        else:
            about = names[0] if len(names) == 1 else f"{len(names)} things at once"
            self.reasons.append(f"{about}: {answer.reason}")
            self.stopped = Stop.MEMORY if answer.out_of_memory else Stop.FAILED if answer.failed else None
        self._tell()
        return not answer.reason

    def _look_again(self, circuit: Circuit, names: Collection[str]) -> None:
        """Have Z3 look at the invariant; only then is anything proved."""
        properties = {prop.name for prop in self.model.properties}
        proves = [name for name in provable(self.model) if name in self.shown]
        if all(name in self.shown for name in names if name not in properties):
            proves.append(OBLIGATIONS)
        if not proves:
            return
        invariant = tuple(self.invariant)
        seconds = None if self.clock.left is None else self.clock.left * _FOR_LESS
        needed = [name for name in names if name in proves or (name not in properties and OBLIGATIONS in proves)]
        invariant = minimised(circuit, invariant, needed, Clock(seconds))
        check = self._confirmed(invariant, proves)
        if check is None:
            return
        self.unsought.update(name for name in proves if name != OBLIGATIONS)
        held = {question.label[0] for question, _ in check.objections([Part.BOUNDS]) if question.label is not None}
        vocabulary = Vocabulary.of(self.model)
        self.proof = Proof(
            tuple(proves),
            tuple(vocabulary.show(clause) for clause in invariant),
            tuple(name for name in bounded_actions(self.model) if name in held),
            self.prover.tool,
            self.prover.version,
            f"an invariant of {len(invariant):,} clause{'s' * (len(invariant) != 1)}",
        )

    def _confirmed(self, invariant: tuple[Clause, ...], proves: Collection[str]) -> SelfCheck | None:
        """Z3's look at an invariant, if it has no objections; else why not is noted.

        Raises:
            InternalError: it refutes it.
        """
        check = SelfCheck(ask(self.model, invariant, proves, ()), self.clock)
        for question, answer in check.objections([Part.INITIATION, Part.CONSECUTION, Part.SAFETY])[:1]:
            where = f"{question.part.value} {question.label or question.about}".strip()
            if answer is True:
                raise InternalError(f"{self.prover.tool} proves what Z3 refutes: {where}")
            assert isinstance(answer, Unknown)
            self.stopped = answer.stop
            self.reasons.append(f"Z3 did not confirm the invariant in time: {where}")
            return None
        return check

    def _look_for_twins(self) -> None:
        """Whether what the proved properties speak of ever happens."""
        proved = () if self.proof is None else self.proof.proves
        sought = [evolve(p, holds=negate(p.twin), response=None) for p in self.model.properties if p.name in proved]
        circuit = circuit_of(evolve(self.model, properties=tuple(sought)))
        for number, prop in enumerate(sought):
            left = None if self.clock.left is None else self.clock.left / (len(sought) - number)
            if self.stopped is not None or (left is not None and left < 1):
                return
            what = design(circuit, [prop.name], form=Form.ABC)
            limits = Limits((_TWIN_SECONDS if left is None else min(left, _TWIN_SECONDS)) / 2, self.memory)
            answer = self.prover.reach(what, limits)
            if answer.choices is None:
                answer = self.prover.prove(what, limits)
            if answer.choices is not None:
                found = violations(circuit, answer.choices, [prop.name])
                self.twins[prop.name] = len(found[0].path)
            if not answer.reason:
                self.unsought.discard(prop.name)
            self._tell()

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(ProgressEvent(self.engine, 0, 0, len(self.invariant), self.clock.seconds, resident()))

    def result(self, stop: Stop) -> Run:
        """What is known by now."""
        return Run(
            self.engine,
            stop,
            -1,
            findings=tuple(self.findings.values()),
            twins=self.twins,
            twins_given_up=frozenset(self.unsought),
            partial={p.name: _NO_RESPONSE for p in self.model.properties if p.name not in provable(self.model)},
            seconds=self.clock.seconds,
            reason="; ".join(self.reasons) if stop is not Stop.DECIDED else "",
            proof=self.proof,
        )
