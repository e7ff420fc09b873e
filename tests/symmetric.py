"""Random models with symmetric sorts, and renaming of their states from first principles."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from attrs import evolve, mutable
from hypothesis import assume
from hypothesis import strategies as st

from fencepost.errors import ModelError
from fencepost.exec.interpreter import State
from fencepost.ir.expr import Cast, Compare, Const, Expr, Not, Read, Relation, Var
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL, NONE, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.ir.stmt import Assign, For
from fencepost.ir.symmetry import VALUE, Role, roles
from tests.random_expr import HANDLE, LOOP_SORTS, QUEUE, Scope, upto
from tests.strategies import _ModelMaker

SYMMETRIC = (QUEUE, HANDLE)
NAMES = tuple(sort.name for sort in SYMMETRIC)


@mutable
class _SymmetricMaker(_ModelMaker):
    """Mostly takes indices from parameters, loops and the state, and never makes numbers of them."""

    castable: tuple[Sort, ...] = (*[IntSort(-1, 1)] * 4, QUEUE, HANDLE)

    def indices(self, sort: Sort, scope: Scope) -> list[Expr]:
        """What there is of an index sort without looking into an array."""
        scalars = [var for var in self.vars if not var.dims and (scope.ghosts or not var.ghost)]
        held: list[Expr] = [Read(var, (), self.pick(scope.epochs)) for var in scalars if var.sort == sort]
        assert isinstance(sort, IndexSort)
        held += [Cast(sort, Read(var)) for var in scalars if var.sort == OptionSort(sort) and self.chance(1, 3)]
        return [*scope.named(sort), *held]

    def reaches(self, var: Var, scope: Scope) -> bool:
        return all(self.indices(dim, evolve(scope, epochs=(0,))) for dim in var.dims)

    def readable(self, scope: Scope) -> list[Var]:
        return [var for var in super().readable(scope) if self.reaches(var, scope)]

    def const(self, sort: Sort) -> Const:
        match sort:
            case OptionSort(of) if of in SYMMETRIC:
                return Const(NONE, sort)
            case SetSort(of) if of in SYMMETRIC:
                return Const(self.pick((0, sort.hi)), sort)
            case _:
                return super().const(sort)

    def leaf(self, sort: Sort, scope: Scope) -> Expr:
        if sort in SYMMETRIC and (known := self.indices(sort, scope)):
            return self.pick(known)
        return super().leaf(sort, scope)

    def subscript(self, dim: IndexSort, depth: int, scope: Scope) -> Expr:
        known = self.indices(dim, scope)
        return self.pick(known) if known else super().subscript(dim, depth, scope)

    def index(self, sort: IndexSort, depth: int, scope: Scope) -> Expr:
        if depth > 0 and self.chance(1, 3):
            return self.ite(sort, depth, scope)
        return self.leaf(sort, scope)

    def guarded(self, depth: int, scope: Scope) -> Expr:
        return self.equal(depth, scope)

    def guard(self, scope: Scope) -> Expr:
        flag = self.pick([var for var in self.vars if var.sort == BOOL and not var.dims and not var.ghost])
        return self.boolean(2, scope) if self.chance(2, 3) else Not(Compare(Relation.EQ, Read(flag), Const(1, BOOL)))

    def assign(self, scope: Scope) -> Assign:
        targets = [v for v in self.vars if (v.ghost or not scope.ghost_only) and self.reaches(v, scope)]
        var = self.pick(targets or [v for v in self.vars if not v.dims])
        inner = evolve(scope, ghosts=var.ghost)
        indices = tuple(self.subscript(dim, 1, inner) for dim in var.dims)
        return Assign(var, indices, self.value(var, indices, inner), self.fresh_epoch())

    def loop(self, scope: Scope) -> For:
        """Often one whose turns each change what is their own, and see the state before it alone."""
        var = self.fresh_loop(self.pick(LOOP_SORTS))
        own = [v for v in self.vars if var.sort in v.dims and not v.ghost and not scope.ghost_only]
        if not own or self.chance(1, 4):
            return super().loop(scope)
        head, inner = self.fresh_epoch(), evolve(scope, loops=(*scope.loops, var))
        target = self.pick(own)
        indices = tuple(var if dim == var.sort else self.subscript(dim, 0, inner) for dim in target.dims)
        stmt = Assign(target, indices, self.expr(target.sort, 2, inner), self.fresh_epoch())
        return For(var, (stmt,), head, self.fresh_epoch())

    def declare(self) -> tuple[Var, ...]:
        return (Var("flag", BOOL), *super().declare())


@st.composite
def symmetric_models(draw: st.DrawFn) -> Model:
    """Models in which something can be renamed."""
    maker = _SymmetricMaker(draw)
    maker.vars = maker.declare()
    actions = tuple(maker.action(number) for number in range(maker.pick((2, 3, 4))))
    properties = tuple(maker.property(number) for number in range(1 + maker.draw(upto(1))))
    model = Model("random", None, (), (), maker.vars, actions, properties, (), NAMES)
    try:
        assume(roles(model))
    except ModelError:
        assume(False)
    return model


Renaming = dict[Role, tuple[int, ...]]
"""The new name of each index, for each role."""


def renamings(every: Iterable[Role]) -> Iterator[Renaming]:
    """All of them."""
    every = list(every)
    for chosen in itertools.product(*(itertools.permutations(range(role.sort.count)) for role in every)):
        yield dict(zip(every, chosen, strict=True))


def renamed(model: Model, state: State, new: Renaming) -> State:
    """The state with other names."""
    return tuple(_renamed(var, values, new) for var, values in zip(model.vars, state, strict=True))


def _renamed(var: Var, values: tuple[int, ...], new: Renaming) -> tuple[int, ...]:
    names = {where: new[role] for role in new for each, where in role.places if each == var}
    found = {}
    for position, value in enumerate(values):
        indices = [names[dim][index] if dim in names else index for dim, index in enumerate(var.indices(position))]
        found[tuple(indices)] = _value(var.sort, value, names[VALUE]) if VALUE in names else value
    return tuple(found[var.indices(position)] for position in range(var.count))


def _value(sort: Sort, value: int, names: tuple[int, ...]) -> int:
    if isinstance(sort, SetSort):
        return sum(1 << names[index] for index in range(sort.of.count) if value >> index & 1)
    return value if value == NONE else names[value]


def orbit(model: Model, state: State, every: Iterable[Role]) -> State:
    """The least state that differs by names alone."""
    return min(renamed(model, state, new) for new in renamings(every))
