"""The low form over literals: the value of each expression, and when it is the first to break an obligation."""

from __future__ import annotations

from typing import assert_never

from attrs import field, mutable

from fencepost.aig.graph import FALSE, TRUE, Graph
from fencepost.aig.words import Word, Words, constant, truth
from fencepost.errors import InternalError
from fencepost.exec import low
from fencepost.exec.low import Low, Relation
from fencepost.exec.low_code import Block, Let, When


@mutable(eq=False)
class Known:
    """What was evaluated already; may be shared by all expressions in whose locals' names differ."""

    locals: dict[str, Word] = field(factory=dict)
    values: dict[Low, Word] = field(factory=dict)
    """Of expressions that cannot fail."""


@mutable(eq=False)
class Evaluation:
    """One evaluation, such as that of a step: its parts come one after the other, up to the first that fails.

    `reached` says when what is evaluated next would be, if nothing failed before it; `failed`, when
    something did. `broken` has, by the obligation's number, when it is the first to break.
    """

    graph: Graph
    state: tuple[int, ...]
    """The literals of the packed state before the step, the lowest bit first."""
    known: Known
    reached: int = TRUE
    failed: int = FALSE
    broken: dict[int, int] = field(factory=dict)
    words: Words = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.words = Words(self.graph)

    @property
    def survived(self) -> int:
        """That all was evaluated to this point."""
        return self.graph.both(self.reached, self.failed ^ 1)

    def truth(self, node: Low) -> int:
        """The value of a condition."""
        return self.words.literal(self.value(node))

    def value(self, node: Low) -> Word:
        """The value of an expression, within the bounds that it has."""
        if node.fails:
            return self._value(node)
        found = self.known.values.get(node)
        if found is None:
            found = self.known.values[node] = self._value(node)
        return found

    def run(self, block: Block) -> dict[str, Word]:
        """Take in what statements give to locals; the locals that they assign."""
        assigned: dict[str, Word] = {}
        for code in block:
            match code:
                case Let(local, value):
                    word = self.words.fit(self.value(value), local.lo, local.hi)
                    assigned[local.name] = self.known.locals[local.name] = word
                case When(cond, then, orelse):
                    assigned |= self._branch(self.truth(cond), then, orelse)
                case _:
                    raise InternalError(f"{type(code).__name__} stands in the body of an action")
        return assigned

    def _branch(self, cond: int, then: Block, orelse: Block) -> dict[str, Word]:
        outer = self.reached
        self.reached = self.graph.both(outer, cond)
        left = self.run(then)
        self.reached = self.graph.both(outer, cond ^ 1)
        right = self.run(orelse)
        self.reached = outer
        merged = {name: self.words.choose(cond, left[name], right[name]) for name in left if name in right}
        self.known.locals |= merged
        return left | right | merged

    def _break(self, obligation: int, holds: int) -> None:
        """An obligation of what is evaluated now."""
        first = self.graph.all_of((self.reached, self.failed ^ 1, holds ^ 1))
        if first != FALSE:
            self.broken[obligation] = self.graph.either(self.broken.get(obligation, FALSE), first)
            self.failed = self.graph.either(self.failed, first)

    def _value(self, node: Low) -> Word:  # noqa: PLR0911 - one case a node
        words = self.words
        match node:
            case low.Lit(value):
                return constant(value)
            case low.Local(name):
                return self.known.locals[name]
            case low.Field(_, offset, width, hi):
                return Word(0, hi, self.state[offset : offset + width])
            case low.Linear(terms, more):
                return words.total([words.scaled(self.value(term), factor) for factor, term in terms], more)
            case low.Compare(relation, left, right):
                return truth(self._compare(relation, self.value(left), self.value(right)))
            case low.Not(operand):
                return truth(self.truth(operand) ^ 1)
            case low.All(operands, strict):
                return truth(self.graph.all_of(self._in_turn(operands, TRUE, strict=strict)))
            case low.Any(operands, strict):
                return truth(self.graph.any_of(self._in_turn(operands, FALSE, strict=strict)))
            case low.Choose(cond, then, orelse):
                return self._choose(cond, then, orelse)
            case low.Bit(of, item):
                return truth(words.member(self.value(of), self.value(item)))
            case low.WithBit(of, item, present, hi):
                return words.with_member(self.value(of), self.value(item), hi, present=present)
            case low.Within(operand, least, most, obligation):
                inner = self.value(operand)
                self._break(obligation, words.inside(inner, least, most))
                return words.fit(inner, node.lo, node.hi) if node.lo <= node.hi else constant(least)
            case low.Bind(local, value, body):
                self.known.locals[local.name] = words.fit(self.value(value), local.lo, local.hi)
                return self.value(body)
            case low.Fail(obligation, lo):
                self._break(obligation, FALSE)
                return constant(lo)
            case low.Dynamic() | low.Shifted() | low.Patch():
                raise InternalError(f"{type(node).__name__} stands where every element has its own expression")
            case _:
                assert_never(node)

    def _compare(self, relation: Relation, left: Word, right: Word) -> int:
        match relation:
            case Relation.EQ | Relation.NE:
                return self.words.equal(left, right) ^ int(relation is Relation.NE)
            case Relation.LT | Relation.GE:
                return self.words.less(left, right) ^ int(relation is Relation.GE)
            case Relation.GT | Relation.LE:
                return self.words.less(right, left) ^ int(relation is Relation.LE)
            case _:
                assert_never(relation)

    def _in_turn(self, operands: tuple[Low, ...], going_on: int, *, strict: bool) -> list[int]:
        """The operands, each reached only where those before it have the value that lets it go on."""
        outer, found = self.reached, list[int]()
        for operand in operands:
            found.append(self.truth(operand))
            if not strict:
                self.reached = self.graph.both(self.reached, found[-1] ^ going_on ^ 1)
        self.reached = outer
        return found

    def _choose(self, cond: Low, then: Low, orelse: Low) -> Word:
        test = self.truth(cond)
        outer = self.reached
        self.reached = self.graph.both(outer, test)
        left = self.value(then)
        self.reached = self.graph.both(outer, test ^ 1)
        right = self.value(orelse)
        self.reached = outer
        return self.words.choose(test, left, right)
