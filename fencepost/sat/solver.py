"""An incremental SAT solver, and what its answers mean."""

from __future__ import annotations

import time
from collections.abc import Sequence

from attrs import frozen
from pysat.solvers import Solver as Pysat

from fencepost.processes import ctrl_c_blocked
from fencepost.verdict import Stop

NAME = "cadical195"
"""CaDiCaL 1.9.5: on our protocols two to five times as fast as the Glucose and MiniSat family."""

_FIRST_BUDGET = 500
_SLICE = 0.2
"""Conflicts to begin with, and seconds that a part of a question should take."""


@frozen
class Unknown:
    """The solver was not done when its time was up."""

    reason: str = "out of time"
    interrupted: bool = False
    out_of_time: bool = True
    stop: Stop = Stop.TIMEOUT


class Solver:
    """Takes clauses and answers. An `Unknown` is never mistaken for `unsat`.

    The solver cannot be interrupted, so a question is asked in parts of so many conflicts; between
    them the clock is looked at and Ctrl-C is heard. It is blocked within a part: python-sat would
    jump out of the solver and not come back.
    """

    def __init__(self, name: str = NAME) -> None:
        self._solver = Pysat(name=name)
        self._budget = _FIRST_BUDGET
        self._model: list[int] = []

    def add(self, clause: list[int]) -> None:
        """Assert a clause for good."""
        self._solver.add_clause(clause)

    def satisfiable(self, assumptions: Sequence[int], seconds: float | None = None) -> bool | Unknown:
        """Whether all clauses and what is assumed can hold."""
        start = now = time.monotonic()
        while True:
            with ctrl_c_blocked():
                self._solver.conf_budget(self._budget)
                answer = self._solver.solve_limited(assumptions=list(assumptions))
            if answer is not None:
                self._model = (self._solver.get_model() or []) if answer else []
                return bool(answer)
            before, now = now, time.monotonic()
            self._budget = max(_FIRST_BUDGET // 5, int(self._budget * min(2.0, _SLICE / max(now - before, 1e-3))))
            if seconds is not None and now - start >= seconds:
                return Unknown()

    def core(self) -> list[int]:
        """Of the assumptions of the last question that was not satisfiable, enough of them."""
        return list(self._solver.get_core() or [])

    def value(self, number: int) -> int:
        """What a number has in the model of the last satisfiable question; 0 for what no clause speaks of."""
        return int(number <= len(self._model) and self._model[number - 1] > 0)
