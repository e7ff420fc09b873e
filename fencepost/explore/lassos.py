"""Fair loops in which a response waits for ever: strongly connected components under fairness.

From each state in which a case is triggered and not met, every state that is reached without
meeting it waits. A run that waits for ever stays in the end within one strongly connected component
of the waiting states, and every such component that is fair has a run that does: it goes around and
takes all that is owed. A state alone counts as a component, in which a run may stop.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from fencepost.explore.around import Loop, Round, Step
from fencepost.explore.graph import Bools, Graph, Ints, Question
from fencepost.ir.model import Fairness
from fencepost.verdict import Finding, Label


@frozen(eq=False)
class Waiting:
    """Where a case waits: the fewest steps to state `i`, waiting there, are `since[i]`; -1 if it never does."""

    graph: Graph
    question: Question
    since: Ints

    @property
    def inside(self) -> Bools:
        """Which states they are."""
        mask: Bools = np.greater_equal(self.since, 0)
        return mask

    @classmethod
    def of(cls, graph: Graph, question: Question) -> Waiting:
        """Level by level: states triggered at that depth, and those that a step leads to from states that wait."""
        unmet = ~question.goal & ~question.unclear
        fresh = question.trigger & unmet
        since = np.full(graph.count, -1, dtype=np.int32)
        place = np.zeros(graph.count, dtype=np.int32)
        after: Ints = np.zeros(0, dtype=np.int32)
        depth, last = 0, len(graph.levels) - 2
        while depth <= last or len(after):
            since[after] = depth
            level = after
            if depth <= last:
                first, end = graph.levels[depth], graph.levels[depth + 1]
                begun = np.flatnonzero(fresh[first:end] & (since[first:end] < 0)) + first
                since[begun] = depth
                level = np.concatenate([level, begun])
            after = graph.to[_steps_of(graph.rows, level)]
            after = after[after >= 0]
            after = after[unmet[after] & (since[after] < 0)]
            numbers = np.arange(len(after), dtype=np.int32)
            place[after] = numbers
            after = after[place[after] == numbers]  # each once
            depth += 1
        return cls(graph, question, since)

    def stem(self, state: int) -> tuple[Label, ...]:
        """A shortest run to a state that waits there."""
        graph, steps = self.graph, list[int]()
        while True:
            depth = int(self.since[state])
            came = np.flatnonzero(graph.to == state)
            origin = np.searchsorted(graph.rows, came, side="right") - 1
            waited = np.flatnonzero((self.since[origin] == depth - 1) & (depth > 0))
            if not len(waited):  # triggered here
                return (*graph.path_to(state), *graph.labels(reversed(steps)))
            steps.append(int(came[waited[0]]))
            state = int(origin[waited[0]])


def _steps_of(rows: Ints, states: Ints) -> Ints:
    """The numbers of all steps of these states."""
    counts = rows[states + 1] - rows[states]
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Ints = np.arange(total) - np.repeat(ends - counts, counts) + np.repeat(rows[states], counts)
    return numbers


@frozen(eq=False)
class Owed:
    """What is owed where: `enabled[i]` has a bit for each fair group that is enabled in state `i`, in words of 64.

    If `bounded`, what a bound alone stops is not enabled: then a run that is fair may be cut.
    """

    enabled: NDArray[np.uint64]

    @classmethod
    def of(cls, graph: Graph, *, bounded: bool) -> Owed:
        """In the whole graph."""
        enabled = np.zeros((graph.count, max(1, -(-len(graph.groups.every) // 64))), dtype=np.uint64)
        for number in range(len(graph.groups.every)):
            word, bit = number // 64, np.uint64(1 << number % 64)
            enabled[graph.source[graph.steps_by_group[number]], word] |= bit
            for pairs in (graph.beyond,) if bounded else (graph.beyond, graph.held):
                enabled[pairs[pairs[:, 1] == number, 0], word] |= bit
        return cls(enabled)

    def stops(self, states: Ints) -> Bools:
        """In which of these states nobody is owed anything, so that a run may stop there."""
        idle: Bools = np.logical_not(self.enabled[states].any(axis=1))
        return idle

    def wants(self, number: int, states: Ints) -> Bools:
        """In which of these states the group is enabled."""
        wanted: Bools = (self.enabled[states, number // 64] & np.uint64(1 << number % 64)) != 0
        return wanted


@frozen(eq=False)
class Components:
    """The fair components of some states: `of[i]` is the component of state `i`, -1 if it is in none."""

    of: Ints
    owed: Owed


@frozen(eq=False)
class _Part:
    """Some states, numbered anew, with the steps between them."""

    nodes: Ints
    source: Ints
    to: Ints
    rows: Ints
    by_group: list[Ints]
    """For each group, the steps that take it."""

    @classmethod
    def of(cls, waiting: Waiting) -> _Part:
        """The waiting states."""
        graph, inside = waiting.graph, waiting.inside
        nodes = np.flatnonzero(inside)
        number = np.full(graph.count, -1, dtype=np.int32)
        number[nodes] = np.arange(len(nodes), dtype=np.int32)
        kept = np.flatnonzero(inside[graph.source] & (graph.to >= 0))
        kept = kept[inside[graph.to[kept]]]
        source = number[graph.source[kept]]
        rows = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(nodes)))])
        group = graph.group[kept]
        by_group = [np.flatnonzero(group == each) for each in range(len(graph.groups.every))]
        return cls(nodes, source, number[graph.to[kept]], rows, by_group)

    def decompose(self, within: Ints) -> Ints:
        """Strongly connected components by the steps that stay within one part; -1 are states that are out."""
        size = len(self.nodes)
        usable = (within[self.source] == within[self.to]) & (within[self.source] >= 0)
        rows = np.concatenate([[0], np.cumsum(usable)])[self.rows]
        matrix = csr_matrix((np.ones(int(rows[-1]), dtype=np.int8), self.to[usable], rows), (size, size))
        components: Ints = connected_components(matrix, directed=True, connection="strong")[1].astype(np.int64)
        return components


def fair_components(waiting: Waiting, owed: Owed) -> Components:
    """Every fair component of the waiting states.

    A component in which a weakly fair group is enabled everywhere and never taken is not fair, nor is
    any part of it. One in which a strongly fair group is enabled somewhere and never taken may have
    fair parts without those states: they are decomposed again.
    """
    part, groups = _Part.of(waiting), waiting.graph.groups.every
    size = len(part.nodes)
    wants = [owed.wants(number, part.nodes) for number in range(len(groups))]
    found = np.full(waiting.graph.count, -1, dtype=np.int64)
    within, known = np.zeros(size, dtype=np.int64), 0
    while (within >= 0).any():
        component = part.decompose(within)
        inner = (component[part.source] == component[part.to]) & (within[part.source] >= 0) & (within[part.to] >= 0)
        sizes = np.bincount(component[within >= 0], minlength=size)
        refused, divided = np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
        leaves = np.zeros(size, dtype=np.bool_)
        for number, group in enumerate(groups):
            taken = np.zeros(size, dtype=np.bool_)
            steps = part.by_group[number]
            taken[component[part.source[steps[inner[steps]]]]] = True
            starved = np.flatnonzero(wants[number] & ~taken[component] & (within >= 0))
            if group.fair is Fairness.STRONG:
                divided[component[starved]] = True
                leaves[starved] = True
            else:
                often = np.bincount(component[starved], minlength=size)
                refused |= (often > 0) & (often == sizes)
        fair = (within >= 0) & ~refused[component] & ~divided[component]
        found[part.nodes[fair]] = component[fair] + known
        known += size
        within = np.where((within >= 0) & ~refused[component] & divided[component] & ~leaves, component, -1)
    return Components(found, owed)


@frozen
class Lasso:
    """A run on which a case waits for ever; no shorter one has `none_to` steps or fewer."""

    finding: Finding
    none_to: int


def lasso(graph: Graph, owed: Owed, question: Question) -> Lasso | None:
    """A fair run on which the case waits for ever, if there is one; its stem is a shortest one."""
    waiting = Waiting.of(graph, question)
    found = _nearest(waiting, fair_components(waiting, owed))
    if found is None:
        return None
    state, loop = found
    stem = waiting.stem(state)
    path = (*stem, *graph.labels(iter(loop)))
    # Every such run waits in a fair component at some time, and one that stops has no step more.
    return Lasso(Finding(question.prop.name, path, loop=len(stem)), len(stem) if loop else len(stem) - 1)


def _nearest(waiting: Waiting, components: Components) -> tuple[int, Loop] | None:
    """The state of a fair component that is reached in the fewest steps, and a loop through it.

    Of several, one at which a run may stop, for its loop has no steps; else the first.
    """
    fair = np.flatnonzero(components.of >= 0)
    if not len(fair):
        return None
    nearest = fair[waiting.since[fair] == waiting.since[fair].min()]
    stops = nearest[components.owed.stops(nearest)]
    if len(stops):
        return int(stops[0]), ()
    state = int(nearest[0])
    return state, _around(waiting.graph, components, state)


def _around(graph: Graph, components: Components, start: int) -> Loop:
    inside = components.of == components.of[start]
    group = graph.group

    def steps(state: int) -> list[Step]:
        numbers = range(int(graph.rows[state]), int(graph.rows[state + 1]))
        return [(n, int(to), int(group[n])) for n in numbers if (to := graph.to[n]) >= 0 and inside[to]]

    states = np.flatnonzero(inside)
    enabled: dict[int, set[int]] = {}
    for debt in range(len(graph.groups.every)):
        for state in states[components.owed.wants(debt, states)].tolist():
            enabled.setdefault(state, set()).add(debt)
    strong = frozenset(number for number, each in enumerate(graph.groups.every) if each.fair is Fairness.STRONG)
    return Round(steps, {state: frozenset(debts) for state, debts in enabled.items()}, strong, start).loop()
