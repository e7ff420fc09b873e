"""The search in generated C against the one in generated Python: the same run, to the last count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fencepost.exec import c_expr
from fencepost.exec.layout import Layout
from fencepost.explore import bfs, compiler
from fencepost.explore.compiler import find_compiler
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Compiled, Native
from fencepost.ir.expr import TRUE, Add, Cast, Compare, Const, Read, Relation, Var
from fencepost.ir.model import Model, Property
from fencepost.ir.sorts import IndexSort, IntSort
from fencepost.verdict import Run
from tests.exec.tiny import TINY, Tiny
from tests.profile import examples
from tests.random_expr import HANDLE, QUEUE
from tests.strategies import models

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

DEPTH = 8


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("FENCEPOST_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


def compiled(model: Model, properties: Sequence[Property], threads: int = 1) -> Compiled:
    native = Native.of(model, properties)
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
        variables = tuple(evolve(var, init=values) for var, values in zip(tiny.vars, state, strict=True))
        names = dict(zip(tiny.vars, variables, strict=True))
        model = restarted(tiny.model, names)
        assert in_c(model) == in_python(model)


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


def test_a_fault_in_the_c_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = c_expr.element
    monkeypatch.setattr(c_expr, "element", lambda state, slot, at: f"(1 ^ {right(state, slot, at)})")
    model = next(tiny.model for tiny in TINY if tiny.name == "a later read sees the assignment")
    assert in_c(model) != in_python(model)


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
