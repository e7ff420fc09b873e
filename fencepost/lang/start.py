"""The initial state: the fields' own initial values, then what the protocol's start function assigns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.lang.location import here
from fencepost.lang.records import Place, Record, flatten


class Starter:
    """Puts constants into initial values; reads nothing."""

    def __init__(self, variables: dict[str, ir.Var]) -> None:
        self.variables = variables

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], _live: ir.Expr | None, /) -> ir.Read:
        return ir.Read(var, indices)

    def assign(self, var: ir.Var, indices: tuple[ir.Expr, ...], value: ir.Expr, /) -> None:
        positions = tuple(index.value for index in indices if isinstance(index, ir.Const))
        if len(positions) < len(indices) or not isinstance(value, ir.Const):
            raise ModelError(
                f"the start of {var.name} is not a constant", "assign constants at constant indices", here()
            )
        if not var.sort.lo <= value.value <= var.sort.hi:
            raise ModelError(
                f"{var.name} cannot start as {value.value}", f"it has {var.sort.lo}..{var.sort.hi}", here()
            )
        now = self.variables[var.name]
        at = now.flat(positions)
        self.variables[var.name] = evolve(now, init=(*now.init[:at], value.value, *now.init[at + 1 :]))

    def touched(self, _record: Record, _var: ir.Var, _value: ir.Expr, /) -> None:
        pass

    def moved(self, _record: Record, _var: ir.Var, /) -> None:
        pass


def started(state: type[Record], start: Callable[[Any], None] | None) -> dict[str, ir.Var]:
    """Every variable by path, with its initial values."""
    variables = {var.name: var for var in flatten(state)}
    if start is None:
        return variables
    starter = Starter(variables)
    start(state(Place("", (), variables, starter)))
    return starter.variables
