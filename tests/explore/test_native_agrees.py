"""The search in generated C against the one in generated Python: the same run, to the last count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fencepost.exec import c_body, c_expr
from fencepost.exec.interpreter import State
from fencepost.exec.layout import Layout
from fencepost.explore import bfs, compiler
from fencepost.explore.compiler import find_compiler
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Compiled, Native
from fencepost.ir.expr import TRUE, Add, Cast, Compare, Const, Read, Relation, Var
from fencepost.ir.model import Model, Property
from fencepost.ir.sorts import IndexSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.verdict import Run
from tests.exec.tiny import TINY, Tiny, action
from tests.profile import examples
from tests.random_expr import HANDLE, QUEUE
from tests.strategies import models

pytestmark = [
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
    pytest.mark.usefixtures("own_cache"),
]

DEPTH = 8


def compiled(model: Model, properties: Sequence[Property], symmetry: bool = False, threads: int = 1) -> Compiled:
    native = Native.of(model, properties, symmetry)
    assert isinstance(native, Native)
    ready = native.ready(wait=True, threads=threads)
    assert isinstance(ready, Compiled), ready
    return ready


def in_python(model: Model, depth: int = DEPTH) -> Run:
    return evolve(bfs.run(model, depth=depth, compile_after=None), seconds=0)


def in_c(model: Model, threads: int = 1, depth: int = DEPTH) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bfs, "Interpreted", SimpleNamespace(begin=partial(compiled, threads=threads)))
        return evolve(bfs.run(model, depth=depth, compile_after=None), seconds=0)


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of three states, rounds of two blocks, a table that grows at once, threads for anything."""
    small = ("-DBLOCK=3", "-DROUND=2", "-DSMALLEST=4", "-DFEW=0")
    monkeypatch.setattr(compiler, "_OPTIONS", (*compiler._OPTIONS, *small))


@pytest.mark.parametrize("tiny", TINY, ids=lambda tiny: tiny.name)
def test_models_made_by_hand(tiny: Tiny) -> None:
    for state, _, _ in tiny.outcomes:
        model = restarted(tiny.model, names_of(tiny, state))
        assert in_c(model) == in_python(model)


def names_of(tiny: Tiny, state: State) -> dict[Var, Var]:
    return {var: evolve(var, init=values) for var, values in zip(tiny.vars, state, strict=True)}


def restarted(model: Model, names: Mapping[Var, Var]) -> Model:
    """The model with other initial values: a variable is its declaration, so each mention changes with it."""
    return replaced(model, names)  # type: ignore[no-any-return]


def replaced(node: Any, names: Mapping[Any, object]) -> Any:
    if isinstance(node, tuple):
        return tuple(replaced(part, names) for part in node)
    fields = getattr(type(node), "__attrs_attrs__", None)
    if fields is None:
        return node
    if node in names:
        return names[node]
    return evolve(node, **{f.name: replaced(getattr(node, f.name), names) for f in fields if f.init})


