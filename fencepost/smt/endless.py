"""Runs without an end, on which a response waits for ever, as a goal of a bounded check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import define

from fencepost.bounded.goals import Goal, Matter
from fencepost.bounded.runs import Condition, Runs, replayed
from fencepost.errors import InternalError
from fencepost.ir.model import PropertyKind
from fencepost.smt import kernel
from fencepost.smt.lasso import Lassos, Waits
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Finding


@define(eq=False)
class Endless(Goal):
    """A run whose last state it was in before, such that a response waits for ever if it goes on like that."""

    waits: Waits

    def conditions(self) -> Sequence[Condition]:
        return ()

    def sought(self, runs: Runs, depth: int) -> Condition:
        assert runs is self.waits.lassos.runs
        return self.waits.at(depth)

    def reached(self, runs: Runs, depth: int) -> None:
        lassos = self.waits.lassos
        again = lassos.runs.solver.values([lassos.again(frame) for frame in range(depth + 1)])
        loop = next(frame for frame, value in enumerate(again) if kernel.number_in(value))
        states = runs.states(depth)
        path, _ = replayed(runs, depth)
        if states[loop] != states[-1]:
            raise InternalError(f"{runs.engine} closes a loop of {self.name} that is none")
        self.findings.append(Finding(self.name, path, loop=loop))
        self.close(depth)


def endless_goals(runs: Unrolling) -> Iterator[Goal]:
    """One goal a response."""
    lassos = Lassos(runs)
    for target in runs.system.targets:
        if runs.model.property(target.name).kind is PropertyKind.RESPONSE:
            yield Endless(target.name, Matter.VERDICT, Waits(lassos, target))
