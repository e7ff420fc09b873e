"""Whoever waits for a lock is owed it: each action that takes one is strongly fair, whatever protocol it is of.

A lock shows in two ways. A guard is called after it and says `free`: so it is where its holder is told by how far a
thread is, as with execution(). Or a variable names who holds it: then an action takes it that looks whether it is
free, and gives it to somebody. Calls and toggles of an application may never happen; nobody owes those anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import CodeType

import pytest
from attrs import evolve

from fencepost.ir.expr import Const, Expr, Read
from fencepost.ir.model import Action, Fairness, Kind, Model
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import children
from fencepost.lang.definitions import ActionDefinition
from fencepost.lang.protocol import Protocol
from fencepost.registry import find, names

LOCK_IS_FREE = re.compile(r"(lock|execution\(\)).* free$")
HOLDER = re.compile(r"(\.execution\.owner|lock|\.locked|\.held_by_handler)$")


@cache
def with_everything(name: str) -> Model:
    """The protocol with all its features: every action but those of a variant."""
    protocol = find(name).protocol
    return protocol.build(features=[feature.name for feature in protocol.features])


def declared(protocol: Protocol) -> dict[str, ActionDefinition]:
    """Every action, those of a variant too."""
    return dict(protocol._actions)


def names_a_free_lock(definition: ActionDefinition) -> bool:
    """The action's own function has such a guard, perhaps in a variant alone."""
    return any(LOCK_IS_FREE.search(text) for text in strings(definition.function.__code__))


def strings(code: CodeType) -> Iterator[str]:
    for const in code.co_consts:
        if isinstance(const, str) and "\n" not in const:
            yield const
        elif isinstance(const, CodeType):
            yield from strings(const)


def takes(action: Action) -> bool:
    """The action takes a lock, by the name of a guard or by what it gives to a holder that it looks at."""
    if any(LOCK_IS_FREE.search(guard.name) for guard in action.guards):
        return True
    looked_at = {name for guard in action.guards for name in read(guard.cond) if HOLDER.search(name)}
    return bool(looked_at & set(given(action.body)))


def read(expr: Expr) -> Iterator[str]:
    """The variables that an expression reads."""
    if isinstance(expr, Read):
        yield expr.var.name
    for child in children(expr):
        yield from read(child)


def given(body: tuple[Stmt, ...]) -> Iterator[str]:
    """The variables that are set to something but the value that they start with, which is nobody."""
    for stmt in body:
        match stmt:
            case Assign(var, _, value):
                if not (isinstance(value, Const) and value.value == var.init[0]):
                    yield var.name
            case If(_, then, orelse):
                yield from given(then)
                yield from given(orelse)
            case For(_, inside):
                yield from given(inside)
            case Note():
                pass


def takers(name: str) -> dict[str, Fairness]:
    """The actions of a protocol that take a lock and are no call, with the fairness that they carry."""
    found = {
        action.name: action.fair
        for action in with_everything(name).actions
        if action.kind is Kind.PROGRESS and takes(action)
    }
    for action, definition in declared(find(name).protocol).items():
        if definition.kind is Kind.PROGRESS and names_a_free_lock(definition):
            found[action] = definition.fair
    return found


@pytest.mark.parametrize("name", names())
def test_whoever_takes_a_lock_is_strongly_fair(name: str) -> None:
    unfair = sorted(action for action, fair in takers(name).items() if fair is not Fairness.STRONG)
    assert unfair == [], f"{', '.join(unfair)} of {name}: declare fair=Fairness.STRONG"


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("async-handler", {"get_execution"}),  # in a variant alone
        ("cpu-wait", {"enqueue", "notify_queue", "process_and_reset", "set_flag"}),
        ("issued-ops", {"set_flag"}),
        ("legacy", {"list_in_timestamp", "handler_releases_queue", "take_times_of_current"}),
        ("retiring", {"collect_timing", "list_in_timestamp", "set_flag"}),
        ("retiring-submission-batch", {"collect_timing", "list_in_timestamp", "set_flag"}),
        ("serializer", {"queue_ready"}),
        ("timing-pool", {"handler_locks_signal", "handler_locks_timestamp", "lock_signal", "reset_cached_times"}),
    ],
)
def test_they_are_found(name: str, some: set[str]) -> None:
    assert some <= takers(name).keys()


def test_a_holder_tells_who_takes_and_who_gives_back() -> None:
    """By what is given to whom alone: no guard has a name here."""

    def unnamed(name: str, action: str) -> Action:
        found = with_everything(name).action(action)
        return evolve(found, guards=tuple(evolve(guard, name="") for guard in found.guards))

    assert takes(unnamed("cpu-wait", "enqueue"))
    assert not takes(unnamed("cpu-wait", "attach"))
    assert takes(unnamed("legacy", "handler_reads_times"))
    assert not takes(unnamed("legacy", "times_are_taken"))
