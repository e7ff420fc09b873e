"""Breadth-first search over generated code: every reachable state, level by level.

The first state found for a violation is at the least depth at which it occurs, so its trace is a
shortest one; among those of one depth the order of states and instances decides, so that two runs
agree.

A model that was compiled to C before is searched there. Any other search begins in generated Python,
which is there at once; one that lasts has its model compiled meanwhile and begins anew in C, in the
same order, so that what it reports does not depend on which of the two came to the end. Without a C
compiler it stays in Python, and says so.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable
from itertools import pairwise

from attrs import evolve, field, mutable

from fencepost.clock import Clock
from fencepost.errors import UsageError
from fencepost.explore.compiler import Failed
from fencepost.explore.foresight import states_left
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.keeper import Keeper
from fencepost.explore.native import Compiled, Native
from fencepost.explore.renamed import as_they_break
from fencepost.explore.searcher import Searcher
from fencepost.ir.model import Model, Property, properties_named, responses
from fencepost.ir.symmetry import only
from fencepost.memory import default_limit, resident
from fencepost.verdict import Manner, Progress, ProgressEvent, Run, Stop

ENGINE = "explore"

_PROGRESS_SECONDS = 0.25
_SEARCH_SHARE = 0.5
"""The part of the time that the search may take where responses are asked for: the rest is for runs without an end."""

_NO_SYMMETRY = "without symmetry, for responses are asked for"
"""A loop of orbits is not a loop of states, and what is fair to an orbit is not what is fair to an index."""

COMPILE_AFTER = 0.25
"""Seconds after which a search is worth a compiler: most end sooner."""


def run(
    model: Model,
    *,
    depth: int | None = None,
    timeout: float | None = None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
    compile_after: float | None = COMPILE_AFTER,
    manner: Manner | None = None,
) -> Run:
    """Search every state within `depth` steps (all reachable ones if None).

    Args:
        model: what to search.
        depth: the longest run to look at, in steps.
        timeout: seconds after which to stop.
        properties: names of the properties to check (all if None). Obligations always count.
        progress: called a few times a second.
        memory: resident bytes at which to stop (most of what is free if None).
        compile_after: seconds in Python after which to compile (never if None).
        manner: how to search; what is found does not depend on it.

    Raises:
        UsageError: a property that the model has not, or a checkpoint that cannot be.
    """
    clock = Clock(timeout)
    chosen = list(properties_named(model, properties))
    limit = memory if memory is not None else default_limit()
    asked = responses(chosen)
    share = clock.share(_SEARCH_SHARE) if asked else clock
    how = manner or Manner()
    keeper = None if how.checkpoint is None else Keeper(how.checkpoint, how.resume)
    symmetry = how.symmetry and not asked
    searched = only(model, properties) if symmetry else model
    driver = _Driver(searched, chosen, share, limit, progress, compile_after, how.threads or cores(), keeper, symmetry)
    try:
        stop = driver.run(depth)
    except KeyboardInterrupt:
        if driver.searcher is None:
            raise  # the model was not even translated
        stop = Stop.INTERRUPTED
    finally:
        driver.cancel()
    try:
        found = driver.result(stop)
        if not asked:
            return found
        from fencepost.explore.endless import Budget, with_responses  # noqa: PLC0415 - SciPy is loaded where needed

        if how.symmetry:
            reasons = (_NO_SYMMETRY, found.reason) if found.reason else (_NO_SYMMETRY,)
            found = evolve(found, reason="; ".join(reasons))
        return with_responses(found, model, asked, Budget(clock, limit, progress), driver.compiled)
    finally:
        driver.close()


def cores() -> int:
    """How many threads can run at a time here."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class _Switch(Exception):
    """The compiled model is there: begin anew in it."""


