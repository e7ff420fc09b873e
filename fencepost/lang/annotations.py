"""The parameters of an action or property, from the annotations of its Python function."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from fencepost.errors import Location, ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import Sort
from fencepost.lang.definitions import ActionDefinition
from fencepost.lang.fields import sort_of_annotation
from fencepost.lang.values import Value


def parameters(definition: ActionDefinition, skip: int) -> list[tuple[ir.Param, Value]]:
    """Each parameter after the first `skip`, with the model value that stands for it while recording."""
    found = []
    for name, sort, wrap in annotated(definition.function, definition.name, definition.at, skip):
        param = ir.Param(name, sort)
        found.append((param, wrap(param)))
    return found


def annotated(
    function: Callable[..., Any], what: str, at: Location | None, skip: int
) -> list[tuple[str, Sort, Callable[[ir.Expr], Value]]]:
    """Name, sort and wrapper of each parameter after the first `skip`.

    Raises:
        ModelError: a parameter has no annotation, or one that is no sort.
    """
    plain = inspect.unwrap(function)
    try:
        hints = typing.get_type_hints(plain)
    except NameError as error:
        raise ModelError(f"{what}: {error}", "import the name where the function is defined", at) from None
    found = []
    for name in list(inspect.signature(function).parameters)[skip:]:
        sort = sort_of_annotation(hints.get(name))
        if sort is None:
            raise ModelError(
                f"the parameter {name!r} of {what!r} has no sort",
                "annotate it with an Index class, Bool, Choice[...] or Maybe[...]",
                at,
            )
        found.append((name, *sort))
    return found
