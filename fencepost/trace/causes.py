"""Why a run goes wrong: the steps that the failing values come from, and where another model would not have gone."""

from __future__ import annotations

from attrs import frozen

from fencepost.exec.dependence import Origins, Steps
from fencepost.exec.interpreter import Broken, Interpreter, Refused, State, Stepped
from fencepost.ir.model import Action, Model
from fencepost.ir.sorts import show
from fencepost.trace.model import Change, Trace


def causes(model: Model, trace: Trace) -> Steps:
    """The steps that the values at fault come from, and the last step where it is the one that failed.

    `model` is the trace's own. At fault are the values that the explanation names; of a step that
    broke an obligation, those that it read.
    """
    explanation, told, interpreter = trace.explanation, Origins(), Interpreter(model)
    for number, (step, before) in enumerate(zip(trace.steps, trace.states, strict=False), 1):
        told.begin(number)
        if isinstance(interpreter.fire(before, model.action(step.action.name), step.args, told), Broken):
            return told.of_reads() | {number}
    named = {reading.element for reading in explanation.readings}
    named |= {reading.element for blocked in explanation.blocked for reading in blocked.readings}
    return told.of(named)


@frozen
class Parting:
    """Where the other model parts from the run: it refuses the step, or takes it to another state.

    `why` says which, as the end of a sentence that begins with the step.
    """

    step: int
    why: str
    refused: bool


@frozen
class Other:
    """Another model to lay beside a run, by its name."""

    name: str
    model: Model


@frozen
class Wait:
    """One of a cycle: an actor waits for another, with these steps."""

    actor: str
    waits_for: str
    steps: tuple[str, ...]


@frozen
class Reasons:
    """The steps that the values at fault come from, and where the model called `other`, if any, parts from the run.

    `waits` are actors that wait for each other in a cycle, where a hang has one.
    """

    causes: Steps
    other: str | None = None
    partings: tuple[Parting, ...] = ()
    waits: tuple[Wait, ...] = ()


def reasons(trace: Trace, model: Model, other: Other | None = None) -> Reasons:
    """Why the run goes wrong. `model` is the trace's own."""
    if other is None:
        return Reasons(causes(model, trace))
    return Reasons(causes(model, trace), other.name, partings(trace, other.model))


SAME_RUN = "takes the same steps, with the same values in all variables that it has; it differs elsewhere"
"""Said of a model that nowhere parts from a run. It may lack variables: those that nothing changes are folded away."""


def steps_named(steps: Steps) -> str:
    """Such as `step 3` or `steps 1, 4-6`."""
    runs: list[list[int]] = []
    for number in sorted(steps):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"{'step' if len(steps) == 1 else 'steps'} {told}"


MANY = 3
"""Elements that differ are named up to this many, else counted."""


def partings(trace: Trace, other: Model) -> tuple[Parting, ...]:
    """The first step after which `other` is in another state, and the first that it does not take; either may lack."""
    interpreter = Interpreter(other)
    state = interpreter.initial()
    known = {action.name: action for action in other.actions}
    found: list[Parting] = []
    for number, step in enumerate(trace.steps, 1):
        action = known.get(step.action.name)
        after = _fire(interpreter, state, action, step.args)
        if isinstance(after, str):
            return (*found, Parting(number, after, refused=True))
        state = after
        differing = () if found else _differing(trace, number, other, state)
        if differing:
            found.append(Parting(number, _elsewhere(differing), refused=False))
    return tuple(found)


def _fire(interpreter: Interpreter, state: State, action: Action | None, args: tuple[int, ...]) -> State | str:
    if action is None:
        return "is a step that it does not have"
    if [p.sort.lo <= arg <= p.sort.hi for p, arg in zip(action.params, args, strict=False)] != [True] * len(args):
        return "is a step that it does not have"
    match interpreter.fire(state, action, args):
        case Stepped(after):
            return after
        case Refused(guard):
            return f'is refused there: "{guard.name}" does not hold'
        case Broken(_, detail):
            return f"breaks an obligation there: {detail}"


def _differing(trace: Trace, number: int, other: Model, state: State) -> tuple[Change, ...]:
    """Elements that both have and whose values differ: as they are in the run (`old`) and in `other` (`new`)."""
    theirs = {
        var.element(at): show(var.sort, value)
        for var, values in zip(other.vars, state, strict=True)
        for at, value in enumerate(values)
    }
    ours = (
        (var.element(at), show(var.sort, value))
        for var, values in zip(trace.vars, trace.states[number], strict=True)
        for at, value in enumerate(values)
    )
    return tuple(Change(name, here, theirs[name]) for name, here in ours if theirs.get(name, here) != here)


def _elsewhere(differing: tuple[Change, ...]) -> str:
    told = ", ".join(f"{each.element} is {each.new} there, {each.old} here" for each in differing[:MANY])
    more = len(differing) - MANY
    return f"leads elsewhere: {told}{f', and {more} more' if more > 0 else ''}"
