"""Mistakes of atomicity: an action in two steps, and two actions in one."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from fencepost.ir.expr import TRUE, Const, Expr, LoopVar, Param, Quantified, Read, Var, conj, negate
from fencepost.ir.model import Action, Guard, Kind, Model
from fencepost.ir.sorts import BOOL, IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import epochs, map_statement, statements, substitute, walk
from fencepost.mutate.mutant import Change, Operator
from fencepost.mutate.sites import ghostly, is_reset, shown

Block = tuple[Stmt, ...]


def rest_of(action: str) -> str:
    """The name of the second half of an action."""
    return f"rest of {action}"


def split(model: Model, action: Action) -> Iterator[Change]:
    """The action cut in two before each statement of its body that can be a step of its own.

    Whoever takes it is in between then: none of its own actions but the rest of this one can be taken.
    """
    lane = next((param for param in action.params if param.name == action.actor.lane), None)
    if (action.actor.lane is not None and lane is None) or (lane is not None and not isinstance(lane.sort, IndexSort)):
        return
    for cut in range(1, len(action.body)):
        before, after = action.body[:cut], action.body[cut:]
        if ghostly(before) or ghostly(after) or is_reset(action.body[cut]) or isinstance(action.body[cut], Note):
            continue
        rest = _starting_anew(before, after)
        if rest is None:
            continue
        at = action.body[cut].at
        last = next(stmt for stmt in reversed(before) if not isinstance(stmt, Note))
        words = f"others come in between, after {_told(last)}"
        changed, made = _cut(model, action, lane, before, rest)
        yield Change(Operator.SPLIT, words, at or action.at, made, action.name, changed, added=True)


def _told(stmt: Stmt) -> str:
    match stmt:
        case Assign():
            return f"`{shown(stmt)}`"
        case If(at=at):
            return "the branch" + ("" if at is None else f" of line {at.line}")
        case _:
            return "the loop"


def _starting_anew(before: Block, after: Block) -> Block | None:
    """The second half as a step of its own; None if it uses what was read before the first half changed it."""
    assigned = {stmt.var for stmt in statements(before) if isinstance(stmt, Assign)}
    passed = {0, *epochs(before)}
    end = next((stmt.epoch for stmt in reversed(before) if not isinstance(stmt, Note)), 0)
    kept = [stmt for stmt in after if not isinstance(stmt, Note)]
    for stmt in statements(tuple(kept)):
        for node in _nodes(stmt):
            if isinstance(node, Read) and node.epoch in passed and node.epoch != end and node.var in assigned:
                return None

    def replace(node: Expr) -> Expr | None:
        if not isinstance(node, Read) or node.epoch not in passed:
            return None
        indices = tuple(substitute(index, replace) for index in node.indices)
        live = None if node.live is None else substitute(node.live, replace)
        return evolve(node, indices=indices, live=live, epoch=0)

    return tuple(map_statement(stmt, replace) for stmt in kept)


def _nodes(stmt: Stmt) -> Iterator[Expr]:
    match stmt:
        case Assign(indices=indices, value=value):
            for expr in (*indices, value):
                yield from walk(expr)
        case If(cond=cond):
            yield from walk(cond)
        case _:
            return


def _cut(model: Model, action: Action, lane: Param | None, before: Block, rest: Block) -> tuple[tuple[str, ...], Model]:
    dims = () if lane is None else (lane.sort,)
    assert all(isinstance(dim, IndexSort) for dim in dims)
    count = 1 if lane is None else lane.sort.size

    def var(name: str, sort: object, start: int) -> Var:
        return Var(f"between.{name}", sort, dims, (start,) * count)  # type: ignore[arg-type]

    here = var("here", BOOL, 0)
    others = [param for param in action.params if param is not lane]
    kept = {param: var(param.name, param.sort, param.sort.zero) for param in others}
    own = () if lane is None else (lane,)
    inside = Read(here, own)
    fresh = max([0, *epochs(action.body)]) + 1
    entering = [Assign(here, own, Const(1, BOOL), fresh)]
    entering += [Assign(kept[param], own, param, fresh + 1 + i) for i, param in enumerate(others)]
    leaving = [Assign(here, own, Const(0, BOOL), fresh)]
    leaving += [Assign(kept[p], own, Const(p.sort.zero, p.sort), fresh + 1 + i) for i, p in enumerate(others)]

    def remembered(node: Expr) -> Expr | None:
        return Read(kept[node], own) if isinstance(node, Param) and node in kept else None

    second = Action(
        rest_of(action.name),
        own,
        (Guard("in between", inside),),
        (*(map_statement(stmt, remembered) for stmt in rest), *leaving),
        action.actor,
        action.src,
        Kind.PROGRESS,
        at=action.at,
    )
    first = evolve(action, body=(*before, *entering))
    changed = [action.name, second.name]
    actions: list[Action] = []
    for each in model.actions:
        one = first if each.name == action.name else each
        own_lane = next((param for param in each.params if param.name == each.actor.lane), None)
        same = each.actor.name == action.actor.name and (own_lane is None) == (lane is None)
        if same and (own_lane is None or lane is None or own_lane.sort == lane.sort):
            free = Guard("not in between", negate(Read(here, () if own_lane is None else (own_lane,))))
            one = evolve(one, guards=(free, *one.guards))
            changed.append(each.name)
        actions.append(one)
        if each.name == action.name:
            actions.append(second)
    made = evolve(model, vars=(*model.vars, here, *kept.values()), actions=tuple(actions))
    return tuple(dict.fromkeys(changed)), made


def merged(model: Model, action: Action) -> Iterator[Change]:
    """The action with each later one of its thread taken at once, wherever that one can be taken then."""
    names = {param.name: param for param in action.params}
    for other in model.actions:
        if other is action or other.actor != action.actor:
            continue
        if any(names.get(param.name) != param for param in other.params) or not _leads_to(action, other):
            continue
        body = (*(stmt for stmt in action.body if not isinstance(stmt, Note)), *_then(action, other))
        merged_action = evolve(action, body=body)
        actions = tuple(merged_action if one is action else one for one in model.actions)
        words = f"{other.name} taken in the same step, where it can be"
        made = evolve(model, actions=actions)
        yield Change(Operator.MERGE, words, action.at, made, action.name, (action.name,))


def _leads_to(action: Action, other: Action) -> bool:
    """Whether the action assigns what a guard of the other asks for."""
    assigned = {stmt.var for stmt in statements(action.body) if isinstance(stmt, Assign)}
    return any(isinstance(node, Read) and node.var in assigned for guard in other.guards for node in walk(guard.cond))


def _then(action: Action, other: Action) -> Block:
    """The other action's body under its guards, at the end of the action."""
    top = [stmt for stmt in action.body if not isinstance(stmt, Note)]
    end = top[-1].epoch if top else 0
    first = max([0, *epochs(action.body)]) + 1
    renumbered = {0: end, **{epoch: first + 1 + i for i, epoch in enumerate(epochs(other.body))}}
    offset = 1 + max([0, *_loops(action)])

    def replace(node: Expr) -> Expr | None:
        match node:
            case Read():
                indices = tuple(substitute(index, replace) for index in node.indices)
                live = None if node.live is None else substitute(node.live, replace)
                return evolve(node, indices=indices, live=live, epoch=renumbered[node.epoch])
            case LoopVar():
                return evolve(node, id=node.id + offset)
            case Quantified(quantifier, var, body):
                return Quantified(quantifier, evolve(var, id=var.id + offset), substitute(body, replace))
            case _:
                return None

    def numbered(stmt: Stmt) -> Stmt:
        """With other epochs and loops, the expressions left alone."""
        match stmt:
            case Assign(epoch=epoch):
                return evolve(stmt, epoch=renumbered[epoch])
            case If(epoch=epoch, then=then, orelse=orelse):
                return evolve(
                    stmt, epoch=renumbered[epoch], then=tuple(map(numbered, then)), orelse=tuple(map(numbered, orelse))
                )
            case For(var=var, head=head, epoch=epoch, body=body):
                loop = evolve(var, id=var.id + offset)
                return evolve(
                    stmt, var=loop, head=renumbered[head], epoch=renumbered[epoch], body=tuple(map(numbered, body))
                )
            case _:
                return stmt

    guards = conj(*(substitute(guard.cond, replace) for guard in other.guards))
    kept = (stmt for stmt in other.body if not isinstance(stmt, Note))
    body = tuple(numbered(map_statement(stmt, replace)) for stmt in kept)
    return (If(guards, body, (), first),) if guards != TRUE else body


def _loops(action: Action) -> Iterator[int]:
    exprs = [guard.cond for guard in action.guards]
    for stmt in statements(action.body):
        if isinstance(stmt, For):
            yield stmt.var.id
        exprs += _nodes(stmt)
    for expr in exprs:
        for node in walk(expr):
            if isinstance(node, Quantified | LoopVar):
                yield node.var.id if isinstance(node, Quantified) else node.id
