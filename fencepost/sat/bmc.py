"""Engine `sat`: is there a run of exactly k steps to a violation, for k = 0, 1, 2, ..., asked of a SAT solver."""

from __future__ import annotations

from collections.abc import Collection

from attrs import evolve

from fencepost.aig.circuit import circuit_of
from fencepost.bounded.goals import Goal, goals_of
from fencepost.bounded.search import search
from fencepost.clock import Clock
from fencepost.ir.model import Model, responses
from fencepost.sat.discharge import discharged
from fencepost.sat.solver import Solver
from fencepost.sat.unroll import Unrolling
from fencepost.verdict import NO_LOOPS, Progress, Run


def run(
    model: Model,
    *,
    depth: int | None,
    timeout: float | None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    twins: bool = True,
) -> Run:
    """Check every run of at most `depth` steps; without a depth, go on until the time is over.

    `twins` asks at each depth for the properties' twins as well, as long as that is cheap. Of
    responses the run says nothing.

    Raises:
        UsageError: a property is unknown.
        InternalError: the solver and the interpreter disagree.
    """

    def start() -> tuple[Unrolling, list[Goal]]:
        runs = Unrolling(discharged(circuit_of(model, properties)), Solver())
        return runs, goals_of(runs, twins=twins)

    found = search(start, Clock(timeout), engine=Unrolling.engine, depth=depth, progress=progress)
    asked = [p for p in responses(model.properties) if properties is None or p.name in properties]
    return evolve(found, partial={prop.name: NO_LOOPS for prop in asked})
