"""Whether a response can wait for ever, by sets and the interpreter alone: what the engines must agree with.

A run that waits for ever takes turns within some set of states for ever. For each choice of strongly
fair groups that are never enabled there, what is left is cut into sets of states that reach each
other, and each is asked whether going all around it is fair. Nothing is shared with the engines but
the interpreter and the nodes of the IR.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from attrs import field, mutable

from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, Refused, State, Stepped
from fencepost.ir.model import Action, Fairness, GuardKind, Model, Property
from fencepost.ir.sorts import IndexSort

Who = tuple[str, tuple[int, ...]]
"""A group: the action and the values of its parameters of Index sorts."""


@mutable
class Explored:
    """Every reachable state with its steps, and the groups that are enabled in it: bounds aside, and as they are."""

    model: Model
    steps: dict[State, list[tuple[Who, State]]] = field(factory=dict)
    enabled: dict[State, set[Who]] = field(factory=dict)
    able: dict[State, set[Who]] = field(factory=dict)


def explored(model: Model, most: int) -> Explored | None:
    """The model's states; None where there are more than `most`."""
    interpreter, found = Interpreter(model), Explored(model)
    waiting = [interpreter.initial()]
    while waiting:
        state = waiting.pop()
        if state in found.steps:
            continue
        if len(found.steps) == most:
            return None
        found.steps[state], found.enabled[state], found.able[state] = [], set(), set()
        for action, args in interpreter.instances():
            group = who(action, args)
            match interpreter.fire(state, action, args):
                case Stepped(after):
                    found.steps[state].append((group, after))
                    found.enabled[state].add(group)
                    found.able[state].add(group)
                    waiting.append(after)
                case Refused(guard) if guard.kind is GuardKind.BOUND:
                    found.enabled[state].add(group)
                case Broken():
                    found.enabled[state].add(group)
    return found


def who(action: Action, args: tuple[int, ...]) -> Who:
    """The group of an instance."""
    pairs = zip(action.params, args, strict=True)
    return action.name, tuple(value for param, value in pairs if isinstance(param.sort, IndexSort))


def waits_for_ever(found: Explored, prop: Property, *, bounded: bool = False) -> bool:
    """Whether some fair run triggers the response and never meets it; if `bounded`, one that a bound may have cut."""
    enabled = found.able if bounded else found.enabled
    strong = {group for groups in enabled.values() for group in groups if _fair(found.model, group) is Fairness.STRONG}
    for waiting in _waiting(found, prop):
        for count in range(len(strong) + 1):
            for never in itertools.combinations(sorted(strong), count):
                left = {state for state in waiting if not enabled[state] & set(never)}
                if any(_is_fair(found, part, enabled, strong - set(never)) for part in _parts(found, left)):
                    return True
    return False


def _fair(model: Model, group: Who) -> Fairness:
    return model.action(group[0]).fair


def cases(found: Explored, prop: Property) -> Iterator[tuple[set[State], set[State]]]:
    """For each case, the states in which it is triggered, and those in which what it asks for does not hold.

    A state in which a condition of the response breaks an obligation is neither.
    """
    interpreter, asked = Interpreter(found.model), prop.response
    assert asked is not None
    every = list(itertools.product(*(var.sort.values() for var in asked.over)))

    def told(state: State, values: tuple[int, ...]) -> tuple[int, int]:
        loops = {var.id: value for var, value in zip(asked.over, values, strict=True)}
        trigger = interpreter.evaluate(state, asked.trigger, prop.name, loops)
        return trigger, interpreter.evaluate(state, asked.goal, prop.name, loops)

    def clear(state: State) -> bool:
        try:
            return all(told(state, values) is not None for values in every)
        except ObligationBroken:
            return False

    sound = {state for state in found.steps if clear(state)}
    for values in every:
        triggered = {state for state in sound if told(state, values)[0]}
        yield triggered, {state for state in sound if not told(state, values)[1]}


def _waiting(found: Explored, prop: Property) -> Iterator[set[State]]:
    """For each case, the states that are reached from a trigger without meeting it."""
    for triggered, unmet in cases(found, prop):
        waiting = triggered & unmet
        while more := {after for state in waiting for _, after in found.steps[state]} & unmet - waiting:
            waiting |= more
        yield waiting


def _parts(found: Explored, states: set[State]) -> Iterator[set[State]]:
    """The sets of states that reach each other within `states`."""
    reach = {state: _reach(found, state, states) for state in states}
    rest = set(states)
    while rest:
        state = min(rest)
        part = {other for other in reach[state] if state in reach[other]}
        yield part
        rest -= part


def _reach(found: Explored, state: State, within: set[State]) -> set[State]:
    reached = {state}
    while more := {after for one in reached for _, after in found.steps[one]} & within - reached:
        reached |= more
    return reached


def _is_fair(found: Explored, part: set[State], enabled: dict[State, set[Who]], strong: set[Who]) -> bool:
    taken = {group for state in part for group, after in found.steps[state] if after in part}
    wanting = {group for state in part for group in enabled[state]}
    for group in wanting - taken:
        everywhere = all(group in enabled[state] for state in part)
        if _fair(found.model, group) is Fairness.WEAK and everywhere:
            return False
        if group in strong:
            return False
    return True
