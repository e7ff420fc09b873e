"""What the facts about a protocol are stated in: how long its violations are, and what happens along them."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.ir.model import Model
from fencepost.verdict import Label, Run


def lengths(outcome: Run) -> dict[str, int]:
    """Steps to each violation found."""
    return {finding.name: len(finding.path) for finding in outcome.findings}


def milestones(model: Model, outcome: Run, name: str) -> list[str]:
    """The notes along the run to a violation."""
    return [note.text for _, step in _replayed(model, outcome, name) for note in step.notes]


def taken(model: Model, outcome: Run, name: str) -> list[str]:
    """The actions along the run to a violation."""
    return [action for (action, _), _ in _replayed(model, outcome, name)]


def calls(model: Model, outcome: Run, name: str) -> list[str]:
    """The actions along the run to a violation, each with its first argument."""
    return [f"{action} {args[0]}" if args else action for (action, args), _ in _replayed(model, outcome, name)]


def _replayed(model: Model, outcome: Run, name: str) -> Iterator[tuple[Label, Stepped]]:
    """The steps to the one finding of that name, as the interpreter takes them."""
    interpreter = Interpreter(model)
    state = interpreter.initial()
    [path] = [finding.path for finding in outcome.findings if finding.name == name]
    for action, args in path:
        step = interpreter.fire(state, model.action(action), args)
        assert isinstance(step, Stepped)
        yield (action, args), step
        state = step.state
