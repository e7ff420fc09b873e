"""Broken obligations of a search under symmetry, as they break in the states that its paths lead to.

Of several obligations that one expression would break, the one that is met first is told; that may be
another one in a state where the indices have other names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Broken, Interpreter, ObligationBroken, State, Stepped
from fencepost.explore.searcher import Outcome
from fencepost.ir.model import Model
from fencepost.verdict import Label, Path


def as_they_break(model: Model, outcome: Outcome) -> Outcome:
    """The outcome with each broken obligation called as it is at the end of its path, and the last step that breaks it.

    Raises:
        InternalError: nothing breaks there.
    """
    if not outcome.broken_steps and not outcome.broken_states:
        return outcome
    again = _Again(Interpreter(model))
    steps = (again.step(name, path) for name, path in _shortest_first(outcome.broken_steps))
    states = (again.state(name, path) for name, path in _shortest_first(outcome.broken_states))
    return evolve(outcome, broken_steps=_firsts(steps), broken_states=_firsts(states))


def _shortest_first(paths: Mapping[str, Path]) -> list[tuple[str, Path]]:
    return sorted(paths.items(), key=lambda item: (len(item[1]), item[0]))


def _firsts(found: Iterator[tuple[str, Path]]) -> dict[str, Path]:
    first: dict[str, Path] = {}
    for name, path in found:
        first.setdefault(name, path)
    return first


@frozen
class _Again:
    """Takes paths once more."""

    interpreter: Interpreter

    def step(self, name: str, path: Path) -> tuple[str, Path]:
        """The obligation that an instance of the last step's action breaks: the one of that name if there is one."""
        *before, (action, _) = path
        state = self._after(before)
        broken = []
        for each, args in self.interpreter.instances():
            if each.name == action and isinstance(result := self.interpreter.fire(state, each, args), Broken):
                broken.append((result.obligation, (*before, (action, args))))
        return _named(name, broken)

    def state(self, name: str, path: Path) -> tuple[str, Path]:
        """The obligation that a condition breaks in the last state."""
        state = self._after(path)
        broken = []
        for prop in self.interpreter.model.properties:
            for condition in (prop.holds, prop.twin):
                try:
                    self.interpreter.evaluate(state, condition, prop.name)
                except ObligationBroken as error:
                    broken.append((error.name, path))
        return _named(name, broken)

    def _after(self, path: Path | list[Label]) -> State:
        state = self.interpreter.initial()
        for name, args in path:
            result = self.interpreter.fire(state, self.interpreter.model.action(name), args)
            if not isinstance(result, Stepped):
                raise InternalError(f"a path that was found under symmetry does not replay at {name}")
            state = result.state
        return state


def _named(name: str, broken: list[tuple[str, Path]]) -> tuple[str, Path]:
    """The one of that name, or of the same action or property, or any."""
    where = name.rpartition("/")[0]
    for one in (
        *(b for b in broken if b[0] == name),
        *(b for b in broken if b[0].rpartition("/")[0] == where),
        *broken,
    ):
        return one
    raise InternalError(f"{name}, found under symmetry, does not break at the end of its path")
