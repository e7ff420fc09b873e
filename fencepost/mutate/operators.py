"""Every mutant of a model, in a fixed order: each action in turn, each operator, each place."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence

from attrs import evolve, frozen

from fencepost.errors import Location, ModelError
from fencepost.ir.check import check
from fencepost.ir.digest import digest
from fencepost.ir.expr import TRUE, Const, Read, Var, conj, negate
from fencepost.ir.model import Action, Guard, GuardKind, Model
from fencepost.ir.show import show_expr
from fencepost.ir.stmt import Assign
from fencepost.ir.visit import walk
from fencepost.mutate.mutant import SCORED, Change, Mutant, Operator
from fencepost.mutate.sites import blocks, conjuncts, drops, negations, numbers, off_by_one, swaps
from fencepost.mutate.splits import merged, split

_EPOCH = re.compile(r"@\d+")


def mutants(model: Model, operators: Collection[Operator] = SCORED) -> tuple[Mutant, ...]:
    """The mutants, numbered from 1; none is twice among them, and none is the model itself."""
    seen = {_form(model, (action.name,)) for action in model.actions}
    found: list[Mutant] = []
    for change in _changes(model, operators):
        form = _form(change.model, change.changed)
        if form not in seen and _is_sound(change):
            seen.add(form)
            words = _EPOCH.sub("", change.words)  # of no use to a reader of the source
            found.append(Mutant(len(found) + 1, evolve(change, words=words)))
    return tuple(found)


def _form(model: Model, names: Collection[str]) -> str:
    return digest(_part(model, names))


def _part(model: Model, names: Collection[str]) -> Model:
    """The model with these of its actions alone, and no properties."""
    return evolve(model, actions=tuple(one for one in model.actions if one.name in names), properties=())


def sample(every: Sequence[Mutant], most: int | None) -> tuple[Mutant, ...]:
    """At most so many of them, spread by a digest of what they are: the same ones on every machine."""
    if most is None or len(every) <= most:
        return tuple(every)
    chosen = sorted(
        every, key=lambda one: hashlib.sha256(f"{one.change.operator.value} {one.title}".encode()).hexdigest()
    )
    return tuple(sorted(chosen[:most], key=lambda one: one.number))


def _is_sound(change: Change) -> bool:
    try:
        check(_part(change.model, change.changed))
    except ModelError:
        return False
    return True


def _changes(model: Model, operators: Collection[Operator]) -> Iterator[Change]:
    for action in model.actions:
        for made in _of_action(action, model):
            if made.operator in operators:
                at = made.at or action.at
                yield Change(made.operator, made.words, at, _with(model, made.action), action.name, (action.name,))
        if Operator.SPLIT in operators:
            yield from split(model, action)
        if Operator.MERGE in operators:
            yield from merged(model, action)


def _with(model: Model, mutated: Action) -> Model:
    return evolve(model, actions=tuple(mutated if one.name == mutated.name else one for one in model.actions))


@frozen
class _Made:
    """An action with a mistake in it."""

    operator: Operator
    words: str
    at: Location | None
    action: Action


def _of_action(action: Action, model: Model) -> Iterator[_Made]:
    for guard, i in zip(action.guards, range(len(action.guards)), strict=True):
        if guard.kind is GuardKind.REQUIRE and guard.cond != TRUE:  # a bound is no code
            yield from _of_guard(action, guard, i)
    for operator, change in _ON_STATEMENTS:
        for body, stmt, words in blocks(action.body, change):
            yield _Made(operator, words, stmt.at, evolve(action, body=body))
    for body, stmt, words in blocks(action.body, drops):
        assert isinstance(stmt, Assign)
        waits = _who_waits(model, action, stmt)
        yield _Made(Operator.SKIP if waits else Operator.DROP, words + waits, stmt.at, evolve(action, body=body))


_ON_STATEMENTS = ((Operator.NEGATE, negations), (Operator.SWAP, swaps), (Operator.OFF_BY_ONE, numbers))


def _of_guard(action: Action, guard: Guard, i: int) -> Iterator[_Made]:
    def made(operator: Operator, words: str, *guards: Guard) -> _Made:
        new = evolve(action, guards=(*action.guards[:i], *guards, *action.guards[i + 1 :]))
        return _Made(operator, words, guard.at, new)

    yield made(Operator.GUARD, f'the guard "{guard.name}" left out')
    parts = conjuncts(guard.cond)
    if len(parts) > 1:
        for k, part in enumerate(parts):
            words = f'`{show_expr(part)}` left out of the guard "{guard.name}"'
            rest = conj(*parts[:k], *parts[k + 1 :])
            yield made(Operator.CONJUNCT, words, evolve(guard, cond=rest))
    words = f'the guard "{guard.name}" the other way round'
    yield made(Operator.NEGATE, words, evolve(guard, cond=negate(guard.cond)))
    for cond, told in off_by_one(guard.cond):
        yield made(Operator.OFF_BY_ONE, f'{told} in the guard "{guard.name}"', evolve(guard, cond=cond))


def _who_waits(model: Model, action: Action, stmt: Assign) -> str:
    """Of an assignment that somebody else's guard asks for: a few words on who; else nothing."""
    for other in model.actions:
        if other.actor.name == action.actor.name:
            continue
        for guard in other.guards:
            if guard.kind is GuardKind.REQUIRE and _asks_for(guard, stmt.var):
                released = stmt.value == Const(stmt.var.sort.zero, stmt.var.sort)
                return f', a {"release" if released else "wake"} that {other.name} waits for ("{guard.name}")'
    return ""


def _asks_for(guard: Guard, var: Var) -> bool:
    return any(isinstance(node, Read) and node.var == var for node in walk(guard.cond))
