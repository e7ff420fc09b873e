"""Whether a run that goes on for ever is one that a response can be blamed for, and why nobody is owed a step.

The run is judged by the interpreter alone: that its loop closes, that it is fair, and that for some
values what was asked for never comes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from attrs import frozen

from fencepost.exec.interpreter import Interpreter, ObligationBroken, Refused, State
from fencepost.ir.cases import Case, cases
from fencepost.ir.fairness import Group, Groups
from fencepost.ir.model import Fairness, GuardKind, Model, Property
from fencepost.trace.explain import explain_waiting, looked_at
from fencepost.trace.model import Explanation, Lasso, Starved
from fencepost.verdict import Path


@frozen
class Endless:
    """A run with its states, the initial one first; it goes back to the one numbered `back` for ever."""

    model: Model
    path: Path
    states: tuple[State, ...]
    back: int

    @property
    def loop(self) -> range:
        """The numbers of the states that come again and again."""
        return range(self.back, len(self.states))

    def enabled(self, group: Group, number: int) -> bool:
        """Whether the `require` guards of some instance hold in the state of that number."""
        return any(self.refused(group, args, number) is None for args in group.instances())

    def refused(self, group: Group, args: tuple[int, ...], number: int) -> Refused | None:
        """By which guard an instance is refused there; a bound does not count, nor does a broken obligation."""
        outcome = Interpreter(self.model).fire(self.states[number], group.action, args)
        if isinstance(outcome, Refused) and outcome.guard.kind is GuardKind.REQUIRE:
            return outcome
        return None


def judge(run: Endless, prop: Property, subjects: Collection[str] = ()) -> tuple[Explanation, Lasso] | str:
    """How the run violates the response; else why it does not.

    `subjects` are the sorts whose lives the trace's notes tell.
    """
    if run.states[run.back] != run.states[-1]:
        return f"the last state is not the one after step {run.back}, so the steps behind it do not repeat"
    groups = Groups.of(run.model)
    taken = {groups.number(run.model.action(name), args) for name, args in run.path[run.back :]}
    idle = [group for number, group in enumerate(groups.every) if number not in taken]
    for group in idle:
        if (owed := _owed(run, group)) is not None:
            return owed
    waiting = next(_waiting(run, prop), None)
    if waiting is None:
        return "what it asks for comes"
    case, since = waiting
    starved = tuple(_starved(run, idle))
    dead = [group for group in idle if not any(run.enabled(group, number) for number in run.loop)]
    explanation = explain_waiting(Interpreter(run.model), prop, case, run.states[since], run.states[-1], dead, subjects)
    return explanation, Lasso(run.back, since, starved)


def _owed(run: Endless, group: Group) -> str | None:
    """Why the run is not fair to a group that it never takes."""
    enabled = [run.enabled(group, number) for number in run.loop]
    if group.fair is Fairness.WEAK and all(enabled):
        return f"{group.label} is enabled all the time from step {run.back} on and never taken, which is not fair"
    if group.fair is Fairness.STRONG and any(enabled):
        return f"{group.label} is enabled again and again and never taken, which is not fair"
    return None


def _waiting(run: Endless, prop: Property) -> Iterator[tuple[Case, int]]:
    """Each case that waits for ever, with the number of the first state from which on it does."""
    interpreter = Interpreter(run.model)

    def holds(number: int, case: Case) -> tuple[bool, bool] | None:
        state = run.states[number]
        try:
            return (
                bool(interpreter.evaluate(state, case.trigger, prop.name)),
                bool(interpreter.evaluate(state, case.goal, prop.name)),
            )
        except ObligationBroken:
            return None

    for case in cases(prop):
        told = [holds(number, case) for number in range(len(run.states))]
        unmet = len(told)
        while unmet > 0 and (each := told[unmet - 1]) is not None and not each[1]:
            unmet -= 1
        asked = (number for number in range(unmet, len(told)) if (each := told[number]) is not None and each[0])
        since = next(asked, None)
        if since is not None and unmet <= run.back:
            yield case, since


def _starved(run: Endless, idle: Collection[Group]) -> Iterator[Starved]:
    """The groups that are enabled in the loop, but not all the time."""
    for group in idle:
        for args in group.instances():
            refusals = {number: run.refused(group, args, number) for number in run.loop}
            refused = next(((n, each) for n, each in refusals.items() if each is not None), None)
            if refused is not None and None in refusals.values():
                number, guard = refused[0], refused[1].guard
                readings = looked_at(Interpreter(run.model), run.states[number], group.action, args, guard)
                yield Starved(group.action.call(args), number, guard.name, readings)
                break
