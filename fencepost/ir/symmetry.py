"""Which indices may be renamed at will: symmetry as declared on index sorts, checked on the IR.

An expression is equivariant if renaming the indices of the state renames its value alike. Equality,
indexing, membership and quantifiers over the whole sort are; order, arithmetic and a constant index
are not. One sort may be used as an identity in one place and as a position in another (a stack of
handles is an array by position of handles by identity). So each place where an index lies (a dimension
or the value of a variable, a parameter, a loop variable) is put together with those that it meets,
by comparison, assignment or indexing: what is together is renamed together, or not at all where one
of it is used as a number. What is left is a `Role`. Nothing is asked of the initial state: what is
reached from a renamed one is the renamed of what is reached, so both reach the same orbits.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterator
from typing import assert_never

from attrs import evolve, field, frozen, mutable

from fencepost.errors import Location, ModelError
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
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.model import Model, PropertyKind
from fencepost.ir.show import show_expr
from fencepost.ir.sorts import NONE, IndexSort, OptionSort, SetSort, Sort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.turns import matters
from fencepost.ir.visit import children

VALUE = -1
"""Where a variable has an index as its value, in place of the number of a dimension."""

_AS_NUMBER = "compare it with == and find it by exists(...); or do not declare the size symmetric"


@frozen
class Role:
    """Indices of one sort that are told apart only by being the same or not, and where the state has them."""

    sort: IndexSort
    places: frozenset[tuple[Var, int]]
    """A variable with a dimension's number, or `VALUE`."""


def only(model: Model, names: Collection[str] | None) -> Model:
    """The model with those properties alone that are asked for: others may tell indices apart."""
    if names is None:
        return model
    return evolve(model, properties=tuple(prop for prop in model.properties if prop.name in names))


def roles(model: Model) -> tuple[Role, ...]:
    """What may be renamed, of the sorts that the model declares symmetric, in the order of the variables.

    Raises:
        ModelError: of a declared sort there is nothing left, for something in the model tells its indices apart.
    """
    if not model.symmetric:
        return ()
    found = _Places(frozenset(model.symmetric))
    found.visit(model)
    return found.roles(model)


def left_out(model: Model, used: Collection[str], asked_for: bool) -> dict[str, str]:
    """The sorts that the model declares symmetric, rightly, and that were not taken for alike, with why.

    `used` are those that were; `asked_for` says that all of them were to be. A sort of one index is not among them.
    """
    with_responses = any(prop.kind is PropertyKind.RESPONSE for prop in model.properties)
    why = "responses are asked for" if asked_for and with_responses else "not asked for; --symmetry does"
    sorts = {role.sort.name for role in roles(model)}
    return {name: why for name in model.symmetric if name in sorts and name not in used}


