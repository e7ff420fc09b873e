"""Which index sorts may be scalarsets: those whose indices a model declares to be told apart by nothing.

A scalarset has neither literals nor order, nothing can be added to it, and there is no "none" beside
it; so a sort qualifies only where the model uses it as a dimension, a parameter and a quantifier's
variable alone, and starts alike for all its indices.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.ir.expr import Expr, LoopVar, Param, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import IndexSort, OptionSort, SetSort, Sort
from fencepost.ir.symmetry import roles
from fencepost.ir.visit import expressions_of, walk


def scalarsets(model: Model) -> frozenset[IndexSort]:
    """The sorts that the text may declare so."""
    found = set()
    named = roles(model)
    for sort in {role.sort for role in named}:
        dims = {(var, number) for var in model.vars for number, dim in enumerate(var.dims) if dim == sort}
        whole = any(role.sort == sort and role.places == dims for role in named)
        if whole and not any(_uses(sort, other) for other in _sorts(model)) and _starts_alike(model, dims):
            found.add(sort)
    return frozenset(found)


def _sorts(model: Model) -> Iterator[Sort]:
    """The sorts of all that is not a parameter or a bound variable."""
    yield from (var.sort for var in model.vars)
    for expr in expressions_of(model):
        yield from (node.sort for node in walk(expr) if not _binds(node))


def _binds(node: Expr) -> bool:
    return isinstance(node, Param | LoopVar)


def _uses(sort: IndexSort, other: Sort) -> bool:
    return other == sort or (isinstance(other, OptionSort | SetSort) and other.of == sort)


def _starts_alike(model: Model, dims: set[tuple[Var, int]]) -> bool:
    return all(
        len(set(var.init)) == 1 for var in model.vars for number in range(len(var.dims)) if (var, number) in dims
    )
