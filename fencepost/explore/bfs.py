"""Breadth-first search over generated code: every reachable state, level by level.

The first state found for a violation is at the least depth at which it occurs, so its trace is a
shortest one; among those of one depth the order of states and instances decides, so that two runs
agree.

A search begins in generated Python, which is there at once. One that lasts has its model compiled
to C meanwhile and begins anew there, in the same order, so that what it reports does not depend on
which of the two came to the end. Without a C compiler it stays in Python, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable

from attrs import field, mutable

from fencepost.errors import UsageError
from fencepost.explore.compiler import Failed
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Compiled, Native
from fencepost.explore.searcher import Searcher
from fencepost.ir.model import Model, Property, responses
from fencepost.memory import default_limit, resident
from fencepost.verdict import Progress, ProgressEvent, Run, Stop

ENGINE = "explore"

_PROGRESS_SECONDS = 0.25
_SEARCH_SHARE = 0.5
"""The part of the time that the search may take where responses are asked for: the rest is for runs without an end."""

COMPILE_AFTER = 5.0
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

    Raises:
        UsageError: a property that the model has not.
    """
    begun = time.monotonic()
    chosen = _chosen(model, properties)
    limit = memory if memory is not None else default_limit()
    asked = responses(chosen)
    share = timeout * _SEARCH_SHARE if asked and timeout is not None else timeout
    driver = _Driver(model, chosen, begun, share, limit, progress, compile_after)
    try:
        stop = driver.run(depth)
    except KeyboardInterrupt:
        if not hasattr(driver, "searcher"):
            raise  # the model was not even translated
        stop = Stop.INTERRUPTED
    finally:
        driver.cancel()
    found = driver.result(stop)
    if not asked:
        return found
    from fencepost.explore.endless import Budget, with_responses  # noqa: PLC0415 - SciPy is loaded only where needed

    return with_responses(found, model, asked, Budget(begun, timeout, limit, progress))


def _chosen(model: Model, names: Collection[str] | None) -> list[Property]:
    known = [prop.name for prop in model.properties]
    for name in names or ():
        if name not in known:
            raise UsageError(f"no property {name!r} in {model.protocol}; there are {', '.join(known) or 'none'}")
    return [prop for prop in model.properties if names is None or prop.name in names]


class _Switch(Exception):
    """The compiled model is there: begin anew in it."""


@mutable
class _Driver:
    """Takes a searcher through the levels until something says stop."""

    model: Model
    properties: list[Property]
    begun: float
    timeout: float | None
    limit: int | None
    progress: Progress | None
    compile_after: float | None
    searcher: Searcher = field(init=False)
    level: int = 0
    covered: int = -1
    """Every state up to this depth was found and checked."""
    shown: float = 0.0
    native: Native | Failed | None = None
    compiled: Compiled | None = None

    def run(self, depth: int | None) -> Stop:
        """Search in Python, and in C once that is there."""
        self.searcher = Interpreted.begin(self.model, self.properties)
        try:
            return self._levels(depth)
        except _Switch:
            assert self.compiled is not None
            self.searcher, self.level, self.covered = self.compiled, 0, -1
            return self._levels(depth)

    def _levels(self, depth: int | None) -> Stop:
        wanted = frozenset(prop.name for prop in self.properties)
        while True:
            if (stop := self._each(self.searcher.look())) is not None:
                return stop
            self.covered = self.level
            if wanted and wanted <= self.searcher.violated():
                return Stop.DECIDED
            if self.level == depth:
                return Stop.DEPTH
            if (stop := self._each(self.searcher.expand())) is not None:
                return stop
            if not self.searcher.advance():
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
        now = time.monotonic()
        held = resident()
        if self.progress is not None and now - self.shown >= _PROGRESS_SECONDS:
            self.shown = now
            self.progress(
                ProgressEvent(ENGINE, self.level, self.searcher.count, self.searcher.frontier, now - self.begun, held)
            )
        if self.timeout is not None and now - self.begun >= self.timeout:
            return Stop.TIMEOUT
        if self.limit is not None and held >= self.limit:
            return Stop.MEMORY
        if self.compiled is None and self.compile_after is not None and now - self.begun >= self.compile_after:
            self._compile()
        return None

    def _compile(self) -> None:
        if self.native is None:
            self.native = Native.begin(self.model, self.properties)
        if isinstance(self.native, Native):
            ready = self.native.ready()
            if isinstance(ready, Failed):
                self.native = ready
            elif ready is not None:
                self.compiled = ready
                raise _Switch

    def cancel(self) -> None:
        """Stop a compiler that still runs."""
        if isinstance(self.native, Native):
            self.native.compilation.cancel()

    def result(self, stop: Stop) -> Run:
        """What was covered, with a path to each finding and twin."""
        outcome = self.searcher.outcome(self.model)
        if self.compiled is not None:
            self.compiled.close()
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
            seconds=time.monotonic() - self.begun,
            reason=self._reason(stop),
        )

    def _reason(self, stop: Stop) -> str:
        reasons = []
        if stop is Stop.MEMORY:
            size = f"the limit of {self.limit >> 20} MiB" if self.limit is not None else "what there is"
            reasons.append(f"memory reached {size}")
        if isinstance(self.native, Failed):
            reasons.append(f"searched in Python: {self.native.reason}")
        return "; ".join(reasons)
