"""One fault in each rule of the clauses, the unrolling and the solver; brute force or the replay must see it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from attrs import evolve

from fencepost.aig.cnf import Clauses
from fencepost.bounded.goals import BrokenStep
from fencepost.errors import InternalError
from fencepost.ir.expr import TRUE
from fencepost.sat import bmc, solver
from fencepost.sat.solver import Solver, Unknown
from fencepost.sat.unroll import Unrolling
from tests.smt.runs import DEPTH, agrees, walk_of_two
from tests.smt.tiny import counter, never, prop

Plant = Callable[[pytest.MonkeyPatch], None]
QUESTIONS = 20
"""More than are asked in that model, so that each is cut off once."""


def a_clause_forgotten(patch: pytest.MonkeyPatch) -> None:
    define = Clauses._define

    def wrong(self: Clauses, var: int) -> tuple[int, ...]:
        add, self._add = self._add, lambda clause: add(clause) if len(clause) < 3 else None
        found = define(self, var)
        self._add = add
        return found

    patch.setattr(Clauses, "_define", wrong)


def choice_swapped(patch: pytest.MonkeyPatch) -> None:
    right = Clauses._define_choice
    patch.setattr(Clauses, "_define_choice", lambda self, this, c, a, b: right(self, this, c, b, a))


def gates_not_told(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Clauses, "_tell", lambda self, var: None)


def steps_not_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Unrolling, "settle", lambda self, length: setattr(self, "_settled", length))


def a_step_too_many(patch: pytest.MonkeyPatch) -> None:
    settle = Unrolling.settle
    patch.setattr(Unrolling, "settle", lambda self, length: settle(self, self.depth))


def stays_where_it_was(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Unrolling) -> None:
        self._begin([self._literal(self.depth, latch.literal) for latch in self.circuit.latches])

    patch.setattr(Unrolling, "extend", wrong)


def frames_mixed_up(patch: pytest.MonkeyPatch) -> None:
    at = Unrolling.at
    patch.setattr(Unrolling, "at", lambda self, frame, bit: at(self, max(0, frame - 1), bit))


def one_input_for_all_steps(patch: pytest.MonkeyPatch) -> None:
    begin = Unrolling._begin

    def wrong(self: Unrolling, latches: list[int]) -> None:
        free, count = self._graph.free, itertools.count()
        if self._inputs:
            self._graph.free = lambda: self._inputs[0][next(count)]  # type: ignore[method-assign]
        begin(self, latches)
        self._graph.free = free  # type: ignore[method-assign]

    patch.setattr(Unrolling, "_begin", wrong)


def always_forbidden(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Unrolling, "deny", lambda self, sought: self._clauses.require(0))


def cut_off_is_no(patch: pytest.MonkeyPatch) -> None:
    right = Solver.satisfiable
    patch.setattr(Solver, "satisfiable", lambda self, *args: right(self, *args) is True)


def everything_discharged(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(bmc, "discharged", lambda circuit: evolve(circuit, bads={}, instances=_unbroken(circuit)))


def _unbroken(circuit: object) -> tuple[object, ...]:
    return tuple(evolve(instance, broken={}) for instance in circuit.instances)  # type: ignore[attr-defined]


def breaks_a_step_later(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BrokenStep, "frame", lambda self, depth: depth)


FAULTS = [
    a_clause_forgotten,
    choice_swapped,
    gates_not_told,
    steps_not_taken,
    a_step_too_many,
    stays_where_it_was,
    frames_mixed_up,
    one_input_for_all_steps,
    always_forbidden,
    cut_off_is_no,
    everything_discharged,
    breaks_a_step_later,
]


def agree() -> bool:
    """On runs that go on for ever, on runs that end, and whichever question is cut off and asked again."""
    tried = (walk_of_two(), counter(3, prop("lasting", TRUE)))
    return all(agrees(bmc.run, one) for one in tried) and _finds_although_cut_off()


def _finds_although_cut_off() -> bool:
    """The cut goal lags behind; by then the frames beyond it hold no run at all."""
    return all(_lengths_with_a_cut(at) == [3] for at in range(QUESTIONS))


def _lengths_with_a_cut(at: int) -> list[int]:
    short = counter(3, never(3, 3), prop("lasting", TRUE))
    answers, asked = solver.Pysat.solve_limited, itertools.count()

    def cut(self: object, assumptions: Sequence[int]) -> bool | None:
        return None if next(asked) == at else answers(self, assumptions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver.Pysat, "solve_limited", cut)
        patch.setattr("fencepost.clock.Clock.slice", lambda self, seconds: 0.0)
        return [len(finding.path) for finding in bmc.run(short, depth=DEPTH, timeout=None, twins=False).findings]


def test_without_a_fault_they_agree() -> None:
    assert agree()


def test_a_question_that_is_cut_off_has_no_answer() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver.Pysat, "solve_limited", lambda self, assumptions: None)
        assert Solver().satisfiable([], 0.0) == Unknown()


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_the_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    try:
        seen = not agree()
    except InternalError:
        seen = True
    assert seen
