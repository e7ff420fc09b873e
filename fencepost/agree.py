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


class Disagreement(InternalError):
    """Two runs that cannot both be right."""

    def __init__(self, message: str, one: Run, other: Run) -> None:
        super().__init__(message)
        self.runs = (one, other)


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
        Disagreement: one run claims what another refutes.
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
            raise Disagreement(
                f"{one.engine} counts {one.states} reachable states where {other.engine} counts {other.states}",
                one,
                other,
            )


def _check_finding(one: Run, found: Finding, other: Run) -> None:
    claimed = clean(other, found.name)
    if len(found.path) <= claimed:
        where = "at any depth" if math.isinf(claimed) else f"to depth {claimed:.0f}"
        raise Disagreement(
            f"{one.engine} violates {found.name} in {len(found.path)} steps, but {other.engine} found none {where}",
            one,
            other,
        )


def _check_twin(one: Run, name: str, depth: int, other: Run) -> None:
    """Only a run that saw every state to that depth, or proved that it never happens, can be contradicted."""
    if _never_happens(other, name):
        message = f"{one.engine} reaches the twin of {name} at depth {depth}, {other.engine} proves that nothing does"
        raise Disagreement(message, one, other)
    if not other.twins or not _counts_twins(other):
        return
    reached = other.twins.get(name, math.inf)
    if depth < reached and depth <= bound(other, name):
        there = "nowhere" if math.isinf(reached) else f"at {reached:.0f}"
        message = f"{one.engine} reaches the twin of {name} at depth {depth}, {other.engine} {there}"
        raise Disagreement(message, one, other)


def _never_happens(run: Run, name: str) -> bool:
    """Whether the run proved a property, and that what it speaks of never happens."""
    if run.proof is None or not run.proof.covers(name):
        return False
    return name not in run.twins and name not in run.twins_given_up


def _counts_twins(run: Run) -> bool:
    """A search that counts states looks at every twin; a solver reports twins only by the way."""
    return run.states is not None and run.depth > 0
