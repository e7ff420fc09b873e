"""Stored traces on the same model, on a mended one, on others, and after somebody edited them."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost.errors import UsageError
from fencepost.ir.expr import TRUE, Const, Not
from fencepost.ir.model import Guard, Model
from fencepost.ir.sorts import IntSort
from fencepost.ir.stmt import Assign, Note
from fencepost.trace.build import build_trace
from fencepost.trace.model import Trace
from fencepost.trace.replay import Replayed, replay
from tests.trace.toy import (
    BUDGET,
    DESTROY,
    DESTROYED,
    ENQUEUE,
    HUNG,
    MENDED,
    NO_HANG,
    NOT_DESTROYED,
    OVERFLOW,
    PAUSE,
    PAUSED,
    REFILL,
    TOY,
    with_action,
)


@pytest.fixture(params=[DESTROYED, HUNG, OVERFLOW], ids=lambda finding: finding.name)
def trace(request: pytest.FixtureRequest) -> Trace:
    return build_trace(TOY, request.param)


def test_reproduces(trace: Trace) -> None:
    found = replay(trace, TOY)
    assert (found.line, found.trace) == ("REPRODUCES", trace)


def test_reworded_model_reproduces_and_is_told_in_its_own_words(trace: Trace) -> None:
    """Notes, sources and sentences are no part of what a model means."""
    enqueue = evolve(ENQUEUE, body=(ENQUEUE.body[0], Note("waits")), src="Elsewhere", doc="New.")
    reworded = with_action(TOY, enqueue)
    reworded = evolve(reworded, properties=tuple(evolve(p, statement="Anew.") for p in TOY.properties))
    found = replay(trace, reworded)
    assert found.line == "REPRODUCES"
    assert found.trace is not None
    assert found.trace.header.digest == trace.header.digest
    if trace.header.violated != "range:refill/budget":
        assert found.trace.header.statement == "Anew."


def line(trace: Trace, model: Model) -> str:
    return replay(trace, model).line


def test_guard_refuses() -> None:
    trace = build_trace(TOY, DESTROYED)
    assert line(trace, MENDED) == 'NO LONGER POSSIBLE: step 7 refused by guard "unreferenced"'


def test_action_gone() -> None:
    trace = build_trace(TOY, DESTROYED)
    fewer = evolve(TOY, actions=tuple(action for action in TOY.actions if action.name != "clear"))
    assert line(trace, fewer) == "NO LONGER POSSIBLE: step 6 takes 'clear', an action that the model does not have"


def test_smaller_model() -> None:
    trace = build_trace(TOY, OVERFLOW)
    smaller = with_action(TOY, evolve(REFILL, params=(evolve(REFILL.params[0], sort=IntSort(1, 1)),)))
    assert line(trace, smaller) == "NO LONGER POSSIBLE: step 3 gives refill by=2, which is not in 1..1"


def test_parameter_more() -> None:
    trace = build_trace(TOY, DESTROYED)
    wider = with_action(TOY, evolve(PAUSE, params=REFILL.params))
    assert line(trace, wider) == "NO LONGER POSSIBLE: step 2 gives pause 0 arguments; it takes 1"


def test_obligation_breaks_on_the_way() -> None:
    trace = build_trace(TOY, DESTROYED)
    broken = with_action(TOY, evolve(PAUSE, body=(Assign(BUDGET, (), Const(9, IntSort(9, 9)), 1),)))
    assert line(trace, broken) == "NO LONGER POSSIBLE: step 2 breaks range:pause/budget (9 is not in 0..3)"


def test_another_obligation_breaks_at_the_end() -> None:
    trace = build_trace(TOY, DESTROYED)
    broken = with_action(TOY, evolve(DESTROY, body=(Assign(BUDGET, (), Const(9, IntSort(9, 9)), 1),)))
    assert line(trace, broken) == ("NO LONGER POSSIBLE: step 7 breaks range:destroy/budget (budget: 9 is not in 0..3)")


def test_harmless_at_the_end() -> None:
    trace = build_trace(TOY, DESTROYED)
    kept = with_action(TOY, evolve(DESTROY, body=()))
    found = replay(trace, kept)
    assert found.outcome is Replayed.HARMLESS
    assert found.line == "NO LONGER VIOLATED: all 7 steps can be taken, and not-destroyed is not violated"


def test_obligation_no_longer_broken() -> None:
    trace = build_trace(TOY, OVERFLOW)
    capped = with_action(TOY, evolve(REFILL, body=(Assign(BUDGET, (), Const(3, IntSort(3, 3)), 1),)))
    assert (
        line(trace, capped) == "NO LONGER VIOLATED: all 3 steps can be taken, and range:refill/budget is not violated"
    )


def test_other_protocol(trace: Trace) -> None:
    with pytest.raises(UsageError, match=r"^old\.json: it is a trace of 'toy', not of 'other'$"):
        replay(trace, evolve(TOY, protocol="other"), "old.json")


def test_property_gone() -> None:
    trace = build_trace(TOY, DESTROYED)
    with pytest.raises(UsageError, match="toy has no property 'not-destroyed' here; it has no-hang"):
        replay(trace, evolve(TOY, properties=(NO_HANG,)))


def tampered(trace: Trace, model: Model = TOY) -> str:
    with pytest.raises(UsageError) as refused:
        replay(trace, model, "t.json")
    return str(refused.value)


def test_edited_state() -> None:
    trace = build_trace(TOY, DESTROYED)
    third = trace.steps[2]
    state = tuple((2,) if var == BUDGET else old for var, old in zip(TOY.vars, third.state, strict=True))
    assert state == third.state
    paused = tuple((0,) if var == PAUSED else old for var, old in zip(TOY.vars, third.state, strict=True))
    steps = (*trace.steps[:2], evolve(third, state=paused), *trace.steps[3:])
    assert tampered(evolve(trace, steps=steps)) == (
        "t.json: it was edited: step 3 does not lead to the state told; record it again"
    )


def test_edited_initial_state() -> None:
    trace = build_trace(TOY, DESTROYED)
    first = evolve(TOY.vars[0], init=(1, 0))
    assert "its variables or initial state are not this model's" in tampered(
        evolve(trace, vars=(first, *trace.vars[1:]))
    )


def test_step_taken_out() -> None:
    trace = build_trace(TOY, DESTROYED)
    assert (
        'it was edited: it is of this very model, but NO LONGER POSSIBLE: step 5 refused by guard "armed"'
        in tampered(evolve(trace, steps=(*trace.steps[:1], *trace.steps[3:5], *trace.steps[5:6], *trace.steps[5:])))
    )


def test_another_property_put_in() -> None:
    trace = build_trace(TOY, DESTROYED)
    header = evolve(trace.header, violated="no-hang")
    assert "NO LONGER VIOLATED: all 7 steps can be taken, and no-hang is not violated" in tampered(
        evolve(trace, header=header)
    )


def test_changed_model_is_not_called_edited() -> None:
    """States of an older model need not be those of the new one."""
    trace = build_trace(TOY, DESTROYED)
    quiet = with_action(TOY, evolve(PAUSE, body=()))
    assert line(trace, quiet) == "REPRODUCES"


def test_guard_that_always_holds_changes_the_digest_only() -> None:
    trace = build_trace(TOY, DESTROYED)
    guarded = with_action(TOY, evolve(PAUSE, guards=(Guard("always", TRUE),)))
    again = replay(trace, guarded).trace
    assert again is not None
    assert again.header.digest != trace.header.digest
    assert again.steps == trace.steps


def test_property_made_weaker() -> None:
    trace = build_trace(TOY, DESTROYED)
    weaker = evolve(TOY, properties=(evolve(NOT_DESTROYED, holds=Not(Not(TRUE))), NO_HANG))
    assert replay(trace, weaker).outcome is Replayed.HARMLESS
