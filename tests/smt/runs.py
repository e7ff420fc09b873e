"""A model whose runs show what an unrolling does wrong, and whether a bounded check is right about one."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.ir.expr import FALSE, TRUE, Add, Const, Not, Read, Sub, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL, IntSort
from fencepost.ir.stmt import Assign
from fencepost.verdict import Run, Stop
from tests.smt.brute import lengths
from tests.smt.tiny import ONE, action, below, equals, model, number, prop

DEPTH = 6


def walk_of_two() -> Model:
    """`x` goes up to 3 and then out of range; `y` follows it; `stop` ends every run."""
    x, y, stopped = Var("x", IntSort(0, 3)), Var("y", IntSort(0, 3)), Var("stopped", BOOL)
    going = Not(Read(stopped))
    up = action("up", [Assign(x, (), Add(Read(x), ONE), 1)], going)
    follow = action("follow", [Assign(y, (), Add(Read(y), ONE), 1)], below(Read(y), Read(x)), going)
    back = action("back", [Assign(x, (), Sub(Read(x), ONE), 1)], below(Read(y), Read(x)), going)
    stop = action("stop", [Assign(stopped, (), Const(1, BOOL), 1)], equals(Read(y), number(2)), going)

    return model(
        [x, y, stopped],
        [up, follow, back, stop],
        prop("y-below-3", Not(equals(Read(y), number(3))), equals(Read(y), number(2))),
        prop("never-stopped", Not(Read(stopped)), Read(stopped)),
        prop("lasting", TRUE, FALSE),
    )


def agrees(check: Callable[..., Run], tried: Model) -> bool:
    """Whether a bounded check finds what brute force does, and no more."""
    expected = lengths(tried, DEPTH)
    longest = max(length for length, level in enumerate(expected.levels) if level)
    run = check(tried, depth=DEPTH, timeout=None)
    found = {finding.name: len(finding.path) for finding in run.findings}
    return (
        found == expected.violated | expected.in_step
        and dict(run.twins) == expected.twins
        and (run.stop, run.depth) == (Stop.DEPTH if longest == DEPTH else Stop.EXHAUSTED, longest)
    )
