"""Obligations that cannot break, found once instead of at every depth.

Most obligations that folding leaves open cannot break under the guards and branches around
them, in any state whose elements are within their sorts, reachable or not.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost.smt import kernel
from fencepost.smt.bits import Bit, disj, implies
from fencepost.smt.solver import Solver, heard

Obligations = list[tuple[str, Bit]]
"""In the order of evaluation: a name, and the condition under which it is reached and breaks."""

Filter = Callable[[Obligations], Obligations]

_SECONDS = 1.0
"""An obligation that takes longer to discharge stays; it is sound to keep any."""


def keep_all(obligations: Obligations) -> Obligations:
    """Discharge nothing."""
    return obligations


class Discharge:
    """Drops obligations that break in no state that is well formed."""

    def __init__(self, well_formed: Bit) -> None:
        self._solver = Solver()
        self._solver.add(well_formed)
        self._asked = 0

    def __call__(self, obligations: Obligations) -> Obligations:
        """Those of a name that may break, or may for all that is known; one question a name."""
        names = dict.fromkeys(name for name, _ in obligations)
        still_open = {n for n in names if self._may_hold(disj(breaks for name, breaks in obligations if name == n))}
        return [(name, breaks) for name, breaks in obligations if name in still_open]

    def _may_hold(self, breaks: Bit) -> bool:
        if isinstance(breaks, bool):
            return breaks
        self._asked += 1
        question = kernel.boolean(f"breaks{self._asked}")
        self._solver.add(implies(question, breaks))
        return heard(self._solver.satisfiable([question], _SECONDS)) is not False
