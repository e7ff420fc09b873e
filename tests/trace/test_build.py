"""A finding becomes a trace only if the interpreter makes its run and the run violates what it should."""

from __future__ import annotations

import pytest
from attrs import evolve

from fencepost.errors import InternalError
from fencepost.ir.expr import Const, Not, Read
from fencepost.ir.model import Guard, Kind, Model
from fencepost.trace.build import build_trace
from fencepost.trace.model import Bound, Change, Event, Reading, Subject, Trace
from fencepost.verdict import Finding, Path
from tests.trace.toy import (
    BY,
    CLEARED,
    DESTROYED,
    DESTROYED_PATH,
    EVER,
    HUNG,
    NOT_DESTROYED,
    OVERFLOW,
    PHASES,
    QUEUE,
    TOY,
    H,
    Q,
    act,
    phase,
    same,
    waits,
    with_action,
)


@pytest.fixture(scope="module")
def destroyed() -> Trace:
    return build_trace(TOY, DESTROYED)


def test_header(destroyed: Trace) -> None:
    header = destroyed.header
    assert (header.protocol, header.variant, header.violated) == ("toy", "eager", "not-destroyed")
    assert header.sizes == (("queues", 2), ("handles", 2))
    assert header.statement == "No handle is destroyed while a packet waits for it."
    assert header.features == ("pauses",)


def test_steps(destroyed: Trace) -> None:
    first, third = destroyed.steps[0], destroyed.steps[2]
    assert (first.actor, first.call, first.action.src) == ("host", "arm(h=1)", "Serializer::arm")
    assert first.notes == (Event("ARMED, 2 left", Subject("Handle", 1)),)
    assert (third.actor, third.call) == ("packet processor 1", "enqueue(q=1, h=1)")
    assert third.notes == (Event("packet on queue 1"),)
    assert destroyed.path == DESTROYED_PATH


def test_changes(destroyed: Trace) -> None:
    assert destroyed.changes(1) == (
        Change("handles[1].phase", "FREE", "ARMED"),
        Change("used", "{}", "{1}"),
        Change("budget", "3", "2"),
    )
    assert destroyed.changes(3) == (Change("queues[1].waits", "none", "1"),)


def test_explanation(destroyed: Trace) -> None:
    told = destroyed.explanation
    assert told.fails == "handles[h].phase != FREE"
    assert told.bindings == (Bound("h", "Handle", "1"), Bound("q", "HwQueue", "1"))
    assert told.given == ("queues[q].waits == h",)
    assert told.readings == (Reading("queues[1].waits", "1"), Reading("handles[1].phase", "FREE"))
    assert told.blames == (Subject("Handle", 1),)


def test_hang() -> None:
    """The steps about the packet that waits come with what their guards read; the handle they read is to blame."""
    told = build_trace(TOY, HUNG).explanation
    assert told.bindings == (Bound("q", "HwQueue", "1"),)
    assert told.given == ("queues[q].waits != none",)
    near, far = told.blocked
    assert (near.call, near.guard) == ("run(q=1)", "signal down")
    assert near.readings == (Reading("queues[1].waits", "1"), Reading("handles[1].phase", "ARMED"))
    assert (far.call, far.guard, far.readings) == ("run(q=0)", "packet", (Reading("queues[0].waits", "none"),))
    assert told.earlier == 0
    assert told.blames == (Subject("Handle", 1),)


def test_hang_tells_of_steps_about_the_handle_that_is_waited_for() -> None:
    """Whoever could lower the signal is told next, with what holds it up."""
    finish = act("finish", (H,), (Guard("cleared", same(phase(H), CLEARED)),), kind=Kind.PROGRESS)
    told = build_trace(evolve(TOY, actions=(*TOY.actions, finish)), HUNG).explanation
    assert [(blocked.call, blocked.guard, blocked.readings) for blocked in told.blocked] == [
        ("run(q=1)", "signal down", (Reading("queues[1].waits", "1"), Reading("handles[1].phase", "ARMED"))),
        ("finish(h=1)", "cleared", (Reading("handles[1].phase", "ARMED"),)),
        ("run(q=0)", "packet", (Reading("queues[0].waits", "none"),)),
        ("finish(h=0)", "cleared", (Reading("handles[0].phase", "ARMED"),)),
    ]


def test_steps_that_pass_most_guards_come_first_and_the_rest_is_counted_where_there_are_many() -> None:
    """Steps whose turn it is not would hide those that say why nobody goes on."""
    flag = Guard("flag", Not(same(Read(EVER), Read(EVER))))
    met = tuple(Guard(f"met {i}", same(Read(EVER), Read(EVER))) for i in range(2))
    idle = tuple(act(f"idle_{i}", (), (flag, *met), kind=Kind.PROGRESS) for i in range(9))
    late = act("late", (Q, H), (*met, flag), kind=Kind.PROGRESS)
    some = act("some", (BY,), (met[0], flag), kind=Kind.PROGRESS)
    told = build_trace(evolve(TOY, actions=(*TOY.actions, some, *idle, late)), HUNG).explanation
    assert [(blocked.call, blocked.guard) for blocked in told.blocked] == [
        ("late(q=1, h=0)", "flag"),
        ("late(q=1, h=1)", "flag"),
        ("late(q=0, h=1)", "flag"),
        ("late(q=0, h=0)", "flag"),
        ("run(q=1)", "signal down"),
        ("some(by=1), some(by=2), some(by=3), some(by=4)", "flag"),
    ]
    assert told.earlier == 10
    assert told.blames == (Subject("Handle", 1),)


