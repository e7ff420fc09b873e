"""Engine `induction`: k-induction under Z3, with the lemmas that the user gives.

Everything that is not yet proved is assumed in k states in a row and asked for in the next. What
fails there is not assumed any more, and the rest is asked again, until what is left follows from
itself; that is proved, if no run of fewer than k steps violates it. What failed has a gap: steps from
a state which no run need reach. Then k grows.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection

from attrs import define, evolve, field

from fencepost.bounded.runs import replayed
from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.exec.confirm import breaking_steps, broken_in, value_in
from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.model import Model
from fencepost.memory import resident
from fencepost.proof import symbolic
from fencepost.proof.questions import bounded_actions, provable
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, disj, implies, neg
from fencepost.smt.kernel import BoolTerm
from fencepost.smt.solver import Solver, Unknown
from fencepost.smt.system import System, lower
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import OBLIGATIONS, Finding, Gap, Progress, ProgressEvent, Proof, Run, Stop, is_obligation

ENGINE = "induction"

_NO_RESPONSE = "a response is not a matter of single states, and has no induction"
_TWIN_SECONDS = 1.0


def run(
    model: Model,
    *,
    depth: int | None,
    timeout: float | None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
) -> Run:
    """Prove what is asked for, and the model's lemmas, with k - 1 up to `depth`: the runs that are looked at.

    Raises:
        InternalError: Z3 and the interpreter disagree.
    """
    clock = Clock(timeout)
    asked = tuple(prop for prop in model.properties if properties is None or prop.name in properties)
    partial = {prop.name: _NO_RESPONSE for prop in asked if prop.response is not None}
    plain = tuple(prop for prop in asked if prop.response is None)
    lemmas = frozenset(lemma.name for lemma in model.lemmas)
    search: _Search | None = None
    try:
        search = _Search(evolve(model, properties=(*plain, *model.lemmas)), clock, progress, lemmas)
        stop = search.go(depth)
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    except _NoAnswer as gave_up:
        stop = gave_up.answer.stop
    if search is None:
        return Run(ENGINE, stop, -1, partial=partial, seconds=clock.seconds)
    return evolve(search.result(stop), partial=partial)


class _NoAnswer(Exception):
    def __init__(self, answer: Unknown) -> None:
        super().__init__(answer.reason)
        self.answer = answer


def _goals(system: System, lemmas: Collection[str]) -> dict[str, Bit]:
    """What must not happen, by name, in a state: properties, then obligations of properties and of steps.

    A lemma that cannot be evaluated does not hold.
    """
    found = {target.name: target.violated for target in system.targets}
    for target in system.targets:
        if target.name in lemmas:
            found[target.name] = disj((target.violated, *target.broken.values()))
    asked = [target.broken for target in system.targets if target.name not in lemmas]
    for broken in (*asked, *(one.broken for one in system.instances)):
        for name, bit in broken.items():
            found[name] = disj((found.get(name, False), bit))
    return found


@define(eq=False)
class _Search:
    model: Model
    clock: Clock
    progress: Progress | None
    lemmas: frozenset[str]
    system: System = field(init=False)
    goals: dict[str, Bit] = field(init=False)
    runs: Unrolling = field(init=False)
    """From the initial state."""
    steps: Unrolling = field(init=False)
    """From anywhere."""
    proved: dict[str, int] = field(factory=dict)
    """What is proved, with k."""
    findings: dict[str, Finding] = field(factory=dict)
    gaps: dict[str, Gap] = field(factory=dict)
    twins: dict[str, int] = field(factory=dict)
    base: int = -1
    """The depth to which nothing else is violated."""

    def __attrs_post_init__(self) -> None:
        self.system = lower(self.model)
        self.goals = _goals(self.system, self.lemmas)
        self.runs = Unrolling(self.system, Solver())
        self.steps = Unrolling(self.system, Solver(), anywhere=True)
        self.steps.solver.add(symbolic.within_sorts(self.system, symbolic.before(self.system)))
        self._count = 0

    _count: int = field(default=0, init=False)

    def go(self, depth: int | None) -> Stop:
        """Try k = 1, 2, and so on."""
        for k in itertools.count(1):
            self._look_for_violations(k - 1)
            self._step(k)
            if self.progress is not None:
                event = ProgressEvent(ENGINE, k, 0, len(self._open()), self.clock.seconds, resident())
                self.progress(event)
            if not self._open():
                return Stop.DECIDED
            if depth is not None and k - 1 >= depth:
                return Stop.DEPTH
            if self.clock.over:
                return Stop.TIMEOUT
        raise AssertionError("k grows for ever")

    def _open(self) -> list[str]:
        return [name for name in self.goals if name not in self.proved and name not in self.findings]

    def _possible(self, of: Unrolling, frame: int, condition: Bit, *also: BoolTerm) -> bool:
        self._count += 1
        literal = kernel.boolean(f"asked{self._count}")
        of.solver.add(implies(literal, of.at(frame, condition)))
        answer = of.solver.satisfiable([*of.active(frame), literal, *also], self.clock.left)
        if isinstance(answer, Unknown):
            raise _NoAnswer(answer)
        return answer

    def _look_for_violations(self, length: int) -> None:
        """In the runs of exactly so many steps."""
        while self.runs.depth < length:
            self.runs.extend()
        while still := self._open():
            if not self._possible(self.runs, length, disj(self.goals[name] for name in still)):
                break
            self._found(length, still)
        self.base = length
        for target in self.system.targets:
            if target.name not in self.twins:
                limit = self.clock
                self.clock = limit.at_most(_TWIN_SECONDS)
                try:
                    if self._possible(self.runs, length, target.twin):
                        self.twins[target.name] = length
                except _NoAnswer as gave_up:
                    if gave_up.answer.interrupted:
                        raise KeyboardInterrupt from None
                finally:
                    self.clock = limit

    def _found(self, length: int, names: list[str]) -> None:
        """The interpreter takes the run, and says what of these is violated at its end."""
        path, state = replayed(self.runs, length)
        found = {name: Finding(name, path, in_state=name not in self.properties) for name in self._wrong_in(state)}
        for name, label in breaking_steps(self.model, state).items():
            found.setdefault(name, Finding(name, (*path, label)))
        if not found.keys() & set(names):
            raise InternalError("induction violates something where the interpreter violates nothing")
        self.findings |= {name: finding for name, finding in found.items() if name in names}

    @property
    def properties(self) -> frozenset[str]:
        """By name, lemmas too."""
        return frozenset(prop.name for prop in self.model.properties)

    def _wrong_in(self, state: State) -> set[str]:
        """What does not hold in a state, as the interpreter sees it: properties, and what their evaluation breaks."""
        found = set[str]()
        broken = broken_in(self.model, state)
        for prop in self.model.properties:
            value = value_in(self.model, state, prop.holds, prop.name)
            if value is False or (prop.name in self.lemmas and broken[prop.name]):
                found.add(prop.name)
            if prop.name not in self.lemmas:
                found.update(broken[prop.name])
        return found

    def _step(self, k: int) -> None:
        """What follows from itself over k steps is proved."""
        while self.steps.depth < k:
            self._assume_proved(self.steps.depth)
            self.steps.extend()
        self._assume_proved(k)
        candidates = self._open()
        while candidates:
            held = [self._held(name, frame) for name in candidates for frame in range(k)]
            if not self._possible(self.steps, k, disj(self.goals[name] for name in candidates), *held):
                self.proved |= dict.fromkeys(candidates, k)
                for frame, name in itertools.product(range(k + 1), candidates):
                    self.steps.solver.add(neg(self.steps.at(frame, self.goals[name])))
                return
            failed = self._failed(k, candidates)
            candidates = [name for name in candidates if name not in failed]

    def _assume_proved(self, frame: int) -> None:
        for name in self.proved:
            self.steps.solver.add(neg(self.steps.at(frame, self.goals[name])))

    def _held(self, name: str, frame: int) -> BoolTerm:
        """The literal that says that something is not violated in a frame."""
        literal = kernel.boolean(f"held {name}@{frame}")
        self.steps.solver.add(implies(literal, neg(self.steps.at(frame, self.goals[name]))))
        return literal

    def _failed(self, k: int, candidates: list[str]) -> set[str]:
        """Which of these fail at the end of the steps that the solver has found; each gets its gap."""
        path, states = self.steps.path(k), self.steps.states(k)
        failed = (self._wrong_in(states[-1]) | breaking_steps(self.model, states[-1]).keys()) & set(candidates)
        if not failed:
            raise InternalError("induction has a gap where the interpreter has none")
        for name in failed:
            self.gaps[name] = Gap(name, states[0], path)
        return failed

    def result(self, stop: Stop) -> Run:
        """What is known by now."""
        lemmas = self.lemmas
        names = [name for name in provable(self.model) if name not in lemmas]
        proves = [name for name in names if name in self.proved]
        obligations = [name for name in self.goals if is_obligation(name)]
        if all(name in self.proved for name in obligations):
            proves.append(OBLIGATIONS)
        used = sorted(lemmas & self.proved.keys())
        k = max(self.proved.values(), default=1)
        argument = "induction" if k == 1 else f"{k}-induction"
        if used:
            argument += f" with the lemma{'s' * (len(used) > 1)} {', '.join(used)}"
        proof = None
        if proves:
            version = kernel.version()
            proof = Proof(tuple(proves), (), bounded_actions(self.model), "z3", version, argument)
        open_ = self._open()
        gaps = [evolve(self.gaps[name], lemma=name in lemmas) for name in open_ if name in self.gaps]
        wrong = {name: finding for name, finding in self.findings.items() if name in lemmas}
        gaps += [
            Gap(name, Interpreter(self.model).initial(), finding.path, lemma=True) for name, finding in wrong.items()
        ]
        return Run(
            ENGINE,
            stop,
            self.base,
            findings=tuple(finding for name, finding in self.findings.items() if name not in lemmas),
            twins={name: steps for name, steps in self.twins.items() if name in names},
            twins_given_up=frozenset(name for name in names if name not in self.twins),
            seconds=self.clock.seconds,
            proof=proof,
            gaps=tuple(sorted(gaps, key=lambda gap: (not gap.lemma, gap.name))),
        )
