"""Pieces of TLA+ text: what is needed to put parentheses and line breaks where they belong."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

ROOM = 110
"""Columns that a line may take before it is broken."""


class Binding(enum.IntEnum):
    """How tightly an operator binds; a looser one inside a tighter one needs parentheses."""

    LOOSE = 0
    """Quantifiers and IF: everything to their right is theirs."""
    IMPLIES = 1
    JUNCTION = 2
    NOT = 3
    COMPARE = 4
    SET = 5
    SUM = 6
    ATOM = 7


@frozen
class Text:
    """Text that is not broken."""

    text: str
    binding: Binding = Binding.ATOM


@frozen
class Ref:
    """The name of a LET definition; the definition may take its place where nothing else uses it."""

    name: str


@frozen
class Joined:
    """Two or more conditions joined by the operator."""

    op: str
    items: tuple[Doc, ...]


@frozen
class Implies:
    """`left => right`."""

    left: Doc
    right: Doc


@frozen
class Negated:
    """`~operand`."""

    operand: Doc


@frozen
class Infix:
    """An operator between two operands that bind more tightly."""

    op: str
    left: Doc
    right: Doc
    binding: Binding


@frozen
class Bound:
    """A quantifier with what it binds, and its body."""

    head: str
    body: Doc


@frozen
class Choice:
    """`IF cond THEN then ELSE orelse`."""

    cond: Doc
    then: Doc
    orelse: Doc


@frozen
class Updated:
    """`[base EXCEPT !path = value, ...]`."""

    base: Doc
    updates: tuple[tuple[str, Doc], ...]


@frozen
class Let:
    """A definition of a LET, or of the module."""

    name: str
    params: tuple[str, ...]
    value: Doc

    @property
    def head(self) -> str:
        """Such as `turn(slot)`."""
        return f"{self.name}({', '.join(self.params)})" if self.params else self.name


@frozen
class LetIn:
    """`LET ... IN value`."""

    lets: tuple[Let, ...]
    value: Doc


Doc = Text | Ref | Joined | Implies | Negated | Infix | Bound | Choice | Updated | LetIn

TRUE = Text("TRUE")


def conj(items: Sequence[Doc]) -> Doc:
    """All of the conditions, each once."""
    different = {flat(item): item for item in items}
    if len(different) < 2:
        return next(iter(different.values()), TRUE)
    return Joined("/\\", tuple(different.values()))


def flat(doc: Doc, least: Binding = Binding.LOOSE) -> str:
    """On one line, in parentheses if it binds less tightly than its place needs."""
    text, binding = _flat(doc)
    return text if binding >= least else f"({text})"


def _flat(doc: Doc) -> tuple[str, Binding]:
    match doc:
        case Text(text, binding):
            return text, binding
        case Ref(name):
            return name, Binding.ATOM
        case Joined(op, items):
            return f" {op} ".join(flat(item, Binding.NOT) for item in items), Binding.JUNCTION
        case Implies(left, right):
            return f"{flat(left, Binding.JUNCTION)} => {flat(right, Binding.JUNCTION)}", Binding.IMPLIES
        case Negated(operand):
            return f"~{flat(operand, Binding.ATOM)}", Binding.NOT
        case Infix(op, left, right, binding):
            first = Binding.SUM if op == "+" else Binding(min(binding + 1, Binding.ATOM))
            second = Binding(min(binding + 1, Binding.ATOM))
            return f"{flat(left, first)} {op} {flat(right, second)}", binding
        case Bound(head, body):
            return f"{head} : {flat(body)}", Binding.LOOSE
        case Choice(cond, then, orelse):
            return f"IF {flat(cond)} THEN {flat(then)} ELSE {flat(orelse)}", Binding.LOOSE
        case Updated(base, updates):
            changes = ", ".join(f"!{path} = {flat(value)}" for path, value in updates)
            return f"[{flat(base)} EXCEPT {changes}]", Binding.ATOM
        case LetIn(lets, value):
            defined = " ".join(f"{let.head} == {flat(let.value)}" for let in lets)
            return f"LET {defined} IN {flat(value)}", Binding.LOOSE
        case _:
            assert_never(doc)


def after(prefix: str, lines: Sequence[str]) -> list[str]:
    """The lines behind a prefix, all in one column."""
    return [prefix + lines[0], *(" " * len(prefix) + line for line in lines[1:])]


def layout(doc: Doc, room: int = ROOM) -> list[str]:
    """On as many lines as it takes, each clear of the columns to its left."""
    one_line = flat(doc)
    if len(one_line) <= room and not isinstance(doc, LetIn):
        return [one_line]
    match doc:
        case Text() | Ref() | Infix():
            return [one_line]
        case Joined(op, items):
            return [line for item in items for line in after(f"{op} ", _item(item, room - 3))]
        case Implies(left, right):
            return [*_closed(left, room), *after("=> ", layout(right, room - 3))]
        case Negated(operand):
            return _wrapped("~(", operand, room)
        case Bound(head, body):
            return [f"{head} :", *("    " + line for line in layout(body, room - 4))]
        case Choice(cond, then, orelse):
            parts = (("IF ", cond), ("THEN ", then), ("ELSE ", orelse))
            return [line for word, part in parts for line in after(word, layout(part, room - 5))]
        case Updated(base, updates):
            return _updated(base, updates, room)
        case LetIn(lets, value):
            return _let_in(lets, value, room)
        case _:
            assert_never(doc)


def _item(item: Doc, room: int) -> list[str]:
    """An item of a junction list: where it stays on one line, with its own junctions in parentheses."""
    one_line = flat(item, Binding.NOT) if isinstance(item, Joined | Implies) else flat(item)
    return [one_line] if len(one_line) <= room and not isinstance(item, LetIn) else layout(item, room)


def _closed(doc: Doc, room: int) -> list[str]:
    """Lines that nothing after them becomes part of."""
    if isinstance(doc, Implies | Bound | Choice | LetIn):
        return _wrapped("(", doc, room)
    return _item(doc, room) if not isinstance(doc, Joined) else layout(doc, room)


def _wrapped(opening: str, doc: Doc, room: int) -> list[str]:
    lines = after(opening, layout(doc, room - len(opening) - 1))
    lines[-1] += ")"
    return lines


def _updated(base: Doc, updates: Sequence[tuple[str, Doc]], room: int) -> list[str]:
    lines = [f"[{flat(base)} EXCEPT"]
    for number, (path, value) in enumerate(updates, 1):
        change = after(f"    !{path} = ", layout(value, room - 8 - len(path)))
        change[-1] += "]" if number == len(updates) else ","
        lines += change
    return lines


def _let_in(lets: Sequence[Let], value: Doc, room: int) -> list[str]:
    lines: list[str] = []
    for number, let in enumerate(lets):
        lines += after("    " if number else "LET ", defined(let, room - 4))
    return [*lines, *after("IN  ", layout(value, room - 4))]


def defined(let: Let, room: int = ROOM) -> list[str]:
    """A definition: on the line of its name if it fits, else below it."""
    lines = layout(let.value, room - 4)
    if len(lines) == 1 and len(let.head) + 4 + len(lines[0]) <= room:
        return [f"{let.head} == {lines[0]}"]
    return [f"{let.head} ==", *("    " + line for line in lines)]
