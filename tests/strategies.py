"""Random IR: small valid models of every construct, and arbitrary states of them.

Built from the nodes themselves, not through the language, so that every reader of the IR is tried
on shapes that no protocol of ours happens to use.
"""

from __future__ import annotations

from typing import assert_never

from attrs import evolve, mutable
from hypothesis import strategies as st

from fencepost.exec.interpreter import State
from fencepost.ir.expr import Add, Compare, Const, Expr, Ite, Not, Param, Read, Relation, SetWith, Sub, Var
from fencepost.ir.model import Action, Actor, Fairness, Guard, GuardKind, Kind, Model, Property
from fencepost.ir.sorts import BOOL, BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from tests.random_expr import HANDLE, LOOP_SORTS, PHASE, QUEUE, SCALARS, ExprMaker, Scope, upto

MAX_STATES = 1 << 18
"""The product of all variables' sorts stays below this, whatever is reachable of it."""
MAX_INSTANCES = 8
"""Choices of arguments of one action."""

DIMS: tuple[tuple[IndexSort, ...], ...] = ((), (QUEUE,), (HANDLE,), (QUEUE, QUEUE), (QUEUE, HANDLE))
PARAM_SORTS: tuple[Sort, ...] = (QUEUE, HANDLE, BOOL, PHASE, IntSort(-1, 1), OptionSort(QUEUE), SetSort(QUEUE))


