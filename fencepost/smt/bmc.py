"""Engine `bmc`: is there a run of exactly k steps to a violation, for k = 0, 1, 2, ..., asked of Z3."""

from __future__ import annotations

from collections.abc import Collection

from fencepost.bounded.goals import Goal, goals_of
from fencepost.bounded.search import search
from fencepost.clock import Clock
from fencepost.ir.model import Model
from fencepost.smt.endless import endless_goals
from fencepost.smt.solver import Solver
from fencepost.smt.system import lower
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Progress, Run


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

    `twins` asks at each depth for the properties' twins as well, as long as that is cheap.

    Raises:
        UsageError: a property is unknown.
        InternalError: the solver and the interpreter disagree.
    """

    def start() -> tuple[Unrolling, list[Goal]]:
        runs = Unrolling(lower(model, properties), Solver())
        return runs, [*goals_of(runs, twins=twins), *endless_goals(runs)]

    return search(start, Clock(timeout), engine=Unrolling.engine, depth=depth, progress=progress)
