"""Runs put in an order that changes actors less often: compared with every order there is."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.expr import Add, Compare, Const, Param, Read, Relation, Var
from fencepost.ir.model import Action, Actor, Guard, Model
from fencepost.ir.sorts import IndexSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.trace import order
from fencepost.trace.order import fewest_changes
from fencepost.verdict import Path

COUNT, CELL = IntSort(0, 9), IndexSort("Cell", 3)
CELLS = Var("cells", COUNT, (CELL,), (0, 0, 0))
AT, MOST = Param("at", CELL), Param("most", COUNT)
WORKERS = ("ann", "bob", "cid")


def add(worker: str) -> Action:
    """One more in a cell that has at most so many."""
    full = Compare(Relation.LE, Read(CELLS, (AT,)), MOST)
    more = Assign(CELLS, (AT,), Add(Read(CELLS, (AT,)), Const(1, COUNT)), 1)
    return Action(worker, (AT, MOST), (Guard("room", full),), (more,), Actor(worker), worker)


MODEL = Model("cells", None, (), (), (CELLS,), tuple(map(add, WORKERS)))


def end(path: Path) -> State | None:
    interpreter = Interpreter(MODEL)
    state = interpreter.initial()
    for name, args in path:
        outcome = interpreter.fire(state, MODEL.action(name), args)
        if not isinstance(outcome, Stepped):
            return None
        state = outcome.state
    return state


def changes(path: Path) -> int:
    return sum(one[0] != other[0] for one, other in pairwise(path))


def of(path: Path, worker: str) -> Path:
    return tuple(step for step in path if step[0] == worker)


def test_steps_that_do_not_touch_each_other_are_read_together() -> None:
    ann, bob = ("ann", (0, 9)), ("bob", (1, 9))
    assert fewest_changes(MODEL, (ann, bob, ann, bob, ann, bob)) == (ann, ann, ann, bob, bob, bob)


def test_the_last_step_stays_the_last() -> None:
    ann, bob = ("ann", (0, 9)), ("bob", (1, 9))
    assert fewest_changes(MODEL, (ann, bob, ann, bob, ann)) == (bob, bob, ann, ann, ann)


def test_what_must_come_first_does() -> None:
    # Bob may put his in only before Ann's second.
    path: Path = (("ann", (0, 9)), ("bob", (0, 1)), ("ann", (0, 9)), ("cid", (1, 9)))
    assert fewest_changes(MODEL, path) == (("bob", (0, 1)), ("ann", (0, 9)), ("ann", (0, 9)), ("cid", (1, 9)))
    tight: Path = (("ann", (0, 0)), ("bob", (0, 1)), ("ann", (0, 9)), ("cid", (1, 9)))
    assert fewest_changes(MODEL, tight) == tight


def test_a_search_that_would_take_long_leaves_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "_TRIES", 0)
    path: Path = (("ann", (0, 9)), ("bob", (1, 9)), ("ann", (0, 9)), ("bob", (1, 9)))
    assert fewest_changes(MODEL, path) == path


steps = st.tuples(st.sampled_from(WORKERS), st.tuples(st.integers(0, 1), st.integers(0, 4)))


@given(st.lists(steps, min_size=1, max_size=6).map(tuple).filter(lambda path: end(path) is not None))
def test_no_order_has_fewer(path: Path) -> None:
    found = fewest_changes(MODEL, path)
    orders = [
        candidate
        for front in set(permutations(path[:-1]))
        if all(of(candidate := (*front, path[-1]), name) == of(path, name) for name in WORKERS)
        and end(candidate) == end(path)
    ]
    assert found in orders
    assert changes(found) == min(map(changes, orders))
