"""What a bounded check looks for at each depth, and what it makes of an answer.

Each goal asks one question a depth, *is there a run of exactly this length that ...*, and keeps
its own bound. Findings are confirmed by the interpreter before they count.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod

from attrs import define, field

from fencepost.errors import InternalError
from fencepost.exec.confirm import breaking_steps, broken_in, value_in
from fencepost.ir.model import Property, PropertyKind
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, disj
from fencepost.smt.decode import replayed
from fencepost.smt.execute import Broken
from fencepost.smt.lasso import Lassos, Waits
from fencepost.smt.system import Target
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Finding, Path


class Matter(enum.Enum):
    """What hangs on a goal's answer."""

    VERDICT = "verdict"
    """A property: a verdict is asked for."""
    SOUND = "sound"
    """The model's own obligations: part of what a bound claims."""
    EXTRA = "extra"
    """Worth a moment; given up where it costs more."""


@define(eq=False)
class Goal(ABC):
    """One question a depth. `bound` is the greatest depth it is answered for, every lesser one included."""

    name: str
    matter: Matter
    bound: int = field(default=-1, init=False)
    cuts: int = field(default=0, init=False)
    """How often a query was cut off to let others go first."""
    closed: bool = field(default=False, init=False)
    findings: list[Finding] = field(factory=list, init=False)
    twin: Path | None = field(default=None, init=False)

    def frame(self, depth: int) -> int:
        """The frame that the condition is about, for runs of a length."""
        return depth

    @abstractmethod
    def condition(self) -> Bit:
        """What is looked for, over the template state."""

    def sought(self, runs: Unrolling, depth: int) -> Bit:
        """What is looked for in runs of a length."""
        return runs.at(self.frame(depth), self.condition())

    @abstractmethod
    def reached(self, runs: Unrolling, depth: int) -> None:
        """There is such a run, and the solver has it: confirm and record it."""

    def absent(self, depth: int) -> None:
        """There is no such run."""
        self.bound = depth

    def close(self, depth: int) -> None:
        """Nothing is left to look for beyond this depth."""
        self.bound, self.closed = depth, True


@define(eq=False)
class Violation(Goal):
    """A state in which a property does not hold."""

    prop: Property
    target: Target

    def condition(self) -> Bit:
        return self.target.violated

    def reached(self, runs: Unrolling, depth: int) -> None:
        path, state = replayed(runs, depth)
        if value_in(runs.system.model, state, self.prop.holds, self.name) is not False:
            raise InternalError(f"bmc violates {self.name} in a state where the interpreter does not")
        self.findings.append(Finding(self.name, path))
        self.close(depth)


@define(eq=False)
class Endless(Goal):
    """A run whose last state it was in before, such that a response waits for ever if it goes on like that."""

    waits: Waits

    def condition(self) -> Bit:
        return False

    def sought(self, runs: Unrolling, depth: int) -> Bit:
        assert runs is self.waits.lassos.runs
        return self.waits.at(depth)

    def reached(self, runs: Unrolling, depth: int) -> None:
        again = runs.solver.values([self.waits.lassos.again(frame) for frame in range(depth + 1)])
        loop = next(frame for frame, value in enumerate(again) if kernel.number_in(value))
        states = runs.states(depth)
        path, _ = replayed(runs, depth)
        if states[loop] != states[-1]:
            raise InternalError(f"bmc closes a loop of {self.name} that is none")
        self.findings.append(Finding(self.name, path, loop=loop))
        self.close(depth)


@define(eq=False)
class Twin(Goal):
    """A state in which the situation that a property speaks of is there."""

    prop: Property
    target: Target

    def condition(self) -> Bit:
        return self.target.twin

    def reached(self, runs: Unrolling, depth: int) -> None:
        path, state = replayed(runs, depth)
        if value_in(runs.system.model, state, self.prop.twin, self.name) is not True:
            raise InternalError(f"bmc reaches the twin of {self.name} in a state where the interpreter does not")
        self.twin = path
        self.close(depth)


@define(eq=False)
class BrokenInState(Goal):
    """A state in which evaluating a property breaks an obligation; goes on until every name is found."""

    open: Broken

    def condition(self) -> Bit:
        return disj(self.open.values())

    def reached(self, runs: Unrolling, depth: int) -> None:
        path, state = replayed(runs, depth)
        names = {name for found in broken_in(runs.system.model, state).values() for name in found} & set(self.open)
        if not names:
            raise InternalError("bmc breaks an obligation of a property in a state where the interpreter does not")
        for name in sorted(names):
            self.findings.append(Finding(name, path, in_state=True))
            del self.open[name]
        if not self.open:
            self.close(depth)


@define(eq=False)
class BrokenStep(Goal):
    """A step that breaks an obligation, as the last of the run; goes on until every name is found."""

    open: Broken

    def frame(self, depth: int) -> int:
        return depth - 1

    def condition(self) -> Bit:
        return disj(self.open.values())

    def reached(self, runs: Unrolling, depth: int) -> None:
        path, state = replayed(runs, depth - 1)
        steps = {name: step for name, step in breaking_steps(runs.system.model, state).items() if name in self.open}
        if not steps:
            raise InternalError("bmc breaks an obligation of a step where the interpreter does not")
        for name, step in sorted(steps.items()):
            self.findings.append(Finding(name, (*path, step)))
            del self.open[name]
        if not self.open:
            self.close(depth)


@define(eq=False)
class AnyRun(Goal):
    """Any run at all of this length: where there is none, every reachable state has been seen.

    A run that is found is replayed by the interpreter, so a lowering that is too strict for any
    violation to be possible does not go unnoticed.
    """

    horizon: int | None = field(default=None, init=False)
    """The length of the longest run, once it is known."""

    def condition(self) -> Bit:
        return True

    def reached(self, runs: Unrolling, depth: int) -> None:
        replayed(runs, depth)
        self.bound = depth

    def absent(self, depth: int) -> None:
        self.horizon = depth - 1
        self.close(depth - 1)


def goals_of(runs: Unrolling, *, twins: bool) -> list[Goal]:
    """Everything to look for, the model's own obligations first."""
    system = runs.system
    in_state: Broken = {}
    for target in system.targets:
        _add(in_state, target.broken)
    in_step: Broken = {}
    for instance in system.instances:
        _add(in_step, instance.broken)
    props = [(system.model.property(target.name), target) for target in system.targets]
    goals: list[Goal] = []
    if in_step:
        goals.append(BrokenStep("obligations of steps", Matter.SOUND, in_step))
    if in_state:
        goals.append(BrokenInState("obligations of properties", Matter.SOUND, in_state))
    lassos = Lassos(runs)
    for prop, target in props:
        if prop.kind is PropertyKind.RESPONSE:
            goals.append(Endless(prop.name, Matter.VERDICT, Waits(lassos, target)))
        else:
            goals.append(Violation(prop.name, Matter.VERDICT, prop, target))
    if twins:
        goals += [Twin(prop.name, Matter.EXTRA, prop, target) for prop, target in props]
    return [*goals, AnyRun("runs", Matter.EXTRA)]


def _add(broken: Broken, more: Broken) -> None:
    for name, condition in more.items():
        broken[name] = disj((broken.get(name, False), condition))
