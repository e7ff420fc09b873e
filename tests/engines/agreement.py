"""Whether generated code and the interpreter say the same of a model, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from fencepost.exec.codegen import compile_steps, compile_watches
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.expr import Expr
from fencepost.ir.model import Model, Property

REFUSED = "refused"


@frozen
class Difference:
    """Two readers of one model that do not agree."""

    what: str
    state: State
    expected: object
    got: object


def reachable(model: Model, at_most: int) -> list[State]:
    """The first states that a breadth-first search with the interpreter alone finds."""
    interpreter = Interpreter(model)
    instances = list(interpreter.instances())
    found = {interpreter.initial(): None}
    for state in (queue := [interpreter.initial()]):
        for action, args in instances:
            outcome = interpreter.fire(state, action, args)
            if isinstance(outcome, Stepped) and outcome.state not in found and len(found) < at_most:
                found[outcome.state] = None
                queue.append(outcome.state)
    return queue


def evaluated(interpreter: Interpreter, state: State, expr: Expr, where: str) -> tuple[bool | None, list[str]]:
    """A condition in a state, or the name of what its evaluation breaks."""
    try:
        return bool(interpreter.evaluate(state, expr, where)), []
    except ObligationBroken as broken:
        return None, [broken.name]


def judged(interpreter: Interpreter, state: State, prop: Property) -> tuple[bool, bool, list[str]]:
    """Whether a state violates the property, whether it is its twin's, and the obligations that asking breaks."""
    holds, broken = evaluated(interpreter, state, prop.holds, prop.name)
    twin, twin_broken = evaluated(interpreter, state, prop.twin, prop.name)
    return holds is False, twin is True, sorted({*broken, *twin_broken})


def step_differences(model: Model, states: Iterable[State]) -> Iterator[Difference]:
    """Every instance in every state: its next state, refusal or broken obligation."""
    interpreter, steps = Interpreter(model), compile_steps(model)
    instances = list(interpreter.instances())
    for state in states:
        packed = steps.layout.pack(state)
        if steps.layout.unpack(packed) != state:
            yield Difference("packing", state, state, steps.layout.unpack(packed))
        stepped, broken = steps.successors(packed)
        got: dict[int, object] = {item: steps.layout.unpack(after) for item, after in stepped}
        got |= {item: steps.obligations[obligation] for item, obligation in broken}
        if len(got) != len(stepped) + len(broken):
            yield Difference("instances told of twice", state, len(got), len(stepped) + len(broken))
        for item, (action, args) in enumerate(instances):
            expected: object
            match interpreter.fire(state, action, args):
                case Stepped(after):
                    expected = after
                case Broken(obligation):
                    expected = obligation
                case Refused():
                    expected = REFUSED
            if got.get(item, REFUSED) != expected:
                yield Difference(f"{action.name}{args}", state, expected, got.get(item, REFUSED))


def check_differences(model: Model, states: Iterable[State]) -> Iterator[Difference]:
    """Every property and twin in every state: its truth, or its broken obligation."""
    interpreter, layout = Interpreter(model), Layout.of(model)
    watches = [(prop, wanted) for prop in model.properties for wanted in (True, False)]
    compiled = compile_watches(layout, [_watch(prop, wanted) for prop, wanted in watches])
    for state in states:
        told: dict[int, object] = {}

        def report(_: int, number: int, obligation: int, told: dict[int, object] = told) -> None:
            told[number] = compiled.obligations[obligation] if obligation >= 0 else True

        compiled.check([layout.pack(state)], report)
        for number, (prop, wanted) in enumerate(watches):
            value, broken = evaluated(interpreter, state, prop.twin if wanted else prop.holds, prop.name)
            expected: object = broken[0] if broken else value == wanted
            if told.get(number, False) != expected:
                yield Difference(f"{prop.name} {wanted}", state, expected, told.get(number, False))


def _watch(prop: Property, wanted: bool) -> Watch:
    return Watch(prop.name, prop.twin if wanted else prop.holds, wanted)
