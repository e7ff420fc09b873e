"""Plain random walks over generated code: the part of the engine that looks at the most steps a second.

Every run starts in the initial state and draws its own odds for each action, so that some runs
dispatch a lot and complete little, some the other way round; every other run prefers states not
seen before. Nothing is claimed about what was not walked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from fencepost.clock import Clock
from fencepost.exec.watching import Watcher
from fencepost.ir.model import Property
from fencepost.stateful.player import Items, Player
from fencepost.verdict import ActionCount, Finding

ODDS = (1, 1, 1, 4, 16, 64)
"""What a run draws for each action: how likely it is beside others."""

_LOOK = 4_096
"""New states after which properties are looked at."""

_REMEMBERED = 1_000_000
"""States remembered as seen; when there are more, all are forgotten."""

_QUIET = 200
"""Runs in a row without a new state after which there is nothing more to hope for."""

_FORMS = 20_000
"""Sets of enabled instances that are counted before the counts are folded into the actions'."""


@frozen
class Walk:
    """One run: what it did, and the states that it passed."""

    items: Items
    states: tuple[int, ...]


@define
class Hunt:
    """Random walks, what they saw, and what they found."""

    player: Player
    properties: Sequence[Property]
    steps: int
    """The most steps of a run."""
    seed: int
    tick: Callable[[], None]
    """Called after every run."""
    runs: int = 0
    transitions: int = 0
    longest: int = 0
    quiet: int = 0
    seen: set[int] = field(factory=set)
    forgot: bool = False
    findings: dict[str, Finding] = field(factory=dict)
    twins: dict[str, Items] = field(factory=dict)
    _told: int = 0
    _recent: list[Walk] = field(factory=list)
    _new: list[int] = field(factory=list)
    _forms: Counter[tuple[int, ...]] = field(factory=Counter)
    _enabled: Counter[str] = field(factory=Counter)
    _fired: Counter[int] = field(factory=Counter)
    _watcher: Watcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._watcher = Watcher(self.player.steps.layout, self.properties)

    @property
    def is_exhausted(self) -> bool:
        """Whether the last runs saw nothing new. They may still have missed something."""
        return self.quiet >= _QUIET

    @property
    def is_decided(self) -> bool:
        """Whether every property is violated."""
        return bool(self.properties) and all(prop.name in self.findings for prop in self.properties)

    def go(self, runs: int | None, clock: Clock) -> Iterator[Finding]:
        """Walk until all runs are made, time is up, or nothing is left to find; gives each finding as it is made."""
        while not (self.runs == runs or clock.over or self.is_exhausted or self.is_decided):
            self._walk(random.Random(f"{self.seed}/{self.runs}"))  # noqa: S311 - repeatable, not secret
            self.runs += 1
            self.tick()
            if len(self._new) >= _LOOK:
                yield from self.look()
        yield from self.look()

    def look(self) -> list[Finding]:
        """Check what was walked since the last look; gives the findings since then."""
        self._watcher.look(self._new)
        for names, in_state in ((self._watcher.violated, False), (self._watcher.broken, True)):
            for name, state in names.items():
                if name not in self.findings:
                    self.findings[name] = Finding(name, self.player.path(self._way_to(state)), in_state)
        for name, state in self._watcher.twins.items():
            if name not in self.twins:
                self.twins[name] = self._way_to(state)
        self._recent.clear()
        self._new.clear()
        told, self._told = self._told, len(self.findings)
        return list(self.findings.values())[told:]

    def actions(self) -> dict[str, ActionCount]:
        """For each action, the states in which it was enabled and the steps taken, each as often as it happened."""
        self._fold()
        fired: Counter[str] = Counter()
        for item, times in self._fired.items():
            fired[self.player.steps.instances[item].action.name] += times
        return {
            action.name: ActionCount(self._enabled[action.name], fired[action.name])
            for action in self.player.model.actions
        }

    def _walk(self, rng: random.Random) -> None:
        odds = self._draw_odds(rng)
        curious = rng.random() < 0.5
        state, items, states = self.player.initial, list[int](), [self.player.initial]
        new = [] if state in self.seen else [state]
        self.seen.update(new)
        for _ in range(self.steps):
            stepped, broken = self.player.steps.successors(state)
            for item, obligation in broken:
                self._broke(obligation, (*items, item))
            self._forms[tuple(item for item, _ in stepped)] += 1
            if not stepped:
                break
            choices = [step for step in stepped if step[1] not in self.seen] if curious else stepped
            item, state = _choose(choices or stepped, odds, rng)
            items.append(item)
            states.append(state)
            if state not in self.seen:
                self.seen.add(state)
                new.append(state)
        self._finished(Walk(tuple(items), tuple(states)), new)

    def _draw_odds(self, rng: random.Random) -> list[int]:
        of_action = {action.name: rng.choice(ODDS) for action in self.player.model.actions}
        return [of_action[instance.action.name] for instance in self.player.steps.instances]

    def _finished(self, walk: Walk, new: list[int]) -> None:
        self.quiet = 0 if new else self.quiet + 1
        self.longest = max(self.longest, len(walk.items))
        self.transitions += len(walk.items)
        self._fired.update(walk.items)
        if new:
            self._recent.append(walk)
            self._new += new
        if len(self._forms) > _FORMS:
            self._fold()
        if len(self.seen) > _REMEMBERED:
            self.seen.clear()
            self.forgot = True

    def _fold(self) -> None:
        owner = [instance.action.name for instance in self.player.steps.instances]
        for form, times in self._forms.items():
            for name in {owner[item] for item in form}:
                self._enabled[name] += times
        self._forms.clear()

    def _broke(self, obligation: int, items: Items) -> None:
        name = self.player.steps.obligations[obligation]
        if name not in self.findings:
            self.findings[name] = Finding(name, self.player.path(items))

    def _way_to(self, state: int) -> Items:
        """The shortest way to a new state in the runs since the last look."""
        ways = (walk.items[: walk.states.index(state)] for walk in self._recent if state in walk.states)
        return min(ways, key=len)


def _choose(steps: Sequence[tuple[int, int]], odds: Sequence[int], rng: random.Random) -> tuple[int, int]:
    if len(steps) == 1:
        return steps[0]
    return rng.choices(steps, [odds[item] for item, _ in steps])[0]
