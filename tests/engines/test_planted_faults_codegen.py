"""Faults planted in the code generator, one at a time: comparing it with the interpreter finds each.

Without this, a comparison that never looks at what a rule does would pass for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import pytest
from attrs import evolve
from hypothesis import find

from fencepost.exec import emit_block, emit_expr, facts, lower_body, lower_expr, lower_model, scope, unpack
from fencepost.exec.interpreter import State
from fencepost.exec.low import Any, Choose, Fail, Field, Linear, Lit, Low, Within
from fencepost.exec.low_build import all_of, any_of, within
from fencepost.exec.low_code import When
from fencepost.ir.model import Model
from tests.engines.agreement import check_differences, reachable, step_differences
from tests.exec.tiny import TINY
from tests.profile import as_drawn
from tests.strategies import models

SEARCH = as_drawn(400)

Plant = Callable[[pytest.MonkeyPatch], None]


def range_too_wide(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_expr, "within", lambda low, least, most, name: within(low, least, most + 1, name))


def range_dropped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_expr, "within", lambda low, least, most, name: low)


def dead_read_allowed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_expr, "_alive", lambda read, value, scope: value)


def branches_swapped(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_body, "When", lambda cond, then, orelse: When(cond, orelse, then))


def choice_swapped(patch: pytest.MonkeyPatch) -> None:
    right = emit_expr._Emitter._node

    def wrong(self: emit_expr._Emitter, node: Low) -> tuple[str, int]:
        return right(self, Choose(node.cond, node.orelse, node.then) if isinstance(node, Choose) else node)

    patch.setattr(emit_expr._Emitter, "_node", wrong)


def stale_epoch(patch: pytest.MonkeyPatch) -> None:
    right = scope.Scope.field
    patch.setattr(scope.Scope, "field", lambda self, snapshot, at, slot: right(self, self.start, at, slot))


def stale_loop_head(patch: pytest.MonkeyPatch) -> None:
    right = scope.Scope.store

    def wrong(self: scope.Scope, snapshot: scope.Snapshot, at: int, slot: object, value: Low) -> scope.Snapshot:
        return right(self, self.start, at, slot, value)  # type: ignore[arg-type]

    patch.setattr(scope.Scope, "store", wrong)


def early_exit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_expr, "every_of", lambda ops, conjunction: all_of(ops) if conjunction else any_of(ops))


def no_laziness(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(lower_expr, "any_of", lambda ops: Any(tuple(ops), strict=True))


def merge_takes_one_side(patch: pytest.MonkeyPatch) -> None:
    right = lower_body._phi
    patch.setattr(lower_body, "_phi", lambda values, branches, scope: right(values[:1] * 2, branches, scope))


def wrong_fact(patch: pytest.MonkeyPatch) -> None:
    right = facts.Fact.narrow
    patch.setattr(facts.Fact, "narrow", lambda self, bounds: right(evolve(self, value=self.value + 1), bounds))


def facts_outlive_their_branch(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(scope.Scope, "child", lambda self: evolve(self, epochs=dict(self.epochs), code=[]))


def assumptions_outlive_their_expression(patch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def wrong(self: scope.Scope) -> Iterator[Callable[[Iterable[facts.Fact]], None]]:
        yield self.learn

    patch.setattr(scope.Scope, "assuming", wrong)


def window_moved(patch: pytest.MonkeyPatch) -> None:
    right = unpack._shifted
    patch.setattr(unpack, "_shifted", lambda offset: right(offset + 1))


def neighbour_written(patch: pytest.MonkeyPatch) -> None:
    right = lower_body.position
    shifted: list[int] = []

    def wrong(var: object, indices: object, scope: scope.Scope) -> Low:
        low = right(var, indices, scope)  # type: ignore[arg-type]
        shifted.append(1)
        return Lit(0) if isinstance(low, Lit) else low

    patch.setattr(lower_body, "position", wrong)


def wrong_factor(patch: pytest.MonkeyPatch) -> None:
    right = emit_expr._Emitter._linear

    def wrong(self: emit_expr._Emitter, terms: tuple[tuple[int, Low], ...], constant: int) -> str:
        return right(self, terms, constant + 1 if len(terms) > 1 else constant)

    patch.setattr(emit_expr._Emitter, "_linear", wrong)


def guard_forgotten(patch: pytest.MonkeyPatch) -> None:
    right = lower_model._guarded

    def wrong(kind: object, cond: Low, members: object, depth: int) -> object:
        return right(kind, Lit(1) if isinstance(cond, Field) else cond, members, depth)  # type: ignore[arg-type]

    patch.setattr(lower_model, "_guarded", wrong)


def breach_of_another(patch: pytest.MonkeyPatch) -> None:
    right = emit_block.emit

    def wrong(node: Low) -> str:
        if isinstance(node, Within | Fail):
            return right(node).replace(f"_break({node.obligation})", "_break(0)")
        return right(node)

    patch.setattr(emit_block, "emit", wrong)


def sum_forgets_one(patch: pytest.MonkeyPatch) -> None:
    right = lower_expr.linear

    def wrong(parts: object) -> Low:
        low = right(parts)  # type: ignore[arg-type]
        return Linear(low.terms[1:], low.constant) if isinstance(low, Linear) and len(low.terms) > 1 else low

    patch.setattr(lower_expr, "linear", wrong)


FAULTS: tuple[Plant, ...] = (
    range_too_wide,
    range_dropped,
    dead_read_allowed,
    branches_swapped,
    choice_swapped,
    stale_epoch,
    stale_loop_head,
    early_exit,
    no_laziness,
    merge_takes_one_side,
    wrong_fact,
    facts_outlive_their_branch,
    assumptions_outlive_their_expression,
    window_moved,
    neighbour_written,
    wrong_factor,
    guard_forgotten,
    breach_of_another,
    sum_forgets_one,
)


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_the_comparison_finds_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    if not differs_on_tiny_models():
        find(models(), lambda model: differs(model, reachable(model, 12)), settings=SEARCH)


def differs(model: Model, states: list[State]) -> bool:
    """Whether the generator disagrees with the interpreter, or falls over."""
    try:
        return any(step_differences(model, states)) or any(check_differences(model, states))
    except (ArithmeticError, LookupError, NameError, ValueError):
        return True


def differs_on_tiny_models() -> bool:
    return any(differs(tiny.model, [state for state, _, _ in tiny.outcomes]) for tiny in TINY)


def test_the_sound_generator_is_not_accused() -> None:
    assert not differs_on_tiny_models()
