"""Low expressions as C source (valid C++ too).

Integers that fit are `i64`; larger ones, the packed state above all, are `S`, words in two's
complement, least first. A broken obligation leaves its number in `bad` and goes on with a value
that is within its bounds, so that nothing after it reads out of place; the statement around it then
leaves (see `c_code`). Only the first obligation of an expression is kept, as when it is evaluated by
a language with exceptions.
"""

from __future__ import annotations

from typing import assert_never

from attrs import field, mutable

from fencepost.exec.low import (
    All,
    Any,
    Bind,
    Bit,
    Choose,
    Compare,
    Dynamic,
    Fail,
    Field,
    Linear,
    Lit,
    Local,
    Low,
    Not,
    Patch,
    Shifted,
    WithBit,
    Within,
)

WORD = 64
_FITS = 1 << 62
"""Integers below this in size are `i64`, so that a sum of two still is one."""


def is_big(node: Low) -> bool:
    """Whether the node's values need words."""
    return node.lo <= -_FITS or node.hi >= _FITS


@mutable
class CExpr:
    """Writes expressions for states of `words` words; collects the constants and locals they need."""

    words: int
    constants: dict[int, str] = field(factory=dict)
    locals: dict[str, Local] = field(factory=dict)
    ordered: int = 0
    """Names given so far to operands whose order matters."""

    def local(self, local: Local) -> str:
        """The name of a local, which will be declared."""
        self.locals[local.name] = local
        return local.name

    def constant(self, value: int) -> str:
        """The name of a constant of words, two's complement."""
        return self.constants.setdefault(value % (1 << WORD * self.words), f"k{len(self.constants)}")

    def text(self, node: Low) -> str:
        """The node as an `i64` or, where it does not fit, as an `S`."""
        return self.big(node) if is_big(node) else self.small(node)

    def small(self, node: Low) -> str:  # noqa: PLR0911 - one case a node
        """The node as an `i64`."""
        match node:
            case Lit(value):
                return f"{value}LL" if value >= 0 else f"({value}LL)"
            case Local():
                return node.name
            case Field(state, offset, width):
                return self._bits(state, str(offset), width)
            case Dynamic(state, at, width):
                return self._bits(state, self.small(at), width)
            case Linear(terms, constant):
                first, texts = self._in_order(*(term for _, term in terms))
                parts = [
                    text if factor == 1 else f"{factor}LL * {text}"
                    for (factor, _), text in zip(terms, texts, strict=True)
                ]
                return f"({first}{' + '.join((*parts, *([f'({constant}LL)'] if constant else [])))})"
            case Shifted(value, by):
                first, texts = self._in_order(value, by)
                return f"({first}{texts[0]} * (1LL << {texts[1]}))"
            case Patch(state, mask, add):
                return f"(({state.name} & {state.hi & ~mask}LL) + {self.small(add)})"
            case Compare(relation, left, right):
                first, texts = self._in_order(left, right)
                return f"({first}{texts[0]} {relation.value} {texts[1]})"
            case Not(operand):
                return f"!{self.small(operand)}"
            case All(operands, strict):
                return self._strict(operands, "&") if strict else self._lazy(operands, "&&")
            case Any(operands, strict):
                return self._strict(operands, "|") if strict else self._lazy(operands, "||")
            case Choose(cond, then, orelse):
                return f"({self.small(cond)} ? {self.small(then)} : {self.small(orelse)})"
            case Bit(of, item):
                first, texts = self._in_order(of, item)
                return f"({first}{texts[0]} >> {texts[1]} & 1)"
            case WithBit(of, item, present):
                first, texts = self._in_order(of, item)
                bit = f"(1LL << {texts[1]})"
                return f"({first}{texts[0]} | {bit})" if present else f"({first}{texts[0]} & ~{bit})"
            case Within(operand, least, most, obligation):
                return f"within({self.small(operand)}, {least}LL, {most}LL, {obligation}, &bad)"
            case Bind(local, value, body):
                return f"({self.local(local)} = {self.text(value)}, {self.small(body)})"
            case Fail(obligation, lo):
                return f"within({lo - 1}LL, {lo}LL, {lo}LL, {obligation}, &bad)"
            case _:
                assert_never(node)

    def big(self, node: Low) -> str:
        """The node as an `S`, whatever its size."""
        if not is_big(node) and not isinstance(node, Lit):
            return f"shl({self.small(node)}, 0)"
        match node:
            case Lit(value):
                return self.constant(value)
            case Local():
                return node.name
            case Linear(terms, constant):
                return self._sum([self._term(factor, term) for factor, term in terms], constant)
            case Shifted(value, by):
                return f"shl({self.small(value)}, (int){self.small(by)})"
            case Patch(state, mask, add):
                kept = f"both({state.name}, {self.constant(~mask)})"
                return f"plus({kept}, {self.big(add)})"
            case Choose(cond, then, orelse):
                return f"({self.small(cond)} ? {self.big(then)} : {self.big(orelse)})"
            case Bind(local, value, body):
                return f"({self.local(local)} = {self.text(value)}, {self.big(body)})"
            case Fail(obligation):
                return f"(within(1, 0, 0, {obligation}, &bad), {self.constant(0)})"
            case _:
                raise NotImplementedError(f"{type(node).__name__} of {node.hi.bit_length()} bits")

    def _bits(self, state: Local, at: str, width: int) -> str:
        if is_big(state):
            return f"bits(&{state.name}, (int){at}, {width})"
        return f"({state.name} >> {at} & {(1 << width) - 1}LL)"

    def _lazy(self, operands: tuple[Low, ...], operator: str) -> str:
        return f"({f' {operator} '.join(f'({self.small(operand)})' for operand in operands)})"

    def _strict(self, operands: tuple[Low, ...], operator: str) -> str:
        first, texts = self._in_order(*operands)
        return f"({first}{f' {operator} '.join(f'({text})' for text in texts)})"

    def _in_order(self, *operands: Low) -> tuple[str, list[str]]:
        """What goes before an expression of the operands, and their texts in it.

        C leaves open which side of an operator comes first, and that decides which obligation does.
        So where more than one may break, each gets a name beforehand.
        """
        texts = [self.small(operand) for operand in operands]
        if sum(operand.fails for operand in operands) < 2:
            return "", texts
        names = []
        for operand in operands:
            self.ordered += 1
            names.append(self.local(Local(f"q{self.ordered}", operand.lo, operand.hi)))
        return "".join(f"{name} = {text}, " for name, text in zip(names, texts, strict=True)), names

    def _sum(self, parts: list[str], constant: int) -> str:
        if constant:
            parts.append(self.constant(constant))
        total = parts[0]
        for part in parts[1:]:
            total = f"plus({total}, {part})"
        return total

    def _term(self, factor: int, term: Low) -> str:
        """`factor * term`: a factor is a few powers of two, one for each place that the term goes to."""
        if is_big(term):
            if factor == 1:
                return self.big(term)
            raise NotImplementedError(f"{factor} times a number of {term.hi.bit_length()} bits")
        value = self.small(term)
        sign = "-" if factor < 0 else ""
        places = [place for place in range(abs(factor).bit_length()) if abs(factor) >> place & 1]
        return self._sum([f"shl({sign}{value}, {place})" for place in places], 0)
