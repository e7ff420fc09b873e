"""From an engine's finding to a trace, through the interpreter: nobody sees a run that it does not make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from fencepost.errors import InternalError
from fencepost.exec.changed import changed
from fencepost.exec.interpreter import Broken, Interpreter, NoteEvent, ObligationBroken, Refused, State, Stepped
from fencepost.ir.cases import cases
from fencepost.ir.digest import digest
from fencepost.ir.model import Action, Model, Property, PropertyKind
from fencepost.ir.sorts import IndexSort
from fencepost.trace.explain import blame, explain
from fencepost.trace.lasso import Endless, judge
from fencepost.trace.model import Event, Explanation, Header, Lasso, Step, Subject, Trace, TraceAction
from fencepost.verdict import Finding, Label, Path

STATEMENTS = {
    "range": "A value stays within the range of what holds it, and an index within its sort.",
    "dead": "A field is read only while it is live.",
}


@frozen
class Refusal:
    """Why a run cannot be made: at which step, from 1, and what becomes of it (`refused by guard "x"`)."""

    step: int
    why: str


@frozen
class Ran:
    """A run that could be made. The last step may have broken an obligation: then `broken` is its name."""

    steps: tuple[Step, ...]
    state: State
    broken: str = ""


def build_trace(model: Model, finding: Finding) -> Trace:
    """The finding as a trace.

    Raises:
        InternalError: the interpreter does not make this run, or it does not violate what the engine says.
    """
    ran = run_path(model, finding.path)
    if isinstance(ran, Refusal):
        raise InternalError(f"{finding.name}: step {ran.step} of {len(finding.path)} {ran.why}")
    trace = conclude(model, ran, finding.name, finding.loop)
    if isinstance(trace, str):
        raise InternalError(
            f"{finding.name}: the run of {len(finding.path)} steps does not violate it{_because(trace)}"
        )
    return trace


def _because(why: str) -> str:
    return f": {why}" if why else ""


def run_path(model: Model, path: Path, start: State | None = None) -> Ran | Refusal:
    """Take the steps one after the other, from the initial state or from `start`.

    Only the last one may break an obligation.
    """
    interpreter = Interpreter(model)
    state = interpreter.initial() if start is None else start
    steps: list[Step] = []
    for number, label in enumerate(path, 1):
        action = _action(model, label)
        if isinstance(action, str):
            return Refusal(number, action)
        outcome = interpreter.fire(state, action, label[1])
        match outcome:
            case Refused(guard):
                return Refusal(number, f'refused by guard "{guard.name}"')
            case Broken(obligation, detail) if number < len(path):
                return Refusal(number, f"breaks {obligation} ({detail})")
            case Broken(obligation, detail):
                broken = f"{obligation.partition('/')[2]}: {detail}"
                return Ran((*steps, _step(action, label[1], state, (), broken)), state, obligation)
            case Stepped(after, notes):
                state = after
                steps.append(_step(action, label[1], state, notes))
    return Ran(tuple(steps), state)


def conclude(model: Model, ran: Ran, violated: str, back: int | None = None) -> Trace | str:
    """The run as a trace that violates `violated`, a property or an obligation; else why it does not.

    `back` is the number of the state that a run without an end goes back to.
    """
    prop, lasso = _property(model, violated), None
    if prop is not None and prop.kind is PropertyKind.RESPONSE:
        judged = _judge(model, ran, prop, back)
        if isinstance(judged, str):
            return judged
        explanation, lasso = judged
    elif (found := _explain(model, ran, violated)) is not None:
        explanation = found
    else:
        return ""
    return Trace(header_of(model, violated), model.vars, ran.steps, explanation=explanation, lasso=lasso)


def header_of(model: Model, violated: str) -> Header:
    """What was checked, and what went wrong: a property, an obligation, or something else that has a name."""
    prop = _property(model, violated)
    return Header(
        model.protocol,
        model.variant,
        model.sizes,
        model.features,
        model.without,
        digest(model),
        violated,
        STATEMENTS.get(violated.partition(":")[0], "") if prop is None else prop.statement,
        "" if prop is None else prop.protects,
    )


def _judge(model: Model, ran: Ran, prop: Property, back: int | None) -> tuple[Explanation, Lasso] | str:
    if ran.broken:
        return f"step {len(ran.steps)} breaks {ran.broken}"
    if back is None or not 0 <= back <= len(ran.steps):
        return "the run does not say what happens for ever"
    path = [(step.action.name, step.args) for step in ran.steps]
    run = Endless(model, tuple(path), (Interpreter(model).initial(), *(step.state for step in ran.steps)), back)
    return judge(run, prop, _subjects(ran))


def _subjects(ran: Ran) -> set[str]:
    """The sorts whose lives the notes tell."""
    return {note.subject.sort for step in ran.steps for note in step.notes if note.subject is not None}


def _explain(model: Model, ran: Ran, violated: str) -> Explanation | None:
    interpreter, prop, subjects = Interpreter(model), _property(model, violated), _subjects(ran)
    if prop is None:
        return _explain_broken(interpreter, ran, violated, subjects)
    try:
        if ran.broken or interpreter.evaluate(ran.state, prop.holds, prop.name):
            return None
        return explain(interpreter, ran.state, prop, subjects, _touched(model, ran))
    except ObligationBroken:
        return None


def _explain_broken(interpreter: Interpreter, ran: Ran, violated: str, subjects: set[str]) -> Explanation | None:
    """An obligation that the last step broke, or that breaks in the last state: in a guard or in a property."""
    if ran.broken:
        if ran.broken != violated:
            return None
        last = ran.steps[-1]
        return Explanation(f"{last.broken}, in {last.call}", blames=blame(subjects, _touched(interpreter.model, ran)))
    return _explain_guard(interpreter, ran.state, violated) or _explain_property(interpreter, ran.state, violated)


def _touched(model: Model, ran: Ran) -> Iterator[Subject]:
    """What the last step was about: its arguments, its notes' subjects, and the indices of what it changed."""
    if not ran.steps:
        return
    last, before = ran.steps[-1], ran.steps[-2].state if len(ran.steps) > 1 else Interpreter(model).initial()
    yield from (
        Subject(param.sort.name, value)
        for param, value in zip(last.action.params, last.args, strict=True)
        if isinstance(param.sort, IndexSort)
    )
    yield from (note.subject for note in last.notes if note.subject is not None)
    for each in changed(model.vars, before, last.state):
        indices = each.var.indices(each.position)
        yield from (Subject(dim.name, i) for dim, i in zip(each.var.dims, indices, strict=True))


