"""The explorer on models made by hand: every count and path below was worked out on paper."""

from __future__ import annotations

import pytest

from fencepost.errors import UsageError
from fencepost.explore import bfs
from fencepost.explore.bfs import run
from fencepost.ir.expr import FALSE, TRUE, Add, And, Cast, Compare, Expr, Not, Param, Read, Relation, Sub, Var
from fencepost.ir.model import Action, Actor, Guard, GuardKind, Model, Property
from fencepost.ir.sorts import IndexSort, IntSort
from fencepost.ir.stmt import Assign, Stmt
from fencepost.verdict import ActionCount, Finding, ProgressEvent, Stop
from tests.exec.tiny import equals, number

COUNT = IntSort(0, 5)
N = Var("n", COUNT)
M = Var("m", COUNT)
SIDE = IndexSort("Side", 2)


def step(name: str, *body: Stmt, guards: tuple[Guard, ...] = (), params: tuple[Param, ...] = ()) -> Action:
    return Action(name, params, guards, body, Actor("worker"), f"{name}()")


def up(var: Var, by: int = 1) -> Assign:
    return Assign(var, (), Add(Read(var), number(by)), 1)


def below(var: Var, most: int, kind: GuardKind = GuardKind.REQUIRE) -> Guard:
    return Guard(f"below {most}", less(var, most), kind)


def less(var: Var, value: int) -> Compare:
    return Compare(Relation.LT, Read(var), number(value))


def at(var: Var, value: int) -> Compare:
    return equals(Read(var), number(value))


def prop(name: str, holds: Expr, twin: Expr = FALSE) -> Property:
    return Property(name, holds, twin, "It holds.", "nothing")


def model(*actions: Action, props: tuple[Property, ...] = (), variables: tuple[Var, ...] = (N, M)) -> Model:
    return Model("tiny", None, (), (), variables, actions, props)


# Two counters that go from 0 to 2 by single steps: nine states, twelve steps, the last state at depth 4.
GRID = model(
    step("right", up(N), guards=(below(N, 2),)),
    step("down", up(M), guards=(below(M, 2),)),
    props=(
        prop(
            "never both", Not(And((equals(Read(N), number(1)), equals(Read(M), number(2))))), equals(Read(N), number(2))
        ),
        prop("always", TRUE),
    ),
)


def test_every_state_is_found_and_counted() -> None:
    found = run(GRID)
    assert found.stop is Stop.EXHAUSTED
    assert found.complete
    assert (found.states, found.transitions, found.depth, found.cut) == (9, 12, 4, 0)
    assert found.actions == {"right": ActionCount(6, 6), "down": ActionCount(6, 6)}


def test_the_first_counterexample_is_a_shortest_one() -> None:
    (finding,) = run(GRID).findings
    assert finding == Finding("never both", (("right", ()), ("down", ()), ("down", ())))


def test_a_twin_has_its_least_depth_and_a_path() -> None:
    found = run(GRID)
    assert found.twins == {"never both": 2}
    assert found.twin_paths == {"never both": (("right", ()), ("right", ()))}


@pytest.mark.parametrize(("depth", "states", "transitions"), [(0, 1, 0), (1, 3, 2), (2, 6, 6), (3, 8, 10)])
def test_a_bound_on_depth(depth: int, states: int, transitions: int) -> None:
    found = run(GRID, depth=depth)
    assert found.stop is Stop.DEPTH
    assert (found.states, found.transitions, found.depth) == (states, transitions, depth)


def test_a_bound_above_the_last_level_exhausts() -> None:
    assert run(GRID, depth=5).stop is Stop.EXHAUSTED
    assert run(GRID, depth=5).depth == 4


def test_it_stops_once_every_property_asked_for_is_violated() -> None:
    found = run(GRID, properties=["never both"])
    assert found.stop is Stop.DECIDED
    assert (found.depth, found.states) == (3, 8)


