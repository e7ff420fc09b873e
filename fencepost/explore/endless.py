"""Deciding responses: the graph of the states that a search covered, and the fair loops in it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

from attrs import evolve, field, frozen, mutable

from fencepost.clock import Clock
from fencepost.explore.graph import Survey
from fencepost.explore.lassos import Owed, lasso
from fencepost.explore.native import Compiled
from fencepost.explore.survey import Surveyor, survey_of
from fencepost.ir.model import Model, Property
from fencepost.memory import resident
from fencepost.verdict import Finding, Progress, ProgressEvent, Run, Stop

_PROGRESS_SECONDS = 0.25
_GRAPH_SHARE = 0.7
"""The part of the time left that finding the states may take; the rest is for looking at them."""
_FIRST_SHARE = 1 / 16
"""The part of the states that is looked at first where time is limited: it shows how many there is time for."""
_WORTH_TWO_LOOKS = 200_000
"""States that are looked at twice if need be; fewer take no time."""


@mutable
class Budget:
    """How much time and memory there is."""

    clock: Clock
    memory: int | None
    progress: Progress | None
    _graph: Clock | None = None
    _shown: float = -math.inf

    def start(self) -> None:
        """From now on the graph is made."""
        if self.clock.left is not None:
            self._graph = self.clock.at_most(_GRAPH_SHARE * self.clock.left)

    def check(self, level: int, states: int, frontier: int) -> Stop | None:
        """Say how far it is; why to stop, if that is so."""
        seconds, held = self.clock.seconds, resident()
        if self.progress is not None and seconds - self._shown >= _PROGRESS_SECONDS:
            self._shown = seconds
            self.progress(ProgressEvent("explore", level, states, frontier, seconds, held))
        if self.memory is not None and held >= self.memory:
            return Stop.MEMORY
        return Stop.TIMEOUT if (self._graph or self.clock).over else None

    def left(self) -> float:
        """Seconds."""
        return math.inf if self.clock.left is None else self.clock.left

    def tick(self, level: int, states: int, frontier: int) -> None:
        """As `check`, but raises to stop."""
        if (stop := self.check(level, states, frontier)) is not None:
            raise _Ended(stop)

    def finish(self) -> None:
        """The graph is as large as it gets; what is left is for looking at it."""
        self._graph = None


@frozen
class Endless:
    """What became of the responses; the names are those of `Run`."""

    findings: tuple[Finding, ...] = ()
    bounds: Mapping[str, int] = field(factory=dict)
    partial: Mapping[str, str] = field(factory=dict)
    unended: frozenset[str] = frozenset()
    unmet: frozenset[str] = frozenset()


class _Ended(Exception):
    """Time or memory is up."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop


def with_responses(
    found: Run, model: Model, asked: Sequence[Property], budget: Budget, compiled: Compiled | None
) -> Run:
    """The run with what becomes of responses among the states that it covered; `compiled` is the search, if it was."""
    stop = found.stop
    if stop in (Stop.INTERRUPTED, Stop.MEMORY):
        why = "interrupted" if stop is Stop.INTERRUPTED else _why(stop, 0)
        return evolve(found, partial={prop.name: why for prop in asked})
    try:
        if compiled is None:
            ends = _anew(model, asked, None if found.complete else found.depth, budget)
        else:
            ends = _from(compiled, model, asked, found.depth, budget)
    except KeyboardInterrupt:
        stop, ends = Stop.INTERRUPTED, Endless(partial={prop.name: "interrupted" for prop in asked})
    return evolve(
        found,
        stop=stop,
        findings=(*found.findings, *(new for new in ends.findings if new.name not in found.names)),
        bounds=ends.bounds,
        partial=ends.partial,
        unended=ends.unended,
        unmet=ends.unmet,
        seconds=budget.clock.seconds,
    )


def _from(compiled: Compiled, model: Model, asked: Sequence[Property], depth: int, budget: Budget) -> Endless:
    """Among the states that a compiled search covered; where there is no time for all, those to a lesser depth."""

    def to(depth: int) -> Endless | Stop:
        try:
            return _search(survey_of(compiled, depth, model, asked, budget.tick), budget.tick)
        except _Ended as ended:
            return ended.stop
        except MemoryError:
            return Stop.MEMORY

    ends = [*compiled.levels, compiled.levels[-1] + compiled.frontier][1 : depth + 2]
    few = budget.clock.timeout is None or ends[-1] < _WORTH_TWO_LOOKS
    first = depth if few else max(0, bisect_right(ends, ends[-1] * _FIRST_SHARE) - 1)
    before = budget.clock.seconds
    found = to(first)
    if isinstance(found, Stop):
        return Endless(partial={prop.name: _why(found, 0) for prop in asked})
    if first == depth:
        return found
    pace = ends[first] / max(budget.clock.seconds - before, 1e-3)
    second = bisect_right(ends, pace * budget.left()) - 1
    stop = Stop.TIMEOUT
    if second > first:
        more = to(second)
        if isinstance(more, Stop):
            stop = more
        elif second == depth:
            return more
        else:
            found, first = more, second
    return _shallow(found, asked, stop, first)


def _shallow(found: Endless, asked: Sequence[Property], stop: Stop, depth: int) -> Endless:
    """What was found to a depth, when there was no time or memory for more."""
    bounds = {prop.name: depth for prop in asked}
    partial = {prop.name: _why(stop, depth) for prop in asked}
    return evolve(found, bounds={**bounds, **found.bounds}, partial=partial)


def _anew(model: Model, properties: Sequence[Property], depth: int | None, budget: Budget) -> Endless:
    """Among the states within the depth, which are explored anew: so small a model that it was not compiled."""
    budget.start()
    surveyor, tick = Surveyor.begin(model, budget.tick), budget.tick
    stopped: Stop | None = None
    try:
        surveyor.explore(depth)
    except _Ended as ended:
        stopped = ended.stop
    budget.finish()
    try:
        survey = surveyor.survey(properties)
        found = _search(survey, tick)
    except _Ended as ended:
        return Endless(partial={prop.name: _why(ended.stop, 0) for prop in properties})
    if stopped is None:
        return found
    return _shallow(found, properties, stopped, survey.depth)


def _why(stop: Stop, depth: int) -> str:
    what = "memory" if stop is Stop.MEMORY else "time"
    return f"no {what} was left to look for runs without an end{f' beyond depth {depth}' if depth else ''}"


def _search(survey: Survey, tick: Callable[[int, int, int], None]) -> Endless:
    graph = survey.graph

    shortest: dict[str, Finding] = {}
    bounds: dict[str, int] = {}
    owed = Owed.of(graph, bounded=False)
    for question in survey.questions:
        tick(survey.depth, graph.count, 0)
        found = lasso(graph, owed, question)
        if found is not None:
            name = question.prop.name
            if name not in shortest or len(found.finding.path) < len(shortest[name].path):
                shortest[name] = found.finding
            bounds[name] = min(found.none_to, bounds.get(name, found.none_to))
    unended: set[str] = set()
    if len(graph.held):
        cut = Owed.of(graph, bounded=True)
        for question in survey.questions:
            tick(survey.depth, graph.count, 0)
            if question.prop.name not in shortest and lasso(graph, cut, question) is not None:
                unended.add(question.prop.name)
    broken = tuple(Finding(name, graph.path_to(state), in_state=True) for name, state in sorted(survey.broken.items()))
    met = {question.prop.name for question in survey.questions if question.goal.any()}
    unmet = {question.prop.name for question in survey.questions} - met
    return Endless((*shortest.values(), *broken), bounds, unended=frozenset(unended), unmet=frozenset(unmet))
