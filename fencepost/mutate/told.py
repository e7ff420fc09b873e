"""The step that tells a mutant from its original, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.exec.changed import changed
from fencepost.exec.interpreter import Broken, Interpreter, Outcome, Refused, State, Stepped
from fencepost.ir.model import Action, Model
from fencepost.mutate.hunt import Difference
from fencepost.mutate.mutant import Mutant
from fencepost.verdict import Path


def difference(original: Model, mutant: Mutant, found: Difference) -> Iterator[str]:
    """The run to the state, a line a step, and what each of the two does there; taken again by the interpreter."""
    state = after(original, found.path)
    for number, (name, args) in enumerate(found.path, 1):
        yield f"{number:3}  {original.action(name).call(args)}"
    name, args = found.step
    number = len(found.path) + 1
    mine, theirs = mutant.change.model.action(name), original.action(name)
    yield f"{number:3}  {theirs.call(args)}"
    if mutant.change.added:
        yield "     the original takes it at once; the mutant is in between, where others take their steps"
        return
    yield f"     the mutant     {_does(mutant.change.model, mine, args, state)}"
    yield f"     the original   {_does(original, theirs, args, state)}"


def after(model: Model, path: Path) -> State:
    """The state that the steps lead to."""
    machine = Interpreter(model)
    state = machine.initial()
    for name, args in path:
        outcome = machine.fire(state, model.action(name), args)
        assert isinstance(outcome, Stepped)
        state = outcome.state
    return state


def _does(model: Model, action: Action, args: tuple[int, ...], state: State) -> str:
    outcome: Outcome = Interpreter(model).fire(state, action, args)
    match outcome:
        case Refused(guard):
            return f'refuses it by the guard "{guard.name}"'
        case Broken(obligation):
            return f"breaks {obligation}"
        case Stepped(new):
            changes = ", ".join(f"{c.element}: {c.old} -> {c.new}" for c in changed(model.vars, state, new))
            return f"takes it: {changes or 'no change'}"
