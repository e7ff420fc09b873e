"""What the explorer's page shows of a run: where it is, what can be taken, and which guard blocks the rest.

There is no session to lose: a run is its steps, and each question brings them along. So a link is a
run, and undoing a step is asking with one step less.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from fencepost.errors import UsageError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.ir.model import Action, Model, Property
from fencepost.ir.sorts import show
from fencepost.trace.build import Refusal, run_path
from fencepost.trace.escape import line
from fencepost.trace.explain import explain, looked_at
from fencepost.trace.model import Step
from fencepost.trace.page_data import tables
from fencepost.trace.text import event_text
from fencepost.verdict import Label, Path

Data = dict[str, Any]

LONGEST = 2_000
"""Steps that a run may have here: a person takes fewer."""


def parse_path(text: str) -> Path:
    """The steps that a link names, such as `arm.1;enqueue.0.1`.

    Raises:
        UsageError: it names none.
    """
    labels: list[Label] = []
    for word in filter(None, text.split(";")):
        name, *args = word.split(".")
        if not all(re.fullmatch("-?[0-9]{1,9}", arg) for arg in args):
            raise UsageError(f"{word!r} is no step: write ACTION.ARGUMENT.ARGUMENT")
        labels.append((name, tuple(map(int, args))))
    if len(labels) > LONGEST:
        raise UsageError(f"a run of {len(labels)} steps is too long to walk by hand; at most {LONGEST}")
    return tuple(labels)


def show_path(path: Path) -> str:
    """The steps as a link names them."""
    return ";".join(".".join((name, *map(str, args))) for name, args in path)


@frozen
class View:
    """One model, looked at after a run."""

    model: Model

    def at(self, path: Path) -> Data:
        """All that the page shows after the run.

        Raises:
            UsageError: the model does not make it.
        """
        ran = run_path(self.model, path)
        if isinstance(ran, Refusal):
            raise UsageError(f"step {ran.step} {ran.why}")
        interpreter = Interpreter(self.model)
        initial = interpreter.initial()
        steps = [] if ran.broken else list(self._steps(interpreter, ran.state))
        return {
            "path": [_taken(step, path[: number + 1]) for number, step in enumerate(ran.steps)],
            "broken": line(ran.steps[-1].broken) if ran.broken else "",
            "tables": list(tables(self.model.vars, initial)),
            "values": [line(text) for text in _values(self.model, ran.state)],
            "before": [line(text) for text in _values(self.model, ran.steps[-2].state if path[1:] else initial)],
            "steps": steps,
            "properties": [] if ran.broken else [_property(interpreter, ran.state, p) for p in self.model.properties],
        }

    def _steps(self, interpreter: Interpreter, state: State) -> Any:
        for action, args in interpreter.instances():
            outcome = interpreter.fire(state, action, args)
            yield _step(interpreter, state, action, args, outcome)


def _taken(step: Step, path: Path) -> Data:
    return {
        "actor": line(step.actor),
        "call": line(step.call),
        "notes": [line(event_text(note)) for note in step.notes],
        "link": show_path(path),
    }


def _values(model: Model, state: State) -> list[str]:
    return [show(var.sort, value) for var, values in zip(model.vars, state, strict=True) for value in values]


def _step(
    interpreter: Interpreter, state: State, action: Action, args: tuple[int, ...], outcome: Stepped | Refused | Broken
) -> Data:
    named = {param.name: arg for param, arg in zip(action.params, args, strict=True)}
    told: Data = {
        "label": show_path(((action.name, args),)),
        "actor": line(action.actor.label(named)),
        "call": line(action.call(args)),
        "doc": line(action.doc),
        "src": line(action.src),
        "kind": action.kind.value,
    }
    match outcome:
        case Refused(guard):
            readings = looked_at(interpreter, state, action, args, guard)
            told |= {"guard": line(guard.name), "values": [[line(r.element), line(r.value)] for r in readings]}
        case Broken(_, detail):
            told["breaks"] = line(detail)
        case Stepped(after):
            told["idle"] = after == state
    return told


def _property(interpreter: Interpreter, state: State, prop: Property) -> Data:
    told: Data = {"name": line(prop.name), "statement": line(prop.statement), "fails": ""}
    try:
        if not interpreter.evaluate(state, prop.holds, prop.name):
            told["fails"] = line(explain(interpreter, state, prop).fails)
    except ObligationBroken as broken:
        told["fails"] = line(str(broken))
    return told
