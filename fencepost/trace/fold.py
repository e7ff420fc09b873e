"""Milestones and what lies between them: how a long trace stays readable."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from fencepost.trace.model import Step, Trace


@frozen
class Scene:
    """A step that is shown. `event` numbers the milestones from 1; None for a step that is not one."""

    number: int
    step: Step
    event: int | None


@frozen
class Fold:
    """The steps `first` to `last`, put together."""

    first: int
    last: int
    steps: tuple[Step, ...]

    @property
    def numbers(self) -> str:
        """Such as `4` or `4-7`."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def scenes(trace: Trace, *, folded: bool) -> Iterator[Scene | Fold]:
    """The trace's steps in order; if `folded`, only milestones and the last step stand alone.

    A trace without any milestone is never folded: nothing would be left.
    """
    folded = folded and any(step.is_milestone for step in trace.steps)
    event = 0
    waiting: list[Step] = []
    for number, step in enumerate(trace.steps, 1):
        if waiting and trace.lasso is not None and number == trace.lasso.back + 1:
            yield Fold(number - len(waiting), number - 1, tuple(waiting))
            waiting = []
        if folded and not step.is_milestone and number < len(trace.steps):
            waiting.append(step)
            continue
        if waiting:
            yield Fold(number - len(waiting), number - 1, tuple(waiting))
            waiting = []
        event += step.is_milestone
        yield Scene(number, step, event if step.is_milestone else None)


def actors(trace: Trace) -> list[str]:
    """Every actor, in the order of its first step."""
    return list(dict.fromkeys(step.actor for step in trace.steps))
