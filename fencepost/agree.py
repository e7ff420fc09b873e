"""Whether several engines' runs of one model can all be right.

An engine that may miss (a walk, a bounded check that stopped early) never contradicts one that
found: only what a run claims, *no violation in at most k steps*, can be contradicted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from fencepost.errors import InternalError
from fencepost.verdict import Finding, Run


def bound(run: Run, name: str) -> float:
    """The greatest depth for which the run decided `name`; infinite if it saw every state, -1 if it did not look."""
    if name in run.partial:
        return run.bounds.get(name, -1)
    if run.proof is not None and run.proof.covers(name):
        return math.inf
    found = finding(run, name)
    if run.complete and (found is None or found.loop is None):
        return math.inf
    return run.bounds.get(name, run.depth)


def finding(run: Run, name: str) -> Finding | None:
    """The run's finding of that name."""
    return next((found for found in run.findings if found.name == name), None)


def clean(run: Run, name: str) -> float:
    """The greatest depth to which the run claims that `name` is not violated."""
    found = finding(run, name)
    return bound(run, name) if found is None else min(bound(run, name), len(found.path) - 1)


def check_agreement(runs: Sequence[Run]) -> None:
    """Compare each pair of runs.

    Raises:
        InternalError: one run claims what another refutes.
    """
    for one, other in itertools.permutations(runs, 2):
        for found in one.findings:
            _check_finding(one, found, other)
        for name, depth in one.twins.items():
            _check_twin(one, name, depth, other)
    for one, other in itertools.combinations(runs, 2):
        if one.symmetry != other.symmetry or None in (one.states, other.states):
            continue  # they do not count the same
        if one.complete and other.complete and one.states != other.states:
            raise InternalError(
                f"{one.engine} counts {one.states} reachable states where {other.engine} counts {other.states}"
            )


def _check_finding(one: Run, found: Finding, other: Run) -> None:
    claimed = clean(other, found.name)
    if len(found.path) <= claimed:
        where = "at any depth" if math.isinf(claimed) else f"to depth {claimed:.0f}"
        raise InternalError(
            f"{one.engine} violates {found.name} in {len(found.path)} steps, but {other.engine} found none {where}"
        )


def _check_twin(one: Run, name: str, depth: int, other: Run) -> None:
    """Only a run that reports twins at all, and saw every state to that depth, can be contradicted."""
    if not other.twins or not _counts_twins(other):
        return
    reached = other.twins.get(name, math.inf)
    if depth < reached and depth <= bound(other, name):
        there = "nowhere" if math.isinf(reached) else f"at {reached:.0f}"
        raise InternalError(f"{one.engine} reaches the twin of {name} at depth {depth}, {other.engine} {there}")


def _counts_twins(run: Run) -> bool:
    """A search that counts states looks at every twin; a solver reports twins only by the way."""
    return run.states is not None and run.depth > 0
