"""An incremental finite-domain solver, and what its answers mean."""

from __future__ import annotations

import time
from collections.abc import Sequence

import z3
from attrs import frozen

from fencepost.smt.bits import Bit, term
from fencepost.smt.kernel import BoolTerm, Term
from fencepost.verdict import Stop

_FOREVER = 2**32 - 1
_KEYBOARD = "interrupted from keyboard"


@frozen
class Unknown:
    """The solver gave up: `interrupted` by the user, out of time, or for another `reason`."""

    reason: str

    @property
    def interrupted(self) -> bool:
        """Z3 takes Ctrl-C for itself while it solves, and says so only here."""
        return _KEYBOARD in self.reason

    @property
    def out_of_time(self) -> bool:
        return "timeout" in self.reason or "cancel" in self.reason

    @property
    def stop(self) -> Stop:
        """How a run ends that this answer ends."""
        if self.interrupted:
            return Stop.INTERRUPTED
        return Stop.MEMORY if "memory" in self.reason or "memout" in self.reason else Stop.TIMEOUT


def heard(answer: bool | Unknown) -> bool | Unknown:
    """The answer, for those who take `Unknown` for one: Ctrl-C is none.

    Raises:
        KeyboardInterrupt: Z3 took it for itself.
    """
    if isinstance(answer, Unknown) and answer.interrupted:
        raise KeyboardInterrupt
    return answer


class Solver:
    """Asserts and checks. An `Unknown` is never mistaken for `unsat`.

    `QF_FD` bit-blasts what is new at each check and keeps what it learned. Over the same
    assertions, a solver made of the tactics simplify, propagate-values, bit-blast and sat starts
    afresh each time and took two to five times as long, so racing the two buys nothing; other
    restart, phase, clause deletion and in-processing settings were level or worse.
    """

    def __init__(self) -> None:
        self._solver = z3.SolverFor("QF_FD")

    def add(self, bit: Bit) -> None:
        """Assert for good."""
        if bit is not True:
            self._solver.add(term(bit))

    def satisfiable(self, assumptions: Sequence[BoolTerm], seconds: float | None = None) -> bool | Unknown:
        """Whether what was asserted and is assumed can hold."""
        limit = _FOREVER if seconds is None else max(1, min(_FOREVER, int(seconds * 1000)))
        self._solver.set("timeout", limit)
        begun = time.monotonic()
        try:
            answer = self._solver.check(*assumptions)
        except z3.Z3Exception as error:  # so it ends, too, if it was told to stop before it had begun in earnest
            if "cancel" not in str(error) and "interrupt" not in str(error):
                raise
            return Unknown(_KEYBOARD if (time.monotonic() - begun) * 1000 < limit else "timeout")
        if answer == z3.sat:
            return True
        return False if answer == z3.unsat else Unknown(self._solver.reason_unknown())

    def core(self) -> frozenset[int]:
        """Of the assumptions of the last check that was not satisfiable, enough of them, as terms' numbers."""
        return frozenset(term.get_id() for term in self._solver.unsat_core())

    def values(self, terms: Sequence[Term]) -> list[Term]:
        """The literals that the terms have in the model of the last satisfiable check."""
        model = self._solver.model()
        return [model.eval(item, model_completion=True) for item in terms]
