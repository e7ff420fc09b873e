"""What fails is found under every connective, and what it looked at is what the state holds."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fencepost.exec.interpreter import Interpreter, ObligationBroken
from fencepost.ir.expr import FALSE, TRUE, And, Const, Expr, Ite, LoopVar, Not, Or, Quantified, Quantifier, Read
from fencepost.ir.model import Model, Property
from fencepost.ir.sorts import BOOL, show
from fencepost.trace.explain import _Walk, explain, looks
from fencepost.trace.model import Bound, Explanation, Reading
from tests.strategies import models, states
from tests.trace.toy import BUDGET, HANDLE, PAUSED, PHASES, TOY, phase, same, waits
from tests.trace.toy import QUEUE as QUEUES

# handle 0 is armed, handle 1 is cleared; queue 0 waits for handle 1, queue 1 for none.
STATE = ((1, 2), (1, -1), (0,), (1,), (3,), (0,))
H, J = LoopVar(1, "i", HANDLE), LoopVar(2, "i", HANDLE)
FREE, ARMED = (Const(i, phase(H).sort) for i in range(2))
PAUSE = Read(PAUSED)


def explained(holds: Expr) -> Explanation:
    return explain(Interpreter(TOY), STATE, Property("p", holds, TRUE, "", ""))


def forall(var: LoopVar, body: Expr) -> Expr:
    return Quantified(Quantifier.FORALL, var, body)


def exists(var: LoopVar, body: Expr) -> Expr:
    return Quantified(Quantifier.EXISTS, var, body)


def armed(handle: Expr) -> Expr:
    return same(phase(handle), ARMED)


CASES: dict[str, tuple[Expr, str, tuple[str, ...], tuple[str, ...]]] = {
    "a read": (Not(PAUSE), "not paused", (), ()),
    "the first false conjunct": (And((PAUSE, armed(Const(1, HANDLE)), FALSE)), "handles[1].phase == ARMED", (), ()),
    "under a forall": (forall(H, armed(H)), "handles[i].phase == ARMED", ("i=1",), ()),
    "one value of two nested foralls": (
        forall(H, forall(J, Or((Not(armed(H)), armed(J))))),
        "handles[i2].phase == ARMED",
        ("i=0", "i2=1"),
        ("handles[i].phase == ARMED",),
    ),
    "a witness against a negated exists": (Not(exists(H, armed(H))), "handles[i].phase != ARMED", ("i=0",), ()),
    "an implication": (
        Or((Not(PAUSE), Not(armed(Const(0, HANDLE))), FALSE)),
        "false",
        (),
        ("paused", "handles[0].phase == ARMED"),
    ),
    "an implication from an exists": (
        Or((Not(exists(H, And((PAUSE, armed(H))))), same(phase(Const(0, HANDLE)), FREE))),
        "handles[0].phase == FREE",
        ("i=0",),
        ("paused", "handles[i].phase == ARMED"),
    ),
    "an implication of negations": (
        Or((Not(PAUSE), Not(armed(Const(0, HANDLE))))),
        "handles[0].phase != ARMED",
        (),
        ("paused",),
    ),
    "a plain disjunction stays whole": (
        Or((same(phase(Const(0, HANDLE)), FREE), same(phase(Const(1, HANDLE)), FREE))),
        "handles[0].phase == FREE or handles[1].phase == FREE",
        (),
        (),
    ),
    "the disjunct that should not hold": (
        Not(Or((armed(Const(1, HANDLE)), armed(Const(0, HANDLE))))),
        "handles[0].phase != ARMED",
        (),
        (),
    ),
    "an exists that has no witness": (
        exists(H, same(phase(H), FREE)),
        "exists i: Handle. handles[i].phase == FREE",
        (),
        (),
    ),
    "the side taken": (Ite(PAUSE, armed(Const(1, HANDLE)), TRUE, BOOL), "handles[1].phase == ARMED", (), ("paused",)),
    "the other side taken": (Ite(Not(PAUSE), TRUE, FALSE, BOOL), "false", (), ("paused",)),
    "a conjunction that should not hold": (
        Not(And((PAUSE, armed(Const(0, HANDLE))))),
        "not (paused and handles[0].phase == ARMED)",
        (),
        (),
    ),
}


@pytest.mark.parametrize(("holds", "fails", "bindings", "given_"), CASES.values(), ids=CASES.keys())
def test_failing_conjunct(holds: Expr, fails: str, bindings: tuple[str, ...], given_: tuple[str, ...]) -> None:
    told = explained(holds)
    assert told.fails == fails
    assert tuple(f"{bound.name}={bound.value}" for bound in told.bindings) == bindings
    assert told.given == given_


def test_readings_follow_options_and_stop_where_evaluation_does() -> None:
    through = same(Read(PHASES, (waits(Const(0, QUEUES)),)), ARMED)
    told = explained(And((through, same(Read(BUDGET), Read(BUDGET)))))
    assert told.readings == (Reading("queues[0].waits", "1"), Reading("handles[1].phase", "CLEARED"))


def read(expr: Expr) -> list[str]:
    return [look.element for look in looks(Interpreter(TOY), STATE, expr, {})]


ZERO, ONE = Const(0, QUEUES), Const(1, QUEUES)
IS_ARMED_ITS_HANDLE = same(Read(PHASES, (waits(ONE),)), ARMED)
"""Reading it as it stands breaks an obligation: queue 1 waits for no handle."""


@pytest.mark.parametrize(
    ("expr", "elements"),
    [
        (And((FALSE, PAUSE)), []),
        (And((PAUSE, armed(Const(0, HANDLE)))), ["paused", "handles[0].phase"]),
        (And((Not(same(waits(ONE), Const(-1, waits(ONE).sort))), IS_ARMED_ITS_HANDLE)), ["queues[1].waits"]),
        (Or((same(waits(ONE), Const(-1, waits(ONE).sort)), IS_ARMED_ITS_HANDLE)), ["queues[1].waits"]),
        (Ite(PAUSE, armed(Const(1, HANDLE)), IS_ARMED_ITS_HANDLE, BOOL), ["paused", "handles[1].phase"]),
        (exists(H, armed(H)), ["handles[0].phase"]),
        (exists(H, same(phase(H), FREE)), ["handles[0].phase", "handles[1].phase"]),
        (forall(H, armed(H)), ["handles[1].phase"]),
        (forall(H, Not(same(phase(H), FREE))), ["handles[0].phase", "handles[1].phase"]),
        (forall(H, exists(J, And((armed(J), armed(H))))), ["handles[0].phase", "handles[1].phase", "handles[0].phase"]),
    ],
)
def test_what_an_evaluation_looks_at(expr: Expr, elements: list[str]) -> None:
    """Only what decides: behind a decided `and`, and for the other values of a quantifier, nothing is read."""
    found = read(expr)
    assert list(dict.fromkeys(found)) == list(dict.fromkeys(elements))


def test_one_quantifier_used_twice_is_two_bindings() -> None:
    some = exists(H, armed(H))
    told = explained(Or((Not(some), Not(some))))
    assert [bound.name for bound in told.bindings] == ["i", "i2"]
    assert (told.given, told.fails) == (("handles[i].phase == ARMED",), "handles[i2].phase != ARMED")


def test_bound_values_are_told_by_name_and_sort() -> None:
    assert explained(forall(H, armed(H))).bindings == (Bound("i", "Handle", "1"),)


@given(st.data())
def test_on_random_models(data: st.DataObject) -> None:
    """The part that is told fails under the values that are told, and the readings are the state's."""
    model: Model = data.draw(models())
    state = data.draw(states(model))
    prop, interpreter = model.properties[0], Interpreter(model)
    try:
        assume(not interpreter.evaluate(state, prop.holds, prop.name))
    except ObligationBroken:
        assume(False)
    walk = _Walk(interpreter, state, prop.name)
    part = walk.fail(prop.holds, True)
    loops = {var.id: value for _, var, value in walk.bound}
    assert not interpreter.evaluate(state, part, prop.name, loops)
    held = {
        var.element(position): show(var.sort, value)
        for var, values in zip(model.vars, state, strict=True)
        for position, value in enumerate(values)
    }
    told = explain(interpreter, state, prop)
    assert all(held[reading.element] == reading.value for reading in told.readings)