def _explain_guard(interpreter: Interpreter, state: State, violated: str) -> Explanation | None:
    for action, args in interpreter.instances():
        # Without its body: what breaks there breaks the step, not the state.
        outcome = interpreter.fire(state, evolve(action, body=()), args)
        if isinstance(outcome, Broken) and outcome.obligation == violated:
            call = _step(action, args, state, ()).call
            return Explanation(f"{violated.partition('/')[2]}: {outcome.detail}, in a guard of {call}")
    return None


def _explain_property(interpreter: Interpreter, state: State, violated: str) -> Explanation | None:
    for prop in interpreter.model.properties:
        conditions = [(prop.holds, "the property"), (prop.twin, "the twin of the property")]
        if prop.response is not None:
            conditions += [(case.goal, "the goal of the property") for case in cases(prop)]
        for expr, what in conditions:
            try:
                interpreter.evaluate(state, expr, prop.name)
            except ObligationBroken as broken:
                if broken.name == violated:
                    return Explanation(f"{violated.partition('/')[2]}: {broken.detail}, in {what} {prop.name}")
    return None


def _property(model: Model, name: str) -> Property | None:
    return next((prop for prop in model.properties if prop.name == name), None)


def _action(model: Model, label: Label) -> Action | str:
    """The action of a label, or why the model cannot take it."""
    name, args = label
    action = next((action for action in model.actions if action.name == name), None)
    if action is None:
        return f"takes {name!r}, an action that the model does not have"
    if len(args) != len(action.params):
        return f"gives {name} {len(args)} arguments; it takes {len(action.params)}"
    for param, value in zip(action.params, args, strict=True):
        if not param.sort.lo <= value <= param.sort.hi:
            return f"gives {name} {param.name}={value}, which is not in {param.sort.lo}..{param.sort.hi}"
    return action


def _step(action: Action, args: tuple[int, ...], state: State, notes: Iterable[NoteEvent], broken: str = "") -> Step:
    named = {param.name: value for param, value in zip(action.params, args, strict=True)}
    events = tuple(_event(note) for note in notes)
    told = TraceAction(action.name, action.params, action.src)
    return Step(action.actor.label(named), told, args, state, events, broken)


def _event(note: NoteEvent) -> Event:
    if note.subject is None or not isinstance(note.subject_sort, IndexSort):
        return Event(note.text)
    return Event(note.text, Subject(note.subject_sort.name, note.subject))
