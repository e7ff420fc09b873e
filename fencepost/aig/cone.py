"""What some conditions depend on: the cone of influence, over any number of steps."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from fencepost.aig.circuit import Circuit
from fencepost.aig.graph import Graph


@frozen
class Cone:
    """Places of inputs and latches of a circuit, and the variables of gates, each in ascending order."""

    inputs: tuple[int, ...]
    latches: tuple[int, ...]
    gates: tuple[int, ...]


def support(graph: Graph, roots: Iterable[int], seen: set[int]) -> None:
    """Add to `seen` the variables that the literals are made of, gates and free ones."""
    stack = [root >> 1 for root in roots]
    while stack:
        var = stack.pop()
        if var not in seen:
            seen.add(var)
            stack += [operand >> 1 for operand in graph.gate(2 * var) or ()]


def cone_of(circuit: Circuit, roots: Iterable[int]) -> Cone:
    """The cone of influence of some literals: what they are made of, now or some steps later."""
    seen: set[int] = set()
    support(circuit.graph, roots, seen)
    latches: set[int] = set()
    while True:
        new = {
            place for place, latch in enumerate(circuit.latches) if latch.literal >> 1 in seen and place not in latches
        }
        if not new:
            break
        latches |= new
        support(circuit.graph, (circuit.nexts[place] for place in new), seen)
    return Cone(
        tuple(place for place, literal in enumerate(circuit.inputs) if literal >> 1 in seen),
        tuple(sorted(latches)),
        tuple(sorted(var for var in seen if circuit.graph.gate(2 * var) is not None)),
    )
