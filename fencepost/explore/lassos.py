"""Fair loops in which a response waits for ever: strongly connected components under fairness.

From each state in which a case is triggered and not met, every state that is reached without
meeting it waits. A run that waits for ever stays in the end within one strongly connected component
of the waiting states, and every such component that is fair has a run that does: it goes around and
takes all that is owed. A state alone counts as a component, in which a run may stop.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
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
        level: Ints = np.zeros(0, dtype=np.int64)
        depth, last = 0, len(graph.levels) - 2
        while depth <= last or len(level):
            if depth <= last:
                first, end = graph.levels[depth], graph.levels[depth + 1]
                level = np.union1d(level, np.flatnonzero(fresh[first:end]) + first)
            level = level[since[level] < 0]
            since[level] = depth
            after = graph.to[_steps_of(graph.rows, level)]
            after = np.unique(after[after >= 0])
            level = after[unmet[after] & (since[after] < 0)]
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
    """What is owed where: pairs of a state and a group that is enabled in it; `stops`: whether none is.

    If `bounded`, what a bound alone stops is not enabled: then a run that is fair may be cut.
    """

    states: Ints
    groups: Ints
    stops: Bools

    @classmethod
    def of(cls, graph: Graph, *, bounded: bool) -> Owed:
        """In the whole graph, each pair once."""
        group = graph.group
        fair = group >= 0
        pairs = np.concatenate([np.stack([graph.source[fair], group[fair]], axis=1), graph.beyond])
        if not bounded:
            pairs = np.concatenate([pairs, graph.held])
        many = max(1, len(graph.groups.every))
        codes = np.unique(pairs[:, 0] * many + pairs[:, 1])
        stops = np.ones(graph.count, dtype=np.bool_)
        stops[codes // many] = False
        return cls(codes // many, codes % many, stops)


@frozen(eq=False)
class Components:
    """The fair components of some states: `of[i]` is the component of state `i`, -1 if it is in none."""

    of: Ints
    owed: Owed


def fair_components(waiting: Waiting, owed: Owed) -> Components:
    """Every fair component of the waiting states.

    A component in which a weakly fair group is enabled everywhere and never taken is not fair, nor is
    any part of it. One in which a strongly fair group is enabled somewhere and never taken may have
    fair parts without those states: they are decomposed again.
    """
    graph = waiting.graph
    strong = np.array([group.fair is Fairness.STRONG for group in graph.groups.every], dtype=np.bool_)
    source, group = graph.source, graph.group
    open_, found = waiting.inside, np.full(graph.count, -1, dtype=np.int64)
    within = np.zeros(graph.count, dtype=np.int64)
    known = 0
    while open_.any():
        usable = (graph.to >= 0) & open_[source] & open_[graph.to] & (within[source] == within[graph.to])
        count, part = connected_components(
            csr_matrix(
                (np.ones(int(usable.sum()), dtype=np.bool_), (source[usable], graph.to[usable])), (graph.count,) * 2
            ),
            directed=True,
            connection="strong",
        )
        part = part.astype(np.int64)
        inner = usable & (part[source] == part[graph.to])
        taken = _pairs(part[source[inner]], group[inner], graph)
        states, groups = owed.states[open_[owed.states]], owed.groups[open_[owed.states]]
        codes = part[states] * _many(graph) + groups
        starved = codes[~np.isin(codes, taken)]
        wanting, often = np.unique(starved, return_counts=True)
        sizes = np.bincount(part[open_], minlength=count)
        parts, which = wanting // _many(graph), wanting % _many(graph)
        refused = np.zeros(count, dtype=np.bool_)
        refused[parts[~strong[which] & (often == sizes[parts])]] = True
        divided = np.zeros(count, dtype=np.bool_)
        divided[parts[strong[which]]] = True
        fair = open_ & ~refused[part] & ~divided[part]
        found[fair] = part[fair] + known
        known += count
        open_ = open_ & ~refused[part] & divided[part]
        leaves = states[~np.isin(codes, taken) & strong[groups]]
        open_[leaves] = False
        within = part
    return Components(found, owed)


def _many(graph: Graph) -> int:
    return max(1, len(graph.groups.every))


def _pairs(parts: Ints, groups: Ints, graph: Graph) -> Ints:
    fair = groups >= 0
    codes: Ints = np.unique(parts[fair] * _many(graph) + groups[fair])
    return codes


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
    stops = nearest[components.owed.stops[nearest]]
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

    enabled: dict[int, set[int]] = {}
    owed = components.owed
    here = inside[owed.states]
    for state, debt in zip(owed.states[here].tolist(), owed.groups[here].tolist(), strict=True):
        enabled.setdefault(state, set()).add(debt)
    strong = frozenset(number for number, each in enumerate(graph.groups.every) if each.fair is Fairness.STRONG)
    return Round(steps, {state: frozenset(debts) for state, debts in enabled.items()}, strong, start).loop()
