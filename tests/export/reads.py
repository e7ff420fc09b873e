"""What deciding a step reads, found by having the interpreter decide it in many states."""

from __future__ import annotations

import random

from attrs import define, field

from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import SetSort


@define
class _Reads:
    """The elements that are read until the step is decided."""

    found: set[str] = field(factory=set)
    decided: bool = False

    def read(self, var: Var, position: int, epoch: int) -> None:
        if not self.decided and var.sort.width and not isinstance(var.sort, SetSort):
            self.found.add(var.element(position))

    def guarded(self) -> None:
        self.decided = True

    def assigned(self, var: Var, position: int) -> None: ...

    def entered(self) -> None: ...

    def left(self) -> None: ...

    def reached(self, epoch: int) -> None: ...


def reads(model: Model, states: int = 60) -> dict[str, set[str]]:
    """For each step, elements that its guards read in some state of all that there might be."""
    interpreter, draw = Interpreter(model), random.Random(7)
    found: dict[str, set[str]] = {action.call(args): set() for action, args in interpreter.instances()}
    for _ in range(states):
        state: State = tuple(
            tuple(draw.randint(var.sort.lo, var.sort.hi) for _ in range(var.count)) for var in model.vars
        )
        for action, args in interpreter.instances():
            seen = _Reads()
            interpreter.fire(state, action, args, seen)
            found[action.call(args)] |= seen.found
    return found


def elements(model: Model) -> list[tuple[str, int, int]]:
    """The name, width in bits and first value (above the least) of each element; of a set, of each member."""
    found: list[tuple[str, int, int]] = []
    for var in model.vars:
        for position, value in enumerate(var.init):
            name = var.element(position)
            if isinstance(var.sort, SetSort):
                found += [(f"{name}.{i}", 1, value >> i & 1) for i in range(var.sort.of.count)]
            elif var.sort.width:
                found.append((name, var.sort.width, value - var.sort.lo))
    return found
