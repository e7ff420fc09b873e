"""The places of an action's body and expressions where a mistake can be, each with what stands there instead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from attrs import evolve

from fencepost.errors import Location
from fencepost.ir.expr import TRUE, And, Compare, Const, Expr, Ite, Quantified, Quantifier, Read, Relation, negate
from fencepost.ir.show import ONE, ZERO, show_expr
from fencepost.ir.sorts import IntSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import children, rebuild, substitute, walk

Block = tuple[Stmt, ...]
Place = tuple[Block, Stmt, str]
"""The body with the mistake in it, the statement that it is at, and the mistake in words."""


def conjuncts(cond: Expr) -> tuple[Expr, ...]:
    """The operands of a conjunction, or the condition alone."""
    return cond.operands if isinstance(cond, And) else (cond,)


def blocks(body: Block, change: Callable[[Block, int], Iterator[tuple[Block, str]]]) -> Iterator[Place]:
    """What `change` makes of each place of the body, nested blocks included; resets of dead fields are passed over.

    `change` is given a block and a position in it, and gives the block as it is with each mistake there.
    """
    for i, stmt in enumerate(body):
        if is_reset(stmt):
            continue
        for block, words in change(body, i):
            yield block, stmt, words
        match stmt:
            case If(then=then, orelse=orelse):
                for block, where, words in blocks(then, change):
                    yield _with(body, i, evolve(stmt, then=block)), where, words
                for block, where, words in blocks(orelse, change):
                    yield _with(body, i, evolve(stmt, orelse=block)), where, words
            case For(body=inner):
                for block, where, words in blocks(inner, change):
                    yield _with(body, i, evolve(stmt, body=block)), where, words
            case Assign() | Note():
                pass
            case _:
                assert_never(stmt)


def is_reset(stmt: Stmt) -> bool:
    """Whether the statement only makes dead fields zero: the language writes it, on no line of its own."""
    if isinstance(stmt, Assign):
        return stmt.resets
    return isinstance(stmt, If) and not stmt.orelse and bool(stmt.then) and all(_zeroes(s, stmt.at) for s in stmt.then)


def _zeroes(stmt: Stmt, at: Location | None) -> bool:
    match stmt:
        case Assign(var=var, value=value):
            return stmt.at == at and value == Const(var.sort.zero, var.sort)
        case If(cond=cond, then=(), orelse=()):
            return cond == TRUE  # of a variable that was folded away
        case For(body=body):
            return bool(body) and all(_zeroes(inner, at) for inner in body)
        case If() | Note():
            return False
        case _:
            assert_never(stmt)


def _with(body: Block, i: int, stmt: Stmt) -> Block:
    return (*body[:i], stmt, *body[i + 1 :])


def nothing(epoch: int) -> If:
    """A statement that changes nothing, but whose epoch later reads may name."""
    return If(TRUE, (), (), epoch)


def drops(body: Block, i: int) -> Iterator[tuple[Block, str]]:
    """Without the assignment there."""
    stmt = body[i]
    if isinstance(stmt, Assign) and not stmt.var.ghost:
        yield _with(body, i, nothing(stmt.epoch)), f"`{shown(stmt)}` left out"


def negations(body: Block, i: int) -> Iterator[tuple[Block, str]]:
    """With the branch there the other way round, if it decides more than ghost state."""
    stmt = body[i]
    if isinstance(stmt, If) and (stmt.then or stmt.orelse) and not ghostly((stmt,)):
        words = f"the branch on `{show_expr(stmt.cond)}` taken where that does not hold"
        yield _with(body, i, evolve(stmt, cond=negate(stmt.cond))), words


def ghostly(body: Block) -> bool:
    """Whether the statements change ghost state alone."""
    for stmt in body:
        match stmt:
            case Assign(var=var):
                if not var.ghost:
                    return False
            case If(then=then, orelse=orelse):
                if not ghostly(then) or not ghostly(orelse):
                    return False
            case For(body=inner):
                if not ghostly(inner):
                    return False
            case Note():
                pass
            case _:
                assert_never(stmt)
    return True


def swaps(body: Block, i: int) -> Iterator[tuple[Block, str]]:
    """With the assignment there and the one after it in the other order, where that can matter."""
    if i + 1 >= len(body):
        return
    first, second = body[i], body[i + 1]
    if not isinstance(first, Assign) or not isinstance(second, Assign) or first.var.ghost or second.var.ghost:
        return
    before = _epoch_before(body, i)
    if not (first.var == second.var or _reads(second, first) or _reads_same_line(first, second, before)):
        return
    earlier = evolve(_at_epoch(second, {first.epoch: before}, None), epoch=first.epoch)
    later = evolve(_at_epoch(first, {before: first.epoch}, first.at), epoch=second.epoch)
    words = f"`{shown(first)}` and `{shown(second)}` in the other order"
    yield (*body[:i], earlier, later, *body[i + 2 :]), words


def _epoch_before(body: Block, i: int) -> int:
    """The epoch of the state before a statement of a block; that before the block cannot be told from it, so 0."""
    for stmt in reversed(body[:i]):
        if not isinstance(stmt, Note):
            return stmt.epoch
    return 0


def _reads(stmt: Assign, other: Assign) -> bool:
    return any(
        isinstance(node, Read) and node.var == other.var and node.epoch == other.epoch
        for expr in (*stmt.indices, stmt.value)
        for node in walk(expr)
    )


def _reads_same_line(stmt: Assign, other: Assign, epoch: int) -> bool:
    return any(
        isinstance(node, Read) and node.var == other.var and node.epoch == epoch and node.at == stmt.at
        for expr in (*stmt.indices, stmt.value)
        for node in walk(expr)
    )


def _at_epoch(stmt: Assign, epochs: dict[int, int], line: Location | None) -> Assign:
    """The assignment with its reads at other epochs; with `line`, only those that were written on it."""

    def replace(node: Expr) -> Expr | None:
        if not isinstance(node, Read) or node.epoch not in epochs or (line is not None and node.at != line):
            return None
        indices = tuple(substitute(index, replace) for index in node.indices)
        live = None if node.live is None else substitute(node.live, replace)
        return evolve(node, indices=indices, live=live, epoch=epochs[node.epoch])

    indices = tuple(substitute(index, replace) for index in stmt.indices)
    return evolve(stmt, indices=indices, value=substitute(stmt.value, replace))


def numbers(body: Block, i: int) -> Iterator[tuple[Block, str]]:
    """With a number of the statement there one more or one less."""
    stmt = body[i]
    match stmt:
        case Assign(var=var, indices=indices, value=value) if not var.ghost:
            for new, words in off_by_one(value):
                if not isinstance(new, Const) or var.sort.lo <= new.value <= var.sort.hi:
                    yield _with(body, i, evolve(stmt, value=new)), f"{words} in `{shown(stmt)}`"
            for k, index in enumerate(indices):
                for new, words in off_by_one(index):
                    changed = (*indices[:k], new, *indices[k + 1 :])
                    yield _with(body, i, evolve(stmt, indices=changed)), f"{words} in `{shown(stmt)}`"
        case If(cond=cond) if not ghostly((stmt,)):
            for new, words in off_by_one(cond):
                yield _with(body, i, evolve(stmt, cond=new)), f"{words} in the branch on `{show_expr(cond)}`"
        case _:
            return


def off_by_one(expr: Expr) -> Iterator[tuple[Expr, str]]:
    """The expression with one of its numbers, or of its bounds, off by one."""
    match expr:
        case Const(value, IntSort()):
            for new in (value - 1, value + 1):
                yield Const(new, IntSort(new, new)), f"{value} as {new}"
            return
        case Compare(relation, left, right) if relation is not Relation.EQ:
            other = Relation.LE if relation is Relation.LT else Relation.LT
            words = f"`{show_expr(expr)}` as `{show_expr(evolve(expr, relation=other))}`"
            yield Compare(other, left, right), words
            if isinstance(left, Const) or isinstance(right, Const):
                # One more or less of the number is the other comparison, or takes it further the same way.
                yield from _inside(expr, skip=lambda child: isinstance(child, Const))
                return
        case Quantified(Quantifier.SUM, _, Ite(_, then, orelse)) if (then, orelse) == (ONE, ZERO):
            yield from _counted(expr)
            return
        case _:
            pass
    yield from _inside(expr)


def _counted(expr: Quantified) -> Iterator[tuple[Expr, str]]:
    """Of a count, its condition alone."""
    assert isinstance(expr.body, Ite)
    for cond, words in off_by_one(expr.body.cond):
        yield evolve(expr, body=evolve(expr.body, cond=cond)), words


def _inside(expr: Expr, skip: Callable[[Expr], bool] = lambda _: False) -> Iterator[tuple[Expr, str]]:
    operands = expr.indices if isinstance(expr, Read) else children(expr)  # when a field is live is no code
    for k, operand in enumerate(operands):
        if not skip(operand):
            for new, words in off_by_one(operand):
                yield _replaced(expr, k, new), words


def _replaced(expr: Expr, k: int, new: Expr) -> Expr:
    """The node with another operand in one place."""
    count = -1

    def change(old: Expr) -> Expr:
        nonlocal count
        count += 1
        return new if count == k else old

    return rebuild(expr, change)


def shown(stmt: Assign) -> str:
    """An assignment as it would be written."""
    return f"{stmt.var.subscripted(*map(show_expr, stmt.indices))} = {show_expr(stmt.value)}"
