"""The parameters of an action or property, from the annotations of its Python function."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from fencepost.errors import Location, ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import Sort
from fencepost.lang.fields import sort_of_annotation
from fencepost.lang.values import Value

Parameter = tuple[str, Sort, Callable[[ir.Expr], Value]]
"""Name, sort and wrapper: what makes the model value that stands for it while recording."""


def annotated(function: Callable[..., Any], what: str, at: Location | None, skip: int) -> list[Parameter]:
    """Name, sort and wrapper of each parameter after the first `skip`.

    Raises:
        ModelError: a parameter has no annotation, or one that is no sort.
    """
    plain = inspect.unwrap(function)
    names = list(inspect.signature(function).parameters)[skip:]
    written = {name: plain.__annotations__[name] for name in names if name in plain.__annotations__}
    try:
        # The others, such as the state's, may well name what is not there while the model is built.
        hints = typing.get_type_hints(SimpleNamespace(__annotations__=written), globalns=plain.__globals__)
    except (NameError, AttributeError, TypeError, SyntaxError) as error:
        raise ModelError(
            f"an annotation of {what!r} cannot be read: {error}", "import its names where the function is defined", at
        ) from None
    found = []
    for name in names:
        sort = sort_of_annotation(hints.get(name))
        if sort is None:
            raise ModelError(
                f"the parameter {name!r} of {what!r} has no sort",
                "annotate it with an Index class, Bool, Choice[...] or Maybe[...]",
                at,
            )
        found.append((name, *sort))
    return found
