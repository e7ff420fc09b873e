"""Actions in which every read is of the value at that point: what was read earlier is saved where it was read.

Languages with assignments know no epochs. A read whose variable may have changed since its epoch
becomes a read of a local, assigned at that epoch: of one element where the place is known there and
asking for it breaks nothing, else of the whole variable. Locals are variables of their own. What a
read's epoch or a statement's says means nothing afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from attrs import evolve, field, frozen, mutable

from fencepost.ir.expr import Const, Expr, LoopVar, Param, Read, Var
from fencepost.ir.model import Action
from fencepost.ir.sorts import IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import rebuild, statements


@frozen
class Current:
    """The action, its locals in the order of their first use, and which variable each one remembers."""

    action: Action
    locals: Mapping[Var, Var]


@frozen
class _Need:
    """A value to be saved at an epoch: one element, or (without indices) the whole variable."""

    epoch: int
    var: Var
    indices: tuple[Expr, ...] | None


@mutable
class _Point:
    """What has changed since each epoch that may be read here, and which loops each epoch lies in."""

    changed: dict[int, set[Var]]
    loops: dict[int, frozenset[int]]
    inside: frozenset[int] = frozenset()

    def copy(self) -> _Point:
        return _Point({epoch: set(since) for epoch, since in self.changed.items()}, dict(self.loops), self.inside)

    def assigned(self, var: Var) -> None:
        for since in self.changed.values():
            since.add(var)

    def passed(self, epoch: int) -> None:
        self.changed[epoch] = set()
        self.loops[epoch] = self.inside


@mutable
class _Saver:
    locals: dict[_Need, Var] = field(factory=dict)
    loop_ids: int = 0

    def block(self, body: tuple[Stmt, ...], at: _Point) -> tuple[Stmt, ...]:
        return tuple(self.stmt(stmt, at) for stmt in body)

    def stmt(self, stmt: Stmt, at: _Point) -> Stmt:
        match stmt:
            case Assign(var, indices, value, epoch):
                indices, value = tuple(self.expr(index, at) for index in indices), self.expr(value, at)
                at.assigned(var)
                at.passed(epoch)
                return evolve(stmt, indices=indices, value=value)
            case If(cond, then, orelse, epoch):
                cond = self.expr(cond, at)
                ends = at.copy(), at.copy()
                then, orelse = self.block(then, ends[0]), self.block(orelse, ends[1])
                for since in (*_assigned(stmt.then), *_assigned(stmt.orelse)):
                    at.assigned(since)
                at.passed(epoch)
                return evolve(stmt, cond=cond, then=then, orelse=orelse)
            case For(var, looped, head, epoch):
                for since in _assigned(looped):
                    at.assigned(since)
                inner = at.copy()
                inner.inside = at.inside | {var.id}
                inner.passed(head)
                looped = self.block(looped, inner)
                at.passed(epoch)
                return evolve(stmt, body=looped)
            case Note():
                return stmt
            case _:
                assert_never(stmt)

    def expr(self, expr: Expr, at: _Point) -> Expr:
        if not isinstance(expr, Read) or expr.var not in at.changed[expr.epoch]:
            again = rebuild(expr, lambda child: self.expr(child, at))
            return evolve(again, epoch=0) if isinstance(again, Read) else again
        element = all(_is_known_at(index, expr.epoch, at.loops[expr.epoch]) for index in expr.indices)
        need = _Need(expr.epoch, expr.var, expr.indices if element else None)
        if need not in self.locals:
            self.locals[need] = self.local(need)
        live = None if expr.live is None else self.expr(expr.live, at)
        indices = () if element else tuple(self.expr(index, at) for index in expr.indices)
        return evolve(expr, var=self.locals[need], indices=indices, epoch=0, live=live)

    def local(self, need: _Need) -> Var:
        """Named after what it remembers and when; an element by the number of the local too."""
        stem = f"old {need.var.name}" if need.epoch == 0 else f"{need.var.name} then"
        number = sum(other.var == need.var for other in self.locals) + 1
        name = f"{stem} {number}" if number > 1 else stem
        if need.indices is not None:
            return Var(name, need.var.sort, (), (need.var.sort.zero,))
        return Var(name, need.var.sort, need.var.dims, (need.var.sort.zero,) * need.var.count)

    # Where the saves go

    def with_saves(self, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """The block, with the saves of each epoch behind the statement that ends in it."""
        made: list[Stmt] = []
        for stmt in body:
            match stmt:
                case If(then=then, orelse=orelse, epoch=epoch):
                    made += [evolve(stmt, then=self.with_saves(then), orelse=self.with_saves(orelse))]
                case For(body=looped, head=head, epoch=epoch):
                    made += [evolve(stmt, body=(*self.saves(head), *self.with_saves(looped)))]
                case Assign(epoch=epoch):
                    made += [stmt]
                case Note():
                    made += [stmt]
                    continue
                case _:
                    assert_never(stmt)
            made += self.saves(epoch)
        return tuple(made)

    def saves(self, epoch: int) -> Iterator[Stmt]:
        for need, local in self.locals.items():
            if need.epoch == epoch:
                if need.indices is not None:
                    yield Assign(local, (), Read(need.var, need.indices), epoch)
                else:
                    yield self.copied(need.var, local, epoch, need.var.dims, ())

    def copied(
        self, var: Var, local: Var, epoch: int, dims: tuple[IndexSort, ...], indices: tuple[LoopVar, ...]
    ) -> Stmt:
        if not dims:
            return Assign(local, indices, Read(var, indices), epoch)
        self.loop_ids -= 1
        loop = LoopVar(self.loop_ids, dims[0].name.lower(), dims[0])
        return For(loop, (self.copied(var, local, epoch, dims[1:], (*indices, loop)),), epoch, epoch)


def current(action: Action) -> Current:
    """The action with values saved for later, instead of epochs."""
    saver = _Saver()
    start = _Point({0: set()}, {0: frozenset()})
    body = saver.block(action.body, start)
    body = (*saver.saves(0), *saver.with_saves(body))
    return Current(evolve(action, body=body), {local: need.var for need, local in saver.locals.items()})


def _assigned(body: tuple[Stmt, ...]) -> Iterator[Var]:
    return (stmt.var for stmt in statements(body) if isinstance(stmt, Assign))


def _is_known_at(index: Expr, epoch: int, loops: frozenset[int]) -> bool:
    """Whether the index has a value at that epoch, and asking for it there breaks nothing."""
    if not isinstance(index.sort, IndexSort):
        return False
    match index:
        case Const() | Param():
            return True
        case LoopVar(id=number):
            return number in loops
        case Read(indices=indices, live=None):
            return index.epoch == epoch and all(_is_known_at(each, epoch, loops) for each in indices)
        case _:
            return False
