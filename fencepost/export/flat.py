"""A model over bits and bit vectors, for formats that keep no structure: one element of the state a name.

Made of the lowering that the bounded check uses, with every obligation kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from attrs import frozen

from fencepost.exec.interpreter import Interpreter
from fencepost.ir.model import Action, Model
from fencepost.ir.sorts import BoolSort, EnumSort, IntSort, OptionSort, SetSort, Sort, sort_name
from fencepost.smt.bits import conj, disj, neg, term
from fencepost.smt.nodes import Node, Nodes
from fencepost.smt.system import Slot, lower


@frozen(eq=False)
class Element:
    """A part of the state: its name, width (0 for a Boolean), first value, and what its bits mean.

    `next` has the values that it may be given, each with the numbers of the steps that give it.
    """

    name: str
    width: int
    start: int
    means: str
    next: tuple[tuple[Node, tuple[int, ...]], ...]


@frozen(eq=False)
class Move:
    """A step: an action with its arguments, when it can be taken, and when it would break an obligation."""

    name: str
    action: Action
    can: Node
    breaks: Node


@frozen(eq=False)
class Asked:
    """A property that is asked of single states: when it holds, and when its situation is there."""

    name: str
    statement: str
    holds: Node
    twin: Node


@frozen(eq=False)
class Flat:
    """The model: elements, steps by number, properties, and whether a property breaks an obligation."""

    model: Model
    elements: tuple[Element, ...]
    moves: tuple[Move, ...]
    asked: tuple[Asked, ...]
    breaks: Node

    @property
    def width(self) -> int:
        """Bits that the number of a step takes; at least one."""
        return max(1, (len(self.moves) - 1).bit_length())


@lru_cache(maxsize=1)
def flatten(model: Model) -> Flat:
    """The model over bits and bit vectors. The last one is kept, for whoever wants it in several formats."""
    system = lower(model, discharge=False)
    nodes = Nodes()
    moves = tuple(
        Move(
            model.action(instance.label[0]).call(instance.label[1]),
            model.action(instance.label[0]),
            nodes.of(term(instance.enabled)),
            nodes.of(term(disj(instance.broken.values()))),
        )
        for instance in system.instances
    )
    start = iter(Interpreter(model).initial())
    flat_start = iter([value for values in start for value in values])
    elements: list[Element] = []
    for position, slot in enumerate(system.slots):
        value = next(flat_start)
        given = [
            (number, [nodes.of(new) for new in slot.terms(instance.changes[position])])
            for number, instance in enumerate(system.instances)
            if position in instance.changes
        ]
        elements += _elements(slot, value, given, nodes)
    asked = tuple(
        Asked(
            target.name,
            model.property(target.name).statement,
            nodes.of(term(neg(target.violated))),
            nodes.of(term(target.twin)),
        )
        for target in system.targets
        if model.property(target.name).response is None
    )
    broken = nodes.of(term(disj(conj((bit,)) for target in system.targets for bit in target.broken.values())))
    return Flat(model, tuple(elements), moves, asked, broken)


def _elements(slot: Slot, value: int, given: list[tuple[int, list[Node]]], nodes: Nodes) -> Iterator[Element]:
    """One a constant: a set has one for each of its members."""
    for at, const in enumerate(slot.consts):
        node = nodes.of(const)
        grouped: dict[Node, list[int]] = {}
        for number, news in given:
            if news[at] is not node:
                grouped.setdefault(news[at], []).append(number)
        first = value >> at & 1 if isinstance(slot.sort, SetSort) else value - slot.sort.lo
        yield Element(
            node.name,
            node.width,
            first,
            _meaning(slot.sort, at),
            tuple((new, tuple(numbers)) for new, numbers in grouped.items()),
        )


def _meaning(sort: Sort, at: int) -> str:
    match sort:
        case BoolSort():
            return "Bool"
        case SetSort():
            return f"whether {at} is in the {sort_name(sort)}"
        case EnumSort(members=members):
            return f"{sort_name(sort)}: " + ", ".join(f"{number} {member}" for number, member in enumerate(members))
        case OptionSort():
            return f"{sort_name(sort)}: 0 none, else one more than the index"
        case IntSort(lo=lo) if lo:
            return f"{sort_name(sort)}, counted from {lo}"
        case _:
            return sort_name(sort)
