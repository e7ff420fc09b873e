"""Who waits for whom at a deadlock: cycles that are known on paper, and states in which there is none."""

from __future__ import annotations

from attrs import evolve

from fencepost.exec.interpreter import Interpreter
from fencepost.graphs.waits import wait_graph, waits
from fencepost.ir.expr import FALSE, TRUE, Compare, Const, Expr, Read, Relation, Var
from fencepost.ir.model import Action, Actor, Fairness, Guard, Kind, Model
from fencepost.ir.sorts import BOOL, IndexSort, OptionSort
from fencepost.ir.stmt import Assign
from fencepost.trace.causes import Wait

LOCKS = IndexSort("Lock", 2)
OWNER = Var("locks[].owner", OptionSort(IndexSort("Thread", 2)), (LOCKS,), (0, 1))
HELD = Var("held", BOOL, (), (1,))
DONE = Var("done", BOOL)
NOBODY = Const(-1, OWNER.sort)


def at(lock: int) -> tuple[Expr, ...]:
    return (Const(lock, LOCKS),)


def same(left: Expr, right: Expr) -> Expr:
    return Compare(Relation.EQ, left, right)


def act(name: str, actor: str, guards: tuple[Guard, ...], *body: Assign, kind: Kind = Kind.PROGRESS) -> Action:
    return Action(name, (), guards, body, Actor(actor), name, kind, Fairness.WEAK)


BUSY = Guard("in its call", same(Read(HELD), TRUE))


def wants(name: str, actor: str, own: int, other: int) -> tuple[Action, Action]:
    """A thread that holds lock `own`, takes `other`, and then releases its own."""
    free = Guard("free", same(Read(OWNER, at(other)), NOBODY))
    mine = Guard("both mine", same(Read(OWNER, at(other)), Const(own, OWNER.sort)))
    return (
        act(f"take_{name}", actor, (BUSY, free), Assign(OWNER, at(other), Const(own, OWNER.sort), 1)),
        act(f"release_{name}", actor, (mine,), Assign(OWNER, at(own), NOBODY, 1)),
    )


EMBRACE = Model(
    "embrace",
    None,
    (),
    (),
    (OWNER, HELD, DONE),
    (
        *wants("b", "left", 0, 1),
        *wants("a", "right", 1, 0),
        act("watch", "bystander", (BUSY, Guard("done", Read(DONE))), Assign(HELD, (), FALSE, 1)),
        act("finish", "left", (Guard("never", FALSE),), Assign(DONE, (), TRUE, 1)),
        act("reset", "user", (Guard("never", FALSE),), Assign(OWNER, at(0), NOBODY, 1), kind=Kind.ENVIRONMENT),
    ),
)
START = Interpreter(EMBRACE).initial()


def test_two_threads_that_hold_what_the_other_needs() -> None:
    assert waits(EMBRACE, START) == (
        Wait(
            "left",
            "right",
            ('take_b(): "free" looks at locks[1].owner', 'release_b(): "both mine" looks at locks[1].owner'),
        ),
        Wait(
            "right",
            "left",
            ('take_a(): "free" looks at locks[0].owner', 'release_a(): "both mine" looks at locks[0].owner'),
        ),
    )


def test_only_the_cycle_is_drawn_where_there_is_one() -> None:
    graph = wait_graph(EMBRACE, START)
    assert sorted(graph) == ["left", "right"]
    assert all(data["cycle"] for _, _, data in graph.edges(data=True))


def test_where_there_is_none_all_waiting_is_drawn_and_nothing_is_marked() -> None:
    alone = evolve(EMBRACE, actions=tuple(action for action in EMBRACE.actions if action.actor.name != "right"))
    graph = wait_graph(alone, START)
    assert ("bystander", "left") in graph.edges()
    assert not any(data["cycle"] for _, _, data in graph.edges(data=True))
    assert waits(alone, START) == ()


def test_what_the_environment_may_do_is_not_waited_for() -> None:
    assert "user" not in wait_graph(evolve(EMBRACE, actions=EMBRACE.actions[:1] + EMBRACE.actions[4:]), START)


def test_many_steps_are_counted() -> None:
    more = tuple(evolve(EMBRACE.actions[0], name=f"take_{number}") for number in range(4))
    told = waits(evolve(EMBRACE, actions=(*more, *EMBRACE.actions)), START)
    assert told[0].steps[-1] == "and 3 more"
    assert len(told[0].steps) == 4
