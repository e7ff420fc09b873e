"""What a bounded check needs of runs in a solver, and a run that was found, taken again by the interpreter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.model import Model
from fencepost.verdict import Path, Stop

Condition = Any
"""A Boolean over the state of a system: `True`, `False`, or what its solver makes of it."""

Broken = Mapping[str, Condition]
"""By an obligation's name, when it is the first to break."""


class GaveUp(Protocol):
    """No answer: interrupted by the user, out of time, or for another reason."""

    @property
    def reason(self) -> str: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def out_of_time(self) -> bool: ...
    @property
    def stop(self) -> Stop:
        """How a run ends that this ends."""


class Target(Protocol):
    """A property on the state."""

    @property
    def name(self) -> str: ...
    @property
    def violated(self) -> Condition: ...
    @property
    def twin(self) -> Condition: ...
    @property
    def broken(self) -> Broken: ...


class Runs(Protocol):
    """The runs of a system, extended one step at a time in one incremental solver."""

    @property
    def engine(self) -> str:
        """Its name, for what is wrong with it."""

    @property
    def solver_name(self) -> str: ...
    @property
    def model(self) -> Model: ...
    @property
    def targets(self) -> Sequence[Target]:
        """The properties asked for."""

    @property
    def in_step(self) -> Iterable[Broken]:
        """For each instance, what it breaks in a state that it would step from."""

    @property
    def depth(self) -> int:
        """How many steps the runs have."""

    def extend(self) -> None:
        """Add a step."""

    def settle(self, length: int) -> None:
        """Take the first `length` steps for good: no shorter run will be asked about again."""

    def at(self, frame: int, condition: Condition) -> Condition:
        """The condition, of the state of a frame."""

    def either(self, conditions: Iterable[Condition]) -> Condition:
        """That one of some conditions on the state holds."""

    def question(self, sought: Condition) -> object:
        """Something to ask for, of a condition in some frame; may be asked again."""

    def ask(self, frame: int, question: object, seconds: float) -> bool | GaveUp:
        """Whether a run takes all steps to a frame and has what the question is about. Never guessed."""

    def deny(self, sought: Condition) -> None:
        """Assert that what was sought is not so."""

    def path(self, length: int) -> Path:
        """The first steps of the run that the solver has just found."""

    def states(self, length: int) -> list[State]:
        """The states of those steps, one more than there are steps."""

    def afresh(self) -> Runs:
        """The same system's runs in a new solver."""


def replayed(runs: Runs, length: int) -> tuple[Path, State]:
    """The run that the solver has just found, and its last state.

    Raises:
        InternalError: the interpreter does not take the same steps through the same states.
    """
    model, engine = runs.model, runs.engine
    path, states = runs.path(length), runs.states(length)
    interpreter = Interpreter(model)
    state = interpreter.initial()
    for number, (label, expected) in enumerate(zip(path, states[1:], strict=True), 1):
        outcome = interpreter.fire(state, model.action(label[0]), label[1])
        if not isinstance(outcome, Stepped):
            raise InternalError(f"{engine} takes step {number}, {label}, where the interpreter says {outcome}")
        if outcome.state != expected:
            raise InternalError(f"{engine} and the interpreter differ on the state after step {number}, {label}")
        state = outcome.state
    return path, state