@mutable
class _Places:
    """Puts places together that have the same indices, and says which are used as numbers."""

    sorts: frozenset[str]
    owner: str = ""
    at: Location | None = None
    parents: dict[Hashable, Hashable] = field(factory=dict)
    reasons: dict[Hashable, ModelError] = field(factory=dict)
    """Why the indices of a place (and of all that are together with it) may not be renamed: the first reason."""
    numbers: Iterator[int] = field(factory=itertools.count)

    # Places that are together

    def root(self, place: Hashable) -> Hashable:
        while (parent := self.parents.get(place, place)) != place:
            place = parent
        return place

    def join(self, a: Hashable | None, b: Hashable | None) -> None:
        if a is None or b is None:
            return
        one, other = self.root(a), self.root(b)
        if one == other:
            return
        self.parents[other] = one
        if (reason := self.reasons.pop(other, None)) is not None:
            self.reasons.setdefault(one, reason)

    def refuse(self, place: Hashable, problem: str, instead: str = _AS_NUMBER, at: Location | None = None) -> None:
        self.reasons.setdefault(self.root(place), ModelError(problem, instead, at or self.at))

    def sort_of(self, sort: Sort) -> IndexSort | None:
        """The index sort of its values, if that is declared symmetric."""
        named = sort.of if isinstance(sort, OptionSort | SetSort) else sort
        return named if isinstance(named, IndexSort) and named.name in self.sorts and named.count > 1 else None

    # The model

    def visit(self, model: Model) -> None:
        for action in model.actions:
            self.owner = f"action {action.name}"
            for guard in action.guards:
                self.at = guard.at or action.at
                self.expr(guard.cond)
            self.block(action.body, action.at)
        for prop in model.properties:
            if prop.kind is PropertyKind.RESPONSE:
                continue  # what is asked of runs without an end is never asked under symmetry
            self.owner, self.at = f"property {prop.name}", prop.at
            self.expr(prop.holds)
            self.expr(prop.twin)

    def block(self, body: tuple[Stmt, ...], at: Location | None) -> None:
        for stmt in body:
            self.at = stmt.at or at
            match stmt:
                case Assign(var, indices, value):
                    self.element(var, indices)
                    self.join(self.place(var, VALUE), self.expr(value))
                case If(cond, then, orelse):
                    self.expr(cond)
                    self.block(then, self.at)
                    self.block(orelse, self.at)
                case For(var, looped):
                    if self.sort_of(var.sort) is not None and (why := matters(stmt)) is not None:
                        instead = "let each turn change only what belongs to its index, or add up, or set one constant"
                        self.refuse(self.expr(var), f"the turns of the loop over {var.sort.name} {why}", instead)  # type: ignore[union-attr]
                    self.block(looped, self.at)
                case Note():
                    pass
                case _:
                    assert_never(stmt)

    def place(self, var: Var, where: int) -> Hashable | None:
        sort = var.sort if where == VALUE else var.dims[where]
        return None if self.sort_of(sort) is None else (var, where)

    def element(self, var: Var, indices: tuple[Expr, ...]) -> None:
        for number, index in enumerate(indices):
            self.join(self.place(var, number), self.expr(index))

    def expr(self, expr: Expr) -> Hashable | None:
        """The place whose indices the value has; None where it has no index of a symmetric sort."""
        match expr:
            case Const(value, sort):
                return self.constant(expr, sort, value)
            case Param(name, sort):
                return None if self.sort_of(sort) is None else (self.owner, name)
            case LoopVar(id=number, sort=sort):
                return None if self.sort_of(sort) is None else (self.owner, number)
            case Read(var, indices, live=live):
                self.element(var, indices)
                if live is not None:
                    self.expr(live)
                return self.place(var, VALUE)
            case Compare(relation, left, right):
                self.joined(left, right, ordered=relation is not Relation.EQ)
            case Ite(cond, then, orelse):
                self.expr(cond)
                return self.joined(then, orelse)
            case Member(item, of):
                self.joined(of, item)
            case SetWith(of, item):
                return self.joined(of, item)
            case Cast(sort, operand, at=at):
                return self.cast(sort, operand, at)
            case Not() | And() | Or() | Add() | Sub() | Quantified():
                for child in children(expr):
                    self.expr(child)
            case _:
                assert_never(expr)
        return None

    def constant(self, expr: Const, sort: Sort, value: int) -> Hashable | None:
        named = self.sort_of(sort)
        if named is None:
            return None
        place = ("constant", next(self.numbers))
        whole = isinstance(sort, SetSort) and value in (0, sort.hi)
        if not whole and not (isinstance(sort, OptionSort) and value == NONE):
            self.refuse(place, f"{show_expr(expr)} is a certain {named.name}, which is declared symmetric")
        return place

    def joined(self, a: Expr, b: Expr, ordered: bool = False) -> Hashable | None:
        one, other = self.expr(a), self.expr(b)
        self.join(one, other)
        if ordered and one is not None:
            self.refuse(one, f"{show_expr(a)} is compared by order")
        return one

    def cast(self, sort: Sort, operand: Expr, at: Location | None) -> Hashable | None:
        place, named = self.expr(operand), self.sort_of(sort)
        if named is None:
            if place is not None:
                self.refuse(
                    place, f"{show_expr(operand)} is used as a number, but its size is declared symmetric", at=at
                )
            return None
        if place is None:
            place = ("number", next(self.numbers))
            self.refuse(
                place, f"the number {show_expr(operand)} becomes a {named.name}, which is declared symmetric", at=at
            )
        return place

    # What is left

    def roles(self, model: Model) -> tuple[Role, ...]:
        together: dict[Hashable, list[tuple[Var, int]]] = {}
        for var in model.vars:
            for where in (*range(len(var.dims)), VALUE):
                if (place := self.place(var, where)) is not None:
                    together.setdefault(self.root(place), []).append((var, where))
        for name in model.symmetric:
            self._require(name, together)
        free = (places for root, places in together.items() if root not in self.reasons)
        return tuple(Role(self._sort(*places[0]), frozenset(places)) for places in free)

    def _require(self, name: str, together: dict[Hashable, list[tuple[Var, int]]]) -> None:
        """Most places of a declared sort, where it has any, can be renamed."""
        mine = {root: len(places) for root, places in together.items() if self._sort(*places[0]).name == name}
        fixed = {root: size for root, size in mine.items() if root in self.reasons}
        if fixed and max(fixed.values()) > max((size for root, size in mine.items() if root not in fixed), default=0):
            raise self.reasons[max(fixed, key=lambda root: fixed[root])]

    def _sort(self, var: Var, where: int) -> IndexSort:
        sort = self.sort_of(var.sort if where == VALUE else var.dims[where])
        assert sort is not None
        return sort
