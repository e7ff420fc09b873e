"""What is discharged before the bounded check, and what is not."""

from __future__ import annotations

from fencepost.ir.expr import TRUE, Add, Cast, Compare, Read, Relation, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import EnumSort, IntSort
from fencepost.ir.stmt import Assign
from fencepost.smt.system import lower
from tests.smt.tiny import ONE, action, below, counter, model, number, prop


def left_open(lowered: Model) -> set[str]:
    system = lower(lowered)
    return {name for instance in system.instances for name in instance.broken} | {
        name for target in system.targets for name in target.broken
    }


def test_what_a_guard_rules_out_is_discharged() -> None:
    assert left_open(counter(3)) == set()
    assert left_open(counter(3, guarded=False)) == {"range:tick/x"}


def test_what_depends_on_reachability_is_not() -> None:
    x, y = Var("x", IntSort(0, 3)), Var("y", IntSort(0, 3))
    both = [Assign(x, (), Add(Read(x), ONE), 1), Assign(y, (), Add(Read(y), ONE), 2)]
    assert left_open(model([x, y], [action("tick", both, below(Read(x), number(3)))])) == {"range:tick/y"}


def test_values_that_no_sort_has_break_nothing() -> None:
    """Five members take three bits; the three codes beyond them are no states."""
    phase = Var("phase", EnumSort("Phase", ("A", "B", "C", "D", "E")))
    always = Compare(Relation.LE, Cast(IntSort(0, 4), Read(phase), "ordinal"), number(4))
    assert left_open(model([phase], [], prop("p", always))) == set()


def test_obligations_of_properties_are_kept_where_they_may_break() -> None:
    x = Var("x", IntSort(0, 3))
    holds = Compare(Relation.LE, number(0), Cast(IntSort(0, 2), Read(x), "small"))
    assert left_open(model([x], [], prop("p", holds, TRUE))) == {"range:p/small"}
