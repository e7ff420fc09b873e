"""Making a run that was found by chance as short and as plain as can be, and still come to its goal.

First steps are left out in ever smaller pieces, and detours are replaced by the shortest way that a
small search finds. Then Hypothesis looks for a simpler run: each step may stay, be left out, or
become one declared earlier (or with lower arguments), and Hypothesis shrinks to a local minimum of
that. What comes out is a run in which no single step can be left out; a shorter one may still exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations

from attrs import frozen
from hypothesis import HealthCheck, Phase, Verbosity, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from fencepost.stateful.clock import Clock, TimeIsUp, ended_from_inside
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
        best = self._played(items)
        try:
            for shorter in (
                self.without_steps,
                self.without_detours,
                self.without_steps,
                self.simplest,
                self.without_steps,
            ):
                best = shorter(best)
        except TimeIsUp:
            pass
        return best

    def without_steps(self, items: Items) -> Items:
        """Leave out pieces, from half of the run down to single steps, then pairs, until nothing can be."""
        best, size = items, max(len(items) // 2, 1)
        while size:
            shorter = self._first_shorter(best, (best[:at] + best[at + size :] for at in range(0, len(best), size)))
            if shorter is not None:
                best = shorter
                size = min(size, max(len(best) // 2, 1))
            elif size > 1:
                size //= 2
            elif len(best) <= _PAIRS_UP_TO and (shorter := self._first_shorter(best, _without_pairs(best))) is not None:
                best = shorter
            else:
                size = 0
        return best

    def without_detours(self, items: Items) -> Items:
        """Replace parts of the run by shorter ways between the same two of its states."""
        best, at = items, 0
        while at < len(best):
            self.clock.check()
            states = self.player.states(best)
            place = {state: position for position, state in enumerate(states)}
            way = self._shortcut(states[at], at, place) if at < len(states) else None
            if way is None:
                at += 1
            else:
                best = self._played(best[:at] + way[0] + best[way[1] :])
        return best

    def simplest(self, items: Items) -> Items:
        """What Hypothesis makes of the run."""
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
        return best

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

    def _played(self, items: Items) -> Items:
        played = self.player.play(items, self.goal)
        assert played is not None, f"the run does not come to {self.goal.name}"
        return played

    def _play(self, items: Items | list[int]) -> Items | None:
        self.clock.check()
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
