"""Which steps the values at fault come from, and where another model parts from a run; worked out by hand."""

from __future__ import annotations

from attrs import evolve

from fencepost.exec.dependence import Origins
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.ir.expr import TRUE, Const, Expr, LoopVar, Param, Read, Var
from fencepost.ir.model import Action, Actor, Model
from fencepost.ir.sorts import BOOL, IndexSort, IntSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.trace.build import build_trace
from fencepost.trace.causes import Other, Parting, causes, partings, reasons, steps_named
from fencepost.verdict import Path
from tests.trace.toy import DESTROY, DESTROYED, ENQUEUE, HUNG, MENDED, OVERFLOW, TOY, with_action

COUNT, CELL = IntSort(0, 3), IndexSort("Cell", 2)
A, B, C, ON = Var("a", COUNT), Var("b", COUNT), Var("c", COUNT), Var("on", BOOL)
CELLS = Var("cells", COUNT, (CELL,), (0, 0))
AT = Var("at", CELL)
BY, FLAG = Param("by", COUNT), Param("flag", BOOL)
TURN = LoopVar(1, "i", CELL)


def act(name: str, *body: Stmt, params: tuple[Param, ...] = ()) -> Action:
    return Action(name, params, (), body, Actor("worker"), name)


def put(var: Var, value: Expr, epoch: int = 1) -> Assign:
    return Assign(var, (), value, epoch)


STEPS = Model(
    "steps",
    None,
    (),
    (),
    (A, B, C, ON, CELLS, AT),
    (
        act("set_a", put(A, BY), params=(BY,)),
        act("set_b", put(B, BY), params=(BY,)),
        act("set_on", put(ON, FLAG), params=(FLAG,)),
        act("swap", put(A, Read(B)), put(B, Read(A, (), 0), 2)),
        act("chain", put(A, Read(B)), put(C, Read(A, (), 1), 2)),
        act("branch", If(Read(ON), (put(C, Const(1, COUNT), 1),), (), 2), put(B, Const(0, COUNT), 3)),
        act("note", Note("{}", (Read(A),)), put(C, Const(2, COUNT))),
        act("move", put(AT, Const(1, CELL))),
        act("store", Assign(CELLS, (Read(AT),), Read(A), 1)),
        act("each", For(TURN, (Assign(CELLS, (TURN,), Read(A, (), 10), 1), put(A, Read(B, (), 1), 2)), 10, 11)),
    ),
)


def origins(path: Path, *elements: str) -> set[int]:
    interpreter, told = Interpreter(STEPS), Origins()
    state = interpreter.initial()
    for number, (name, args) in enumerate(path, 1):
        told.begin(number)
        step = interpreter.fire(state, STEPS.action(name), args, told)
        assert isinstance(step, Stepped)
        state = step.state
    return set(told.of(elements))


SET: Path = (("set_a", (1,)), ("set_b", (2,)))


def test_a_value_comes_from_its_step_and_from_those_of_what_it_is_made_of() -> None:
    assert origins(SET, "a") == {1}
    assert origins((*SET, ("set_a", (3,))), "a") == {3}
    assert origins(SET, "c") == set()


def test_a_read_is_of_its_epoch() -> None:
    assert origins((*SET, ("swap", ())), "a") == {2, 3}
    assert origins((*SET, ("swap", ())), "b") == {1, 3}
    assert origins((*SET, ("chain", ())), "c") == {2, 3}


def test_the_branch_around_it_counts_and_ends() -> None:
    path: Path = (("set_on", (1,)), ("branch", ()))
    assert origins(path, "c") == {1, 2}
    assert origins(path, "b") == {2}


def test_so_does_the_place_it_is_put_in() -> None:
    assert origins((("move", ()), ("set_a", (1,)), ("store", ())), "cells[1]") == {1, 2, 3}


def test_a_note_does_not() -> None:
    assert origins((("set_a", (1,)), ("note", ())), "c") == {2}


def test_a_turn_of_a_loop_sees_the_turn_before() -> None:
    assert origins((*SET, ("each", ())), "cells[0]") == {1, 3}
    assert origins((*SET, ("each", ())), "cells[1]") == {2, 3}


def test_causes_of_a_violated_invariant_are_the_steps_behind_the_values_it_looked_at() -> None:
    assert causes(TOY, build_trace(TOY, DESTROYED)) == {3, 7}


def test_of_a_hang_those_behind_the_guards_that_refuse() -> None:
    assert causes(TOY, build_trace(TOY, HUNG)) == {2, 5}


def test_of_an_obligation_those_behind_what_the_step_read_and_the_step() -> None:
    assert causes(TOY, build_trace(TOY, OVERFLOW)) == {1, 3}


def test_the_mended_model_refuses_the_step() -> None:
    parting = Parting(7, 'is refused there: "unreferenced" does not hold', refused=True)
    assert partings(build_trace(TOY, DESTROYED), MENDED) == (parting,)


def test_a_model_that_goes_elsewhere_first_is_told_with_both() -> None:
    lazy = with_action(TOY, evolve(ENQUEUE, body=()))
    found = partings(build_trace(TOY, DESTROYED), lazy)
    assert found == (Parting(3, "leads elsewhere: queues[1].waits is none there, 1 here", refused=False),)
    strict = with_action(lazy, evolve(DESTROY, guards=(evolve(DESTROY.guards[0], name="never", cond=Read(ON_)),)))
    strict = evolve(strict, vars=(*strict.vars, ON_))
    found = partings(build_trace(TOY, DESTROYED), strict)
    assert [(parting.step, parting.refused) for parting in found] == [(3, False), (7, True)]


ON_ = Var("on", BOOL)


def test_many_elements_are_counted() -> None:
    body = (
        *DESTROY.body,
        Assign(TOY.vars[1], (Const(0, TOY.vars[1].dims[0]),), Const(1, TOY.vars[1].sort), 4),
        Assign(TOY.vars[3], (), TRUE, 5),
        Assign(TOY.vars[4], (), Const(0, TOY.vars[4].sort), 6),
        Assign(TOY.vars[5], (), TRUE, 7),
    )
    other = with_action(TOY, evolve(DESTROY, body=body))
    path = evolve(DESTROYED, path=tuple(label for label in DESTROYED.path if label[0] != "pause"))
    [parting] = partings(build_trace(TOY, path), other)
    assert parting.step == 4
    assert parting.why.startswith("leads elsewhere: queues[0].waits is 1 there, none here, paused is true there")
    assert not parting.why.endswith("more")


def test_an_action_that_the_other_does_not_have() -> None:
    other = evolve(TOY, actions=tuple(action for action in TOY.actions if action.name != "clear"))
    assert partings(build_trace(TOY, DESTROYED), other) == (
        Parting(6, "is a step that it does not have", refused=True),
    )


def test_the_same_model_does_not_part() -> None:
    found = reasons(build_trace(TOY, DESTROYED), TOY, Other("itself", TOY))
    assert (found.causes, found.other, found.partings) == ({3, 7}, "itself", ())


def test_steps_are_named_in_runs() -> None:
    assert steps_named(frozenset({4})) == "step 4"
    assert steps_named(frozenset({1, 2, 4, 6, 7, 8})) == "steps 1-2, 4, 6-8"
