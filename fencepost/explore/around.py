"""A short loop through a fair component that takes, or sees not enabled, whatever is owed a turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping

from attrs import field, frozen

Loop = tuple[int, ...]
"""Steps, by number, from a state back to it."""

MOST = 200_000
"""Places that an exact search may visit; beyond them the loop takes one debt after the other."""

Step = tuple[int, int, int]
"""Its number, the state that it leads to, and its fair group (or -1)."""


@frozen
class Round:
    """A fair component: the steps inside it, which groups are enabled in each state, and which are strong."""

    steps: Callable[[int], list[Step]]
    enabled: Mapping[int, frozenset[int]]
    strong: frozenset[int]
    start: int
    _none: frozenset[int] = field(default=frozenset(), init=False)

    def loop(self, most: int = MOST) -> Loop:
        """A shortest loop from `start`, or a short one where that would take long."""
        return self._exact(most) or self._greedy()

    def at(self, state: int) -> frozenset[int]:
        """The groups that are enabled in a state."""
        return self.enabled.get(state, self._none)

    def _exact(self, most: int) -> Loop | None:
        """Breadth first over states with what is still owed: weak debts of the start, strong ones as they come."""
        debts = self.at(self.start)
        first = (self.start, debts - self.strong, debts & self.strong, self._none)
        came: dict[tuple[int, frozenset[int], frozenset[int], frozenset[int]], tuple[object, int]] = {first: (None, -1)}
        waiting = deque([first])
        while waiting and len(came) <= most:
            place = waiting.popleft()
            state, weak, wanted, taken = place
            for step, after, group in self.steps(state):
                here = self.at(after)
                took = taken | ({group} & self.strong)
                owes = weak - {group}
                then = (after, owes & here, (wanted | here & self.strong) - took, took)
                if then in came:
                    continue
                came[then] = (place, step)
                if after == self.start and not then[1] and not then[2]:
                    return tuple(reversed(list(_back(came, then))))
                waiting.append(then)
        return None

    def _greedy(self) -> Loop:
        """To the nearest step or state that pays a debt, until none is left, then back."""
        steps: list[int] = []
        state, owes = self.start, set(self.at(self.start))
        owes |= {group for groups in self.enabled.values() for group in groups & self.strong}

        def pays(after: int, group: int) -> bool:
            return group in owes or any(debt not in self.strong and debt not in self.at(after) for debt in owes)

        while owes:
            for step, after, group in self._walk(state, pays):
                steps.append(step)
                state = after
                owes -= {group} | {debt for debt in owes if debt not in self.strong and debt not in self.at(after)}
        if state != self.start:
            steps += [step for step, _, _ in self._walk(state, lambda after, _: after == self.start)]
        return tuple(steps)

    def _walk(self, state: int, ends: Callable[[int, int], bool]) -> list[Step]:
        """The fewest steps to one that `ends` accepts; within the component there is one."""
        came: dict[int, tuple[int, Step] | None] = {state: None}
        waiting = deque([state])
        while waiting:
            at = waiting.popleft()
            for step in self.steps(at):
                if ends(step[1], step[2]):
                    found = [step]
                    while (before := came[at]) is not None:
                        at, one = before
                        found.append(one)
                    return found[::-1]
                if step[1] not in came:
                    came[step[1]] = (at, step)
                    waiting.append(step[1])
        raise AssertionError("a fair component pays all its debts")


def _back(
    came: Mapping[tuple[int, frozenset[int], frozenset[int], frozenset[int]], tuple[object, int]], at: object
) -> Iterator[int]:
    while True:
        at, step = came[at]  # type: ignore[index]
        if step < 0:
            return
        yield step
