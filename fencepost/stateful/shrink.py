"""Making a run that was found by chance as short and as plain as can be, and still come to its goal.

First steps are left out in ever smaller pieces, and detours are replaced by the shortest way that a
small search finds. Then Hypothesis looks for a simpler run: each step may stay, be left out, or
become one declared earlier (or with lower arguments), and Hypothesis shrinks to a local minimum of
that. What comes out is a run in which no single step can be left out; a shorter one may still exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import combinations

from attrs import frozen
from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from fencepost.clock import Clock
from fencepost.stateful.ending import TimeIsUp, ended_from_inside, stop_if_over
from fencepost.stateful.player import Goal, Items, Player

_KEEP = (1 << 24) - 1
"""Steps are drawn from 0 to this: 0 leaves one out, a low number makes it another, any other keeps it."""

_PAIRS_UP_TO = 60
"""Steps of a run up to which each two of them are tried without."""

_SEARCH = 3_000
"""States that the search for a shorter way between two states of a run may look at."""

_EXAMPLES = 200
"""Runs that Hypothesis tries before it gives up finding the one it was given."""

_TRIES = 600
"""Runs that Hypothesis may try in all."""


@frozen
class Shrinker:
    """Shrinks runs to one goal."""

    player: Player
    goal: Goal
    clock: Clock

    def shrink(self, items: Items) -> Items:
        """A run to the goal that is no longer, and without a step that could be left out.

        When time is up, what was reached by then.
        """
        return self._improved(items, self._steps, self._detours, self._steps, self._simplest, self._steps)

    def without_steps(self, items: Items) -> Items:
        """Leave out pieces, from half of the run down to single steps, then pairs, until nothing can be."""
        return self._improved(items, self._steps)

    def without_detours(self, items: Items) -> Items:
        """Replace parts of the run by shorter ways between the same two of its states."""
        return self._improved(items, self._detours)

    def simplest(self, items: Items) -> Items:
        """What Hypothesis makes of the run."""
        return self._improved(items, self._simplest)

    def _improved(self, items: Items, *passes: Callable[[Items], Iterator[Items]]) -> Items:
        best = self.player.play(items, self.goal)
        assert best is not None, f"the run does not come to {self.goal.name}"
        with suppress(TimeIsUp):
            for improve in passes:
                for better in improve(best):
                    best = better
        return best

    # Each pass gives every improvement as it is made, so that the end of time loses none.

    def _steps(self, best: Items) -> Iterator[Items]:
        size = max(len(best) // 2, 1)
        while size:
            shorter = self._first_shorter(best, (best[:at] + best[at + size :] for at in range(0, len(best), size)))
            if shorter is None and size == 1 and len(best) <= _PAIRS_UP_TO:
                shorter = self._first_shorter(best, _without_pairs(best))
            if shorter is None:
                size = 0 if size == 1 else size // 2
            else:
                yield (best := shorter)
                size = min(size, max(len(best) // 2, 1))

    def _detours(self, best: Items) -> Iterator[Items]:
        at = 0
        while at < len(best):
            stop_if_over(self.clock)
            states = self.player.states(best)
            place = {state: position for position, state in enumerate(states)}
            way = self._shortcut(states[at], at, place) if at < len(states) else None
            if way is None:
                at += 1
            else:
                found = self._play(best[:at] + way[0] + best[way[1] :])
                assert found is not None, "a shortcut leads to the same state"
                yield (best := found)

    def _simplest(self, items: Items) -> Iterator[Items]:
        instances = len(self.player.steps.instances)
        best, tries = items, 0

        @st.composite
        def runs(draw: st.DrawFn) -> Items | None:
            drawn = [draw(st.integers(0, _KEEP)) for _ in items]
            return self._play([n - 1 if n <= instances else item for n, item in zip(drawn, items, strict=True) if n])

        def is_as_good(run: Items | None) -> bool:
            nonlocal best, tries
            tries += 1
            if tries > _TRIES:
                raise TimeIsUp
            if run is None or len(run) > len(items):
                return False
            best = min(best, run, key=lambda run: (len(run), run))
            return True

        with suppress(NoSuchExample, TimeIsUp), ended_from_inside():
            find(runs(), is_as_good, settings=_QUIET)
        yield best

    def _shortcut(self, start: int, at: int, place: dict[int, int]) -> tuple[Items, int] | None:
        """A way from `start` (state number `at` of the run) to a later state that takes fewer steps than the run.

        The one that saves the most among those that a small breadth-first search finds.
        """
        ways: dict[int, Items] = {start: ()}
        best: tuple[Items, int] | None = None
        saved = 0
        for state in (queue := [start]):
            position = place.get(state, -1)
            if position - at - len(ways[state]) > saved:
                best, saved = (ways[state], position), position - at - len(ways[state])
            if len(ways) < _SEARCH:
                for item, after in self.player.moves(state).steps.items():
                    if after not in ways:
                        ways[after] = (*ways[state], item)
                        queue.append(after)
        return best

    def _first_shorter(self, items: Items, candidates: Iterator[Items]) -> Items | None:
        for candidate in candidates:
            played = self._play(candidate)
            if played is not None and len(played) < len(items):
                return played
        return None

    def _play(self, items: Items | list[int]) -> Items | None:
        stop_if_over(self.clock)
        return self.player.play(items, self.goal)


def _without_pairs(items: Items) -> Iterator[Items]:
    for one, other in combinations(range(len(items)), 2):
        yield items[:one] + items[one + 1 : other] + items[other + 1 :]


_QUIET = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=_EXAMPLES,
    phases=(Phase.generate, Phase.shrink),
    verbosity=Verbosity.quiet,
    # A run that is not the one it was given is not to the point, and most are not: that is no fault of a test.
    suppress_health_check=list(HealthCheck),
)
