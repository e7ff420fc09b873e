"""SMT-LIB 2.6, bit vectors alone: functions for steps, elements and properties, and runs unrolled to a depth.

State is flat, since bitwuzla has neither records nor enums. Functions take what they read as
parameters, under the elements' names. `Trans` holds between a state, the number of a step, and the
next state. The queries follow one after the other: at each depth, each property, then one step more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from fencepost.export.flat import Element, Flat, Move, flatten
from fencepost.export.formats import Exported
from fencepost.export.header import header_lines, left_out
from fencepost.export.smt_text import call, define, literal, names, sort, symbol, text
from fencepost.ir.model import Model
from fencepost.smt.nodes import Node
from fencepost.verdict import OBLIGATIONS

DEPTH = 12
"""Steps that the exported queries go."""

STEP = "step"
"""What the number of the step that is taken is called."""


def export(model: Model) -> Exported:
    """The model, and for each depth and property whether there is a run of that length to a violation."""
    return Exported(script(flatten(model), DEPTH))


def script(flat: Flat, depth: int) -> str:
    """The whole text, with queries to the depth."""
    writer = Writer(flat, {element.name: element.width for element in flat.elements})
    lines = [*writer.head(), *writer.initial(), *writer.steps(), *writer.transition(), *writer.properties()]
    return "\n".join([*lines, *writer.queries(depth)]) + "\n"


def describe(move: Move) -> Iterator[str]:
    """What a step is, as lines of a comment."""
    action = move.action
    yield f"{move.name}, by {action.actor.name}, {action.kind.value}; for {' '.join(action.src.split())}"
    if action.doc:
        yield " ".join(action.doc.split())


@frozen
class Writer:
    """Writes functions of the state: with what they read as parameters, or (`free`) with none."""

    flat: Flat
    widths: Mapping[str, int]
    free: bool = False

    def given(self, parameters: Mapping[str, int]) -> Mapping[str, int]:
        """The parameters that a function of these names has."""
        return {} if self.free else parameters

    def reads(self, *nodes: Node) -> Mapping[str, int]:
        """The elements that terms read, in the order of the state, as parameters."""
        wanted = names(*nodes)
        return self.given({name: width for name, width in self.widths.items() if name in wanted})

    def head(self) -> Iterator[str]:
        yield from (f"; {line}" for line in header_lines(self.flat.model))
        why = "a run without an end is none of a bounded length"
        yield from (f"; {line}" for line in left_out(self.flat.model, why))
        yield "; Run it incrementally. Answers come after the name of the question and its depth: `sat` is a violation"
        yield "; after that many steps, `unsat` that there is no run of exactly that length to one."
        yield "(set-logic QF_BV)"
        yield ""
        yield "; The elements of the state, each a parameter of the functions below under its name:"
        for element in self.flat.elements:
            yield f";   {element.name}: {sort(element.width)}, {element.means}"

    def initial(self) -> Iterator[str]:
        equal = [f"(= {symbol(e.name)} {literal(e.width, e.start)})" for e in self.flat.elements]
        yield ""
        yield define("Init", self.widths, 0, _all(equal))

    def steps(self) -> Iterator[str]:
        for number, move in enumerate(self.flat.moves):
            yield ""
            yield from (f"; {line}" for line in describe(move))
            yield define(f"number of {move.name}", {}, self.flat.width, literal(self.flat.width, number))
            yield define(move.name, self.reads(move.can), 0, text(move.can))
            if move.breaks.op != "false":
                yield define(f"{move.name} breaks an obligation", self.reads(move.breaks), 0, text(move.breaks))

    def transition(self) -> Iterator[str]:
        yield ""
        yield "; What becomes of each element: what the chosen step makes of it, else it stays."
        for element in self.flat.elements:
            if element.next:
                body = self.element(element)
                yield define(f"next {element.name}", self.inputs(element), element.width, body)
        later = {_next(name): width for name, width in self.widths.items()}
        yield ""
        yield define("Trans", self.given({**self.widths, STEP: self.flat.width, **later}), 0, self.relation())

    def relation(self) -> str:
        """What relates a state and a step to the next state."""
        taken = [
            f"(and (= {symbol(STEP)} {symbol(f'number of {move.name}')}) {self.apply(move.name, (move.can,))})"
            for move in self.flat.moves
        ]
        kept = [f"(= {symbol(_next(element.name))} {self.after(element)})" for element in self.flat.elements]
        return _all([_any(taken), *kept])

    def inputs(self, element: Element) -> Mapping[str, int]:
        """The parameters of the function that gives an element's next value."""
        reads = {element.name, *names(*(value for value, _ in element.next))}
        return self.given({STEP: self.flat.width, **{n: width for n, width in self.widths.items() if n in reads}})

    def element(self, element: Element) -> str:
        """An element's next value."""
        body = symbol(element.name)
        for value, numbers in reversed(element.next):
            moves = [self.flat.moves[number].name for number in numbers]
            chosen = _any([f"(= {symbol(STEP)} {symbol(f'number of {name}')})" for name in moves])
            body = f"(ite {chosen}\n  {text(value)}\n  {body})"
        return body

    def after(self, element: Element) -> str:
        """An element's next value, by its function if it has one."""
        if not element.next:
            return symbol(element.name)
        return call(f"next {element.name}", map(symbol, self.inputs(element)))

    def apply(self, name: str, nodes: Sequence[Node], suffix: str = "") -> str:
        """A function applied to the elements that it reads, of a state whose names end in the suffix."""
        return call(name, (symbol(read + suffix) for read in self.reads(*nodes)))

    def properties(self) -> Iterator[str]:
        for asked in self.flat.asked:
            yield ""
            yield f"; {' '.join(asked.statement.split())}"
            yield define(asked.name, self.reads(asked.holds), 0, text(asked.holds))
            yield define(f"{asked.name} is exercised", self.reads(asked.twin), 0, text(asked.twin))
        if self.flat.breaks.op != "false":
            yield ""
            yield "; Some property takes an index or a value out of its range, or reads what is dead."
            reads = self.reads(self.flat.breaks)
            yield define("a property breaks an obligation", reads, 0, text(self.flat.breaks))

    def queries(self, depth: int) -> Iterator[str]:
        """Runs of each length, with a question for each property."""
        for at in range(depth + 1):
            yield ""
            yield f"; After {at} step{'s' * (at != 1)}"
            state = [f"{name}@{at}" for name in self.widths]
            yield from (f"(declare-const {symbol(f'{n}@{at}')} {sort(w)})" for n, w in self.widths.items())
            if at == 0:
                yield f"(assert {call('Init', map(symbol, state))})"
            else:
                before = [f"{name}@{at - 1}" for name in self.widths]
                yield from self.ask(OBLIGATIONS, at, self.broken(at))
                yield f"(declare-const {symbol(f'step@{at - 1}')} {sort(self.flat.width)})"
                yield f"(assert {call('Trans', map(symbol, [*before, f'step@{at - 1}', *state]))})"
            if self.flat.breaks.op != "false":
                one = self.apply("a property breaks an obligation", (self.flat.breaks,), f"@{at}")
                yield from self.ask(OBLIGATIONS, at, [one])
            for asked in self.flat.asked:
                held = self.apply(asked.name, (asked.holds,), f"@{at}")
                yield from self.ask(asked.name, at, [f"(not {held})"])

    def broken(self, at: int) -> list[str]:
        """Conditions that a step from the state before breaks an obligation."""
        return [
            self.apply(f"{move.name} breaks an obligation", (move.breaks,), f"@{at - 1}")
            for move in self.flat.moves
            if move.breaks.op != "false"
        ]

    def ask(self, name: str, depth: int, conditions: Sequence[str]) -> Iterator[str]:
        """One question; none where nothing could be asked."""
        if conditions:
            yield "(push 1)"
            yield f"(assert {_any(conditions)})"
            yield f'(echo "{name} at {depth}")'
            yield "(check-sat)"
            yield "(pop 1)"


def _next(name: str) -> str:
    return f"{name}'"


def _all(conditions: Sequence[str]) -> str:
    return _joined("and", "true", conditions)


def _any(conditions: Sequence[str]) -> str:
    return _joined("or", "false", conditions)


def _joined(op: str, none: str, conditions: Sequence[str]) -> str:
    if len(conditions) < 2:
        return conditions[0] if conditions else none
    if sum(map(len, conditions)) < 80:
        return f"({op} {' '.join(conditions)})"
    return f"({op}\n  " + "\n  ".join(conditions) + ")"