@mutable
class _ModelMaker(ExprMaker):
    """Makes statements, actions and properties; the counters are per action."""

    epochs: int = 0
    statements: int = 0
    """How many more statements this action may have."""
    nesting: int = 0

    def fresh_epoch(self) -> int:
        self.epochs += 1
        return self.epochs

    def block(self, scope: Scope, least: int = 0) -> tuple[tuple[Stmt, ...], Scope]:
        """Statements one after the other, and what may be referred to after them."""
        made: list[Stmt] = []
        while len(made) < least or (self.statements > 0 and self.chance(3, 4)):
            self.statements -= 1
            stmt = self.statement(scope)
            made.append(stmt)
            if not isinstance(stmt, Note):
                scope = evolve(scope, epochs=(*scope.epochs, stmt.epoch))
        return tuple(made), scope

    def statement(self, scope: Scope) -> Stmt:
        choice = self.draw(upto(9))
        if choice >= 8 and self.nesting < 2:
            return self.loop(scope)
        if choice >= 6 and self.nesting < 2:
            return self.branch(scope)
        if choice == 5:
            return self.note(evolve(scope, ghosts=True))
        return self.assign(scope)

    def assign(self, scope: Scope) -> Stmt:
        targets = [v for v in self.vars if v.ghost or not scope.ghost_only]
        var = self.pick(targets)
        inner = evolve(scope, ghosts=var.ghost)
        indices = tuple(self.subscript(dim, 1, inner) for dim in var.dims)
        return Assign(var, indices, self.value(var, indices, inner), self.fresh_epoch())

    def value(self, var: Var, indices: tuple[Expr, ...], scope: Scope) -> Expr:
        """Often a step on from the old value, so that runs are long; else anything."""
        given = scope.named(var.sort)
        if given and self.chance(1, 2):
            return self.pick(given)
        if self.chance(1, 3):
            return self.expr(var.sort, 2, scope)
        sort, old = var.sort, Read(var, indices, self.pick(scope.epochs))
        match sort:
            case BoolSort():
                return Not(old)
            case IntSort():
                return self.count(sort, old)
            case SetSort(of):
                return SetWith(old, self.index(of, 1, scope), not self.chance(1, 2))
            case EnumSort() | IndexSort() | OptionSort():
                return Ite(self.boolean(1, scope), self.const(sort), self.expr(sort, 0, scope), sort)
            case _:
                assert_never(sort)

    def count(self, sort: IntSort, old: Read) -> Expr:
        """Wraps at the end of the range, or walks out of it."""
        one, lo, hi = Const(1, IntSort(1, 1)), Const(sort.lo, sort), Const(sort.hi, sort)
        match self.draw(upto(4)):
            case 0 | 1 | 2:
                return Ite(Compare(Relation.LT, old, hi), Add(old, one), lo, IntSort(sort.lo, sort.hi + 1))
            case 3:
                return Add(old, one)
            case _:
                return Sub(old, one)

    def branch(self, scope: Scope) -> If:
        ghost = scope.ghost_only or (any(v.ghost for v in self.vars) and self.chance(1, 4))
        cond = self.boolean(2, evolve(scope, ghosts=ghost))
        inner = evolve(scope, ghost_only=ghost)
        self.nesting += 1
        then, _ = self.block(inner, least=1)
        orelse, _ = self.block(inner)
        self.nesting -= 1
        return If(cond, then, orelse, self.fresh_epoch())

    def loop(self, scope: Scope) -> For:
        var, head = self.fresh_loop(self.pick(LOOP_SORTS)), self.fresh_epoch()
        self.nesting += 1
        inner = evolve(scope, loops=(*scope.loops, var), epochs=(*scope.epochs, head))
        body, _ = self.block(inner, least=1)
        self.nesting -= 1
        return For(var, body, head, self.fresh_epoch())

    def note(self, scope: Scope) -> Note:
        subject = self.index(HANDLE, 1, scope) if self.chance(1, 2) else None
        if self.chance(1, 2):
            return Note("is {}", (self.expr(self.pick(SCALARS), 1, scope),), subject)
        return Note("happens", (), subject)

    # Declarations

    def declare(self) -> tuple[Var, ...]:
        """Two to six variables whose state space stays small."""
        made: list[Var] = []
        total = 1
        for number in range(3 + self.draw(upto(3))):
            sort, dims = self.pick(SCALARS), self.pick((*DIMS[:1], *DIMS))
            room = MAX_STATES // total
            if sort.size ** Var("", sort, dims).count > room:
                dims = ()
            if sort.size > room:
                sort = BOOL
            shape = Var(f"x{number}[].f" if len(dims) == 2 else f"x{number}", sort, dims)
            init = tuple(self.const(sort).value for _ in range(shape.count))
            made.append(evolve(shape, init=init, ghost=number > 1 and self.chance(1, 4)))
            total *= sort.size**shape.count
            if total * 2 > MAX_STATES:
                break
        return tuple(made)

    def action(self, number: int) -> Action:
        self.loop_ids = self.epochs = 0
        self.statements = 5
        params: list[Param] = []
        room, sorts = MAX_INSTANCES, [v.sort for v in self.vars]
        for name in ("p", "q")[: self.pick((1, 0, 1, 2))]:
            sort = self.pick([s for s in (*PARAM_SORTS, *sorts) if s.size <= room] or [IntSort(0, 0)])
            room //= sort.size
            params.append(Param(name, sort))
        scope = Scope(tuple(params))
        kinds = [GuardKind.REQUIRE] * self.pick((0, 0, 1, 0, 1, 2)) + [GuardKind.BOUND] * self.chance(1, 4)
        guards = tuple(Guard(f"g{i}", self.guard(scope), kind) for i, kind in enumerate(kinds))
        body, _ = self.block(scope, least=self.pick((1, 2, 3)))
        actor = Actor("worker", params[0].name if params and self.chance(1, 2) else None)
        kind, fair = self.pick(tuple(Kind)), self.pick(tuple(Fairness))
        return Action(f"act{number}", tuple(params), guards, body, actor, f"f{number}()", kind, fair)

    def guard(self, scope: Scope) -> Expr:
        """Half of them hold in most states, else nothing would ever fire."""
        if self.chance(1, 2):
            return self.boolean(2, scope)
        var = self.pick([v for v in self.vars if not v.ghost])
        other = [value for value in var.sort.values() if value not in var.init] or [var.sort.lo]
        return Not(Compare(Relation.EQ, self.read(var, 0, scope), Const(self.pick(other), var.sort)))

    def property(self, number: int) -> Property:
        self.loop_ids = 0
        scope = Scope(ghosts=True)
        holds, twin = self.boolean(3, scope), self.boolean(2, scope)
        return Property(f"prop{number}", holds, twin, "It holds.", "f()")


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Small valid models: two to four actions, one or two properties, mostly a few hundred states at most."""
    maker = _ModelMaker(draw)
    maker.vars = maker.declare()
    actions = tuple(maker.action(number) for number in range(maker.pick((2, 3, 4, 4))))
    properties = tuple(maker.property(number) for number in range(1 + maker.draw(upto(1))))
    return Model("random", None, (), (), maker.vars, actions, properties)


@st.composite
def states(draw: st.DrawFn, model: Model) -> State:
    """Any well-sorted state of the model, reachable or not."""
    return tuple(
        tuple(var.sort.lo + draw(upto(var.sort.hi - var.sort.lo)) for _ in range(var.count)) for var in model.vars
    )