def test_where_no_step_passes_a_guard_those_about_the_work_are_told() -> None:
    flag = Guard("flag", Not(same(Read(EVER), Read(EVER))))
    fixed = with_action(TOY, act("run", (Q,), (flag,), kind=Kind.PROGRESS))
    idle = tuple(act(f"idle_{i}", (H,), (flag,), kind=Kind.PROGRESS) for i in range(4))
    told = build_trace(evolve(fixed, actions=(*fixed.actions, *idle)), HUNG).explanation
    assert [blocked.call for blocked in told.blocked] == ["run(q=1)"]
    assert told.earlier == 9


def test_what_the_last_step_touched_is_to_blame_where_nothing_else_is() -> None:
    """A property of a flag alone names no handle, so the handle of the step that set it is at fault."""
    calm = evolve(NOT_DESTROYED, name="calm", holds=Not(Read(EVER)))
    model = evolve(TOY, properties=(calm,))
    path: Path = (("arm", (0,)), ("arm", (1,)), ("clear", (1,)), ("destroy", (1,)))
    told = build_trace(model, Finding("calm", path)).explanation
    assert told.fails == "not ever"
    assert told.blames == (Subject("Handle", 1),)


def test_step_that_breaks_an_obligation() -> None:
    trace = build_trace(TOY, OVERFLOW)
    last = trace.steps[-1]
    assert last.broken == "budget: 4 is not in 0..3"
    assert trace.changes(3) == ()
    assert trace.explanation.fails == "budget: 4 is not in 0..3, in refill(by=2)"


PEEK = act("peek", (Q,), (Guard("cleared", same(Read(PHASES, (waits(Q),)), CLEARED)),), kind=Kind.ENVIRONMENT)
PEEKING = evolve(TOY, actions=(*TOY.actions, PEEK))


def test_obligation_of_a_guard_in_the_last_state() -> None:
    told = build_trace(PEEKING, Finding("range:peek/handles[].phase[Handle]", (), in_state=True)).explanation
    assert told.fails == "handles[].phase[Handle]: -1 is not in 0..1, in a guard of peek(q=0)"


def test_obligation_of_a_property_in_the_last_state() -> None:
    bare = evolve(NOT_DESTROYED, name="bare", holds=same(Read(PHASES, (waits(Const(0, QUEUE)),)), CLEARED))
    model = evolve(TOY, properties=(bare,))
    told = build_trace(model, Finding("range:bare/handles[].phase[Handle]", (), in_state=True)).explanation
    assert told.fails == "handles[].phase[Handle]: -1 is not in 0..1, in the property bare"


ARM = ("arm", (1,))
UNTRUE: dict[str, tuple[Model, str, Path, str]] = {
    "a guard refuses": (TOY, "not-destroyed", (ARM, ARM), 'step 2 of 2 refused by guard "free"'),
    "a bound refuses": (
        TOY,
        "not-destroyed",
        (ARM, ("clear", (1,)), ("destroy", (1,))) * 3 + (ARM,),
        'step 10 of 10 refused by guard "budget"',
    ),
    "it holds at the end": (TOY, "not-destroyed", DESTROYED_PATH[:-1], "the run of 6 steps does not violate it"),
    "an obligation breaks on the way": (
        TOY,
        "not-destroyed",
        (("refill", (1,)), ARM),
        "step 1 of 2 breaks range:refill/budget",
    ),
    "an obligation breaks at the end": (TOY, "not-destroyed", (("refill", (1,)),), "does not violate it"),
    "another obligation breaks": (TOY, "range:refill/other", (("refill", (1,)),), "does not violate it"),
    "no obligation breaks": (TOY, "range:refill/budget", (ARM, ("refill", (1,))), "does not violate it"),
    "unknown action": (TOY, "not-destroyed", (("vanish", ()),), "takes 'vanish', an action that the model does not"),
    "too few arguments": (TOY, "not-destroyed", (("arm", ()),), "gives arm 0 arguments; it takes 1"),
    "argument out of range": (TOY, "not-destroyed", (("arm", (2,)),), "gives arm h=2, which is not in 0..1"),
    "unknown property": (TOY, "unheard-of", DESTROYED_PATH, "does not violate it"),
}


@pytest.mark.parametrize(("model", "name", "path", "problem"), UNTRUE.values(), ids=UNTRUE.keys())
def test_untrue_finding_is_an_internal_error(model: Model, name: str, path: Path, problem: str) -> None:
    with pytest.raises(InternalError) as refused:
        build_trace(model, Finding(name, path))
    assert problem in str(refused.value)
