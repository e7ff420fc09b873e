"""A small state space as a graph, whole or seen through a few of its elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import networkx as nx

from fencepost.errors import UsageError
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.model import Model
from fencepost.ir.sorts import show

Seen = tuple[tuple[str, str], ...]
"""Elements by name, with their values as shown."""

EXPLORED = 20_000
"""States that a lifecycle is looked for in: the interpreter takes some seconds for them."""


def state_graph(model: Model, *, depth: int | None, most: int) -> nx.MultiDiGraph[int]:
    """Every state within `depth` steps: a node a state, labelled with what differs from the initial one.

    Raises:
        UsageError: there are more than `most`.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(name=model.protocol)
    numbers: dict[State, int] = {}
    for before, call, after in _steps(model, depth, most):
        for state in (before, after):
            if state not in numbers:
                numbers[state] = len(numbers)
                graph.add_node(numbers[state], label=_changed(model, state))
        if call:
            graph.add_edge(numbers[before], numbers[after], label=call)
    return graph


def lifecycle_graph(model: Model, element: str, *, depth: int | None) -> nx.MultiDiGraph[Seen]:
    """What becomes of one element or record, such as `gpu.pool.signals[0]`: a node for each of its values.

    An edge is an action that takes it from one to another in some reachable state, or leads back to it.

    Raises:
        UsageError: the model has no such element.
    """
    look = _looking_at(model, element)
    graph: nx.MultiDiGraph[Seen] = nx.MultiDiGraph(name=element)
    for before, call, after in _steps(model, depth, EXPLORED):
        old, new = look(before), look(after)
        graph.add_node(old, label=_told(old))
        graph.add_node(new, label=_told(new))
        name = call.partition("(")[0]
        if old != new and not graph.has_edge(old, new, key=name):
            graph.add_edge(old, new, key=name, label=name)
    return graph


def _steps(model: Model, depth: int | None, most: int) -> Iterator[tuple[State, str, State]]:
    """Every step, breadth first, after one from the initial state to itself that nobody takes."""
    interpreter = Interpreter(model)
    level, found = [interpreter.initial()], {interpreter.initial()}
    yield level[0], "", level[0]
    reached = 0
    while level and reached != depth:
        new: list[State] = []
        for state in level:
            for action, args in interpreter.instances():
                outcome = interpreter.fire(state, action, args)
                if isinstance(outcome, Stepped):
                    if outcome.state not in found:
                        found.add(outcome.state)
                        new.append(outcome.state)
                    yield state, action.call(args), outcome.state
            if len(found) > most:
                raise UsageError(
                    f"{model.protocol} has more than {most:,} states here; give smaller sizes or a lesser --depth"
                )
        level = new
        reached += 1


def _changed(model: Model, state: State) -> str:
    lines = [
        f"{var.element(at)} = {show(var.sort, value)}"
        for var, values in zip(model.vars, state, strict=True)
        for at, value in enumerate(values)
        if value != var.init[at]
    ]
    return "\n".join(lines) or "initial"


def _looking_at(model: Model, element: str) -> Callable[[State], Seen]:
    places = [
        (position, at, var.element(at))
        for position, var in enumerate(model.vars)
        for at in range(var.count)
        if var.element(at) == element or var.element(at).startswith((f"{element}.", f"{element}["))
    ]
    if not places:
        names = sorted({_owner(var.element(at)) for var in model.vars for at in range(var.count)})
        raise UsageError(f"{model.protocol} has no element {element!r}; there are {', '.join(names)}")

    def look(state: State) -> Seen:
        return tuple((name, show(model.vars[position].sort, state[position][at])) for position, at, name in places)

    return look


def _owner(element: str) -> str:
    """What an element is a field of, or itself."""
    return element.rpartition(".")[0] or element


def _told(seen: Seen) -> str:
    if len(seen) == 1:
        return seen[0][1]
    return "\n".join(f"{name.rpartition('.')[2]} = {value}" for name, value in seen)
