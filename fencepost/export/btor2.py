"""BTOR2: a state an element, an input for the step, a bad state a property.

Where the step that is chosen cannot be taken the state stays as it is, so no constraint is needed,
and a state that nothing leaves is looked at like any other.
"""

from __future__ import annotations

from attrs import define, field

from fencepost.export.flat import Element, Flat, flatten
from fencepost.export.formats import Exported
from fencepost.export.header import header_lines, left_out
from fencepost.export.smtlib import STEP, describe
from fencepost.ir.model import Model
from fencepost.smt.nodes import Node, below
from fencepost.verdict import OBLIGATIONS

_WORDS = {
    "not": "not",
    "and": "and",
    "or": "or",
    "=": "eq",
    "ite": "ite",
    "bvult": "ult",
    "bvadd": "add",
    "bvsub": "sub",
}


def export(model: Model) -> Exported:
    """The model as one BTOR2 file."""
    return Exported("\n".join(_Text().all(flatten(model))) + "\n")


def spelled(name: str) -> str:
    """A name without spaces, as BTOR2's symbols are."""
    return name.replace(", ", ",").replace(" ", "_")


@define
class _Text:
    """Lines, numbered as they are written."""

    lines: list[str] = field(factory=list)
    count: int = 0
    sorts: dict[int, int] = field(factory=dict)
    known: dict[Node, int] = field(factory=dict)
    same: dict[str, int] = field(factory=dict)

    def all(self, flat: Flat) -> list[str]:
        """Every line of a model."""
        self.remark(*header_lines(flat.model))
        self.remark(*left_out(flat.model, "fairness is not said here"))
        states = self.states(flat)
        step = self.line(f"input {self.sort(flat.width)} {STEP}")
        fires = []
        for number, move in enumerate(flat.moves):
            self.remark(*describe(move))
            chosen, can = self.op("eq", 0, step, self.constant(flat.width, number)), self.term(move.can)
            fires.append(self.line(f"and {self.sort(0)} {chosen} {can} {spelled(move.name)}"))
        self.remark("what becomes of each element")
        for element in flat.elements:
            self.next(element, states[element.name], fires)
        for asked in flat.asked:
            self.remark(" ".join(asked.statement.split()))
            self.line(f"bad {self.op('not', 0, self.term(asked.holds))} {spelled(asked.name)}")
        self.remark("a step that could be chosen, or a property, takes an index or a value out of its range")
        broken = (*(move.breaks for move in flat.moves), flat.breaks)
        breaks = self.chain("or", [self.term(node) for node in broken if node.op != "false"])
        self.line(f"bad {breaks} {OBLIGATIONS}")
        return self.lines

    def states(self, flat: Flat) -> dict[str, int]:
        """Declare the elements, with their first values."""
        found = {}
        for element in flat.elements:
            self.remark(f"{element.name}: {element.means}")
            kind = self.sort(element.width)
            first = self.constant(element.width or 1, element.start)
            state = found[element.name] = self.line(f"state {kind} {spelled(element.name)}")
            self.same[f"name {element.name}"] = state
            self.line(f"init {kind} {state} {first}")
        return found

    def next(self, element: Element, state: int, fires: list[int]) -> None:
        """What an element becomes."""
        value = state
        for given, numbers in reversed(element.next):
            chosen = self.chain("or", [fires[number] for number in numbers])
            value = self.op("ite", element.width, chosen, self.term(given), value)
        self.line(f"next {self.sort(element.width)} {state} {value}")

    def term(self, root: Node) -> int:
        """The line of a term, written with all below it if it is not there yet."""
        for node in below(root):
            if node not in self.known:
                self.known[node] = self.node(node)
        return self.known[root]

    def node(self, node: Node) -> int:
        args = [self.known[arg] for arg in node.args]
        match node.op:
            case "name":
                return self.same[f"name {node.name}"]
            case "number":
                return self.constant(node.width, node.values[0])
            case "true" | "false":
                return self.constant(1, int(node.op == "true"))
            case "zero_extend":
                return self.op("uext", node.width, *args, end=f" {node.values[0]}")
            case "extract":
                return self.op("slice", node.width, *args, end=f" {node.values[0]} {node.values[1]}")
            case "and" | "or":
                return self.chain(node.op, args)
            case _:
                return self.op(_WORDS[node.op], node.width, *args)

    def chain(self, op: str, args: list[int]) -> int:
        """An operator of two operands over any number of them."""
        if not args:
            return self.constant(1, int(op == "and"))
        result = args[0]
        for arg in args[1:]:
            result = self.op(op, 0, result, arg)
        return result

    def op(self, word: str, width: int, *args: int, end: str = "") -> int:
        """An operation; the same one is written once."""
        return self.once(f"{word} {self.sort(width)} {' '.join(map(str, args))}{end}")

    def constant(self, width: int, value: int) -> int:
        return self.once(f"const {self.sort(width)} {value:0{width}b}")

    def sort(self, width: int) -> int:
        """The sort of so many bits; a Boolean has one."""
        return self.once(f"sort bitvec {width or 1}")

    def once(self, text: str) -> int:
        if text not in self.same:
            self.same[text] = self.line(text)
        return self.same[text]

    def line(self, text: str) -> int:
        self.count += 1
        self.lines.append(f"{self.count} {text}")
        return self.count

    def remark(self, *lines: str) -> None:
        self.lines += [f"; {line}" for line in lines]
