"""Faults planted in the lowering to bits, one at a time: comparing it with the interpreter finds each."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import find

from fencepost.aig import circuit, evaluate, scope
from fencepost.aig.evaluate import Evaluation
from fencepost.aig.graph import FALSE, TRUE, Graph
from fencepost.aig.words import Word, Words
from fencepost.exec.low import Low
from fencepost.exec.low_code import Block
from fencepost.ir.model import Model
from tests.aig.agreement import differences
from tests.engines.agreement import reachable
from tests.exec.tiny import TINY
from tests.profile import as_drawn
from tests.strategies import models

SEARCH = as_drawn(300)

Plant = Callable[[pytest.MonkeyPatch], None]


def less_is_less_or_equal(patch: pytest.MonkeyPatch) -> None:
    right = Words.less
    patch.setattr(Words, "less", lambda self, a, b: self.graph.either(right(self, a, b), self.equal(a, b)))


def no_carry(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Words, a: tuple[int, ...], b: tuple[int, ...], width: int) -> tuple[int, ...]:
        pad = (FALSE,) * width
        return tuple(map(self.graph.differ, (*a, *pad)[:width], (*b, *pad)[:width]))

    patch.setattr(Words, "_plus", wrong)


def fit_does_not_shift(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Words, word: Word, lo: int, hi: int) -> Word:
        width = (hi - lo).bit_length()
        return Word(lo, hi, (*word.bits, *(FALSE,) * width)[:width])

    patch.setattr(Words, "fit", wrong)


def contradiction_overlooked(patch: pytest.MonkeyPatch) -> None:
    right = Graph.both
    patch.setattr(Graph, "both", lambda self, a, b: TRUE if a ^ 1 == b else right(self, a, b))


def negation_lost(patch: pytest.MonkeyPatch) -> None:
    right = Graph.both
    patch.setattr(Graph, "both", lambda self, a, b: right(self, a & ~1 if a > TRUE else a, b))


def choice_swapped(patch: pytest.MonkeyPatch) -> None:
    right = Words.choose
    patch.setattr(Words, "choose", lambda self, cond, then, orelse: right(self, cond, orelse, then))


def no_laziness(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Evaluation, operands: tuple[Low, ...], going_on: int, *, strict: bool) -> list[int]:
        return [self.truth(operand) for operand in operands]

    patch.setattr(Evaluation, "_in_turn", wrong)


def both_sides_reached(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Evaluation, cond: Low, then: Low, orelse: Low) -> Word:
        return self.words.choose(self.truth(cond), self.value(then), self.value(orelse))

    patch.setattr(Evaluation, "_choose", wrong)


def not_only_the_first_breaks(patch: pytest.MonkeyPatch) -> None:
    right = Evaluation._break

    def wrong(self: Evaluation, obligation: int, holds: int) -> None:
        failed, self.failed = self.failed, FALSE
        right(self, obligation, holds)
        self.failed = self.graph.either(failed, self.failed)

    patch.setattr(Evaluation, "_break", wrong)


def breaking_steps_taken(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Evaluation, "survived", property(lambda self: self.reached))


def branch_always_taken(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: Evaluation, cond: int, then: Block, orelse: Block) -> dict[str, Word]:
        return self.run(orelse) | self.run(then)

    patch.setattr(Evaluation, "_branch", wrong)


def last_place_overlooked(patch: pytest.MonkeyPatch) -> None:
    right = scope.OpenScope._places

    def wrong(self: scope.OpenScope, position: Low, slot: object) -> range:
        places = right(self, position, slot)  # type: ignore[arg-type]
        return places[:-1] or places

    patch.setattr(scope.OpenScope, "_places", wrong)


def neighbour_meant(patch: pytest.MonkeyPatch) -> None:
    right = scope.at_place
    patch.setattr(scope, "at_place", lambda position, place: right(position, max(0, place - 1)))


def last_writer_wins(patch: pytest.MonkeyPatch) -> None:
    def wrong(self: circuit._Builder, place: int, steps: tuple[circuit.Instance, ...]) -> int:
        news = [step.changes[place] for step in steps if place in step.changes]
        return news[-1] if news else self.latches[place].literal

    patch.setattr(circuit._Builder, "_next", wrong)


def numbers_of_steps_mixed_up(patch: pytest.MonkeyPatch) -> None:
    right = circuit.bits_of
    patch.setattr(circuit, "bits_of", lambda value, width: tuple(reversed(right(value, width))))


def a_comparison_turned_round(patch: pytest.MonkeyPatch) -> None:
    right = Evaluation._compare
    patch.setattr(evaluate.Evaluation, "_compare", lambda self, relation, a, b: right(self, relation, b, a))


FAULTS: tuple[Plant, ...] = (
    less_is_less_or_equal,
    no_carry,
    fit_does_not_shift,
    contradiction_overlooked,
    negation_lost,
    choice_swapped,
    no_laziness,
    both_sides_reached,
    not_only_the_first_breaks,
    breaking_steps_taken,
    branch_always_taken,
    last_place_overlooked,
    neighbour_meant,
    last_writer_wins,
    numbers_of_steps_mixed_up,
    a_comparison_turned_round,
)


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_the_comparison_finds_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    if not differs_on_tiny_models():
        find(models(), differs, settings=SEARCH)


def differs(model: Model) -> bool:
    """Whether the circuit disagrees with the interpreter, or cannot be made."""
    try:
        return any(differences(model, reachable(model, 8)))
    except (LookupError, ValueError, TypeError, RecursionError):
        return True


def differs_on_tiny_models() -> bool:
    try:
        return any(any(differences(tiny.model, [state for state, _, _ in tiny.outcomes])) for tiny in TINY)
    except (LookupError, ValueError, TypeError, RecursionError):
        return True


def test_the_sound_lowering_is_not_accused() -> None:
    assert not differs_on_tiny_models()
