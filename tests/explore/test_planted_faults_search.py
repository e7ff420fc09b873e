"""Faults planted in both searches, one at a time: the comparison that is to find each of them does.

Those in C are changes of the text of the engine; what it is compared with is the search in Python, and that with one
that is nothing but the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from fencepost.errors import InternalError
from fencepost.exec.watching import Watcher
from fencepost.explore import bfs, native
from fencepost.explore.compiler import Compilation, find_compiler
from fencepost.explore.interpreted import Interpreted
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.verdict import Path
from tests.explore.naive import search
from tests.explore.test_native_agrees import in_c, in_python

pytestmark = pytest.mark.usefixtures("own_cache")

DEPTH = 8

IN_C = {
    "every other state not looked at": (
        "for (u64 i = first; i < end; i++) {\n      o->hits",
        "for (u64 i = first; i < end; i += 2) {\n      o->hits",
    ),
    "states that differ in some bits alone taken for one": (
        "other |= slot->w[j] ^ s->w[j];",
        "other |= (slot->w[j] ^ s->w[j]) >> 6;",
    ),
    "the last hit kept in place of the first": ("if (c->hit[o->hit_watch[k]] < 0) c->hit", "c->hit"),
    "steps counted wrongly": ("c->transitions += n;", "c->transitions += n ? n - 1 : 0;"),
    "a step called by the first one's name": ("return o->item[k];", "return o->item[0];"),
    "the path goes by a wrong state": ("parents[k] = (i64)i;", "parents[k] = (i64)from;"),
    "a state's steps taken from its neighbour": (
        "step(&q->states[i], o);\n    if",
        "step(&q->states[i ? i - 1 : 0], o);\n    if",
    ),
}


@pytest.fixture(scope="module")
def buggy() -> Model:
    return find("recycled-handle").build(variant="buggy")


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("fault", IN_C)
def test_a_fault_in_the_c_engine_is_found(fault: str, buggy: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = IN_C[fault]
    begin = Compilation.begin

    def planted(text: str, compiler: str) -> Compilation:
        assert text.count(old) == 1, "the engine's text has changed: plant the fault anew"
        return begin(text.replace(old, new), compiler)

    monkeypatch.setattr(native.Compilation, "begin", planted)
    assert differs(buggy)


def differs(model: Model) -> bool:
    """Whether the search in C does not do what the one in Python does, or falls over."""
    try:
        return in_c(model, depth=DEPTH) != in_python(model, depth=DEPTH)
    except (LookupError, AssertionError, InternalError):
        return True


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
def test_the_sound_engine_is_not_accused(buggy: Model) -> None:
    assert not differs(buggy)


def a_state_is_lost(patch: pytest.MonkeyPatch) -> None:
    right = Interpreted.advance

    def wrong(self: Interpreted) -> bool:
        del self.new[1:2]
        return right(self)

    patch.setattr(Interpreted, "advance", wrong)


def nothing_is_looked_at(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Watcher, "look", lambda self, states: None)


def decided_too_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Interpreted, "violated", lambda self: frozenset(p for p, _ in self.watcher._watched))


def paths_begin_late(patch: pytest.MonkeyPatch) -> None:
    right = Interpreted._path

    def wrong(self: Interpreted, *ends: Any) -> Path:
        return right(self, *ends)[1:]

    patch.setattr(Interpreted, "_path", wrong)


def first_level_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    right = bfs._Driver.result
    patch.setattr(bfs._Driver, "result", lambda self, stop: evolve(right(self, stop), depth=self.covered + 1))


IN_PYTHON: tuple[Callable[[pytest.MonkeyPatch], None], ...] = (
    a_state_is_lost,
    nothing_is_looked_at,
    decided_too_early,
    paths_begin_late,
    first_level_is_forgotten,
)


@pytest.mark.parametrize("plant", IN_PYTHON, ids=lambda plant: plant.__name__)
def test_a_fault_in_the_python_search_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], buggy: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert agrees(buggy)
    plant(monkeypatch)
    assert not agrees(buggy)


def agrees(model: Model) -> bool:
    """Whether the search in Python and the one that is nothing but the interpreter come to the same."""
    for depth in (3, DEPTH):
        run, wanted = bfs.run(model, depth=depth, compile_after=None), search(model, depth)
        findings = {finding.name: len(finding.path) for finding in run.findings}
        mine = (run.states, run.transitions, run.depth, findings, dict(run.twins))
        if mine != (wanted.states, wanted.transitions, wanted.depth, wanted.findings, wanted.twins):
            return False
    return True