@mutable
class _Driver:
    """Takes a searcher through the levels until something says stop."""

    model: Model
    properties: list[Property]
    clock: Clock
    limit: int | None
    progress: Progress | None
    compile_after: float | None
    threads: int = 1
    keeper: Keeper | None = None
    symmetry: bool = False
    searcher: Searcher | None = None
    level: int = 0
    covered: int = -1
    """Every state up to this depth was found and checked."""
    shown: float = -math.inf
    native: Native | Failed | None = None
    compiled: Compiled | None = None
    sizes: list[int] = field(factory=list)
    """States of each level so far."""

    def run(self, depth: int | None) -> Stop:
        """Search in Python, and in C once that is there: at once if it is there from before, or is asked for."""
        if self.compile_after is not None or self.keeper is not None:
            self.native = Native.of(self.model, self.properties, self.symmetry)
        if isinstance(self.native, Native) and (self.keeper is not None or self.native.is_cached):
            self._compile(wait=True)
        if self.keeper is not None:
            self._begin_kept(self.keeper)
        if self.compiled is None:
            searcher = self.searcher = Interpreted.begin(self.model, self.properties, self.symmetry)
            try:
                return self._levels(searcher, depth)
            except _Switch:
                assert self.compiled is not None
        self.searcher, self.covered = self.compiled, self.level - 1
        return self._levels(self.compiled, depth)

    def _begin_kept(self, keeper: Keeper) -> None:
        """Take up what the checkpoint holds; a search that cannot be kept is refused before it begins."""
        if self.compiled is None or not isinstance(self.native, Native):
            why = self.native.reason if isinstance(self.native, Failed) else "not compiled"
            raise UsageError(f"a search in Python cannot be kept in {keeper.path}: {why}")
        keeper.begin(self.compiled, self.native.digest)
        starts = self.compiled.levels
        self.level, self.sizes = len(starts) - 1, [after - before for before, after in pairwise(starts)]

    def _levels(self, searcher: Searcher, depth: int | None) -> Stop:
        wanted = frozenset(prop.name for prop in self.properties)
        while True:
            self.sizes.append(searcher.frontier)
            if self.keeper is not None:
                self.keeper.level()
            if (stop := self._each(searcher.look())) is not None:
                return stop
            self.covered = self.level
            if wanted and wanted <= searcher.violated():
                return Stop.DECIDED
            if self.level == depth:
                return Stop.DEPTH
            if (stop := self._each(searcher.expand())) is not None:
                return stop
            if not searcher.advance():
                return Stop.EXHAUSTED
            self.level += 1

    def _each(self, batches: Iterable[bool | None]) -> Stop | None:
        for went in batches:
            if went is False:
                return Stop.MEMORY
            if (stop := self._pause()) is not None:
                return stop
        return None

    def _pause(self) -> Stop | None:
        """Between batches: say how far it is, whether time or memory is up, and whether C is there."""
        seconds, held = self.clock.seconds, resident()
        if self.progress is not None and self.searcher is not None and seconds - self.shown >= _PROGRESS_SECONDS:
            self.shown = seconds
            count = self.searcher.count
            left = states_left(self.sizes)
            expected = None if left is None else max(count, sum(self.sizes) + left)
            self.progress(
                ProgressEvent(ENGINE, self.level, count, self.searcher.frontier, seconds, held, expected=expected)
            )
        if self.clock.over:
            return Stop.TIMEOUT
        if self.limit is not None and held >= self.limit:
            return Stop.MEMORY
        if self.compiled is None and self.compile_after is not None and seconds >= self.compile_after:
            self._compile()
        return None

    def _compile(self, wait: bool = False) -> None:
        if isinstance(self.native, Native):
            room = None if self.limit is None else self.limit - resident()
            ready = self.native.ready(wait, self.threads, room)
            if isinstance(ready, Failed):
                self.native = ready
            elif ready is not None:
                self.compiled = ready
                self.level, self.sizes = 0, []
                if not wait:
                    raise _Switch

    def cancel(self) -> None:
        """Stop a compiler that still runs."""
        if isinstance(self.native, Native):
            self.native.cancel()

    def close(self) -> None:
        """Give back the memory of a compiled search."""
        if self.compiled is not None:
            self.compiled.close()

    def result(self, stop: Stop) -> Run:
        """What was covered, with a path to each finding and twin."""
        assert self.searcher is not None
        outcome = self.searcher.outcome(self.model)
        if self.searcher.symmetry:
            outcome = as_they_break(self.model, outcome)
        kept = self.keeper.end(stop) if self.keeper is not None else ""
        return Run(
            engine=ENGINE,
            stop=stop,
            depth=max(self.covered, 0),
            findings=outcome.findings(),
            twins={name: len(path) for name, path in outcome.twins.items()},
            twin_paths=outcome.twins,
            states=outcome.states,
            transitions=outcome.transitions,
            held_back=outcome.held_back,
            cut=outcome.cut,
            actions=outcome.actions,
            levels=tuple(self.sizes),
            seconds=self.clock.seconds,
            reason=self._reason(stop, kept),
            symmetry=self.searcher.symmetry,
        )

    def _reason(self, stop: Stop, kept: str) -> str:
        reasons = []
        if stop is Stop.MEMORY:
            size = f"the limit of {self.limit >> 20} MiB" if self.limit is not None else "what there is"
            reasons.append(f"memory reached {size}")
        if isinstance(self.native, Failed) and self.clock.seconds >= (self.compile_after or 0):
            reasons.append(f"searched in Python: {self.native.reason}")
        if kept:
            reasons.append(kept)
        return "; ".join(reasons)
