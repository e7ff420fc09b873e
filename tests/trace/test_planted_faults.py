"""Faults planted where traces are made and replayed, one at a time: some test of these finds each."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve

from fencepost.exec.interpreter import Interpreter, Outcome, Stepped
from fencepost.trace import build, replay
from fencepost.trace.model import Explanation, Subject
from tests.trace import test_build, test_replay

Plant = Callable[[pytest.MonkeyPatch], None]


def guards_not_asked(patch: pytest.MonkeyPatch) -> None:
    right = Interpreter.fire

    def wrong(self: Interpreter, state: Any, action: Any, *rest: Any) -> Outcome:
        return right(self, state, evolve(action, guards=()), *rest)

    patch.setattr(Interpreter, "fire", wrong)


def states_stand_still(patch: pytest.MonkeyPatch) -> None:
    right = Interpreter.fire

    def wrong(self: Interpreter, state: Any, *rest: Any) -> Outcome:
        outcome = right(self, state, *rest)
        return evolve(outcome, state=state) if isinstance(outcome, Stepped) else outcome

    patch.setattr(Interpreter, "fire", wrong)


def any_run_violates(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(build, "_explain", lambda *_: Explanation("it does"))


def no_run_violates(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(build, "_explain", lambda *_: None)


def one_step_short(patch: pytest.MonkeyPatch) -> None:
    right = build.run_path
    for module in (build, replay):
        patch.setattr(module, "run_path", lambda model, path: right(model, path[:-1]))


def notes_without_a_subject(patch: pytest.MonkeyPatch) -> None:
    right = build._event
    patch.setattr(build, "_event", lambda note: evolve(right(note), subject=None))


def blames_another(patch: pytest.MonkeyPatch) -> None:
    right = build.explain

    def wrong(*args: Any) -> Explanation:
        return evolve(right(*args), blames=(Subject("Handle", 7),))

    patch.setattr(build, "explain", wrong)


def edits_not_looked_for(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replay, "_check_unchanged", lambda *_: None)


def every_model_is_the_same(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replay, "digest", lambda _: "0" * 16)


def every_trace_reproduces(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(replay, "conclude", lambda model, ran, violated, back=None: build.Trace)


FAULTS: tuple[tuple[Plant, ModuleType], ...] = (
    (guards_not_asked, test_replay),
    (states_stand_still, test_build),
    (any_run_violates, test_build),
    (no_run_violates, test_build),
    (one_step_short, test_build),
    (notes_without_a_subject, test_build),
    (blames_another, test_build),
    (edits_not_looked_for, test_replay),
    (every_model_is_the_same, test_replay),
    (every_trace_reproduces, test_replay),
)


@pytest.mark.parametrize(("plant", "tests"), FAULTS, ids=lambda each: getattr(each, "__name__", ""))
def test_the_fault_is_found(plant: Plant, tests: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list(failing(tests))
    plant(monkeypatch)
    assert list(failing(tests))


def failing(tests: ModuleType) -> list[str]:
    """The tests of a module that fail now, of those that take nothing or the trace of the toy."""
    failed = []
    for name, test in vars(tests).items():
        if not name.startswith("test_"):
            continue
        needed = inspect.signature(test).parameters
        try:
            given = {key: fixture(tests, key) for key in needed}
            test(**given)
        except LookupError:
            continue
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - however it fails
            failed.append(name)
    return failed


def fixture(tests: ModuleType, name: str) -> object:
    """What a fixture of the module that takes nothing gives."""
    made = vars(tests)[name]
    function = getattr(made, "__wrapped__", None) or made._get_wrapped_function()
    if inspect.signature(function).parameters:
        raise LookupError(name)
    return function()
