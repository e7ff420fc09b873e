"""The search in generated C against the one in generated Python: the same run, to the last count."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from attrs import evolve
from hypothesis import HealthCheck, Phase, given, settings

from fencepost.exec import c_expr
from fencepost.explore import bfs
from fencepost.explore.compiler import find_compiler
from fencepost.explore.native import Compiled, Native
from fencepost.ir.expr import TRUE, Add, Cast, Compare, Const, Read, Relation, Var
from fencepost.ir.model import Model, Property
from fencepost.ir.sorts import IntSort
from fencepost.verdict import Run
from tests.exec.tiny import TINY, Tiny
from tests.profile import examples
from tests.strategies import models

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

DEPTH = 8


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> object:
    patch = pytest.MonkeyPatch()
    patch.setenv("FENCEPOST_CACHE", str(tmp_path_factory.mktemp("cache")))
    yield
    patch.undo()


def compiled(model: Model, properties: list[Property]) -> Compiled:
    native = Native.begin(model, properties)
    assert isinstance(native, Native)
    ready = native.ready(wait=True)
    assert isinstance(ready, Compiled), ready
    return ready


def both(model: Model) -> tuple[Run, Run]:
    in_python = bfs.run(model, depth=DEPTH, compile_after=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bfs, "Interpreted", SimpleNamespace(begin=compiled))
        in_c = bfs.run(model, depth=DEPTH, compile_after=None)
    return evolve(in_python, seconds=0), evolve(in_c, seconds=0)


@pytest.mark.parametrize("tiny", TINY, ids=lambda tiny: tiny.name)
def test_models_made_by_hand(tiny: Tiny) -> None:
    for state, _, _ in tiny.outcomes:
        variables = tuple(evolve(var, init=values) for var, values in zip(tiny.vars, state, strict=True))
        names = dict(zip(tiny.vars, variables, strict=True))
        in_python, in_c = both(restarted(tiny.model, names))
        assert in_c == in_python


def restarted(model: Model, names: dict[object, object]) -> Model:
    """The model with other initial values: a variable is its declaration, so each mention changes with it."""
    return replaced(model, names)  # type: ignore[no-any-return]


def replaced(node: object, names: dict[object, object]) -> object:
    if isinstance(node, tuple):
        return tuple(replaced(part, names) for part in node)
    fields = getattr(type(node), "__attrs_attrs__", None)
    if fields is None:
        return node
    if node in names:
        return names[node]
    return evolve(node, **{f.name: replaced(getattr(node, f.name), names) for f in fields if f.init})


@settings(deadline=None, max_examples=examples(25), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(models())
def test_random_models(model: Model) -> None:
    in_python, in_c = both(model)
    assert in_c == in_python


def test_a_fault_in_the_c_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = c_expr.CExpr._bits
    monkeypatch.setattr(c_expr.CExpr, "_bits", lambda self, state, at, width: f"(1 ^ {right(self, state, at, width)})")
    in_python, in_c = both(next(tiny.model for tiny in TINY if tiny.name == "a later read sees the assignment"))
    assert in_c != in_python


def test_the_first_of_several_broken_obligations_is_told() -> None:
    """Both sides of each operator break: the left one comes first, whatever the compiler would like."""
    n = Var("n", IntSort(0, 2), (), (2,))
    left = Cast(IntSort(0, 1), Read(n), "left")
    for expr in (Compare(Relation.LT, left, evolve(left, what="right")), Add(left, evolve(left, what="right"))):
        low = Compare(Relation.EQ, expr, Const(0, IntSort(0, 0)))
        prop = Property("first", low, TRUE, "It holds.", "nothing")
        in_python, in_c = both(Model("m", None, (), (), (n,), (), (prop,)))
        assert [finding.name for finding in in_c.findings] == ["range:first/left"]
        assert in_c == in_python
