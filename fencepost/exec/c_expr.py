"""Expressions of the IR as C source (valid C++ too).

Every value is an `i64`. An expression becomes a text without effects, preceded by statements where
it needs some: loops for quantifiers, and a way out for each obligation that may break. Because these
statements come in the order of evaluation and hold back what is evaluated lazily, the first
obligation that breaks is the same one as in the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, assert_never

from attrs import field, mutable

from fencepost.exec.layout import WORD, Layout, Slot
from fencepost.exec.low import Relation
from fencepost.exec.low_build import decided
from fencepost.ir import expr as ir
from fencepost.ir.sorts import Sort, sort_name
from fencepost.ir.visit import children

_FITS = 1 << 62
"""Integers below this in size are `i64`, so that a sum of two still is one."""

UNROLLED = 4
"""A quantifier over so few values, whose body has none inside, is written out instead of looped over."""

Text = int | str
"""A constant, or the text of a C expression."""


def literal(value: Text) -> str:
    """The value in a text."""
    if isinstance(value, str):
        return value
    return f"{value}LL" if value >= 0 else f"({value}LL)"


def require_fit(sort: Sort) -> None:
    """Refuse values that an `i64` does not hold.

    Raises:
        NotImplementedError: the sort has larger ones.
    """
    if sort.lo <= -_FITS or sort.hi >= _FITS:
        raise NotImplementedError(f"{sort_name(sort)} has values of {max(abs(sort.lo), sort.hi).bit_length()} bits")


@mutable
class CExpr:
    """Writes the expressions of one function."""

    layout: Layout
    where: str
    """What an obligation is named after: the action or the property."""
    obligations: dict[str, int]
    leave: Callable[[int], str]
    """The statement that tells of a broken obligation, given its number, and leaves."""
    source: Callable[[ir.Read], str]
    """The name of the C variable that holds the state which a read speaks of."""
    names: dict[str, Text] = field(factory=dict)
    """What stands for each parameter and loop variable."""
    lines: list[str] = field(factory=list)
    temporaries: list[str] = field(factory=list)
    known: dict[object, Text] = field(factory=dict)
    """Values that were computed, or are known, at this place."""
    left: int = 0
    """How many ways out were written so far."""

    def temporary(self) -> str:
        """A new name, which will be declared."""
        self.temporaries.append(f"t{len(self.temporaries)}")
        return self.temporaries[-1]

    def emit(self, *lines: str) -> None:
        """Append statements."""
        self.lines += lines

    @contextmanager
    def nested(self) -> Iterator[None]:
        """A block inside this one: what it computes is not known after it."""
        outer = self.known
        self.known = dict(outer)
        yield
        self.known = outer

    def apart(self, expr: ir.Expr) -> tuple[list[str], Text]:
        """The statements an expression needs and its text, without appending them."""
        outer, self.lines = self.lines, []
        with self.nested():
            text = self.text(expr)
        lines, self.lines = self.lines, outer
        return lines, text

    def learn(self, cond: ir.Expr, holds: bool) -> None:
        """Take a condition as known from here on in this block."""
        self.known[self._key(cond)] = int(holds)
        match cond:
            case ir.And(operands) if holds:
                for operand in operands:
                    self.learn(operand, holds)
            case ir.Or(operands) if not holds:
                for operand in operands:
                    self.learn(operand, holds)
            case ir.Not(operand):
                self.learn(operand, not holds)
            case _:
                pass

    def _key(self, expr: ir.Expr) -> object:
        return expr, tuple((name, text) for name, text in self.names.items() if isinstance(text, int))

    def text(self, expr: ir.Expr) -> Text:  # noqa: PLR0911 - one case a node
        """The value of an expression at this place."""
        match expr:
            case ir.Const(value):
                return value
            case ir.Param(name):
                return self.names[name]
            case ir.LoopVar(id=number):
                return self.names[f"l{number}"]
            case ir.Read():
                return self._read(expr)
            case ir.Not(operand):
                truth = self.text(operand)
                return 1 - truth if isinstance(truth, int) else f"!{truth}"
            case ir.And(operands):
                return self._once(expr, lambda: self.junction(operands, "&&", []))
            case ir.Or(operands):
                return self._once(expr, lambda: self.junction(operands, "||", []))
            case ir.Compare(relation, left, right):
                return self._once(expr, lambda: self._compare(relation, left, right))
            case ir.Add(left, right):
                return self._sum(expr, 1)
            case ir.Sub(left, right):
                return self._sum(expr, -1)
            case ir.Ite():
                return self._choice(expr)
            case ir.Cast(sort, operand, what):
                return self.oblige(self.text(operand), operand.sort, sort, what or sort_name(sort))
            case ir.Member(item, of):
                members, index = self.text(of), self.text(item)
                if isinstance(members, int) and isinstance(index, int):
                    return members >> index & 1
                return f"({literal(members)} >> {literal(index)} & 1)"
            case ir.SetWith(of, item, present):
                members, index = self.text(of), self.text(item)
                bit = f"(1LL << {literal(index)})"
                return f"({literal(members)} | {bit})" if present else f"({literal(members)} & ~{bit})"
            case ir.Quantified():
                return self._once(expr, lambda: self._quantified(expr))
            case _:
                assert_never(expr)

    def _once(self, expr: ir.Expr, compute: Callable[[], Text]) -> Text:
        """The value computed before at this place, or now; what took statements is kept."""
        key = self._key(expr)
        if key in self.known:
            return self.known[key]
        before = len(self.lines)
        value = compute()
        if len(self.lines) == before:
            return value
        if isinstance(value, str) and not value.isidentifier():
            kept = self.temporary()  # the text may speak of a state that is about to change
            self.emit(f"{kept} = {value};")
            value = kept
        self.known[key] = value
        return value

    def _compare(self, relation: ir.Relation, left: ir.Expr, right: ir.Expr) -> Text:
        texts = self.text(left), self.text(right)
        known = decided(Relation(relation.value), _bounds(texts[0], left.sort), _bounds(texts[1], right.sort))
        return int(known) if known is not None else f"({literal(texts[0])} {relation.value} {literal(texts[1])})"

    def _sum(self, expr: ir.Add | ir.Sub, sign: int) -> Text:
        require_fit(expr.sort)
        left, right = self.text(expr.left), self.text(expr.right)
        if isinstance(left, int) and isinstance(right, int):
            return left + sign * right
        return f"({literal(left)} {'+' if sign > 0 else '-'} {literal(right)})"

    def junction(self, operands: Sequence[ir.Expr], operator: Literal["&&", "||"], texts: list[str]) -> Text:
        """Operands from left to right, after `texts`, up to the first that decides."""
        decisive = int(operator == "||")
        for at, operand in enumerate(operands):
            lines, value = self.apart(operand) if texts else ([], self.text(operand))
            if lines:
                result = self.temporary()
                sure = f" {operator} ".join(texts)
                self.emit(f"{result} = {sure};", f"if ({'!' if decisive else ''}{result}) {{", *lines)
                with self.nested():
                    rest = self._after(value, operands[at + 1 :], operator)
                self.emit(f"{result} = {literal(rest)};", "}")
                return result
            if isinstance(value, str):
                texts.append(value)
            elif bool(value) == bool(decisive):
                return decisive
        return f"({f' {operator} '.join(texts)})" if texts else 1 - decisive

    def _after(self, value: Text, operands: Sequence[ir.Expr], operator: Literal["&&", "||"]) -> Text:
        if isinstance(value, str):
            return self.junction(operands, operator, [value])
        return value if value == int(operator == "||") else self.junction(operands, operator, [])

    def _choice(self, expr: ir.Ite) -> Text:
        require_fit(expr.sort)
        test = self.text(expr.cond)
        if isinstance(test, int):
            return self.text(expr.then if test else expr.orelse)
        (first, then), (second, orelse) = self.apart(expr.then), self.apart(expr.orelse)
        if then == orelse and not first and not second:
            return then
        if not first and not second:
            return f"({test} ? {literal(then)} : {literal(orelse)})"
        result = self.temporary()
        self.emit(f"if ({test}) {{", *first, f"{result} = {literal(then)};", "} else {")
        self.emit(*second, f"{result} = {literal(orelse)};", "}")
        return result

    def oblige(self, value: Text, known: Sort, sort: Sort, what: str) -> Text:
        """The value, obliged to be one of `sort`; `what` names it in a violation."""
        if sort.lo <= known.lo and known.hi <= sort.hi:
            return value
        if isinstance(value, int):
            if sort.lo <= value <= sort.hi:
                return value
            self._way_out("1", f"range:{self.where}/{what}")
            return sort.lo
        if not value.isidentifier():
            kept = self.temporary()
            self.emit(f"{kept} = {value};")
            value = kept
        outside = [
            *([f"{value} < {literal(sort.lo)}"] if known.lo < sort.lo else []),
            *([f"{value} > {literal(sort.hi)}"] if known.hi > sort.hi else []),
        ]
        self._way_out(" || ".join(outside), f"range:{self.where}/{what}")
        return value

    def _way_out(self, broken: str, obligation: str) -> None:
        self.left += 1
        number = self.obligations.setdefault(obligation, len(self.obligations))
        self.emit(f"if ({broken}) {{ {self.leave(number)} }}")

    def position(self, var: ir.Var, indices: Sequence[ir.Expr]) -> Text:
        """The row-major position of an element, each index obliged to be within its dimension."""
        constant, stride, terms = 0, var.count, []
        for dim, index in zip(var.dims, indices, strict=True):
            stride //= dim.count
            part = self.oblige(self.text(index), index.sort, dim, f"{var.name}[{dim.name}]")
            if isinstance(part, int):
                constant += stride * part
            else:
                terms.append(part if stride == 1 else f"{stride} * {part}")
        if not terms:
            return constant
        return (
            f"({' + '.join((*terms, *([str(constant)] if constant else [])))})" if constant or terms[1:] else terms[0]
        )

    def _read(self, read: ir.Read) -> Text:
        require_fit(read.sort)
        slot = self.layout.slots[read.var]
        position = self.position(read.var, read.indices)
        if read.live is not None and self.known.get(key := self._key(read.live)) != 1:
            alive = self.text(read.live)
            if alive != 1:
                self._way_out(f"!{literal(alive)}", f"dead:{self.where}/{read.var.name}")
                self.known[key] = 1
        if slot.width == 0:
            return slot.lo
        raw = element(self.source(read), slot, position)
        return f"({raw} + {literal(slot.lo)})" if slot.lo else raw

    def _quantified(self, expr: ir.Quantified) -> Text:
        require_fit(expr.sort)
        sort = expr.var.sort
        if sort.size <= 1 or (sort.size <= UNROLLED and not _has_quantifier(expr.body)):
            return self._written_out(expr)
        result, turn, before = self.temporary(), f"l{expr.var.id}", self.left
        self.names[turn] = turn
        lines, value = self.apart(expr.body)
        self.temporaries += [turn] if turn not in self.temporaries else []
        start = int(expr.quantifier is ir.Quantifier.FORALL)
        self.emit(f"{result} = {start};", f"for ({turn} = {sort.lo}; {turn} <= {sort.hi}; {turn}++) {{", *lines)
        text = literal(value)
        match expr.quantifier:
            case ir.Quantifier.SUM:
                self.emit(f"{result} += {text};")
            case ir.Quantifier.FORALL if self.left > before:
                self.emit(f"{result} &= {text};")
            case ir.Quantifier.EXISTS if self.left > before:
                self.emit(f"{result} |= {text};")
            case ir.Quantifier.FORALL:
                self.emit(f"if (!{text}) {{ {result} = 0; break; }}")
            case ir.Quantifier.EXISTS:
                self.emit(f"if ({text}) {{ {result} = 1; break; }}")
            case _:
                assert_never(expr.quantifier)
        self.emit("}")
        return result

    def _written_out(self, expr: ir.Quantified) -> Text:
        before, values = self.left, []
        outer, self.lines = self.lines, []
        for value in expr.var.sort.values():
            self.names[f"l{expr.var.id}"] = value
            values.append(self.text(expr.body))
        lines, self.lines = self.lines, outer
        self.emit(*lines)
        del self.names[f"l{expr.var.id}"]
        constant = [value for value in values if isinstance(value, int)]
        texts = [value for value in values if isinstance(value, str)]
        if expr.quantifier is ir.Quantifier.SUM:
            parts = [*texts, *([literal(sum(constant))] if any(constant) or not texts else [])]
            return f"({' + '.join(parts)})" if texts else sum(constant)
        decisive = int(expr.quantifier is ir.Quantifier.EXISTS)
        if decisive in constant:
            return decisive
        if not texts:
            return 1 - decisive
        operator = ("||" if decisive else "&&") if self.left == before else ("|" if decisive else "&")
        return f"({f' {operator} '.join(texts)})"


def _bounds(text: Text, sort: Sort) -> tuple[int, int]:
    return (text, text) if isinstance(text, int) else (sort.lo, sort.hi)


def _has_quantifier(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Quantified) or any(map(_has_quantifier, children(expr)))


def element(state: str, slot: Slot, position: Text) -> str:
    """The packed value of the element at a row-major position of a state."""
    mask = (1 << slot.width) - 1
    if isinstance(position, int):
        word, by = divmod(slot.at(position), WORD)
        low = f"{state}.w[{word}] >> {by}"
        if by + slot.width > WORD:
            return f"(i64)(({low} | {state}.w[{word + 1}] << {WORD - by}) & {mask}ULL)"
        return f"(i64)({low} & {mask}ULL)"
    if slot.word is not None:
        return f"(i64)({state}.w[{slot.word}] >> ({place(slot, position, slot.word)}) & {mask}ULL)"
    return f"bits(&{state}, {place(slot, position, 0)}, {slot.width})"


def place(slot: Slot, position: str, word: int) -> str:
    """The lowest bit of an element, counted from that of a word."""
    start = slot.offset - word * WORD
    scaled = position if slot.width == 1 else f"{slot.width} * {position}"
    return f"{scaled} + {start}" if start else scaled
