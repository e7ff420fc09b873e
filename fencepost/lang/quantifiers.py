"""`forall`, `exists`, `count`, `total` and `ite` over model expressions."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, TypeVar, overload

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import BOOL, IntSort, OptionSort, Sort
from fencepost.lang.location import here
from fencepost.lang.scope import fresh_number, index_sort
from fencepost.lang.values import Bool, Choice, Index, Int, Value, enum_sort, lift

A = TypeVar("A", bound=Index)
B = TypeVar("B", bound=Index)
C = TypeVar("C", bound=Index)
V = TypeVar("V", bound=Value)
E = TypeVar("E", bound=enum.Enum)


@overload
def forall(a: type[A], body: Callable[[A], Bool], /) -> Bool: ...
@overload
def forall(a: type[A], b: type[B], body: Callable[[A, B], Bool], /) -> Bool: ...
@overload
def forall(a: type[A], b: type[B], c: type[C], body: Callable[[A, B, C], Bool], /) -> Bool: ...
def forall(*sorts_and_body: Any) -> Bool:
    """The body holds for every choice of indices."""
    return Bool(_quantify(ir.Quantifier.FORALL, *sorts_and_body))


@overload
def exists(a: type[A], body: Callable[[A], Bool], /) -> Bool: ...
@overload
def exists(a: type[A], b: type[B], body: Callable[[A, B], Bool], /) -> Bool: ...
@overload
def exists(a: type[A], b: type[B], c: type[C], body: Callable[[A, B, C], Bool], /) -> Bool: ...
def exists(*sorts_and_body: Any) -> Bool:
    """The body holds for some choice of indices."""
    return Bool(_quantify(ir.Quantifier.EXISTS, *sorts_and_body))


def total(index: type[A], body: Callable[[A], Int]) -> Int:
    """The sum of the body over every index."""
    return Int(_quantify(ir.Quantifier.SUM, index, body))


def count(index: type[A], body: Callable[[A], Bool]) -> Int:
    """For how many indices the body holds."""
    return total(index, lambda i: ite(body(i), 1, 0))


@overload
def ite(cond: Bool, then: int, orelse: int) -> Int: ...
@overload
def ite(cond: Bool, then: Int, orelse: Int | int) -> Int: ...
@overload
def ite(cond: Bool, then: int, orelse: Int) -> Int: ...
@overload
def ite(cond: Bool, then: E, orelse: E) -> Choice[E]: ...
@overload
def ite(cond: Bool, then: Choice[E], orelse: Choice[E] | E) -> Choice[E]: ...
@overload
def ite(cond: Bool, then: V, orelse: V) -> V: ...
def ite(cond: Bool, then: Any, orelse: Any) -> Any:
    """`then` where `cond` holds, else `orelse`; only the chosen one is evaluated."""
    test, chosen = lift(cond, BOOL, "the condition of ite()"), _value(then)
    if chosen is None:
        if _value(orelse) is None:
            raise ModelError(f"ite() chooses between {then!r} and {orelse!r}", "give it a model expression", here())
        return ite(Bool(ir.negate(test)), orelse, then)
    other = lift(orelse, chosen.node.sort, "ite()")
    return chosen.rewrap(ir.Ite(test, chosen.node, other, _hull(chosen.node.sort, other.sort)))


def _value(side: object) -> Value | None:
    """The side of a choice as a model expression, if it says by itself of which sort it is."""
    match side:
        case Value():
            return side
        case bool():
            return Bool(lift(side, BOOL, "ite()"))
        case enum.Enum():
            return Choice(lift(side, enum_sort(type(side)), "ite()"))
        case int():
            return Int(lift(side, IntSort(side, side), "ite()"))
        case _:
            return None


def _hull(a: Sort, b: Sort) -> Sort:
    if isinstance(a, IntSort):
        return IntSort(min(a.lo, b.lo), max(a.hi, b.hi))
    if a != b and not isinstance(a, OptionSort):
        raise ModelError("the two sides of ite() differ", "put the one that can be none first", here())
    return a


def _quantify(quantifier: ir.Quantifier, *sorts_and_body: Any) -> ir.Expr:
    *classes, body = sorts_and_body
    name = {ir.Quantifier.SUM: "total"}.get(quantifier, quantifier.value)
    if not classes or not callable(body) or isinstance(body, type):
        raise ModelError(f"{name}() was given no body", f"write {name}(SomeIndex, lambda i: ...)", here())
    loops = [ir.LoopVar(fresh_number(), sort.name.lower(), sort) for sort in map(index_sort, classes)]
    inner = body(*(cls(loop) for cls, loop in zip(classes, loops, strict=True)))
    wanted: Sort = IntSort(0, 0) if quantifier is ir.Quantifier.SUM else BOOL
    node = lift(inner, wanted, f"the body of {name}()")
    for loop in reversed(loops):
        node = ir.Quantified(quantifier, loop, node)
    return node
