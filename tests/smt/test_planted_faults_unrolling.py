"""One fault in each rule of the unrolling; brute force or the interpreter's replay must see it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import pytest

from fencepost.bounded.goals import BrokenStep
from fencepost.errors import InternalError
from fencepost.ir.expr import TRUE
from fencepost.ir.model import Model
from fencepost.smt import bmc, unroll
from fencepost.smt.kernel import BoolTerm
from fencepost.smt.solver import Solver, Unknown
from fencepost.verdict import Run
from tests.smt.runs import DEPTH, agrees, walk_of_two
from tests.smt.tiny import counter, never, prop

Plant = Callable[[pytest.MonkeyPatch], None]
QUESTIONS = 20
"""More than are asked in that model, so that each is cut off once."""


def nothing(*_: object) -> Iterator[bool]:
    return iter(())


def two_steps_at_once(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unroll, "_at_most_one", nothing)


def guards_ignored(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unroll, "implies", lambda condition, consequence: True)


def stays_where_it_was(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unroll, "_writers", lambda *_: [])


def steps_not_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(unroll.Unrolling, "active", lambda self, length: [])


def a_step_too_many(patch: pytest.MonkeyPatch) -> None:
    settle = unroll.Unrolling.settle
    patch.setattr(unroll.Unrolling, "settle", lambda self, length: settle(self, self.depth))


def frames_mixed_up(patch: pytest.MonkeyPatch) -> None:
    at = unroll.Unrolling.at
    patch.setattr(unroll.Unrolling, "at", lambda self, frame, bit: at(self, max(0, frame - 1), bit))


def everything_forbidden(patch: pytest.MonkeyPatch) -> None:
    add = Solver.add
    patch.setattr(Solver, "add", lambda self, bit: add(self, False))


def breaks_a_step_later(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(BrokenStep, "frame", lambda self, depth: depth)


FAULTS = [
    two_steps_at_once,
    guards_ignored,
    stays_where_it_was,
    steps_not_taken,
    a_step_too_many,
    frames_mixed_up,
    everything_forbidden,
    breaks_a_step_later,
]


def agree() -> bool:
    """On runs that go on for ever, on runs that end, and whichever question is cut off and asked again."""
    return (
        all(agrees(bmc.run, tried) for tried in (walk_of_two(), counter(3, prop("lasting", TRUE))))
        and _finds_although_cut_off()
    )


def _finds_although_cut_off() -> bool:
    """The cut goal lags behind; by then the frames beyond it hold no run at all."""
    short = counter(3, never(3, 3), prop("lasting", TRUE))
    return all([len(finding.path) for finding in _run_with_a_cut(short, at).findings] == [3] for at in range(QUESTIONS))


def _run_with_a_cut(tried: Model, at: int) -> Run:
    answers, asked = Solver.satisfiable, itertools.count()

    def cut(self: Solver, assumptions: Sequence[BoolTerm], seconds: float) -> bool | Unknown:
        return Unknown("timeout") if next(asked) == at else answers(self, assumptions, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Solver, "satisfiable", cut)
        return bmc.run(tried, depth=DEPTH, timeout=None, twins=False)


def test_without_a_fault_they_agree() -> None:
    assert agree()


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_the_fault_is_seen(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    try:
        seen = not agree()
    except InternalError:
        seen = True
    assert seen
