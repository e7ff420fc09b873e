"""Reading a state without changing it: what properties and liveness conditions do."""

from __future__ import annotations

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.lang.location import here
from fencepost.lang.records import Record


class Reader:
    """Reads the state as it is before a step, and assigns nothing (see records.Access)."""

    def __init__(self, who: str) -> None:
        self._who = who

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], live: ir.Expr | None) -> ir.Read:
        return ir.Read(var, indices, 0, live, here())

    def assign(self, var: ir.Var, _indices: tuple[ir.Expr, ...], _value: ir.Expr, /) -> None:
        raise ModelError(f"{self._who} assigns {var.name}", "it may only read; assign in an action", here())

    def touched(self, _record: Record, _var: ir.Var, _value: ir.Expr, /) -> None:
        raise AssertionError("assign() has refused")

    def moved(self, _record: Record, _var: ir.Var, /) -> None:
        raise AssertionError("assign() has refused")