RANDOM = settings(
    deadline=None, max_examples=examples(25), phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


@RANDOM
@given(models())
def test_random_models(model: Model) -> None:
    assert in_c(model) == in_python(model)


@RANDOM
@given(models())
def test_random_models_in_small_blocks_on_several_threads(tight: None, model: Model) -> None:
    assert in_c(model, threads=3) == in_c(model) == in_python(model)


@RANDOM
@given(models(), st.integers(0, 62), st.integers(1, 4))
def test_random_models_of_many_words(tight: None, model: Model, width: int, count: int) -> None:
    wide = widened(model, width, count)
    assert in_c(wide, threads=2, depth=3) == in_python(wide, depth=3)


def widened(model: Model, width: int, count: int) -> Model:
    """The model with more queues and handles, and with a variable that nothing reads but that takes room."""
    larger = {QUEUE: IndexSort("Queue", 3), HANDLE: IndexSort("Handle", 5)}
    names = {}
    for var in model.vars:
        bare: Var = replaced(evolve(var, init=()), larger)
        names[var] = evolve(bare, init=(var.init * bare.count)[: bare.count])
    wide: Model = replaced(replaced(model, names), larger)
    room = Var("room", IntSort(0, (1 << width) - 1), (IndexSort("Room", count),), ((1 << width) - 1,) * count)
    return evolve(wide, vars=(room, *wide.vars))


def test_some_arrays_cross_words_and_some_do_not() -> None:
    """What the models above are to have, whatever the layout makes of them."""
    sort = IntSort(0, 30)
    in_many, in_one = Var("many", sort, (IndexSort("Many", 40),), (0,) * 40), Var("one", sort)
    layout = Layout.in_words(Model("m", None, (), (), (in_many, in_one), ()))
    assert layout.slots[in_many].word is None
    assert layout.slots[in_one].word == 3
    assert layout.slots[in_one].word == 3
    assert layout.bits == 206


@RANDOM
@given(models())
def test_states_and_steps_can_be_read(tight: None, model: Model) -> None:
    """In the order of the search in Python, and each step that is taken there."""
    python, c = Interpreted.begin(model, ()), compiled(model, (), threads=2)
    for searcher in (python, c):
        for _ in range(5):
            list(searcher.expand())
            searcher.advance()
    states = [python.steps.layout.unpack(packed) for packed in python.parents]
    assert [c.layout.unpack(packed) for packed in c.states(0, c.count)] == states
    numbers = {state: number for number, state in enumerate(states)}
    expected = []
    for packed in python.parents:
        for item, after in python.steps.successors(packed)[0]:
            after_state = python.steps.layout.unpack(after)
            if after_state in numbers:
                expected.append((numbers[python.steps.layout.unpack(packed)], numbers[after_state], item))
    found = [
        step
        for edges in c.edges(0, c.count)
        for step in zip(edges.sources, edges.targets, edges.instances, strict=True)
    ]
    assert found == expected
    c.close()


Patch = pytest.MonkeyPatch


def bits_inverted(patch: Patch) -> None:
    right = c_expr.element
    patch.setattr(c_expr, "element", lambda state, slot, at: f"(1 ^ {right(state, slot, at)})")


def always_before(patch: Patch) -> None:
    patch.setattr(c_body.Epochs, "source", lambda self, read: c_body.BEFORE)


def always_now(patch: Patch) -> None:
    patch.setattr(c_body.Epochs, "source", lambda self, read: c_body.NOW)


def no_way_out(patch: Patch) -> None:
    patch.setattr(c_expr.CExpr, "_way_out", lambda self, broken, obligation: None)


def eager(patch: Patch) -> None:
    patch.setattr(c_expr.CExpr, "apart", lambda self, expr: ([], self.text(expr)))


def first_element(patch: Patch) -> None:
    right = c_body._store
    patch.setattr(c_body, "_store", lambda slot, position, value: right(slot, 0, value))


def branch_forgets(patch: Patch) -> None:
    patch.setattr(c_body, "assigned", lambda body: iter(()))


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (bits_inverted, "a later read sees the assignment"),
        (always_before, "a later read sees the assignment"),
        (always_now, "a read keeps its value"),
        (no_way_out, "a value out of range breaks the step"),
        (no_way_out, "a dead field may not be read"),
        (eager, "and and or look no further than they must"),
        (first_element, "a store to a computed place changes that place alone"),
        (branch_forgets, "branches meet in one epoch"),
    ],
)
def test_a_fault_in_the_c_is_seen(plant: Callable[[Patch], None], name: str, monkeypatch: Patch) -> None:
    (tiny,) = (tiny for tiny in TINY if tiny.name == name)
    found = [restarted(tiny.model, names_of(tiny, state)) for state, _, _ in tiny.outcomes]
    assert not any(map(differs, found))
    plant(monkeypatch)
    assert any(map(differs, found))


def differs(model: Model) -> bool:
    """Whether what is counted is not the same, or the states are not."""
    python, c = Interpreted.begin(model, ()), compiled(model, ())
    for searcher in (python, c):
        list(searcher.expand())
    states = [python.steps.layout.unpack(packed) for packed in python.parents]
    return [c.layout.unpack(packed) for packed in c.states(0, c.count)] != states or in_c(model) != in_python(model)


def test_an_epoch_between_needs_a_copy(monkeypatch: Patch) -> None:
    """The value of n after the first of three assignments, read after the second."""
    n, m = Var("n", IntSort(0, 7)), Var("m", IntSort(0, 7))
    body = tuple(Assign(n, (), Const(value, IntSort(0, 7)), value) for value in (1, 2))
    step = action(*body, Assign(m, (), Read(n, (), 1), 3))
    model = Model("m", None, (), (), (n, m), (step,), (Property("p", m_is(m, 0), TRUE, "It holds.", "nothing"),))
    assert in_c(model) == in_python(model)
    layout = Layout.in_words(model)
    search = compiled(model, ())
    list(search.expand())
    assert [layout.unpack(state) for state in search.states(0, search.count)] == [((0,), (0,)), ((2,), (1,))]
    monkeypatch.setattr(c_body.Epochs, "reach", lambda self, epoch: self.at.update({epoch: dict(self.versions)}) or [])
    spoilt = compiled(model, ())
    list(spoilt.expand())
    assert [layout.unpack(state) for state in spoilt.states(1, spoilt.count)] != [((2,), (1,))]


def m_is(var: Var, value: int) -> Compare:
    return Compare(Relation.EQ, Read(var), Const(value, IntSort(0, 7)))


def test_the_first_of_several_broken_obligations_is_told() -> None:
    """Both sides of each operator break: the left one comes first, whatever the compiler would like."""
    n = Var("n", IntSort(0, 2), (), (2,))
    left = Cast(IntSort(0, 1), Read(n), "left")
    for expr in (Compare(Relation.LT, left, evolve(left, what="right")), Add(left, evolve(left, what="right"))):
        low = Compare(Relation.EQ, expr, Const(0, IntSort(0, 0)))
        prop = Property("first", low, TRUE, "It holds.", "nothing")
        model = Model("m", None, (), (), (n,), (), (prop,))
        assert [finding.name for finding in in_c(model).findings] == ["range:first/left"]
        assert in_c(model) == in_python(model)
