"""Breadth-first search over generated code: every reachable state, level by level.

The first state found for a violation is at the least depth at which it occurs, so its trace is a
shortest one; among those of one depth the order of states and instances decides, so that two runs
agree.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence

from attrs import field, mutable

from fencepost.errors import UsageError
from fencepost.exec.codegen import Counters, Steps, compile_steps
from fencepost.explore.memory import default_limit, resident
from fencepost.explore.watching import Watcher
from fencepost.ir.model import Model, Property
from fencepost.verdict import ActionCount, Finding, Label, Path, Progress, ProgressEvent, Run, Stop

ENGINE = "explore"

_BATCH = 4096
"""States between two looks at the clock, the memory and what is decided."""

_PROGRESS_SECONDS = 0.25


def run(
    model: Model,
    *,
    depth: int | None = None,
    timeout: float | None = None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
) -> Run:
    """Search every state within `depth` steps (all reachable ones if None).

    Args:
        model: what to search.
        depth: the longest run to look at, in steps.
        timeout: seconds after which to stop.
        properties: names of the properties to check (all if None). Obligations always count.
        progress: called a few times a second.
        memory: resident bytes at which to stop (most of what is free if None).

    Raises:
        UsageError: a property that the model has not.
    """
    begun = time.monotonic()
    chosen = _chosen(model, properties)
    limit = memory if memory is not None else default_limit()
    search = _Search(model, chosen, begun, timeout, limit, progress)
    try:
        stop = search.run(depth)
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    return search.result(stop)


def _chosen(model: Model, names: Collection[str] | None) -> list[Property]:
    known = [prop.name for prop in model.properties]
    for name in names or ():
        if name not in known:
            raise UsageError(f"no property {name!r} in {model.protocol}; there are {', '.join(known) or 'none'}")
    return [prop for prop in model.properties if names is None or prop.name in names]


@mutable
class _Search:
    """One search under way."""

    model: Model
    properties: list[Property]
    begun: float
    timeout: float | None
    limit: int | None
    progress: Progress | None
    parents: dict[int, int] = field(factory=dict)
    """Every state found, with the state it was first found from (itself for the initial state)."""
    level: int = 0
    """Depth of the states in `frontier`."""
    covered: int = -1
    """Every state up to this depth was found and checked."""
    shown: float = 0.0
    broken: dict[str, tuple[int, int]] = field(factory=dict)
    """Each obligation that a step broke: the first state and the instance."""
    steps: Steps = field(init=False)
    watcher: Watcher = field(init=False)
    counters: Counters = field(init=False)
    depths: dict[str, int] = field(factory=dict)

    def run(self, depth: int | None) -> Stop:
        """Search level by level until nothing is left or something says stop."""
        self.counters = Counters([0] * len(self.model.actions), [0] * len(self.model.actions))
        self.steps = compile_steps(self.model)
        self.watcher = Watcher(self.steps.layout, self.properties)
        initial = self.steps.layout.pack(tuple(var.init for var in self.model.vars))
        self.parents[initial] = initial
        frontier = [initial]
        while True:
            for batch in _batches(frontier):
                self.watcher.look(batch)
                if (stop := self._pause(frontier)) is not None:
                    return stop
            self.covered = self.level
            if self.properties and all(prop.name in self.watcher.violated for prop in self.properties):
                return Stop.DECIDED
            if self.level == depth:
                return Stop.DEPTH
            new: list[int] = []
            for batch in _batches(frontier):
                self.steps.expand(batch, self.parents, new, self.counters, self._broke)
                if (stop := self._pause(new)) is not None:
                    return stop
            if not new:
                return Stop.EXHAUSTED
            frontier = new
            self.level += 1

    def _broke(self, state: int, instance: int, obligation: int) -> None:
        self.broken.setdefault(self.steps.obligations[obligation], (state, instance))

    def _pause(self, frontier: Sequence[int]) -> Stop | None:
        """Between batches: say how far it is, and whether time or memory is up."""
        now = time.monotonic()
        held = resident()
        if self.progress is not None and now - self.shown >= _PROGRESS_SECONDS:
            self.shown = now
            event = ProgressEvent(ENGINE, self.level, len(self.parents), len(frontier), now - self.begun, held)
            self.progress(event)
        if self.timeout is not None and now - self.begun >= self.timeout:
            return Stop.TIMEOUT
        if self.limit is not None and held >= self.limit:
            return Stop.MEMORY
        return None

    def result(self, stop: Stop) -> Run:
        """What was covered, with a path to each finding and twin."""
        twins = {name: self.path(state) for name, state in self.watcher.twins.items()}
        actions = {
            action.name: ActionCount(enabled, fired)
            for action, enabled, fired in zip(
                self.model.actions, self.counters.enabled, self.counters.fired, strict=True
            )
        }
        return Run(
            engine=ENGINE,
            stop=stop,
            depth=max(self.covered, 0),
            findings=tuple(self._findings()),
            twins={name: len(path) for name, path in twins.items()},
            twin_paths=twins,
            states=len(self.parents),
            transitions=sum(self.counters.fired),
            cut=self.counters.cut,
            actions=actions,
            seconds=time.monotonic() - self.begun,
            reason=self._reason(stop),
        )

    def _reason(self, stop: Stop) -> str:
        if stop is Stop.MEMORY and self.limit is not None:
            return f"resident size reached the limit of {self.limit >> 20} MiB"
        return ""

    def _findings(self) -> Iterator[Finding]:
        """Every violation, shortest first, then by name."""
        found = [Finding(name, self.path(state)) for name, state in self.watcher.violated.items()]
        for name, (state, instance) in self.broken.items():
            found.append(Finding(name, (*self.path(state), self.steps.instances[instance].label)))
        for name, state in self.watcher.broken.items():
            found.append(Finding(name, self.path(state), in_state=True))
        names: set[str] = set()
        for finding in sorted(found, key=lambda finding: (len(finding.path), finding.name)):
            if finding.name not in names:
                names.add(finding.name)
                yield finding

    def path(self, state: int) -> Path:
        """The steps by which the search first came to a state."""
        labels: list[Label] = []
        while (parent := self.parents[state]) != state:
            steps, _ = self.steps.successors(parent)
            labels.append(next(self.steps.instances[item].label for item, after in steps if after == state))
            state = parent
        return tuple(reversed(labels))


def _batches(states: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(states), _BATCH):
        yield states[start : start + _BATCH]
