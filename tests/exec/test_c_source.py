"""The generated C: accepted by compilers of C and of C++ as it is, and told of what it may not be given."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from fencepost.exec.c_source import c_source
from fencepost.exec.lower_model import Watch
from fencepost.ir.expr import Const, Ite, Read, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import IntSort
from fencepost.ir.stmt import Assign
from fencepost.registry import find, names
from tests.exec.tiny import action, equals
from tests.profile import examples
from tests.strategies import models

EVENTS = """
static inline void fire(Out *o, const S *to, int item, int action) { o->to[o->n++] = *to; (void)item; (void)action; }
static inline void broke(Out *o, int item, int obligation) { o->break_item[o->breaks++] = item + obligation; }
static inline void hit(Out *o, int watch) { o->hit_watch[o->hits++] = watch; }
static inline void watch_broke(Out *o, int obligation) { o->watch_obligation[o->watch_breaks++] = obligation; }
int use(Out *o);
int use(Out *o) { step(&initial, o); check(&initial, o, (const unsigned char *)"\\1"); return o->n; }
"""
"""What a search defines, in its least form, so that nothing is left unused."""

# A random model may well compare a value with itself, which is no fault of the C.
IDLE = "-Wno-tautological-compare"
STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic-errors", "-Wno-long-long", IDLE, "-fsyntax-only")
COMPILERS = (("cc", "-std=c99", "-x", "c"), ("c++", "-std=c++11", "-x", "c++"))


def accepted(model: Model, compiler: tuple[str, ...], folder: Path) -> str:
    """What the compiler says of the model's source; empty if nothing."""
    watches = [Watch(prop.name, prop.holds, wanted) for prop in model.properties for wanted in (True, False)]
    text = c_source(model, watches).text
    assert "#include" not in text
    (folder / "model.c").write_text(text + EVENTS, encoding="ascii")
    command = [*compiler, *STRICT, str(folder / "model.c")]
    return subprocess.run(command, check=False, capture_output=True, text=True).stderr


@pytest.fixture(params=COMPILERS, ids=lambda given: given[0])
def compiler(request: pytest.FixtureRequest) -> tuple[str, ...]:
    name: tuple[str, ...] = request.param
    if shutil.which(name[0]) is None:
        pytest.skip(f"there is no {name[0]}")
    return name


@pytest.mark.parametrize("protocol", names())
def test_every_protocol_is_c_and_cpp(protocol: str, compiler: tuple[str, ...], tmp_path: Path) -> None:
    assert accepted(find(protocol).build(), compiler, tmp_path) == ""


@settings(deadline=None, max_examples=examples(20), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(models())
def test_random_models_are_c_and_cpp(compiler: tuple[str, ...], tmp_path: Path, model: Model) -> None:
    assert accepted(model, compiler, tmp_path) == ""


def test_a_state_kept_for_a_value_that_is_the_same_either_way(compiler: tuple[str, ...], tmp_path: Path) -> None:
    """The choice is read from a state that is kept for it, and then falls away."""
    sort = IntSort(0, 1)
    first, second = Var("first", sort), Var("second", sort)
    one = Const(1, sort)
    either = Ite(equals(Read(first, (), 1), one), one, one, sort)
    body = (Assign(first, (), one, 1), Assign(first, (), Const(0, sort), 2), Assign(second, (), either, 3))
    assert accepted(Model("m", None, (), (), (first, second), (action(*body),), ()), compiler, tmp_path) == ""


@pytest.mark.parametrize("bits", [62, 63, 64, 200])
def test_a_number_that_does_not_fit_is_refused(bits: int) -> None:
    large = Var("large", IntSort(0, (1 << bits) - 1))
    watch = Watch("p", equals(Read(large), Read(large)), wanted=True)
    model = Model("m", None, (), (), (large,), (), ())
    if bits == 62:
        assert c_source(model, (watch,)).words == 1
    else:
        with pytest.raises(NotImplementedError, match=f"{bits} bits"):
            c_source(model, (watch,))


def test_a_body_that_stores_one_that_does_not_fit_is_refused() -> None:
    sort = IntSort(0, 1 << 62)
    stored = action(Assign(Var("large", sort), (), Const(1, sort), 1))
    with pytest.raises(NotImplementedError, match="63 bits"):
        c_source(Model("m", None, (), (), (Var("large", sort),), (stored,), ()), ())
