"""What differs between two states."""

from __future__ import annotations

from fencepost.exec.changed import changed
from fencepost.ir.expr import Var
from fencepost.ir.sorts import EnumSort, IndexSort, IntSort

QUEUE = IndexSort("Queue", 2)
PHASE = EnumSort("Phase", ("FREE", "ARMED"))
VARS = (Var("turn", QUEUE), Var("slots[].phase", PHASE, (QUEUE,)), Var("budget", IntSort(0, 3)))


def test_an_element_is_numbered_in_the_state_and_in_its_variable_and_shown_as_its_sort_shows_it() -> None:
    found = list(changed(VARS, ((0,), (0, 1), (3,)), ((0,), (0, 0), (2,))))
    assert [(each.number, each.position, each.before, each.after) for each in found] == [(2, 1, 1, 0), (3, 0, 3, 2)]
    assert [(each.element, each.old, each.new) for each in found] == [
        ("slots[1].phase", "ARMED", "FREE"),
        ("budget", "3", "2"),
    ]


def test_the_same_state_has_no_change() -> None:
    assert list(changed(VARS, ((0,), (0, 1), (3,)), ((0,), (0, 1), (3,)))) == []
