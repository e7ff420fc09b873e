"""Whether what is taken is given back somewhere: a lock that no action releases is a slip, not a protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.model import Action
from fencepost.ir.sorts import NONE, IndexSort
from fencepost.ir.stmt import Assign
from fencepost.ir.visit import statements
from fencepost.lang.fields import Field
from fencepost.lang.records import Part, Record, TableField, declared


def check_given_back(state: type[Record], actions: Iterable[Action]) -> None:
    """Accept fields with `given_back` that some action sets to none, or that no action assigns.

    Raises:
        ModelError: one is taken and never given back; it is told of where it is taken.
    """
    mends = dict(_wanted(state))
    taken: dict[str, Assign] = {}
    given: set[str] = set()
    for stmt in (stmt for action in actions for stmt in statements(action.body)):
        if isinstance(stmt, Assign) and stmt.var.name in mends:
            if _is_index(stmt.value):
                taken.setdefault(stmt.var.name, stmt)
            else:
                given.add(stmt.var.name)
    for name, stmt in taken.items():
        if name not in given:
            raise ModelError(f"{name} is taken, and no action gives it back", mends[name], stmt.at)


def _is_index(value: ir.Expr) -> bool:
    """It is an index for sure; what is none, or may be, counts as giving back."""
    return isinstance(value.sort, IndexSort) or (isinstance(value, ir.Const) and value.value != NONE)


def _wanted(record: type[Record], path: str = "") -> Iterator[tuple[str, str]]:
    """The fields that have to be given back, by the names of their variables, each with how."""
    for name, field in declared(record):
        inner = f"{path}.{name}" if path else name
        match field:
            case Field(given_back=mend) if mend:
                yield inner, mend
            case Part(record=nested):
                yield from _wanted(nested, inner)
            case TableField(record=nested):
                yield from _wanted(nested, inner + "[]")
