"""Looking at every state: which actions fired, which conjunct alone blocked, which branch was taken, which twin met.

A conjunct of a guard that never is the only one in the way could as well not be there, at these sizes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import assert_never

from attrs import evolve, frozen

from fencepost.errors import Location, UsageError
from fencepost.exec.codegen import compile_steps, compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.explore.interpreted import Interpreted
from fencepost.ir.expr import And, Const, Expr, Not, Param, Var
from fencepost.ir.model import Action, GuardKind, Model
from fencepost.ir.show import show_expr
from fencepost.ir.sorts import BOOL, IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import epochs, statements, substitute

_BATCH = 4096

MOST = 200_000
"""States that are looked at unless more are asked for."""


@frozen
class ActionCover:
    """How many of its steps were taken."""

    name: str
    at: Location | None
    fired: int


@frozen
class PartCover:
    """One conjunct of a guard: whether it ever was the only one that kept its action from a step."""

    action: str
    guard: str
    kind: GuardKind
    text: str
    at: Location | None
    alone: bool


@frozen
class BranchCover:
    """One branch: whether a step ever went into it, and past it (or into its alternative)."""

    action: str
    text: str
    at: Location | None
    taken: bool
    passed: bool


@frozen
class PropertyCover:
    """Whether the situation that a property speaks of was reached."""

    name: str
    at: Location | None
    reached: bool


@frozen
class Coverage:
    """All of that, over so many states; `complete` says that these are all reachable ones."""

    model: Model
    states: int
    depth: int
    complete: bool
    actions: tuple[ActionCover, ...]
    parts: tuple[PartCover, ...]
    branches: tuple[BranchCover, ...]
    properties: tuple[PropertyCover, ...]

    def holes(self) -> Iterator[tuple[Location | None, str]]:
        """What never happened: where it is written, and a line on it. A bound is no code, so none is a hole.

        Of an action that never fires nothing more is said.
        """
        idle = {action.name for action in self.actions if not action.fired}
        for action in self.actions:
            if not action.fired:
                yield action.at, f"{action.name} never fires"
        for part in self.parts:
            if not part.alone and part.kind is GuardKind.REQUIRE and part.action not in idle:
                yield part.at, f'{part.action}: `{part.text}` of "{part.guard}" never is the only one in the way'
        for branch in (branch for branch in self.branches if branch.action not in idle):
            if not branch.taken:
                yield branch.at, f"{branch.action}: the branch on `{branch.text}` is never taken"
            if not branch.passed:
                yield branch.at, f"{branch.action}: the branch on `{branch.text}` is always taken"
        for prop in self.properties:
            if not prop.reached:
                yield prop.at, f"{prop.name}: its situation never happens"


def collect(model: Model, depth: int | None, most: int = MOST) -> Coverage:
    """Explore a model and see what never happens in it.

    Raises:
        UsageError: it has more states than `most`.
    """
    search = Interpreted.begin(model, model.properties)
    reached, complete = 0, False
    while True:
        for _ in search.look():
            pass
        if reached == depth:
            break
        for _ in search.expand():
            pass
        if search.count > most:
            raise UsageError(
                f"more than {most:,} states: give smaller sizes, fewer features, a --depth, or a larger --most"
            )
        if not search.advance():
            complete = True
            break
        reached += 1
    states = list(search.parents)
    outcome = search.outcome(model)
    return Coverage(
        model,
        len(states),
        reached,
        complete,
        tuple(ActionCover(one.name, one.at, outcome.actions[one.name].fired) for one in model.actions),
        tuple(_parts(model, states)),
        tuple(_branches(model, states if complete else states[: len(states) - search.frontier])),
        tuple(PropertyCover(prop.name, prop.at, prop.name in outcome.twins) for prop in model.properties),
    )


def _conjuncts(action: Action) -> list[tuple[int, Expr]]:
    """The number of its guard, and the conjunct, in the order in which they are evaluated."""
    found: list[tuple[int, Expr]] = []
    for number, guard in enumerate(action.guards):
        operands = guard.cond.operands if isinstance(guard.cond, And) else (guard.cond,)
        found += [(number, operand) for operand in operands]
    return found


def _parts(model: Model, states: Sequence[int]) -> Iterator[PartCover]:
    owners: list[tuple[str, int]] = []
    watches: list[Watch] = []
    for action in model.actions:
        parts = [cond for _, cond in _conjuncts(action)]
        for args in itertools.product(*(param.sort.values() for param in action.params)):
            values = {param: Const(value, param.sort) for param, value in zip(action.params, args, strict=True)}

            def given(node: Expr, values: dict[Param, Const] = values) -> Expr | None:
                return values.get(node) if isinstance(node, Param) else None

            closed = [substitute(part, given) for part in parts]
            for k, part in enumerate(closed):
                alone = (*closed[:k], Not(part), *closed[k + 1 :])
                owners.append((action.name, k))
                watches.append(Watch(action.name, And(alone) if len(alone) > 1 else alone[0], True))
    hit = _hits(model, states, owners, watches) if watches else set()
    for action in model.actions:
        for k, (number, cond) in enumerate(_conjuncts(action)):
            guard = action.guards[number]
            yield PartCover(action.name, guard.name, guard.kind, show_expr(cond), guard.at, (action.name, k) in hit)


def _hits(
    model: Model, states: Sequence[int], owners: Sequence[tuple[str, int]], watches: Sequence[Watch]
) -> set[tuple[str, int]]:
    """The conjuncts that some state has alone in the way, for some arguments; each is looked for until found."""
    check = compile_watches(Layout.of(model), watches).check
    found: set[tuple[str, int]] = set()

    def report(_state: int, number: int, obligation: int) -> None:
        if obligation < 0:  # where what follows cannot be evaluated, the conjunct is not the only one in the way
            found.add(owners[number])

    for first in range(0, len(states), _BATCH):
        active = [owner not in found for owner in owners]
        if not any(active):
            break
        check(states[first : first + _BATCH], report, active)
    return found


def _branches(model: Model, states: Sequence[int]) -> Iterator[BranchCover]:
    """Steps are taken again with a bit of the state for each side of each branch, which it sets on its way."""
    sites = [(action, stmt) for action in model.actions for stmt in statements(action.body) if _counts(stmt)]
    if not sites:
        return
    marks = IndexSort("branch side", 2 * len(sites))
    var = Var("branch sides", BOOL, (marks,), (0,) * marks.count)
    numbers = {(action.name, id(stmt)): n for n, (action, stmt) in enumerate(sites)}
    actions = tuple(_marked(action, var, numbers) for action in model.actions)
    wide = evolve(model, vars=(*model.vars, var), actions=actions, properties=())
    successors, shift = compile_steps(wide).successors, Layout.of(model).bits
    seen, every = 0, (1 << marks.count) - 1
    for state in states:
        for _, after in successors(state)[0]:
            seen |= after >> shift
        if seen == every:
            break
    for n, (action, stmt) in enumerate(sites):
        assert isinstance(stmt, If)
        taken, passed = bool(seen >> 2 * n & 1), bool(seen >> 2 * n + 1 & 1)
        yield BranchCover(action.name, show_expr(stmt.cond), stmt.at, taken, passed)


def _counts(stmt: Stmt) -> bool:
    """Whether it is a branch that was written: one that only makes dead fields zero has no line of its own."""
    if not isinstance(stmt, If) or not (stmt.then or stmt.orelse):
        return False
    return not (stmt.then and not stmt.orelse and all(isinstance(s, Assign) and s.at == stmt.at for s in stmt.then))


def _marked(action: Action, var: Var, numbers: dict[tuple[str, int], int]) -> Action:
    fresh = itertools.count(1 + max([0, *epochs(action.body)]))

    def mark(side: int) -> Assign:
        return Assign(var, (Const(side, var.dims[0]),), Const(1, BOOL), next(fresh))

    def block(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(map(change, body))

    def change(stmt: Stmt) -> Stmt:
        match stmt:
            case If(then=then, orelse=orelse):
                n = numbers.get((action.name, id(stmt)))
                then, orelse = block(then), block(orelse)
                if n is not None:
                    then, orelse = (mark(2 * n), *then), (mark(2 * n + 1), *orelse)
                return evolve(stmt, then=then, orelse=orelse)
            case For(body=inner):
                return evolve(stmt, body=block(inner))
            case Assign() | Note():
                return stmt
            case _:
                assert_never(stmt)

    return evolve(action, body=block(action.body))
