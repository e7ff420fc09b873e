"""Engine `learn` against a search of every state, on random models; faults in it; limits; both searches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from numpy.typing import NDArray

from fencepost.aig.circuit import circuit_of
from fencepost.clock import Clock
from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter
from fencepost.explore.bfs import run as explore
from fencepost.explore.interpreted import Interpreted
from fencepost.ir.expr import Read
from fencepost.ir.model import Model
from fencepost.proof import prove, search
from fencepost.proof.clause import Clause, Vocabulary, holds
from fencepost.proof.learn import Learner, Lesson, run
from fencepost.proof.minimise import minimised
from fencepost.proof.questions import ask, bounded_actions
from fencepost.proof.reached import Reached
from fencepost.proof.search import Failure, every_state
from fencepost.proof.solvers import CHECKERS
from fencepost.proof.step import Step
from fencepost.registry import find
from fencepost.verdict import OBLIGATIONS, Stop
from tests.explore.test_bfs_agrees import ALWAYS, shows
from tests.profile import as_drawn, examples
from tests.proof.agreement import failed, flat
from tests.smt.tiny import below, counter, number, prop
from tests.strategies import models


def states_of(model: Model) -> list[Any]:
    """Every state, by the search in Python."""
    searcher = Interpreted.begin(model, [])
    while True:
        for _ in searcher.expand():
            pass
        if not searcher.advance():
            return [searcher.steps.layout.unpack(state) for state in searcher.parents]


def compare(model: Model) -> None:
    """What is learnt and found is what a look at every state proves and finds."""
    model = evolve(model, properties=(*model.properties, ALWAYS))  # so that a search goes on to the end
    learnt, seen = run(model, depth=None, timeout=None), explore(model, depth=None, timeout=None)
    assert seen.stop is Stop.EXHAUSTED
    assert learnt.stop is Stop.DECIDED, f"learn differs: {learnt.reason}"
    assert learnt.names == seen.names, "learn differs on what is violated"
    assert all(shows(Interpreter(model), finding) for finding in learnt.findings)
    assert learnt.proof is not None
    for name in [p.name for p in model.properties]:
        assert learnt.proof.covers(name) is (name not in seen.names), "learn differs on what it proves"
        if name not in seen.names:
            assert learnt.twins.get(name) == seen.twins.get(name), "learn differs on twins"
    if not any(name.startswith(("range:", "dead:")) for name in seen.names):
        assert OBLIGATIONS in learnt.proof.proves
    words = Vocabulary.of(model)
    invariant = [words.read(line) for line in learnt.proof.invariant]
    assert all(holds(clause, flat(state)) for state in states_of(model) for clause in invariant)


@settings(deadline=None, max_examples=examples(40), suppress_health_check=list(HealthCheck))
@given(models())
def test_learn_and_a_search_agree(model: Model) -> None:
    compare(model)


@as_drawn(200)
@given(models())
def _agree(model: Model) -> None:
    compare(model)


def literals_lost(patch: pytest.MonkeyPatch) -> None:
    against = Reached.against
    patch.setattr(Reached, "against", lambda self, *args: against(self, *args)[:1])


def a_state_lost(patch: pytest.MonkeyPatch) -> None:
    sets = search._sets
    patch.setattr(search, "_sets", lambda model, layout, table, *rest: sets(model, layout, _less(table), *rest))


def _less(table: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return table[: max(1, len(table) - 1)]


def violations_not_seen(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Reached, "first", lambda self, circuit, literal: None)


def steps_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    def safety_alone(self: Lesson, bads: Collection[int], clock: Clock) -> tuple[Clause, ...]:
        for bad in bads:
            self._rule_out(bad, clock)
        return tuple(self.known)

    patch.setattr(Lesson, "learn", safety_alone)


def clauses_lost(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(prove, "minimised", lambda *args: minimised(*args)[1:])


@pytest.mark.parametrize(
    "plant",
    [literals_lost, a_state_lost, violations_not_seen, steps_not_looked_at, clauses_lost],
    ids=lambda plant: plant.__name__,
)
def test_random_models_see_the_fault(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises((InternalError, AssertionError)):
        _agree()


def invariant_of(model: Model) -> Sequence[str]:
    found = run(model, depth=None, timeout=None)
    assert found.proof is not None
    return found.proof.invariant


def test_states_searched_in_c_teach_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    model = find("recycled-handle").build()
    in_python = invariant_of(model)
    monkeypatch.setattr(search, "_WORTH_C", 100)
    monkeypatch.setattr(search, "_of_python", None)  # which would be an error
    assert invariant_of(model) == in_python


def test_without_a_compiler_it_goes_on_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fencepost.explore.native.find_compiler", lambda: None)
    monkeypatch.setattr(search, "_WORTH_C", 1)
    monkeypatch.setattr(search, "_of_c", None)
    assert invariant_of(counter(3, prop("always", ALWAYS.holds))) == ()


def test_bits_that_lie_in_two_words_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = find("issued-ops").build()
    states = every_state(model, Clock(None), None)
    assert isinstance(states, Reached)
    try:
        assert states.count == 125_822
        for column in states.columns:
            total = sum(int(sum(word.bit_count() for word in map(int, found))) for found in column.seen.values())
            assert total == states.count == sum(column.counts.values())
    finally:
        states.close()


def test_no_time_is_no_proof() -> None:
    found = run(find("recycled-handle").build(), depth=None, timeout=0.0001)
    assert found.stop is Stop.TIMEOUT
    assert found.proof is None or not found.proof.covers("no-hang")
    assert "in its time" in found.reason


def test_no_memory_is_no_proof() -> None:
    found = run(find("recycled-handle").build(), depth=None, timeout=60, memory=1)
    assert found.stop is Stop.MEMORY
    assert found.proof is None or not found.proof.covers("no-hang")
    assert "memory" in found.reason


class _Looks(Clock):
    """Over after it was looked at so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__(None)
        self._looks = looks

    @property
    def over(self) -> bool:
        self._looks -= 1
        return self._looks < 0


def test_what_was_learnt_is_kept_for_the_next_time() -> None:
    model = find("recycled-handle").build()
    circuit = circuit_of(model)
    states = every_state(model, Clock(None), None)
    assert isinstance(states, Reached)
    lesson, bads = Lesson(states, Step(circuit)), list(circuit.bads.values())
    assert lesson.learn(bads, _Looks(30)) is None
    so_far = list(lesson.known)
    assert len(so_far) > 20
    whole = lesson.learn(bads, Clock(None))
    assert whole is not None
    assert list(whole)[: len(so_far)] == so_far
    asked = ask(model, whole, [prop.name for prop in model.properties], bounded_actions(model))
    assert all(failed(asked, solver) is None for solver in CHECKERS if not CHECKERS[solver].missing())


def test_a_failed_search_is_not_begun_again() -> None:
    learner = Learner()
    learner._states = Failure("for a test")
    found = prove.prove(
        "learn", learner, counter(3, prop("open", below(Read(counter(3).vars[0]), number(3)))),
        timeout=None, memory=None, properties=None, progress=None,
    )  # fmt: skip
    assert "for a test" in found.reason
    assert found.proof is None or not found.proof.covers("open")
