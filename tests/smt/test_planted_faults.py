"""One fault in each kind of rule of the lowering; random programs must see it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from fencepost.smt import evaluate, execute, kernel, values
from fencepost.smt.bits import disj, neg
from fencepost.smt.values import Num
from tests.engines.agreement import reachable
from tests.profile import as_drawn
from tests.smt.agreement import differences
from tests.strategies import models, states

Plant = Callable[[pytest.MonkeyPatch], None]


def order_not_strict(patch: pytest.MonkeyPatch) -> None:
    less = values.less
    patch.setattr(values, "less", lambda a, b: neg(less(b, a)))


def difference_as_sum(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(values, "minus", lambda num: num)


def sum_of_offsets_in_the_old_width(patch: pytest.MonkeyPatch) -> None:
    add = values.add

    def wraps(a: Num, b: Num) -> Num:
        exact = add(a, b)
        if a.offset is None or b.offset is None or exact.offset is None:
            return exact
        short = kernel.lowest(exact.offset, max(a.offset.size(), b.offset.size()))
        return Num(exact.lo, exact.hi, kernel.widened(short, exact.offset.size()))

    patch.setattr(values, "add", wraps)


def lower_end_forgotten(patch: pytest.MonkeyPatch) -> None:
    narrow = values.narrow

    def moved(num: Num, lo: int, hi: int) -> Num:
        inner = narrow(num, lo, hi)
        if inner.offset is None or num.offset is None:
            return inner
        return evolve(inner, offset=kernel.lowest(num.offset, inner.offset.size()))

    patch.setattr(values, "narrow", moved)


def last_item_for_all_beyond_it(patch: pytest.MonkeyPatch) -> None:
    select = values.select
    patch.setattr(values, "select", lambda index, items: select(index, [*items[:-1], items[0]]))


def write_to_every_element(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(values, "positions", lambda index, count: (True,) * count)


def sets_never_shrink(patch: pytest.MonkeyPatch) -> None:
    with_member = values.with_member
    patch.setattr(values, "with_member", lambda of, item, *, present: with_member(of, item, present=True))


def operands_not_lazy(patch: pytest.MonkeyPatch) -> None:
    def eager(operands, frame, *, goes_on: bool):  # type: ignore[no-untyped-def]
        return [evaluate.condition(operand, frame) for operand in operands]

    patch.setattr(evaluate, "_lazily", eager)


def branches_not_lazy(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evaluate.Frame, "under", lambda self, condition: nullcontext())


def never_out_of_range(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(values, "inside", lambda num, lo, hi: True)


def every_obligation_reported(patch: pytest.MonkeyPatch) -> None:
    def unordered(obligations):  # type: ignore[no-untyped-def]
        names = {name for name, _ in obligations}
        all_of = {name: disj(bit for other, bit in obligations if other == name) for name in names}
        return all_of, neg(disj(bit for _, bit in obligations))

    patch.setattr(execute, "_first", unordered)


def broken_steps_still_fire(patch: pytest.MonkeyPatch) -> None:
    first = execute._first
    patch.setattr(execute, "_first", lambda obligations: (first(obligations)[0], True))


def always_the_first_choice(patch: pytest.MonkeyPatch) -> None:
    choose = values.choose
    patch.setattr(values, "choose", lambda cond, then, orelse: choose(cond, then, then))


def every_read_at_the_start(patch: pytest.MonkeyPatch) -> None:
    read = evaluate._read
    patch.setattr(evaluate, "_read", lambda expr, frame: read(evolve(expr, epoch=0), frame))


def live_not_asked(patch: pytest.MonkeyPatch) -> None:
    read = evaluate._read
    patch.setattr(evaluate, "_read", lambda expr, frame: read(evolve(expr, live=None), frame))


def turns_see_no_earlier_turn(patch: pytest.MonkeyPatch) -> None:
    run = execute._run

    def forgetful(body, state, frame):  # type: ignore[no-untyped-def]
        return run(body, frame.epochs[0] if frame.loops else state, frame)

    patch.setattr(execute, "_run", forgetful)


def sum_misses_the_last(patch: pytest.MonkeyPatch) -> None:
    total = values.total
    patch.setattr(values, "total", lambda terms: total(terms[:-1]))


FAULTS = [
    order_not_strict,
    difference_as_sum,
    sum_of_offsets_in_the_old_width,
    lower_end_forgotten,
    last_item_for_all_beyond_it,
    write_to_every_element,
    sets_never_shrink,
    operands_not_lazy,
    branches_not_lazy,
    never_out_of_range,
    every_obligation_reported,
    broken_steps_still_fire,
    always_the_first_choice,
    every_read_at_the_start,
    live_not_asked,
    turns_see_no_earlier_turn,
    sum_misses_the_last,
]


@pytest.mark.parametrize("plant", FAULTS, ids=lambda plant: plant.__name__)
def test_random_programs_see_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match="differs"):
        _agree()


@as_drawn(400)
@given(st.data(), models())
def _agree(data: st.DataObject, model) -> None:  # type: ignore[no-untyped-def]
    tried = [*reachable(model, 6), *(data.draw(states(model)) for _ in range(3))]
    assert next(differences(model, tried), None) is None, "the lowering differs"
