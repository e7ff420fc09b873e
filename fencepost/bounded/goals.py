"""What a bounded check looks for at each depth, and what it makes of an answer.

Each goal asks one question a depth, *is there a run of exactly this length that ...*, and keeps
its own bound. Findings are confirmed by the interpreter before they count.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from attrs import define, field

from fencepost.bounded.runs import Broken, Condition, Runs, Target, replayed
from fencepost.errors import InternalError
from fencepost.exec.confirm import breaking_steps, broken_in, value_in
from fencepost.ir.model import Property, PropertyKind
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
    def conditions(self) -> Sequence[Condition]:
        """What is looked for, each over the template state."""

    def sought(self, runs: Runs, depth: int) -> Condition:
        """What is looked for in runs of a length."""
        return runs.at(self.frame(depth), runs.either(self.conditions()))

    @abstractmethod
    def reached(self, runs: Runs, depth: int) -> None:
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

    def conditions(self) -> Sequence[Condition]:
        return (self.target.violated,)

    def reached(self, runs: Runs, depth: int) -> None:
        path, state = replayed(runs, depth)
        if value_in(runs.model, state, self.prop.holds, self.name) is not False:
            raise InternalError(f"{runs.engine} violates {self.name} in a state where the interpreter does not")
        self.findings.append(Finding(self.name, path))
        self.close(depth)


@define(eq=False)
class Twin(Goal):
    """A state in which the situation that a property speaks of is there."""

    prop: Property
    target: Target

    def conditions(self) -> Sequence[Condition]:
        return (self.target.twin,)

    def reached(self, runs: Runs, depth: int) -> None:
        path, state = replayed(runs, depth)
        if value_in(runs.model, state, self.prop.twin, self.name) is not True:
            raise InternalError(
                f"{runs.engine} reaches the twin of {self.name} in a state where the interpreter does not"
            )
        self.twin = path
        self.close(depth)


@define(eq=False)
class BrokenInState(Goal):
    """A state in which evaluating a property breaks an obligation; goes on until every name is found."""

    open: dict[str, list[Condition]]

    def conditions(self) -> Sequence[Condition]:
        return [condition for broken in self.open.values() for condition in broken]

    def reached(self, runs: Runs, depth: int) -> None:
        path, state = replayed(runs, depth)
        names = {name for found in broken_in(runs.model, state).values() for name in found} & set(self.open)
        if not names:
            raise InternalError(
                f"{runs.engine} breaks an obligation of a property in a state where the interpreter does not"
            )
        for name in sorted(names):
            self.findings.append(Finding(name, path, in_state=True))
            del self.open[name]
        if not self.open:
            self.close(depth)


@define(eq=False)
class BrokenStep(Goal):
    """A step that breaks an obligation, as the last of the run; goes on until every name is found."""

    open: dict[str, list[Condition]]

    def frame(self, depth: int) -> int:
        return depth - 1

    def conditions(self) -> Sequence[Condition]:
        return [condition for broken in self.open.values() for condition in broken]

    def reached(self, runs: Runs, depth: int) -> None:
        path, state = replayed(runs, depth - 1)
        steps = {name: step for name, step in breaking_steps(runs.model, state).items() if name in self.open}
        if not steps:
            raise InternalError(f"{runs.engine} breaks an obligation of a step where the interpreter does not")
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

    def conditions(self) -> Sequence[Condition]:
        return (True,)

    def reached(self, runs: Runs, depth: int) -> None:
        replayed(runs, depth)
        self.bound = depth

    def absent(self, depth: int) -> None:
        self.horizon = depth - 1
        self.close(depth - 1)


def goals_of(runs: Runs, *, twins: bool) -> list[Goal]:
    """Everything to look for but runs without an end, the model's own obligations first."""
    in_state = _gathered(target.broken for target in runs.targets)
    in_step = _gathered(runs.in_step)
    props = [(runs.model.property(target.name), target) for target in runs.targets]
    goals: list[Goal] = []
    if in_step:
        goals.append(BrokenStep("obligations of steps", Matter.SOUND, in_step))
    if in_state:
        goals.append(BrokenInState("obligations of properties", Matter.SOUND, in_state))
    goals += [
        Violation(prop.name, Matter.VERDICT, prop, target)
        for prop, target in props
        if prop.kind is not PropertyKind.RESPONSE
    ]
    if twins:
        goals += [Twin(prop.name, Matter.EXTRA, prop, target) for prop, target in props]
    return [*goals, AnyRun("runs", Matter.EXTRA)]


def _gathered(parts: Iterable[Broken]) -> dict[str, list[Condition]]:
    """By name, every condition under which an obligation breaks."""
    found: dict[str, list[Condition]] = {}
    for broken in parts:
        for name, condition in broken.items():
            found.setdefault(name, []).append(condition)
    return found
