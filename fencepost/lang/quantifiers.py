"""`forall`, `exists`, `count`, `total` and `ite` over model expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import BOOL, IntSort, OptionSort, Sort
from fencepost.lang.location import here
from fencepost.lang.scope import fresh_number, index_sort
from fencepost.lang.values import Bool, Index, Int, Value, lift

A = TypeVar("A", bound=Index)
B = TypeVar("B", bound=Index)
C = TypeVar("C", bound=Index)
V = TypeVar("V", bound=Value)


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
def ite(cond: Bool, then: V, orelse: V) -> V: ...
def ite(cond: Bool, then: Any, orelse: Any) -> Any:
    """`then` where `cond` holds, else `orelse`; only the chosen one is evaluated."""
    if isinstance(then, int) and not isinstance(then, bool):
        then = Int(ir.Const(then, IntSort(then, then)))
    if not isinstance(then, Value):
        raise ModelError("ite() needs a model expression or a number as its second argument", "give one", here())
    other = lift(orelse, then.node.sort, "ite()")
    return then.rewrap(ir.Ite(lift(cond, BOOL, "ite()"), then.node, other, _hull(then.node.sort, other.sort)))


def _hull(a: Sort, b: Sort) -> Sort:
    if isinstance(a, IntSort):
        return IntSort(min(a.lo, b.lo), max(a.hi, b.hi))
    if a != b and not isinstance(a, OptionSort):
        raise ModelError("the two sides of ite() differ", "put the one that can be none first", here())
    return a


def _quantify(quantifier: ir.Quantifier, *sorts_and_body: Any) -> ir.Expr:
    *sorts, body = sorts_and_body
    loops = [ir.LoopVar(fresh_number(), cls.__name__.lower(), index_sort(cls)) for cls in sorts]
    inner = body(*(cls(loop) for cls, loop in zip(sorts, loops, strict=True)))
    if not isinstance(inner, Value):
        raise ModelError(f"the body of {quantifier.value} is not a model expression", "return one from it", here())
    node = inner.node
    for loop in reversed(loops):
        node = ir.Quantified(quantifier, loop, node)
    return node
