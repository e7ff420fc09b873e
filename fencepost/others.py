"""More counterexamples of a property, each of another cause and none a copy: `verify --max-violations N`.

The cause of a run is taken to be the set of actions in its dynamic slice: those of the steps that the
values at fault come from, and of the step that made the property false. A run whose cause has all that
an earlier, no longer run's has is no news: it does the same, and something besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from attrs import evolve

from fencepost.check import Check, Decision
from fencepost.clock import Clock
from fencepost.engines import Limits
from fencepost.explore.ways import ways
from fencepost.ir.model import Model, Property, PropertyKind
from fencepost.memory import default_limit, resident
from fencepost.trace.build import build_trace
from fencepost.trace.causes import causes
from fencepost.trace.model import Trace
from fencepost.trace.order import fewest_changes
from fencepost.verdict import Finding, Verdict

_ALIKE = 25
"""Runs that end with the same action and of which none was news: after so many that action is not asked again."""


class _Over(Exception):
    """Time or memory is up."""


def with_others(check: Check, most: int) -> Check:
    """The check with up to `most` counterexamples a violated property, within the limits of one engine.

    Of a response, whose violation is a run without an end, and of an obligation there is only the one.
    """
    return evolve(
        check,
        decisions=tuple(_more(check.model, check.limits, decision, most) for decision in check.decisions),
    )


def _more(model: Model, limits: Limits, decision: Decision, most: int) -> Decision:
    prop = next((prop for prop in model.properties if prop.name == decision.name), None)
    if decision.verdict is not Verdict.VIOLATED or decision.trace is None:
        return decision
    if prop is None or prop.kind is PropertyKind.RESPONSE:
        return decision
    return evolve(decision, others=tuple(islice(_others(model, prop, limits, decision.trace), most - 1)))


def _others(model: Model, prop: Property, limits: Limits, first: Trace) -> Iterator[Trace]:
    """Runs that violate the property by causes that differ, until time or memory is up; `first` is known."""
    known = [_cause(model, first)]
    alike: dict[str, int] = {}
    clock, memory = Clock(limits.timeout), limits.memory if limits.memory is not None else default_limit()

    def pause() -> None:
        if clock.over or (memory is not None and resident() >= memory):
            raise _Over

    try:
        for path in ways(model, prop, limits.depth, pause):
            pause()
            last = path[-1][0] if path else ""
            if alike.get(last, 0) >= _ALIKE:
                continue
            trace = build_trace(model, Finding(prop.name, path))
            cause = _cause(model, trace)
            if any(other <= cause for other in known):
                alike[last] = alike.get(last, 0) + 1
                continue
            known.append(cause)
            yield build_trace(model, Finding(prop.name, fewest_changes(model, path)))
    except _Over:
        return


def _cause(model: Model, trace: Trace) -> frozenset[str]:
    """The actions of the steps that matter."""
    numbers = {*causes(model, trace), len(trace.steps)} - {0}
    return frozenset(trace.steps[number - 1].action.name for number in numbers)
