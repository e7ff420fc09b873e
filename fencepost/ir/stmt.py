"""Statements of an action's body.

Each statement that changes the state ends in an `epoch`, a number unique within the action; a
`Read` in a later expression refers to it. A branch ends in one epoch whichever way it went. A
loop has two: `head`, the state at the top of the current turn, and `epoch`, the state after it.
"""

from __future__ import annotations

from attrs import field, frozen

from fencepost.errors import Location
from fencepost.ir.expr import Expr, LoopVar, Var


@frozen(cache_hash=True)
class Assign:
    """`var[indices] = value`, obliged to be within the variable's sort.

    `resets` says that `m.clear` makes a field zero that is dead then: so the language would, were it not there.
    """

    var: Var
    indices: tuple[Expr, ...]
    value: Expr
    epoch: int
    at: Location | None = field(default=None, eq=False, repr=False)
    resets: bool = field(default=False, eq=False, repr=False)


@frozen(cache_hash=True)
class If:
    """Two branches; either may be empty."""

    cond: Expr
    then: tuple[Stmt, ...]
    orelse: tuple[Stmt, ...]
    epoch: int
    at: Location | None = field(default=None, eq=False, repr=False)


@frozen(cache_hash=True)
class For:
    """The body once for each value of `var.sort`, ascending; a turn sees what earlier turns assigned."""

    var: LoopVar
    body: tuple[Stmt, ...]
    head: int
    epoch: int
    at: Location | None = field(default=None, eq=False, repr=False)


@frozen(cache_hash=True)
class Note:
    """Tells a reader of the trace what happened; never changes the state, never evaluated by a search.

    `text` has one `{}` a value. With a `subject`, it is an event in the life of that index (of a
    handle, say) and is shown on its lifecycle line.
    """

    text: str
    values: tuple[Expr, ...] = ()
    subject: Expr | None = None
    at: Location | None = field(default=None, eq=False, repr=False)


Stmt = Assign | If | For | Note
