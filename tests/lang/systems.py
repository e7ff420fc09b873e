"""Building a protocol of one or two actions in a test, and running it under the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from fencepost import Actor, Index, Kind, Protocol, Record, Size
from fencepost.exec.interpreter import Broken, Interpreter, Refused, Stepped
from fencepost.ir.model import Model
from fencepost.lang import assemble

HAND = Actor("hand")


class Queue(Index):
    """A queue."""


class Handle(Index):
    """A handle."""


def protocol(state: type[Record], *actions: Callable[..., None], **more: Any) -> Protocol:
    """A protocol of these actions, named like their functions, with two queues and three handles."""
    sizes = [Size("queues", Queue, default=2), Size("handles", Handle, default=3)]
    made = Protocol("system", state=state, sizes=sizes, **more)
    for action in actions:
        made.action(by=HAND, src="f()", kind=Kind.PROGRESS)(action)
    return made


def build(state: type[Record], *actions: Callable[..., None], **more: Any) -> Model:
    """The model with every variable in it, also those that no action changes: a test sets them."""
    with patch.object(assemble, "fold_unassigned", lambda model: model):
        return protocol(state, *actions, **more).build()


class System:
    """A model and its present state, by the names of elements such as `packets[1].phase`."""

    def __init__(self, model: Model, **start: int) -> None:
        self.model = model
        self.interpreter = Interpreter(model)
        self.state = self.interpreter.initial()
        self.ended = ""
        for name, value in start.items():
            self.set(name, value)

    def set(self, name: str, value: int) -> None:
        """Put a value into an element, whatever its range."""
        var, position = self._find(name)
        elements = self.state[var][:position] + (value,) + self.state[var][position + 1 :]
        self.state = self.state[:var] + (elements,) + self.state[var + 1 :]

    def do(self, action: str, *args: int) -> System:
        """Take a step; `ended` tells what stopped it, if anything did."""
        match self.interpreter.fire(self.state, self.model.action(action), args):
            case Stepped(state):
                self.state, self.ended = state, ""
            case Refused(guard):
                self.ended = guard.name
            case Broken(obligation):
                self.ended = obligation
        return self

    def __getitem__(self, name: str) -> int:
        var, position = self._find(name)
        return self.state[var][position]

    def _find(self, name: str) -> tuple[int, int]:
        for number, var in enumerate(self.model.vars):
            for position in range(var.count):
                if var.element(position) == name:
                    return number, position
        raise KeyError(name)