def test_without_properties_only_obligations_count() -> None:
    found = run(GRID, properties=[])
    assert (found.stop, found.findings, found.twins) == (Stop.EXHAUSTED, (), {})


def test_an_unknown_property_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no property 'sometimes'.*never both, always"):
        run(GRID, properties=["sometimes"])


def test_a_step_out_of_range_ends_the_run_there() -> None:
    found = run(model(step("up", up(N, 2)), variables=(N,)))
    assert found.findings == (Finding("range:up/n", (("up", ()), ("up", ()), ("up", ()))),)
    assert (found.states, found.transitions) == (3, 2)
    assert found.actions == {"up": ActionCount(3, 2)}


def test_a_guard_out_of_range_is_not_enabled() -> None:
    below_zero = Cast(COUNT, Sub(Read(N), number(1)), "before")
    found = run(model(step("up", up(N), guards=(Guard("first", equals(below_zero, number(0))),)), variables=(N,)))
    assert found.findings == (Finding("range:up/before", (("up", ()),)),)
    assert found.actions == {"up": ActionCount(0, 0)}


def test_a_property_out_of_range_is_a_finding_in_its_state() -> None:
    near = prop("near", less(M, 1), Compare(Relation.LE, Cast(IntSort(0, 1), Read(N), "near"), number(1)))
    found = run(model(step("up", up(N), guards=(below(N, 3),)), props=(near,)))
    assert found.findings == (Finding("range:near/near", (("up", ()), ("up", ())), in_state=True),)
    assert found.twins == {"near": 0}


def test_states_stopped_by_bounds_alone_are_cut() -> None:
    # At n = 2 the first is stopped by its bound alone, the second by what it requires; the third has another step.
    stopped = step("up", up(N), guards=(below(N, 5), below(N, 2, GuardKind.BOUND)))
    found = run(model(stopped, variables=(N,)))
    assert (found.held_back, found.cut) == (1, 1)
    refused = step("up", up(N), guards=(below(N, 2), below(N, 2, GuardKind.BOUND)))
    found = run(model(refused, variables=(N,)))
    assert (found.held_back, found.cut) == (0, 0)
    other = step("stay")
    found = run(model(stopped, other, variables=(N,)))
    assert (found.held_back, found.cut) == (1, 0)


def test_the_arguments_are_in_the_path() -> None:
    side = Param("side", SIDE)
    put = step("put", Assign(N, (), Add(side, number(1)), 1), params=(side,))
    (finding,) = run(model(put, props=(prop("small", less(N, 2)),), variables=(N,))).findings
    assert finding.path == (("put", (1,)),)


def test_time_is_up() -> None:
    found = run(GRID, timeout=0)
    assert found.stop is Stop.TIMEOUT
    assert (found.states, found.depth) == (1, 0)


def test_memory_is_up() -> None:
    found = run(GRID, memory=1)
    assert found.stop is Stop.MEMORY
    assert "memory" in found.reason


def test_an_interrupt_reports_what_was_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bfs, "_PROGRESS_SECONDS", 0)

    def interrupt(event: ProgressEvent) -> None:
        if event.states == 6:
            raise KeyboardInterrupt

    found = run(GRID, progress=interrupt)
    assert found.stop is Stop.INTERRUPTED
    assert (found.states, found.transitions, found.depth) == (6, 6, 1)


def test_progress_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bfs, "_PROGRESS_SECONDS", 0)
    seen: list[ProgressEvent] = []
    run(GRID, progress=seen.append)
    assert {event.engine for event in seen} == {"explore"}
    assert max(event.states for event in seen) == 9
    assert [event.depth for event in seen] == sorted(event.depth for event in seen)
    assert max(event.depth for event in seen) == 4


def test_two_runs_agree() -> None:
    first, second = run(GRID), run(GRID)
    assert (first.findings, first.twin_paths) == (second.findings, second.twin_paths)
