"""Bounded model checking: is there a run of exactly k steps to a violation, for k = 0, 1, 2, ...

One incremental solver holds all frames. What a goal was answered with `no` is asserted, for the
same goal's deeper questions and for all others. A question that takes long is cut off and comes
back later with twice the time, so that one hard property does not keep the others from depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from fencepost.bounded.goals import AnyRun, Goal, Matter, Twin
from fencepost.bounded.runs import GaveUp, Runs
from fencepost.clock import Clock
from fencepost.memory import resident
from fencepost.verdict import Finding, Progress, ProgressEvent, Run, Stop

_FIRST_SLICE = {Matter.VERDICT: 5.0, Matter.SOUND: 5.0, Matter.EXTRA: 1.0}
"""Seconds that a query may take before others go first; doubled each time it is cut off."""

_MOST_DOUBLINGS = 16
"""By then a query has had days."""


def search(
    start: Callable[[], tuple[Runs, list[Goal]]],
    clock: Clock,
    *,
    engine: str,
    depth: int | None,
    progress: Progress | None,
) -> Run:
    """Ask the goals of some runs for every depth; what was covered when Ctrl-C was pressed is in the run.

    `Run.bounds` has, for each property, the greatest depth to which it was decided (-1: not even
    the initial state was). `EXHAUSTED` means that no longer run exists.
    """
    found: _Search | None = None
    try:
        found = _Search(*start(), clock, depth, progress)
        stop = found.go()
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    return Run(engine, stop, -1, seconds=clock.seconds) if found is None else found.result(stop)


class _Search:
    """The goals, and which to ask next."""

    def __init__(
        self, runs: Runs, goals: list[Goal], clock: Clock, depth: int | None, progress: Progress | None
    ) -> None:
        self.runs, self.clock, self.progress = runs, clock, progress
        self.depth = math.inf if depth is None else depth
        self.goals = goals
        self.reason = ""
        self._cut: dict[Goal, object] = {}
        """The question of a goal that was cut off."""
        self._gives_up = True
        """Whether what is worth a moment is given up where it costs more."""

    def go(self) -> Stop:
        """Ask until nothing is left to ask, or no time to ask it in."""
        stop = self._ask_all()
        if stop is Stop.EXHAUSTED and self._ask_for_twins_again() is Stop.INTERRUPTED:
            return Stop.INTERRUPTED
        return stop

    def _ask_for_twins_again(self) -> Stop | None:
        """Who has seen every run has to know which situations never happen: ask for those that were given up."""
        given_up = [goal for goal in self.goals if isinstance(goal, Twin) and goal.closed and goal.twin is None]
        if not given_up:
            return None
        # The old runs are settled beyond the depths at which these were given up.
        self.runs = self.runs.afresh()
        self._cut, self._gives_up = {}, False
        for goal in given_up:
            goal.closed = False
        stop, self.reason = self._ask_all(), ""
        return stop

    def _ask_all(self) -> Stop:
        while (goal := self._next()) is not None:
            if self.clock.over:
                self.reason = f"out of time; {self._unanswered()}"
                return Stop.TIMEOUT
            answer = self._ask(goal)
            if not isinstance(answer, bool) and not answer.out_of_time:
                gave_up = f"{self.runs.solver_name} gave up: {answer.reason}"
                self.reason = "" if answer.interrupted else f"{gave_up}; {self._unanswered()}"
                return answer.stop
            self._tell(goal)
        if self._all_violated():
            return Stop.DECIDED
        return Stop.DEPTH if self._horizon() is None else Stop.EXHAUSTED

    def _next(self) -> Goal | None:
        """Whoever was cut off least often, and of those the least deep."""
        limit = self._limit()
        ready = [goal for goal in self.goals if not goal.closed and goal.bound < limit]
        return min(ready, key=lambda goal: (goal.cuts, goal.bound), default=None)

    def _limit(self) -> float:
        if self._all_violated():
            return max(goal.bound for goal in self._of(Matter.VERDICT))
        horizon = self._horizon()
        return self.depth if horizon is None else horizon

    def _of(self, *matters: Matter) -> list[Goal]:
        return [goal for goal in self.goals if goal.matter in matters]

    def _all_violated(self) -> bool:
        verdicts = self._of(Matter.VERDICT)
        return bool(verdicts) and all(goal.closed for goal in verdicts)

    def _horizon(self) -> int | None:
        return next((goal.horizon for goal in self.goals if isinstance(goal, AnyRun)), None)

    def _ask(self, goal: Goal) -> bool | GaveUp:
        """Ask a goal's next question, and let it have the answer."""
        depth = goal.bound + 1
        frame = goal.frame(depth)
        if frame < 0:
            goal.absent(depth)
            return False
        while self.runs.depth < frame:
            self.runs.extend()
        self.runs.settle(min(other.frame(other.bound + 1) for other in self.goals if not other.closed))
        sought = goal.sought(self.runs, depth)
        question = self._cut.pop(goal) if goal in self._cut else self.runs.question(sought)
        seconds = self.clock.slice(_FIRST_SLICE[goal.matter] * 2 ** min(goal.cuts, _MOST_DOUBLINGS))
        answer = self.runs.ask(frame, question, seconds)
        if answer is True:
            goal.reached(self.runs, depth)
        elif answer is False:
            goal.absent(depth)
            if sought is not True:  # it is true of AnyRun alone, and then the run is absent, not a state in it
                self.runs.deny(sought)
        elif answer.out_of_time:
            self._cut[goal] = question
            goal.cuts += 1
            goal.closed = goal.matter is Matter.EXTRA and self._gives_up
        return answer

    def _unanswered(self) -> str:
        """Which goals have how far to go."""
        limit = self._limit()
        behind = [g for g in self._of(Matter.VERDICT, Matter.SOUND) if not g.closed and g.bound < limit]
        return ", ".join(f"{goal.name} is decided to depth {goal.bound}" for goal in behind)

    def _tell(self, goal: Goal) -> None:
        if self.progress is not None:
            waiting = sum(1 for other in self.goals if not other.closed)
            depth = max(goal.bound, 0)
            self.progress(ProgressEvent(self.runs.engine, depth, 0, waiting, self.clock.seconds, resident()))

    def result(self, stop: Stop) -> Run:
        """What is known by now."""
        findings: dict[str, Finding] = {}
        for found in sorted((f for goal in self.goals for f in goal.findings), key=lambda f: (len(f.path), f.name)):
            findings.setdefault(found.name, found)
        twins = {goal.name: goal.twin for goal in self.goals if goal.twin is not None}
        return Run(
            self.runs.engine,
            stop,
            self._bound(),
            findings=tuple(findings.values()),
            twins_given_up=frozenset(self._unsought() - twins.keys()),
            twins={name: len(path) for name, path in twins.items()},
            twin_paths=twins,
            bounds={goal.name: self._known(goal) for goal in self._of(Matter.VERDICT)},
            seconds=self.clock.seconds,
            reason=self.reason,
        )

    def _unsought(self) -> set[str]:
        """The properties whose twins were not looked for as deep as their violations."""
        sought = {goal.name: self._known(goal) for goal in self.goals if isinstance(goal, Twin)}
        decided = {goal.name: self._known(goal) for goal in self._of(Matter.VERDICT)}
        names = [target.name for target in self.runs.targets]
        return {name for name in names if sought.get(name, -1) < decided.get(name, self._bound())}

    def _bound(self) -> int:
        """The depth to which everything that was not found is known to be absent."""
        claims = self._of(Matter.VERDICT, Matter.SOUND) or self.goals
        still_open = [goal for goal in claims if not goal.closed]
        return min(map(self._known, still_open)) if still_open else max(map(self._known, claims))

    def _known(self, goal: Goal) -> int:
        """The goal's bound; runs that do not exist are not counted."""
        horizon = self._horizon()
        return goal.bound if horizon is None else min(goal.bound, horizon)
