"""Lowering of a whole model: every action with every choice of arguments, or the properties."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from fencepost.exec.facts import implied
from fencepost.exec.layout import Layout
from fencepost.exec.low import Lit, Low
from fencepost.exec.low_build import ZERO
from fencepost.exec.low_code import (
    Attempt,
    Block,
    Close,
    Code,
    Enabled,
    Fire,
    Hit,
    Let,
    Open,
    Program,
    Stopped,
    When,
)
from fencepost.exec.lower_body import lower_body
from fencepost.exec.lower_expr import lower
from fencepost.exec.scope import Names, Scope
from fencepost.ir.expr import Expr
from fencepost.ir.model import Action, GuardKind, Model
from fencepost.verdict import Label


@frozen
class Instance:
    """An action with its arguments; `number` counts instances in the interpreter's order."""

    number: int
    number_of_action: int
    action: Action
    args: tuple[int, ...]

    @property
    def label(self) -> Label:
        """The step's label."""
        return self.action.name, self.args


def instances(model: Model) -> Iterator[Instance]:
    """Every action with every choice of arguments, in the interpreter's order."""
    numbers = itertools.count()
    for position, action in enumerate(model.actions):
        for args in itertools.product(*(param.sort.values() for param in action.params)):
            yield Instance(next(numbers), position, action, args)


@frozen
class Watch:
    """A condition to look for in each state: that a property does not hold, or that its twin does."""

    where: str
    cond: Expr
    wanted: bool


def lower_watches(layout: Layout, watches: Sequence[Watch]) -> Program:
    """A program with a statement for each watch, which says `Hit` if its condition is as wanted in the state."""
    names = Names()
    code: list[Code] = []
    for number, watch in enumerate(watches):
        scope = Scope.fresh(layout, names, watch.where, {})
        cond = lower(watch.cond, scope)
        hit: Block = (Hit(number),)
        test = When(cond, hit) if watch.wanted else When(cond, (), hit)
        code.append(Attempt((test,), (number,)) if cond.fails else test)
    return Program(tuple(code), tuple(names.obligations))


def lower_actions(layout: Layout, model: Model) -> Program:
    """A program that tells, for each instance, whether it is enabled, stopped, broken, and where it steps to."""
    names = Names()
    code: list[Code] = []
    for number, group in itertools.groupby(instances(model), lambda instance: instance.number_of_action):
        code += [Open(number), *_shared([_Lowered.of(i, layout, names) for i in group], 0), Close(number)]
    return Program(tuple(code), tuple(names.obligations))


@frozen
class _Lowered:
    """An instance's guards, each lowered knowing that those before it are true, and its scope after them."""

    instance: Instance
    guards: tuple[tuple[GuardKind, Low], ...]
    scope: Scope

    @classmethod
    def of(cls, instance: Instance, layout: Layout, names: Names) -> _Lowered:
        action = instance.action
        params = {param.name: value for param, value in zip(action.params, instance.args, strict=True)}
        scope = Scope.fresh(layout, names, action.name, params)
        guards: list[tuple[GuardKind, Low]] = []
        for guard in action.guards:
            cond = lower(guard.cond, scope)
            guards.append((guard.kind, cond))
            scope.learn(implied(cond))
        return cls(instance, tuple(guards), scope)

    def fire(self) -> Block:
        """What happens once every guard is true."""
        state = lower_body(self.instance.action.body, self.scope.start, self.scope)
        number = self.instance.number
        body = (*self.scope.block(), Fire(number, self.scope.packed(state)))
        if may_fail(body):
            return Enabled(number), Attempt(body, (number,))
        return Enabled(number), *body


def _shared(group: Iterable[_Lowered], depth: int) -> list[Code]:
    """The code of instances that agree on their guards before `depth`: equal next guards are tested once."""
    code: list[Code] = []
    for guard, run in itertools.groupby(group, lambda one: one.guards[depth] if depth < len(one.guards) else None):
        members = list(run)
        if guard is None:
            for member in members:
                code += member.fire()
        else:
            code += _guarded(guard[0], guard[1], members, depth)
    return code


def _guarded(kind: GuardKind, cond: Low, members: list[_Lowered], depth: int) -> list[Code]:
    numbers = tuple(member.instance.number for member in members)
    orelse: Block = (Stopped(numbers),) if kind is GuardKind.BOUND else ()
    if isinstance(cond, Lit):
        return _shared(members, depth + 1) if cond.value else list(orelse)
    then = tuple(_shared(members, depth + 1))
    if not cond.fails:
        return [When(cond, then, orelse)] if then or orelse else []
    held = members[0].scope.names.local(cond)
    # A broken guard is neither true nor a bound that stopped: hence two locals, one for each answer.
    if not orelse:
        return [Attempt((Let(held, cond),), numbers, (Let(held, ZERO),)), When(held, then)]
    whole = members[0].scope.names.local(cond)
    return [
        Attempt((Let(held, cond), Let(whole, Lit(1))), numbers, (Let(held, ZERO), Let(whole, ZERO))),
        When(held, then, (When(whole, orelse),)),
    ]


def may_fail(block: Block) -> bool:
    """Whether any expression of the block may break an obligation."""
    return any(_code_fails(code) for code in block)


def _code_fails(code: Code) -> bool:
    match code:
        case Let(value=value) | Fire(state=value):
            return value.fails
        case When(cond, then, orelse):
            return cond.fails or may_fail(then) or may_fail(orelse)
        case Attempt(rescue=rescue):
            return may_fail(rescue)
        case _:
            return False
