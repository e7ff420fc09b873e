"""Random well-sorted expressions of the IR; `tests.strategies` makes models of them.

Choice 0 is everywhere the simplest one, which is where Hypothesis shrinks to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TypeVar, assert_never

from attrs import evolve, frozen, mutable
from hypothesis import strategies as st

from fencepost.ir.expr import (
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Member,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.sorts import BOOL, NONE, BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort

T = TypeVar("T")

QUEUE = IndexSort("Queue", 2)
HANDLE = IndexSort("Handle", 3)
PHASE = EnumSort("Phase", ("FREE", "ARMED", "CLEARED"))
SCALARS: tuple[Sort, ...] = (
    BOOL,
    IntSort(-1, 2),
    PHASE,
    QUEUE,
    OptionSort(QUEUE),
    SetSort(QUEUE),
    HANDLE,
    OptionSort(HANDLE),
    SetSort(HANDLE),
    IntSort(0, 3),
    IntSort(-3, -1),
    IntSort(1, 1),
)
LOOP_SORTS: tuple[Sort, ...] = (QUEUE, HANDLE, IntSort(-1, 1), PHASE, BOOL)
CASTABLE: tuple[Sort, ...] = (IntSort(-1, 1), QUEUE)


@functools.cache
def upto(n: int) -> st.SearchStrategy[int]:
    """0..n; building a strategy costs more than a draw from it."""
    return st.integers(0, n)


@frozen
class Scope:
    """What an expression or statement may refer to at its place."""

    params: tuple[Param, ...] = ()
    loops: tuple[LoopVar, ...] = ()
    epochs: tuple[int, ...] = (0,)
    ghosts: bool = False
    """Whether ghost variables may be read."""
    ghost_only: bool = False
    """Whether only ghost variables may be assigned: inside a branch that a ghost decides."""

    def named(self, sort: Sort) -> list[Param | LoopVar]:
        """The parameters and loop variables of exactly this sort."""
        names: tuple[Param | LoopVar, ...] = self.params + self.loops
        return [name for name in names if name.sort == sort]


@mutable
class ExprMaker:
    """Makes well-sorted expressions over the variables of one model. `loop_ids` is per action or property."""

    draw: Callable[[st.SearchStrategy[int]], int]
    vars: tuple[Var, ...] = ()
    loop_ids: int = 0
    castable: tuple[Sort, ...] = CASTABLE

    def pick(self, options: Sequence[T]) -> T:
        return options[self.draw(upto(len(options) - 1))]

    def chance(self, parts: int, of: int) -> bool:
        return self.draw(upto(of - 1)) >= of - parts

    def fresh_loop(self, sort: Sort) -> LoopVar:
        self.loop_ids += 1
        return LoopVar(self.loop_ids, f"v{self.loop_ids}", sort)

    def readable(self, scope: Scope) -> list[Var]:
        return [v for v in self.vars if scope.ghosts or not v.ghost]

    # Leaves

    def const(self, sort: Sort) -> Const:
        return Const(sort.lo + self.draw(upto(sort.hi - sort.lo)), sort)

    def leaf(self, sort: Sort, scope: Scope) -> Expr:
        """A constant, parameter, loop variable or read of exactly this sort."""
        names: list[Param | LoopVar | Var | None] = [None]
        for _ in range(3):
            names += scope.named(sort)
            names += [v for v in self.readable(scope) if v.sort == sort]
        chosen = self.pick(names)
        match chosen:
            case None:
                return self.const(sort)
            case Var():
                return self.read(chosen, 0, scope)
            case Param() | LoopVar():
                return chosen
            case _:
                assert_never(chosen)

    def read(self, var: Var, depth: int, scope: Scope) -> Read:
        indices = tuple(self.subscript(dim, depth, scope) for dim in var.dims)
        live = self.boolean(0, evolve(scope, epochs=(0,))) if depth > 0 and self.chance(1, 10) else None
        return Read(var, indices, self.pick(scope.epochs), live)

    def subscript(self, dim: IndexSort, depth: int, scope: Scope) -> Expr:
        """An index expression: mostly safe, now and then an unguarded option or cast."""
        if depth > 0 and self.chance(1, 6):
            return self.option(OptionSort(dim), depth - 1, scope)
        names = scope.named(dim)
        if names and self.chance(5, 6):
            return self.pick(names)
        return self.index(dim, depth - 1, scope) if depth > 0 else self.const(dim)

    # One method a family of sorts

    def expr(self, sort: Sort, depth: int, scope: Scope) -> Expr:
        match sort:
            case BoolSort():
                return self.boolean(depth, scope)
            case IntSort():
                return self.integer(depth, scope)
            case IndexSort():
                return self.index(sort, depth, scope)
            case OptionSort():
                return self.option(sort, depth, scope)
            case SetSort():
                return self.set(sort, depth, scope)
            case EnumSort():
                return self.ite(sort, depth, scope) if depth > 0 and self.chance(1, 3) else self.leaf(sort, scope)
            case _:
                assert_never(sort)

    def boolean(self, depth: int, scope: Scope) -> Expr:
        if depth <= 0:
            return self.leaf(BOOL, scope)
        below = depth - 1
        match self.draw(upto(12)):
            case 0:
                return self.leaf(BOOL, scope)
            case 1 | 2 | 3:
                return self.equal(below, scope)
            case 4 | 5:
                relation = self.pick((Relation.LE, Relation.LT))
                return Compare(relation, self.integer(below, scope), self.integer(below, scope))
            case 6:
                return Not(self.boolean(below, scope))
            case 7:
                return And((self.boolean(below, scope), self.boolean(below, scope)))
            case 8:
                return Or((self.boolean(below, scope), self.boolean(below, scope)))
            case 9:
                of = self.pick((QUEUE, HANDLE))
                return Member(self.index(of, below, scope), self.set(SetSort(of), below, scope))
            case 10:
                return self.quantified(self.pick((Quantifier.FORALL, Quantifier.EXISTS)), below, scope)
            case 11:
                return self.guarded(below, scope)
            case _:
                return self.ite(BOOL, depth, scope)

    def equal(self, depth: int, scope: Scope) -> Expr:
        var = self.pick(self.readable(scope))
        left = self.read(var, depth, scope)
        names = scope.named(var.sort)
        if names and self.chance(1, 2):
            return Compare(Relation.EQ, left, self.pick(names))
        right = self.const(var.sort) if self.chance(1, 2) else self.expr(var.sort, depth - 1, scope)
        return Compare(Relation.EQ, left, right)

    def integer(self, depth: int, scope: Scope) -> Expr:
        if depth <= 0 or self.chance(1, 3):
            ints = [v for v in self.readable(scope) if isinstance(v.sort, IntSort)]
            if ints and self.chance(1, 2):
                return self.read(self.pick(ints), depth, scope)
            return self.leaf(IntSort(-1, 1), scope)
        below = depth - 1
        match self.draw(upto(6)):
            case 0 | 1:
                return Add(self.integer(below, scope), self.integer(below, scope))
            case 2 | 3:
                return Sub(self.integer(below, scope), self.integer(below, scope))
            case 4:
                return self.quantified(Quantifier.SUM, below, scope)
            case 5:
                return Cast(IntSort(-2, 2), self.expr(self.pick(self.castable), below, scope), "cast")
            case _:
                then, orelse = self.integer(below, scope), self.integer(below, scope)
                hull = IntSort(min(then.sort.lo, orelse.sort.lo), max(then.sort.hi, orelse.sort.hi))
                return Ite(self.boolean(below, scope), then, orelse, hull)

    def index(self, sort: IndexSort, depth: int, scope: Scope) -> Expr:
        if depth <= 0 or self.chance(2, 3):
            return self.leaf(sort, scope)
        below = depth - 1
        match self.draw(upto(2)):
            case 0:
                return Cast(sort, self.leaf(OptionSort(sort), scope))
            case 1:
                return Cast(sort, self.integer(below, scope), "position")
            case _:
                return self.ite(sort, depth, scope)

    def option(self, sort: OptionSort, depth: int, scope: Scope) -> Expr:
        if depth <= 0 or self.chance(1, 2):
            return self.leaf(sort, scope)
        match self.draw(upto(3)):
            case 0:
                return Const(NONE, sort)
            case 1:
                return self.index(sort.of, depth - 1, scope)
            case 2:
                return Cast(sort, self.index(sort.of, depth - 1, scope))
            case _:
                return self.ite(sort, depth, scope)

    def set(self, sort: SetSort, depth: int, scope: Scope) -> Expr:
        if depth <= 0 or self.chance(1, 3):
            return self.leaf(sort, scope)
        if self.chance(1, 4):
            return self.ite(sort, depth, scope)
        of, item = self.set(sort, depth - 1, scope), self.index(sort.of, depth - 1, scope)
        return SetWith(of, item, not self.chance(1, 2))

    def ite(self, sort: Sort, depth: int, scope: Scope) -> Expr:
        cond = self.boolean(depth - 1, scope)
        return Ite(cond, self.expr(sort, depth - 1, scope), self.expr(sort, depth - 1, scope), sort)

    def quantified(self, quantifier: Quantifier, depth: int, scope: Scope) -> Expr:
        var = self.fresh_loop(self.pick(LOOP_SORTS))
        inner = evolve(scope, loops=(*scope.loops, var))
        if quantifier is Quantifier.SUM:
            counted = Ite(self.boolean(depth, inner), Const(1, IntSort(1, 1)), Const(0, IntSort(0, 0)), IntSort(0, 1))
            return Quantified(quantifier, var, counted if self.chance(1, 2) else self.integer(depth, inner))
        return Quantified(quantifier, var, self.boolean(depth, inner))

    def guarded(self, depth: int, scope: Scope) -> Expr:
        """An index that is only read where the left side of `&`, `|` or an if-expression lets it be."""
        of = self.pick((QUEUE, HANDLE))
        arrays = [v for v in self.readable(scope) if v.dims and v.dims[0] == of]
        if not arrays:
            return self.equal(depth, scope)
        array = self.pick(arrays)
        rest = tuple(self.subscript(dim, 0, scope) for dim in array.dims[1:])
        if self.chance(1, 3):
            number = self.integer(0, scope)
            low = Compare(Relation.LE, Const(0, IntSort(0, 0)), number)
            high = Compare(Relation.LT, number, Const(of.count, IntSort(of.count, of.count)))
            read = Read(array, (Cast(of, number), *rest), self.pick(scope.epochs))
            return And((low, high, self.same(read, scope)))
        option = self.leaf(OptionSort(of), scope)
        holds = Not(Compare(Relation.EQ, option, Const(NONE, OptionSort(of))))
        subscript = Cast(of, option) if self.chance(1, 2) else option
        test = self.same(Read(array, (subscript, *rest), self.pick(scope.epochs)), scope)
        lazy: tuple[Expr, ...] = (And((holds, test)), Or((Not(holds), test)), Ite(holds, test, Const(1, BOOL), BOOL))
        return self.pick(lazy)

    def same(self, read: Read, scope: Scope) -> Expr:
        return Compare(Relation.EQ, read, self.expr(read.sort, 0, scope))
