"""The bounded check by a SAT solver against brute force, and what it makes of time, Ctrl-C and memory."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.engines import ENGINES, Job, Limits, run_job
from fencepost.errors import InternalError, UsageError
from fencepost.ir.expr import FALSE, TRUE, Const, Not
from fencepost.ir.sorts import BOOL
from fencepost.memory import resident
from fencepost.sat import bmc
from fencepost.sat.solver import Solver, Unknown
from fencepost.verdict import Finding, ProgressEvent, Run, Stop
from tests.profile import examples
from tests.smt.brute import lengths
from tests.smt.tiny import counter, looping, never, pigeons, prop
from tests.strategies import models

DEPTH = 4


@settings(suppress_health_check=list(HealthCheck), max_examples=examples(100))
@given(models())
def test_shortest_lengths_are_those_of_brute_force(model) -> None:  # type: ignore[no-untyped-def]
    expected = lengths(model, DEPTH)
    # A property that never fails keeps the check going to the full depth, for the obligations' sake.
    lasting = evolve(model, properties=(*model.properties, prop("lasting", TRUE)))
    run = bmc.run(lasting, depth=DEPTH, timeout=None)
    assert {f.name: len(f.path) for f in run.findings if f.in_state} == expected.in_state
    assert {f.name: len(f.path) for f in run.findings if not f.in_state} == expected.violated | expected.in_step
    assert {name: depth for name, depth in run.twins.items() if name != "lasting"} == expected.twins
    longest = max(length for length, level in enumerate(expected.levels) if level)
    assert (run.stop, run.depth) == (Stop.DEPTH if longest == DEPTH else Stop.EXHAUSTED, longest)


def check(model, depth: int | None = 10, **options) -> Run:  # type: ignore[no-untyped-def]
    return bmc.run(model, depth=depth, timeout=None, **options)


def test_a_violation_is_found_at_its_length_and_not_before() -> None:
    run = check(counter(7, never(7, 5)))
    assert run.findings == (Finding("never", (("tick", ()),) * 5),)
    assert (run.stop, run.depth, dict(run.bounds), dict(run.twins)) == (Stop.DECIDED, 5, {"never": 5}, {"never": 4})
    assert check(counter(7, never(7, 5)), depth=4).findings == ()


def test_only_the_properties_asked_for_are_checked() -> None:
    run = check(counter(7, never(7, 2, "first"), never(7, 6, "second")), properties=["second"])
    assert run.names == {"second"}
    with pytest.raises(UsageError, match="no property 'third' in tiny; there are first"):
        check(counter(7, never(7, 2, "first")), properties=["third"])


def test_runs_that_end_are_all_of_them() -> None:
    run = check(counter(3, prop("true", TRUE)), depth=None)
    assert (run.stop, run.depth) == (Stop.EXHAUSTED, 3)


def test_a_broken_obligation_is_found_by_name_with_the_step_that_breaks_it() -> None:
    run = check(counter(3, prop("true", TRUE), guarded=False))
    assert run.findings == (Finding("range:tick/x", (("tick", ()),) * 4),)
    assert (run.stop, run.depth) == (Stop.EXHAUSTED, 3)


def test_a_model_without_properties_is_still_searched() -> None:
    assert [f.name for f in check(counter(3, guarded=False), depth=4).findings] == ["range:tick/x"]
    assert check(looping(), depth=4).depth == 4


def test_twins_can_be_switched_off() -> None:
    assert dict(check(looping(prop("true", TRUE)), depth=2, twins=False).twins) == {}
    assert dict(check(looping(prop("true", TRUE, Not(Const(0, BOOL)))), depth=2).twins) == {"true": 0}


def test_no_time_decides_nothing() -> None:
    run = bmc.run(looping(prop("true", TRUE)), depth=5, timeout=0)
    assert (run.stop, run.depth, dict(run.bounds)) == (Stop.TIMEOUT, -1, {"true": -1})
    assert "true is decided to depth -1" in run.reason


def test_time_that_is_up_within_a_question_is_not_a_pass() -> None:
    started = time.monotonic()
    run = bmc.run(pigeons(14), depth=15, timeout=3)
    assert (run.stop, dict(run.bounds)) == (Stop.TIMEOUT, {"some-hole-is-shared": 14})
    assert time.monotonic() - started < 20


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
