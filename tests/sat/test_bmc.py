"""What the bounded check by a SAT solver makes of time, Ctrl-C and memory, and of what contradicts it."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from fencepost.engines import ENGINES, Job, Limits, run_job
from fencepost.errors import InternalError
from fencepost.ir.expr import FALSE, TRUE
from fencepost.memory import resident
from fencepost.sat import bmc
from fencepost.sat.solver import Solver, Unknown
from fencepost.verdict import ProgressEvent, Run, Stop
from tests.smt.tiny import counter, looping, never, pigeons, prop


def check(model, depth: int | None = 10, **options) -> Run:  # type: ignore[no-untyped-def]
    return bmc.run(model, depth=depth, timeout=None, **options)


def test_time_that_is_up_within_a_question_is_not_a_pass() -> None:
    run = bmc.run(pigeons(14), depth=15, timeout=3)
    assert (run.stop, dict(run.bounds)) == (Stop.TIMEOUT, {"some-hole-is-shared": 14})


def test_unknown_is_never_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, asked = Solver.satisfiable, 0

    def gives_up(self: Solver, *args, **kwargs) -> bool | Unknown:  # type: ignore[no-untyped-def]
        nonlocal asked
        asked += 1
        lost = Unknown("lost its mind", out_of_time=False)
        return answers(self, *args, **kwargs) if asked <= 4 else lost

    monkeypatch.setattr(Solver, "satisfiable", gives_up)
    run = bmc.run(counter(9, never(9, 8)), depth=9, timeout=None, twins=False)
    assert run.stop is Stop.TIMEOUT
    assert run.bounds["never"] < 8
    assert "gave up: lost its mind" in run.reason


def test_ctrl_c_while_the_solver_works_keeps_what_was_covered() -> None:
    timers: list[threading.Timer] = []

    def soon(event: ProgressEvent) -> None:
        if event.depth == 14 and not timers:
            timers.append(threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    try:
        run = bmc.run(pigeons(14), depth=15, timeout=120, progress=soon)
    finally:
        timers[0].cancel()
    assert (run.stop, run.depth, dict(run.bounds)) == (Stop.INTERRUPTED, 14, {"some-hole-is-shared": 14})
    assert bmc.run(counter(3), depth=9, timeout=None).depth == 3  # and another runs after it


def test_a_memory_limit_within_a_question_is_not_a_pass() -> None:
    run = run_job(Job(ENGINES["sat"], pigeons(14), Limits(depth=15, timeout=60, memory=resident() - (1 << 20))), None)
    assert run.stop is Stop.MEMORY
    assert run.findings == ()
    assert run.bounds.get("some-hole-is-shared", -1) < 15


def test_a_wrong_state_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.bounded.goals.value_in", lambda *_: True)
    with pytest.raises(InternalError, match="sat violates never in a state where the interpreter does not"):
        check(counter(7, never(7, 3)))


def test_obligations_of_properties_and_falsehood_at_once() -> None:
    run = check(looping(prop("false", FALSE), prop("true", TRUE)), depth=3)
    assert dict(run.bounds) == {"false": 0, "true": 3}
    assert (run.stop, run.depth) == (Stop.DEPTH, 3)
