"""A response for each choice of values of its variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from attrs import frozen

from fencepost.ir.expr import Const, Expr, LoopVar
from fencepost.ir.model import Property
from fencepost.ir.visit import substitute


@frozen
class Case:
    """The values of the response's variables, in their order, and its conditions with those in their place."""

    values: tuple[int, ...]
    trigger: Expr
    goal: Expr


def cases(prop: Property) -> Iterator[Case]:
    """Every case of a response, in a fixed order."""
    asked = prop.response
    assert asked is not None
    for values in itertools.product(*(var.sort.values() for var in asked.over)):
        constants = {var.id: Const(value, var.sort) for var, value in zip(asked.over, values, strict=True)}

        def replace(node: Expr, constants: dict[int, Const] = constants) -> Expr | None:
            return constants.get(node.id) if isinstance(node, LoopVar) else None

        yield Case(values, substitute(asked.trigger, replace), substitute(asked.goal, replace))
