"""Low expressions as Python source."""

from __future__ import annotations

from typing import assert_never

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

BREAK = "_break"
"""The function that generated code calls with an obligation's number; it raises."""

# Python's precedences, loosest first: an operand looser than its place asks for is parenthesised.
_IF, _OR, _AND, _NOT, _COMPARE, _BIT_OR, _BIT_AND, _SHIFT, _SUM, _PRODUCT, _UNARY, _ATOM = range(12)


def emit(node: Low) -> str:
    """The expression, to stand alone on the right of an assignment or as a condition."""
    return _Emitter().text(node, _IF)


class _Emitter:
    """Writes one expression; `checked` names the operands of its range checks."""

    def __init__(self) -> None:
        self.checked = 0

    def text(self, node: Low, place: int) -> str:
        """The node, parenthesised if it binds looser than `place`."""
        text, binds = self._node(node)
        return text if binds >= place else f"({text})"

    def _node(self, node: Low) -> tuple[str, int]:  # noqa: PLR0911 - one case a node
        match node:
            case Lit(value):
                return str(value), _ATOM if value >= 0 else _UNARY
            case Local(name):
                return name, _ATOM
            case Field(state, offset, width, _):
                return self._bits(state, str(offset) if offset else "", width)
            case Dynamic(state, at, width, _):
                return self._bits(state, self.text(at, _SUM), width)
            case Linear(terms, constant):
                return self._linear(terms, constant), _SUM if len(terms) > 1 or constant else _PRODUCT
            case Shifted(value, by):
                return f"{self.text(value, _SHIFT)} << {self.text(by, _SUM)}", _SHIFT
            case Patch(state, mask, add):
                keep = (1 << state.hi.bit_length()) - 1 & ~mask
                cleared = f"({state.name} & {keep:#x})" if keep else "0"
                return f"{cleared} + {self.text(add, _SUM)}", _SUM
            case Compare(relation, left, right):
                return f"{self.text(left, _BIT_OR)} {relation.value} {self.text(right, _BIT_OR)}", _COMPARE
            case Not(operand):
                return f"not {self.text(operand, _NOT)}", _NOT
            case All(operands, strict):
                return self._junction(operands, "and", _AND, "&" if strict else "")
            case Any(operands, strict):
                return self._junction(operands, "or", _OR, "|" if strict else "")
            case Choose(cond, then, orelse):
                return f"{self.text(then, _OR)} if {self.text(cond, _OR)} else {self.text(orelse, _IF)}", _IF
            case Bit(of, item):
                return f"{self.text(of, _SHIFT)} >> {self.text(item, _SUM)} & 1", _BIT_AND
            case WithBit(of, item, present):
                bit = f"1 << {self.text(item, _SUM)}"
                return (f"{self.text(of, _BIT_OR)} | {bit}", _BIT_OR) if present else self._without(of, bit)
            case Within():
                return self._within(node)
            case Bind(local, value, body):
                bound = f"({local.name} := {self.text(value, _IF)}) is not None"
                return f"{self.text(body, _OR)} if {bound} else 0", _IF
            case Fail(obligation):
                return f"{BREAK}({obligation})", _ATOM
            case _:
                assert_never(node)

    @staticmethod
    def _bits(state: Local, at: str, width: int) -> tuple[str, int]:
        shifted = f"{state.name} >> {at}" if at else state.name
        return f"{shifted} & {(1 << width) - 1}", _BIT_AND

    def _without(self, of: Low, bit: str) -> tuple[str, int]:
        return f"{self.text(of, _BIT_AND)} & ~({bit})", _BIT_AND

    def _linear(self, terms: tuple[tuple[int, Low], ...], constant: int) -> str:
        out = ""
        for factor, term in terms:
            size = abs(factor)
            sign = ("-" if factor < 0 else "") if not out else (" - " if factor < 0 else " + ")
            out += sign + (self.text(term, _UNARY) if size == 1 else f"{self.text(term, _PRODUCT)} * {size}")
        if constant:
            out += f" {'-' if constant < 0 else '+'} {abs(constant)}"
        return out

    def _junction(self, operands: tuple[Low, ...], word: str, binds: int, strict: str) -> tuple[str, int]:
        if not strict:
            return f" {word} ".join(self.text(operand, binds + 1) for operand in operands), binds
        # `&` and `|` evaluate both sides, from left to right.
        place = _BIT_AND if strict == "&" else _BIT_OR
        return f" {strict} ".join(self.text(operand, place + 1) for operand in operands), place

    def _within(self, node: Within) -> tuple[str, int]:
        operand = node.operand
        if isinstance(operand, Local):
            name = first = operand.name
        else:
            self.checked += 1
            name = f"c{self.checked}"
            first = f"({name} := {self.text(operand, _IF)})"
        low, high = operand.lo < node.least, operand.hi > node.most
        if low and high:
            test = f"{node.least} <= {first} <= {node.most}"
        elif low:
            test = f"{first} >= {node.least}"
        else:
            test = f"{first} <= {node.most}"
        return f"{name} if {test} else {BREAK}({node.obligation})", _IF
