"""What the bounded check by Z3 makes of time, Ctrl-C and disagreement, and of twins that it gives up."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence

import pytest
from attrs import evolve

from fencepost.bounded import goals
from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter, Stepped
from fencepost.ir.expr import FALSE, TRUE, Not, Read
from fencepost.smt import bmc
from fencepost.smt.follow import Followed, feasible, follow
from fencepost.smt.solver import Solver, Unknown
from fencepost.verdict import Finding, ProgressEvent, Run, Stop
from tests.smt.tiny import FLAG, counter, looping, never, pigeons, prop


def check(model, depth: int | None = 10, **options) -> Run:  # type: ignore[no-untyped-def]
    return bmc.run(model, depth=depth, timeout=None, **options)


@pytest.mark.parametrize(
    ("reason", "stop", "said"),
    [
        ("interrupted from keyboard", Stop.INTERRUPTED, ""),
        ("timeout", Stop.TIMEOUT, "out of time"),
        ("max. memory exceeded", Stop.MEMORY, "Z3 gave up: max. memory exceeded"),
        ("incomplete", Stop.TIMEOUT, "Z3 gave up: incomplete"),
    ],
)
def test_unknown_is_never_a_pass(monkeypatch: pytest.MonkeyPatch, reason: str, stop: Stop, said: str) -> None:
    answers = Solver.satisfiable
    asked = 0

    def gives_up(self: Solver, *args, **kwargs) -> bool | Unknown:  # type: ignore[no-untyped-def]
        nonlocal asked
        asked += 1
        return answers(self, *args, **kwargs) if asked <= 6 else Unknown(reason)

    monkeypatch.setattr(Solver, "satisfiable", gives_up)
    run = bmc.run(looping(prop("true", TRUE)), depth=5, timeout=2 if reason == "timeout" else None, twins=False)
    assert run.stop is stop
    assert run.depth == run.bounds["true"] == 2
    assert said in run.reason


def test_ctrl_c_while_z3_solves_keeps_what_was_covered() -> None:
    """Z3 takes the signal for itself and answers `unknown`; no KeyboardInterrupt reaches Python."""
    timers: list[threading.Timer] = []

    def soon(event: ProgressEvent) -> None:
        if event.depth == 11 and not timers:
            timers.append(threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    try:
        run = bmc.run(pigeons(11), depth=12, timeout=120, progress=soon)
    finally:
        timers[0].cancel()
    assert (run.stop, run.depth, dict(run.bounds)) == (Stop.INTERRUPTED, 11, {"some-hole-is-shared": 11})


def test_ctrl_c_in_python_code_keeps_what_was_covered() -> None:
    def interrupt(event) -> None:  # type: ignore[no-untyped-def]
        if event.depth == 2:
            raise KeyboardInterrupt

    run = bmc.run(looping(prop("true", TRUE)), depth=5, timeout=None, progress=interrupt)
    assert (run.stop, run.depth) == (Stop.INTERRUPTED, 2)


def test_a_question_cut_off_comes_back_with_more_time_and_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Solver.satisfiable
    granted: list[float] = []

    def slow(self: Solver, assumptions, seconds) -> bool | Unknown:  # type: ignore[no-untyped-def]
        granted.append(seconds)
        return Unknown("timeout") if len(granted) == 4 else answers(self, assumptions, seconds)

    monkeypatch.setattr(Solver, "satisfiable", slow)
    decided: list[int] = []
    two = looping(prop("a", TRUE), prop("b", Not(FALSE)))
    run = bmc.run(two, depth=3, timeout=None, twins=False, progress=lambda event: decided.append(event.depth))
    assert (run.stop, dict(run.bounds)) == (Stop.DEPTH, {"a": 3, "b": 3})
    # Questions: three goals at depth 0, then "a" is cut off at depth 1 and asked to its end after all others.
    assert granted[3] == granted[0]
    assert granted[-3:] == [2 * granted[0]] * 3
    assert decided[-3:] == [1, 2, 3]


def cut_off(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Z3 runs out of time on the first questions about a twin."""
    answers, conditions = Solver.satisfiable, goals.Twin.conditions
    about_twin = [False]
    left = [times]

    def noted(self: goals.Twin) -> Sequence[object]:
        about_twin[0] = True
        return conditions(self)

    def slow(self: Solver, assumptions, seconds) -> bool | Unknown:  # type: ignore[no-untyped-def]
        if about_twin[0] and left[0]:
            left[0] -= 1
            about_twin[0] = False
            return Unknown("timeout")
        about_twin[0] = False
        return answers(self, assumptions, seconds)

    monkeypatch.setattr(goals.Twin, "conditions", noted)
    monkeypatch.setattr(Solver, "satisfiable", slow)


LATE = evolve(never(3, 3, "late"), holds=TRUE)
"""Its twin is reached in two steps."""


@pytest.mark.parametrize("times", [1, 3])
def test_a_complete_run_asks_again_for_a_twin_that_it_gave_up(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    cut_off(monkeypatch, times)
    run = check(counter(3, LATE), depth=None)
    assert (run.stop, run.depth, dict(run.twins), run.twins_given_up) == (Stop.EXHAUSTED, 3, {"late": 2}, frozenset())


class Patient(Clock):
    """Time that is up after so many questions."""

    asked = 0

    @property
    def over(self) -> bool:
        self.asked += 1
        return self.asked > 50


def test_a_twin_that_the_solver_cannot_decide_is_said_to_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off(monkeypatch, 10**9)
    monkeypatch.setattr(bmc, "Clock", Patient)
    run = check(counter(3, LATE), depth=None)
    assert (run.stop, dict(run.twins), run.twins_given_up, run.reason) == (Stop.EXHAUSTED, {}, {"late"}, "")
    bounded = check(counter(3, LATE), depth=2)
    assert (bounded.stop, bounded.twins_given_up) == (Stop.DEPTH, {"late"})


def test_only_twins_that_were_not_looked_for_are_given_up() -> None:
    assert check(counter(3, LATE), depth=2, twins=False).twins_given_up == {"late"}
    assert check(counter(3, LATE), depth=2).twins_given_up == frozenset()
    assert check(counter(3, LATE), depth=1).twins_given_up == frozenset()
    assert check(counter(3, prop("never", TRUE, FALSE)), depth=None).twins_given_up == frozenset()


def test_a_wrong_state_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goals, "value_in", lambda *_: True)
    with pytest.raises(InternalError, match="violates never in a state where the interpreter does not"):
        check(counter(7, never(7, 3)))


def test_a_wrong_step_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interpreter, "fire", lambda self, state, action, args: Stepped(state))
    with pytest.raises(InternalError, match="differ on the state after step 1"):
        check(counter(7, never(7, 3)))


def test_following_tells_where_the_encoding_stops() -> None:
    tick = ("tick", ())
    assert follow(counter(3, never(3, 2)), Finding("never", (tick,) * 2)) == Followed(2, violated=True)
    assert follow(counter(3, never(3, 2)), Finding("never", (tick,) * 3)) == Followed(3, violated=False)
    assert follow(counter(3, never(3, 2)), Finding("never", (tick,) * 5)) == Followed(3, violated=False)
    assert feasible(counter(3, guarded=False), Finding("range:tick/x", (tick,) * 4))
    assert not feasible(counter(3, guarded=False), Finding("range:tick/x", (tick,) * 3))
    assert not feasible(looping(prop("p", Read(FLAG))), Finding("p", (("flip", ()),)))
    with pytest.raises(KeyError):
        follow(counter(3, never(3, 2)), Finding("never", (("tock", ()),)))
