"""Typed constructors of Z3 terms.

They call Z3's C interface straight away: the operators of `z3` check and coerce their operands
first, which takes five to seven times as long, and lowering a model makes 100,000s of terms.
Operands are trusted to have the right sorts and widths.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import z3

if TYPE_CHECKING:

    class Term:
        """Any Z3 term."""

        def __init__(self, ast: Any, context: Any) -> None: ...

        def eq(self, other: Term) -> bool:
            """Whether it is the very same term (Z3 keeps one copy of each)."""

        def get_id(self) -> int:
            """A number that the term alone has."""

        def as_ast(self) -> Any:
            """The C interface's handle."""

    class BoolTerm(Term):
        """A Boolean term."""

    class VectorTerm(Term):
        """A bit-vector term."""

        def size(self) -> int:
            """Its width in bits."""

else:
    Term, BoolTerm, VectorTerm = z3.ExprRef, z3.BoolRef, z3.BitVecRef

T = TypeVar("T", bound=Term)

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()


def version() -> str:
    """Z3's."""
    return str(z3.get_version_string())


def boolean(name: str) -> BoolTerm:
    """A Boolean constant."""
    return BoolTerm(z3.Bool(name).ast, _CONTEXT)


def vector(name: str, width: int) -> VectorTerm:
    """A bit-vector constant."""
    return VectorTerm(z3.BitVec(name, width).ast, _CONTEXT)


def renamed(constant: Term, suffix: str) -> Term:
    """A constant of the same sort whose name ends in the suffix."""
    name = f"{constant}{suffix}"
    return vector(name, constant.size()) if isinstance(constant, VectorTerm) else boolean(name)


@cache
def truth(value: bool) -> BoolTerm:
    """The Boolean literal."""
    return BoolTerm(z3.BoolVal(value).ast, _CONTEXT)


@cache
def literal(value: int, width: int) -> VectorTerm:
    """The bit-vector literal."""
    return VectorTerm(z3.BitVecVal(value, width).ast, _CONTEXT)


def all_of(terms: Sequence[BoolTerm]) -> BoolTerm:
    """Conjunction of two or more terms."""
    return BoolTerm(z3.Z3_mk_and(_REF, len(terms), _array(terms)), _CONTEXT)


def any_of(terms: Sequence[BoolTerm]) -> BoolTerm:
    """Disjunction of two or more terms."""
    return BoolTerm(z3.Z3_mk_or(_REF, len(terms), _array(terms)), _CONTEXT)


def _array(terms: Sequence[Term]) -> Any:
    return (z3.Ast * len(terms))(*[term.as_ast() for term in terms])


def negation(term: BoolTerm) -> BoolTerm:
    """Negation, without a double one."""
    if z3.is_not(term):
        return BoolTerm(z3.Z3_get_app_arg(_REF, term.as_ast(), 0), _CONTEXT)
    return BoolTerm(z3.Z3_mk_not(_REF, term.as_ast()), _CONTEXT)


def if_bool(cond: BoolTerm, then: BoolTerm, orelse: BoolTerm) -> BoolTerm:
    """`then` where `cond`, else `orelse`."""
    return BoolTerm(z3.Z3_mk_ite(_REF, cond.as_ast(), then.as_ast(), orelse.as_ast()), _CONTEXT)


def if_vector(cond: BoolTerm, then: VectorTerm, orelse: VectorTerm) -> VectorTerm:
    """`then` where `cond`, else `orelse`; of equal widths."""
    return VectorTerm(z3.Z3_mk_ite(_REF, cond.as_ast(), then.as_ast(), orelse.as_ast()), _CONTEXT)


def if_term(cond: BoolTerm, then: Term, orelse: Term) -> Term:
    """`then` where `cond`, else `orelse`; of one sort, whichever it is."""
    if isinstance(then, BoolTerm) and isinstance(orelse, BoolTerm):
        return if_bool(cond, then, orelse)
    assert isinstance(then, VectorTerm)
    assert isinstance(orelse, VectorTerm)
    return if_vector(cond, then, orelse)


def equals(a: Term, b: Term) -> BoolTerm:
    """Equality of two terms of one sort."""
    return BoolTerm(z3.Z3_mk_eq(_REF, a.as_ast(), b.as_ast()), _CONTEXT)


def below(a: VectorTerm, b: VectorTerm) -> BoolTerm:
    """`a < b`, both unsigned and of one width."""
    return BoolTerm(z3.Z3_mk_bvult(_REF, a.as_ast(), b.as_ast()), _CONTEXT)


def plus(a: VectorTerm, b: VectorTerm) -> VectorTerm:
    """Sum modulo two to the power of the width."""
    return VectorTerm(z3.Z3_mk_bvadd(_REF, a.as_ast(), b.as_ast()), _CONTEXT)


def less_by(a: VectorTerm, b: VectorTerm) -> VectorTerm:
    """Difference modulo two to the power of the width."""
    return VectorTerm(z3.Z3_mk_bvsub(_REF, a.as_ast(), b.as_ast()), _CONTEXT)


def widened(term: VectorTerm, width: int) -> VectorTerm:
    """The vector with zeros above, `width` bits in all."""
    pad = width - term.size()
    return VectorTerm(z3.Z3_mk_zero_ext(_REF, pad, term.as_ast()), _CONTEXT) if pad else term


def lowest(term: VectorTerm, width: int) -> VectorTerm:
    """The lowest `width` bits."""
    if width == term.size():
        return term
    return VectorTerm(z3.Z3_mk_extract(_REF, width - 1, 0, term.as_ast()), _CONTEXT)


def bit_at(term: VectorTerm, position: int) -> BoolTerm:
    """Whether one bit is set."""
    if term.size() == 1:
        return equals(term, literal(1, 1))
    one = VectorTerm(z3.Z3_mk_extract(_REF, position, position, term.as_ast()), _CONTEXT)
    return equals(one, literal(1, 1))


def number_in(term: Term) -> int:
    """The number that a literal stands for: 0 or 1 for a Boolean, else the unsigned value.

    Raises:
        ValueError: the term is not a literal.
    """
    if isinstance(term, BoolTerm):
        value = int(z3.Z3_get_bool_value(_REF, term.as_ast()))
        if value != z3.Z3_L_UNDEF:
            return int(value == z3.Z3_L_TRUE)
    elif z3.Z3_get_ast_kind(_REF, term.as_ast()) == z3.Z3_NUMERAL_AST:
        return int(z3.Z3_get_numeral_string(_REF, term.as_ast()))
    raise ValueError(f"{term} is not a literal")


class Substitution:
    """A simultaneous replacement of constants by terms of the same sorts, made once and used often."""

    def __init__(self, constants: Sequence[Term], terms: Sequence[Term]) -> None:
        self._terms = (*constants, *terms)  # kept alive: the arrays hold bare handles
        self._from, self._to, self._count = _array(constants), _array(terms), len(constants)

    def __call__(self, term: T) -> T:
        """The term after the replacement."""
        return type(term)(z3.Z3_substitute(_REF, term.as_ast(), self._count, self._from, self._to), _CONTEXT)
