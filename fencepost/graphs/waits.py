"""Who waits for whom where nothing goes on: a deadlock as a cycle of actors."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
from attrs import frozen

from fencepost.exec.interpreter import Interpreter, ObligationBroken, Refused, State
from fencepost.ir.expr import Const, Expr, Param, Var
from fencepost.ir.model import Action, GuardKind, Kind, Model
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import substitute
from fencepost.trace.causes import Wait
from fencepost.trace.explain import looked_at

LISTED = 3
"""Steps that one actor waits with for another are told up to this many, else counted."""


@frozen
class Blocked:
    """A progress step that a guard refuses, and the elements that the guard looks at."""

    action: Action
    args: tuple[int, ...]
    guard: str
    elements: tuple[str, ...]
    begun: bool
    """Whether guards before that one hold: then it is somebody's turn."""

    @property
    def actor(self) -> str:
        return self.action.actor.label(dict(zip((p.name for p in self.action.params), self.args, strict=True)))


def wait_graph(model: Model, state: State) -> nx.MultiDiGraph[str]:
    """Actors, with an edge from one whose step is blocked to each whose own blocked step may change what blocks it.

    It begins at the steps that are somebody's turn and follows the waiting from there. If actors wait
    for each other in a cycle, the graph is that cycle, and its edges have `cycle`; else it is all of
    it. "May": the step assigns the element, whatever the value.
    """
    interpreter = Interpreter(model)
    blocked = list(_blocked(interpreter, state))
    writes = [frozenset(_writes(interpreter, state, each)) for each in blocked]
    edges: dict[tuple[str, str], dict[str, list[str]]] = {}
    waiting = [number for number, each in enumerate(blocked) if each.begun]
    seen = set(waiting)
    while waiting:
        number = waiting.pop(0)
        each = blocked[number]
        for other, elements in enumerate(writes):
            shared = [element for element in each.elements if element in elements]
            if other == number or not shared:
                continue
            said = edges.setdefault((each.actor, blocked[other].actor), {})
            looked = said.setdefault(f'{each.action.call(each.args)}: "{each.guard}"', [])
            looked.extend(element for element in shared if element not in looked)
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return _cycles(_drawn(model.protocol, edges))


def waits(model: Model, state: State) -> tuple[Wait, ...]:
    """The cycle of actors that wait for each other, as texts; empty if there is none."""
    edges = wait_graph(model, state).edges(data=True)
    return tuple(
        Wait(before, after, tuple(data["label"].split("\n"))) for before, after, data in edges if data["cycle"]
    )


def _drawn(name: str, edges: dict[tuple[str, str], dict[str, list[str]]]) -> nx.MultiDiGraph[str]:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=name)
    for (before, after), said in edges.items():
        for actor in (before, after):
            graph.add_node(actor, label=actor)
        lines = [f"{step} looks at {', '.join(elements)}" for step, elements in said.items()]
        if len(lines) > LISTED:
            lines = [*lines[:LISTED], f"and {len(lines) - LISTED} more"]
        graph.add_edge(before, after, label="\n".join(lines), cycle=False)
    return graph


def _cycles(graph: nx.MultiDiGraph[str]) -> nx.MultiDiGraph[str]:
    """The part in which actors wait for each other, if there is one."""
    together = [actors for actors in nx.strongly_connected_components(graph) if len(actors) > 1]
    if not together:
        return graph
    cyclic: nx.MultiDiGraph[str] = nx.MultiDiGraph(**graph.graph)
    for before, after, data in graph.edges(data=True):
        if before != after and any(before in actors and after in actors for actors in together):
            for actor in (before, after):
                cyclic.add_node(actor, label=actor)
            cyclic.add_edge(before, after, **(data | {"cycle": True}))
    return cyclic


def _blocked(interpreter: Interpreter, state: State) -> Iterator[Blocked]:
    for action, args in interpreter.instances():
        if action.kind is not Kind.PROGRESS:
            continue
        outcome = interpreter.fire(state, action, args)
        if isinstance(outcome, Refused) and outcome.guard.kind is GuardKind.REQUIRE:
            readings = looked_at(interpreter, state, action, args, outcome.guard)
            begun = action.guards.index(outcome.guard) > 0
            yield Blocked(action, args, outcome.guard.name, tuple(r.element for r in readings), begun)


def _writes(interpreter: Interpreter, state: State, blocked: Blocked) -> Iterator[str]:
    """Elements that the step's body may assign, their places read off this state."""
    params = dict(zip(blocked.action.params, blocked.args, strict=True))
    for var, indices in _assigned(blocked.action.body):
        yield from _elements(interpreter, state, var, tuple(_closed(index, params) for index in indices))


def _assigned(body: tuple[Stmt, ...]) -> Iterator[tuple[Var, tuple[Expr, ...]]]:
    for stmt in body:
        match stmt:
            case Assign(var, indices):
                yield var, indices
            case If(then=then, orelse=orelse):
                yield from _assigned(then + orelse)
            case For(body=inner):
                yield from _assigned(inner)
            case Note():
                pass


def _closed(expr: Expr, params: dict[Param, int]) -> Expr:
    return substitute(expr, lambda node: Const(params[node], node.sort) if isinstance(node, Param) else None)


def _elements(interpreter: Interpreter, state: State, var: Var, indices: tuple[Expr, ...]) -> Iterator[str]:
    """The elements of `var` that these indices may name; an index that cannot be read off names all."""
    choices: list[list[int]] = []
    for dim, index in zip(var.dims, indices, strict=True):
        try:
            value = interpreter.evaluate(state, index, "a place")
        except ObligationBroken:
            return
        except KeyError:  # of a loop, or of a state in the middle of the step
            choices.append(list(dim.values()))
            continue
        if value not in dim.values():
            return
        choices.append([value])
    places: list[tuple[int, ...]] = [()]
    for values in choices:
        places = [(*place, value) for place in places for value in values]
    yield from (var.subscripted(*place) for place in places)
