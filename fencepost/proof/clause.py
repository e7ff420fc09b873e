"""Clauses of an invariant, in the words of the model.

A clause is a disjunction: some element of the state has one of these values, or some set has (or
lacks) an index. Written out it is one line, such as `signals[1].value in {0, 1} or not open`, and
`Vocabulary.read` reads that line back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from fencepost.ir.model import Model
from fencepost.ir.sorts import BoolSort, IntSort, SetSort, Sort, parse, show, sort_name

_IN = re.compile(r"(\S+) (not in|in) \{([^{}]*)\}")
_MEMBER = re.compile(r"(\d+) (not in|in) (\S+)")
_COMPARED = re.compile(r"(\S+) (==|!=|<=|>=) (\S+)")


@frozen(order=True)
class Literal:
    """An element of the state (by its place in the flat state) has one of these values, ascending."""

    at: int
    values: tuple[int, ...]

    def holds(self, flat: Sequence[int]) -> bool:
        """Whether it is so in a state."""
        return flat[self.at] in self.values


@frozen(order=True)
class Membership:
    """A set of the state has this index, or lacks it."""

    at: int
    item: int
    present: bool

    def holds(self, flat: Sequence[int]) -> bool:
        """Whether it is so in a state."""
        return bool(flat[self.at] >> self.item & 1) is self.present


Clause = tuple[Literal | Membership, ...]
"""Any of these. Sorted, at most one literal an element, so that equal clauses are the same tuple."""


@frozen
class Bit:
    """One bit of an element as it is packed: of `value - lo`, or of a set's mask; it is one, or zero."""

    at: int
    bit: int
    one: bool


def holds(clause: Clause, flat: Sequence[int]) -> bool:
    """Whether a state satisfies the clause."""
    return any(literal.holds(flat) for literal in clause)


@frozen
class Vocabulary:
    """The names and sorts of a model's elements, in the order of the flat state."""

    elements: tuple[tuple[str, Sort], ...]
    _by_name: Mapping[str, int] = field(factory=dict, eq=False, repr=False)

    @classmethod
    def of(cls, model: Model) -> Vocabulary:
        """The model's."""
        elements = [(var.element(i), var.sort) for var in model.vars for i in range(var.count)]
        return cls(tuple(elements), {name: at for at, (name, _) in enumerate(elements)})

    def clause(self, bits: Iterable[Bit]) -> Clause | None:
        """The clause that says that one of these bits is as given; None where it holds in every state."""
        values: dict[int, set[int]] = {}
        members: set[Membership] = set()
        for bit in bits:
            sort = self.elements[bit.at][1]
            if isinstance(sort, SetSort):
                members.add(Membership(bit.at, bit.bit, bit.one))
            else:
                having = {v for v in sort.values() if bool((v - sort.lo) >> bit.bit & 1) is bit.one}
                values.setdefault(bit.at, set()).update(having)
        if any(len(found) == self.elements[at][1].size for at, found in values.items()):
            return None
        if any(Membership(m.at, m.item, not m.present) in members for m in members):
            return None
        literals = [Literal(at, tuple(sorted(found))) for at, found in values.items() if found]
        return ordered([*literals, *members])

    def show(self, clause: Clause) -> str:
        """The clause on one line."""
        return " or ".join(map(self._show, clause)) or "false"

    def _show(self, literal: Literal | Membership) -> str:
        name, sort = self.elements[literal.at]
        if isinstance(literal, Membership):
            return f"{literal.item} {'in' if literal.present else 'not in'} {name}"
        values, others = literal.values, [v for v in sort.values() if v not in literal.values]
        if isinstance(sort, BoolSort):
            return name if values == (1,) else f"not {name}"
        if len(values) == 1:
            return f"{name} == {show(sort, values[0])}"
        if len(others) == 1:
            return f"{name} != {show(sort, others[0])}"
        if isinstance(sort, IntSort) and values[-1] - values[0] + 1 == len(values):
            if values[0] == sort.lo:
                return f"{name} <= {values[-1]}"
            if values[-1] == sort.hi:
                return f"{name} >= {values[0]}"
        few, word = (values, "in") if len(values) <= len(others) else (others, "not in")
        return f"{name} {word} {{{', '.join(show(sort, v) for v in few)}}}"

    def read(self, text: str) -> Clause:
        """Read what `show` wrote.

        Raises:
            ValueError: it is not a clause over these elements; one line says why.
        """
        if text == "false":
            return ()
        clause = ordered(self._read(part) for part in text.split(" or "))
        if len({(lit.at, lit.item if isinstance(lit, Membership) else None) for lit in clause}) < len(clause):
            raise ValueError(f"{text!r} names an element twice")
        return clause

    def _read(self, text: str) -> Literal | Membership:
        if found := _MEMBER.fullmatch(text):
            return self._member(text, int(found[1]), found[3], found[2] == "in")
        if found := _IN.fullmatch(text):
            at, sort = self._element(found[1])
            listed = {_value(sort, item) for item in found[3].split(", ")}
            return _literal(text, at, sort, listed if found[2] == "in" else set(sort.values()) - listed)
        if found := _COMPARED.fullmatch(text):
            at, sort = self._element(found[1])
            value = _value(sort, found[3])
            if found[2] in {"<=", ">="} and not isinstance(sort, IntSort):
                raise ValueError(f"{found[1]!r} is a {sort_name(sort)}, which has no order")
            return _literal(text, at, sort, {v for v in sort.values() if _compared(v, found[2], value)})
        at, sort = self._element(text.removeprefix("not "))
        if not isinstance(sort, BoolSort):
            raise ValueError(f"{text!r} is no condition: it is a {sort_name(sort)}")
        return Literal(at, (int(not text.startswith("not ")),))

    def _member(self, text: str, item: int, name: str, present: bool) -> Membership:
        at, sort = self._element(name)
        if not isinstance(sort, SetSort) or item >= sort.of.count:
            raise ValueError(f"{text!r} is not about an index of a set")
        return Membership(at, item, present)

    def _element(self, name: str) -> tuple[int, Sort]:
        if name not in self._by_name:
            raise ValueError(f"the model has no element {name[:80]!r}")
        at = self._by_name[name]
        return at, self.elements[at][1]


def ordered(literals: Iterable[Literal | Membership]) -> Clause:
    """The literals in the order of the state."""
    return tuple(sorted(literals, key=lambda lit: (lit.at, lit.item if isinstance(lit, Membership) else -1)))


def _value(sort: Sort, text: str) -> int:
    if isinstance(sort, (BoolSort, SetSort)):
        raise ValueError(f"{text!r} is compared with a {sort_name(sort)}")
    return parse(sort, text)


def _literal(text: str, at: int, sort: Sort, values: set[int]) -> Literal:
    if not values or len(values) == sort.size:
        raise ValueError(f"{text!r} says nothing")
    return Literal(at, tuple(sorted(values)))


def _compared(value: int, operator: str, other: int) -> bool:
    match operator:
        case "==":
            return value == other
        case "!=":
            return value != other
        case "<=":
            return value <= other
        case _:
            return value >= other
