"""A breadth-first search that is nothing but the interpreter: what the explorer must agree with."""

from __future__ import annotations

from attrs import field, mutable

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.ir.model import Action, GuardKind, Model


@mutable
class Naive:
    """What the search counted; `findings` and `twins` map a name to the least depth."""

    states: int = 0
    transitions: int = 0
    depth: int = 0
    held_back: int = 0
    cut: int = 0
    findings: dict[str, int] = field(factory=dict)
    twins: dict[str, int] = field(factory=dict)
    fired: dict[str, int] = field(factory=dict)
    enabled: dict[str, int] = field(factory=dict)


def search(model: Model, depth: int | None) -> Naive:
    """Every state within `depth` steps; no level more once each property is violated."""
    interpreter, result = Interpreter(model), Naive()
    result.fired = {action.name: 0 for action in model.actions}
    result.enabled = dict(result.fired)
    level = {interpreter.initial()}
    seen = set(level)
    at = 0
    while True:
        for state in level:
            _look(model, interpreter, state, at, result)
        result.states, result.depth = len(seen), at
        if at == depth or (model.properties and all(prop.name in result.findings for prop in model.properties)):
            return result
        after = {new for state in level for new in _expand(interpreter, state, at, result)} - seen
        if not after:
            return result
        seen |= after
        level, at = after, at + 1


def _look(model: Model, interpreter: Interpreter, state: State, at: int, result: Naive) -> None:
    for prop in model.properties:
        for expr, wanted, found in ((prop.holds, 0, result.findings), (prop.twin, 1, result.twins)):
            try:
                if interpreter.evaluate(state, expr, prop.name) == wanted:
                    found.setdefault(prop.name, at)
            except ObligationBroken as broken:
                result.findings.setdefault(broken.name, at)


def _expand(interpreter: Interpreter, state: State, at: int, result: Naive) -> list[State]:
    after: list[State] = []
    enabled: set[str] = set()
    stopped = False
    for action, args in interpreter.instances():
        match interpreter.fire(state, action, args):
            case Stepped(new):
                after.append(new)
                enabled.add(action.name)
                result.fired[action.name] += 1
            case Refused(guard):
                stopped |= guard.kind is GuardKind.BOUND
            case Broken(obligation):
                result.findings.setdefault(obligation, at + 1)
                if _guards_hold(interpreter, state, action, args):
                    enabled.add(action.name)
    for name in enabled:
        result.enabled[name] += 1
    result.transitions += len(after)
    result.held_back += stopped
    result.cut += stopped and not enabled
    return after


def _guards_hold(interpreter: Interpreter, state: State, action: Action, args: tuple[int, ...]) -> bool:
    """Whether it was the body that broke: without it, the same instance steps."""
    bare = Action(action.name, action.params, action.guards, (), action.actor, action.src)
    return isinstance(interpreter.fire(state, bare, args), Stepped)
