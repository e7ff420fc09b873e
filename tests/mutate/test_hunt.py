"""What becomes of a mutant, against a search that is nothing but the interpreter, and against facts found by hand."""

from __future__ import annotations

import itertools

import pytest
from attrs import evolve

from fencepost.exec.interpreter import Broken, Interpreter, State, Stepped
from fencepost.ir.expr import disj, negate
from fencepost.ir.model import Model, PropertyKind
from fencepost.lang.properties import can_progress
from fencepost.lang.scope import Build, building
from fencepost.mutate import hunt
from fencepost.mutate.crew import Setting, run_mutants, run_one
from fencepost.mutate.hunt import Behaviour, Fate, Result
from fencepost.mutate.mutant import Operator
from fencepost.mutate.operators import mutants, sample
from fencepost.registry import find
from tests.explore.naive import search
from tests.mutate.lock import lock
from tests.profile import examples

EVERY = tuple(Operator)


def small() -> Model:
    return find("recycled-handle").build(sizes={"queues": 1, "handles": 2, "slots": 2})


def setting(model: Model, depth: int | None = None) -> Setting:
    return Setting.of(model, depth, 10_000, 60.0)


def with_hangs_anew(model: Model) -> Model:
    """A hang speaks of the guards of all progress actions: of the mutant's own."""
    with building(Build({}, itertools.count(1_000_000))):
        going = can_progress(model.actions)
    return evolve(
        model,
        properties=tuple(
            evolve(prop, holds=disj(negate(prop.twin), going)) if prop.kind is PropertyKind.HANG else prop
            for prop in model.properties
        ),
    )


Steps = set[tuple[State, str, tuple[int, ...], object]]


def everything(model: Model) -> Steps:
    """Every step, and every step that breaks an obligation, from every reachable state."""
    machine = Interpreter(model)
    waiting, seen, steps = [machine.initial()], {machine.initial()}, Steps()
    while waiting:
        state = waiting.pop()
        for action, args in machine.instances():
            outcome = machine.fire(state, action, args)
            if isinstance(outcome, Broken):
                steps.add((state, action.name, args, outcome.obligation))
            if isinstance(outcome, Stepped):
                steps.add((state, action.name, args, outcome.state))
                if outcome.state not in seen:
                    seen.add(outcome.state)
                    waiting.append(outcome.state)
    return steps


@pytest.mark.parametrize("make", [lock, small])
def test_as_the_interpreter_finds_it(make: object) -> None:
    model = make()  # type: ignore[operator]
    ground, given = everything(model), setting(model)
    for mutant in sample(mutants(model, EVERY), examples(40)):
        result = run_one(given, mutant)
        wanted = search(with_hangs_anew(mutant.change.model), None)
        assert (result.fate is Fate.KILLED) is bool(wanted.findings), mutant.title
        if result.fate is Fate.KILLED:
            assert wanted.findings[result.by] == result.depth == min(wanted.findings.values()), mutant.title
        elif not mutant.change.added:
            same = everything(mutant.change.model) == ground
            assert (result.fate is Fate.EQUIVALENT) is same, mutant.title


def fates(results: tuple[Result, ...]) -> dict[int, str]:
    return {result.number: result.fate.value for result in results}


def of_lock() -> dict[str, Result]:
    model = lock()
    every = mutants(model, EVERY)
    return {
        f"{mutant.change.action}: {mutant.change.words}": result
        for mutant, result in zip(every, run_mutants(setting(model), every, 1), strict=True)
    }


def test_what_becomes_of_the_lock_by_hand() -> None:
    of = of_lock()
    two_inside = of['take: the guard "free" left out']
    assert (two_inside.fate, two_inside.by, two_inside.depth) == (Fate.KILLED, "one-has-it", 4)
    never_freed = of["give: `taken = false` left out"]
    # ask, take, give, ask: then nobody can take it.
    assert (never_freed.fate, never_freed.by, never_freed.depth) == (Fate.KILLED, "no-hang", 4)
    twice = of["give: 1 as 2 in `inside = inside - 1`"]
    assert (twice.fate, twice.by, twice.depth) == (Fate.KILLED, "range:give/inside", 3)
    nobody_asks = of['ask: the guard "out" the other way round']
    assert (nobody_asks.fate, nobody_asks.kind) == (Fate.COVERAGE, Behaviour.LESS)
    full = of['take: `inside < 2` left out of the guard "asks"']
    assert (full.fate, full.proof) == (Fate.EQUIVALENT, "no reachable state tells them apart")
    unasked = of['take: the guard "asks" left out']
    assert (unasked.fate, unasked.kind) == (Fate.SURVIVED, Behaviour.SAME_STATES)
    assert unasked.difference is not None
    assert unasked.difference.path == ()
    assert unasked.difference.step == ("take", (0,))
    assert unasked.difference.allowed
    # Given back before it is left: another thread is inside as well.
    early = of["give: others come in between, after `taken = false`"]
    assert (early.fate, early.by) == (Fate.KILLED, "one-has-it")


def test_a_merged_model_is_never_killed_by_a_property() -> None:
    model = lock()
    merged = mutants(model, [Operator.MERGE])
    assert merged
    assert not [r for r in run_mutants(setting(model), merged, 1) if r.fate is Fate.KILLED]


def test_what_the_original_violates_kills_nothing() -> None:
    model = find("recycled-handle").build(variant="buggy")
    given = setting(model, 8)
    assert given.violated == {"no-handle-destroyed-while-referenced", "no-hang"}
    results = run_mutants(given, sample(mutants(model), 25), 1)
    assert {result.by for result in results if result.fate is Fate.KILLED}.isdisjoint(given.violated)


def test_within_a_depth_equivalent_is_only_what_is_proved() -> None:
    model = lock()
    of = {
        mutant.change.words: run_one(setting(model, 1), mutant)
        for mutant in mutants(model)
        if mutant.change.action in ("take", "give")
    }
    # Nobody can take it before anybody asks; without that guard it differs at once.
    assert of['`inside < 2` as `inside <= 2` in the guard "asks"'].fate is Fate.UNTOLD
    assert of['the guard "asks" left out'].fate is Fate.SURVIVED
    assert all(result.fate is not Fate.EQUIVALENT for result in of.values())


def test_processes_agree_and_a_sample_is_part_of_the_whole() -> None:
    model = lock()
    every = mutants(model)
    some = sample(every, 6)
    assert len(some) == 6
    assert set(some) <= set(every)
    assert sample(every, 6) == some
    given = setting(model)
    assert fates(run_mutants(given, some, 2)) == fates(run_mutants(given, some, 1))


def blind(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hunt, "_note", lambda *_: None)


def deaf(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hunt.Hunt, "_look", lambda *_: None)


def patient(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hunt.Hunt, "hangs", lambda *_: None)


def lenient(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hunt.Hunt, "breaks", lambda *_: None)


@pytest.mark.parametrize("plant", [blind, deaf, patient, lenient], ids=lambda plant: plant.__name__)
def test_a_fault_planted_in_the_hunt_is_found(plant: object, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)  # type: ignore[operator]
    with pytest.raises(AssertionError):
        test_as_the_interpreter_finds_it(lock)
