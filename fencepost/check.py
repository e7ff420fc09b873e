"""From what engines did to a verdict for each property, and the exit code.

Verdicts follow one rule: a word claims no more than a run covered. A bound that was asked for
and not reached is INCONCLUSIVE; a complete run in which a property's twin never happened is
VACUOUS; a bounded one says that the property was not exercised.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping, Sequence
from typing import assert_never

from attrs import evolve, field, frozen

from fencepost.agree import bound, check_agreement, finding
from fencepost.engines import ENGINES, Job, Limits
from fencepost.errors import InternalError
from fencepost.ir.model import GuardKind, Model, Property, PropertyKind
from fencepost.ir.symmetry import left_out, only
from fencepost.portfolio import settle
from fencepost.side_by_side import run_engines
from fencepost.trace.build import build_trace
from fencepost.trace.model import Trace
from fencepost.trace.order import fewest_changes
from fencepost.trace.text import for_ever
from fencepost.verdict import OBLIGATIONS, ActionCount, Finding, Progress, Proof, Run, Stop, Verdict

_NOT_KNOWN = "not known whether exercised"
"""Where the runs gave up looking for a property's twin: silence is no proof that it never happens."""


@frozen
class Reached:
    """A property's antecedent was reached in so many steps, and, if `least`, in no fewer."""

    steps: int
    least: bool


@frozen
class Decision:
    """The verdict on one property (or on all obligations, or on one broken obligation).

    `depth` is the bound of NO VIOLATION TO DEPTH, or the length of a violation. `why` is the
    rest of the line, for a person. `engines` are those that came to it. `reached` says whether and
    when the property's antecedent was reached; `exercised_at` is the pinned depth at which it first
    is. `anchor` is the violation's entry in docs/findings.md. `others` are counterexamples of other causes,
    where they were asked for.
    """

    name: str
    verdict: Verdict
    why: str
    depth: int | None = None
    engines: tuple[str, ...] = ()
    reached: Reached | None = None
    exercised_at: int | None = None
    trace: Trace | None = None
    anchor: str | None = None
    others: tuple[Trace, ...] = ()

    @property
    def twin(self) -> int | None:
        """The least depth at which the property's antecedent is reached, if these runs say so."""
        return self.reached.steps if self.reached is not None and self.reached.least else None

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Every counterexample, the shortest first."""
        return () if self.trace is None else (self.trace, *self.others)


class Outcome(enum.Enum):
    """What all decisions come to."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    VACUOUS = "vacuous"
    UNCOVERED = "uncovered"
    INTERRUPTED = "interrupted"

    @property
    def exit_code(self) -> int:
        match self:
            case Outcome.HOLDS:
                return 0
            case Outcome.VIOLATED:
                return 1
            case Outcome.INCONCLUSIVE:
                return 3
            case Outcome.VACUOUS | Outcome.UNCOVERED:
                return 4
            case Outcome.INTERRUPTED:
                return 130
            case _:
                assert_never(self)


@frozen
class Known:
    """What the manifest knows beforehand of one property."""

    twin: int | None = None
    anchor: str | None = None


@frozen
class Check:
    """A model, how far it was to be checked, by which engines, and what came out."""

    model: Model
    limits: Limits
    runs: tuple[Run, ...]
    decisions: tuple[Decision, ...]
    known: Mapping[str, Known] = field(factory=dict)
    first: tuple[str, ...] = ()
    """Of engines that raced, those whose answers settled everything, if any did."""

    @property
    def actions(self) -> dict[str, ActionCount]:
        """Per action, from the run that took the most different ones (counts of several runs do not add up)."""
        counted = [run for run in self.runs if run.actions]
        best = max(counted, key=lambda run: sum(count.fired > 0 for count in run.actions.values()), default=None)
        nothing = ActionCount(0, 0)
        return {
            action.name: nothing if best is None else best.actions.get(action.name, nothing)
            for action in self.model.actions
        }

    @property
    def counted(self) -> bool:
        """Whether any engine counted actions."""
        return any(run.actions for run in self.runs)

    @property
    def missing(self) -> dict[str, str]:
        """Engines that cannot run here, and why."""
        asked = {run.engine for run in self.runs}
        engines = [engine for name, engine in ENGINES.items() if name in asked or not engine.proves]
        return {engine.name: reason for engine in engines if (reason := engine.missing())}

    @property
    def symmetry_left_out(self) -> dict[str, str]:
        """What is declared symmetric where a search told its indices apart all the same, and why."""
        searches = [run for run in self.runs if run.states is not None]
        if not searches:
            return {}
        asked = only(self.model, {decision.name for decision in self.decisions})
        used = {name for run in searches for name in run.symmetry}
        return left_out(asked, used, self.limits.manner.symmetry)

    @property
    def is_open(self) -> bool:
        """Whether some property is inconclusive."""
        return any(decision.verdict is Verdict.INCONCLUSIVE for decision in self.decisions)

    def outcome(self, *, cover: bool = False) -> Outcome:
        """The first that applies, in the order of the exit codes."""
        verdicts = {decision.verdict for decision in self.decisions}
        if any(run.stop is Stop.INTERRUPTED for run in self.runs):
            return Outcome.INTERRUPTED
        if Verdict.VIOLATED in verdicts:
            return Outcome.VIOLATED
        if self.is_open:
            return Outcome.INCONCLUSIVE
        if Verdict.VACUOUS in verdicts:
            return Outcome.VACUOUS
        if cover and self.counted and not all(count.fired for count in self.actions.values()):
            return Outcome.UNCOVERED
        return Outcome.HOLDS


def check(
    model: Model,
    engine: str,
    limits: Limits,
    *,
    properties: tuple[str, ...] | None = None,
    known: Mapping[str, Known] | None = None,
    progress: Progress | None = None,
) -> Check:
    """Check the model with one engine, with `all` of them, or with `auto`.

    `auto` explores, and where that does not end in a moment has bounded checks and a proof race with it.
    `all` runs them side by side; without a depth exploring goes first, and its depth is the others'.

    Raises:
        InternalError: engines disagree, or the interpreter does not reproduce a finding.
    """

    def run(names: Sequence[str], within: Limits = limits) -> tuple[Run, ...]:
        return run_engines([Job(ENGINES[name], model, within, properties) for name in names], progress)

    def concluded(runs: tuple[Run, ...], first: tuple[str, ...] = ()) -> Check:
        return evolve(conclude(model, limits, runs, properties=properties, known=known), first=first)

    if engine == "auto":
        settled = settle(model, limits, properties, progress)
        return concluded(settled.runs, settled.first)
    if engine != "all":
        return concluded(run([engine]))
    others = [name for name, other in ENGINES.items() if name != "explore" and not other.proves]
    if limits.depth is not None:
        return concluded(run(["explore", *others]))
    runs = run(["explore"])
    if runs[0].stop is Stop.INTERRUPTED:
        return concluded(runs)
    return concluded(runs + run(others, evolve(limits, depth=runs[0].depth)))


def conclude(
    model: Model,
    limits: Limits,
    runs: tuple[Run, ...],
    *,
    properties: tuple[str, ...] | None = None,
    known: Mapping[str, Known] | None = None,
) -> Check:
    """Decide each property from finished runs: cross-check them, replay every finding, conclude."""
    check_agreement(runs)
    known = known or {}
    asked = [prop for prop in model.properties if properties is None or prop.name in properties]
    decisions = [_decide_property(model, limits, runs, prop, known.get(prop.name, Known())) for prop in asked]
    decided = bool(decisions) and all(decision.verdict is Verdict.VIOLATED for decision in decisions)
    # Engines stop where every property is violated, so obligations are owed no more than that depth.
    decisions += _decide_obligations(model, evolve(limits, depth=None) if decided else limits, runs)
    return Check(model, limits, runs, tuple(decisions), known)


def _decide_property(model: Model, limits: Limits, runs: Sequence[Run], prop: Property, known: Known) -> Decision:
    reached = _reached(runs, prop.name)
    violated = _violation(model, runs, prop.name, reached, known)
    if violated is not None:
        return violated
    complete = [run for run in runs if math.isinf(bound(run, prop.name))]
    if not complete:
        return _bounded(limits, runs, prop.name, reached, known)
    if not any(run.complete for run in complete):
        return _proved(complete, prop.name, reached)
    complete.sort(key=lambda run: not run.complete)
    engines, states = tuple(run.engine for run in complete), _states(model, complete[0])
    if reached is None and all(prop.name in run.twins_given_up for run in complete):
        depth = max(run.depth for run in complete)
        return Decision(prop.name, Verdict.NO_VIOLATION, _NOT_KNOWN, depth=depth, engines=engines)
    if reached is None:
        why = f"its antecedent never happened in any of {states}"
        return Decision(prop.name, Verdict.VACUOUS, why, engines=engines)
    if all(prop.name in run.unmet for run in complete):
        why = f"its goal is met in none of {states}, and what waits for it is cut off"
        return Decision(prop.name, Verdict.VACUOUS, why, engines=engines, reached=reached)
    why = f"all {states}"
    if prop.kind is PropertyKind.RESPONSE:
        cut = any(prop.name in run.unended for run in complete)
        why = f"every fair run in {why}{', which cut off some that wait' if cut else ''}"
    return Decision(prop.name, Verdict.EXHAUSTED, why, engines=engines, reached=reached)


def _proved(proving: Sequence[Run], name: str, reached: Reached | None) -> Decision:
    """By an argument, with no list of states."""
    engines = tuple(run.engine for run in proving)
    if reached is None and not any(name in run.twins_given_up for run in proving):
        why = f"for every depth, but its antecedent never happens{_within(proving)}"
        return Decision(name, Verdict.VACUOUS, why, engines=engines)
    why = f"for every depth{_within(proving)}, {_argument(proving)}"
    if reached is None:
        why = f"{why}, {_NOT_KNOWN}, which explore tells"
    return Decision(name, Verdict.PROVED, why, engines=engines, reached=reached)


def _proofs(proving: Sequence[Run]) -> list[Proof]:
    return [run.proof for run in proving if run.proof is not None]


def _argument(proving: Sequence[Run]) -> str:
    return f"by {_proofs(proving)[0].argument}"


def _within(proving: Sequence[Run]) -> str:
    """A state that a bound stops is never part of a proof without it."""
    return " within the model's bounds" if all(proof.bounds for proof in _proofs(proving)) else ""


def _reached(runs: Sequence[Run], name: str) -> Reached | None:
    """A run by chance does not know whether it took the fewest steps."""
    steps = min((run.twins[name] for run in runs if name in run.twins), default=None)
    if steps is None:
        return None
    return Reached(steps, least=any(name in run.twins and run.depth >= steps - 1 for run in runs))


def _decide_obligations(model: Model, limits: Limits, runs: Sequence[Run]) -> list[Decision]:
    """One decision a broken obligation; if none broke, one for all of them."""
    properties = {prop.name for prop in model.properties}
    broken = sorted({found.name for run in runs for found in run.findings} - properties)
    violated = [_violation(model, runs, name, None, Known()) for name in broken]
    if violated:
        return [decision for decision in violated if decision is not None]
    complete = [run for run in runs if run.complete]
    proving = [run for run in runs if run.proof is not None and run.proof.covers(OBLIGATIONS)]
    if not complete and proving:
        what = "ranges, indices and live fields"
        why = f"{what}, for every depth{_within(proving)}, {_argument(proving)}"
        return [Decision(OBLIGATIONS, Verdict.PROVED, why, engines=tuple(run.engine for run in proving))]
    if not complete:
        return [_bounded(limits, runs, OBLIGATIONS, None, None)]
    why = f"ranges, indices and live fields in all {_states(model, complete[0])}"
    return [Decision(OBLIGATIONS, Verdict.EXHAUSTED, why, engines=tuple(run.engine for run in complete))]


def _violation(model: Model, runs: Sequence[Run], name: str, reached: Reached | None, known: Known) -> Decision | None:
    """The shortest finding of that name; every engine's is replayed."""
    found = [(run, hit) for run in runs if (hit := finding(run, name)) is not None]
    if not found:
        return None
    traces = [_replayed(model, run, hit) for run, hit in found]
    steps = min(len(hit.path) for _, hit in found)
    finders = [i for i, (_, hit) in enumerate(found) if len(hit.path) == steps]
    trace = _to_read(model, found[finders[0]][1], traces[finders[0]])
    shortest = any(bound(run, name) >= steps - 1 for run in runs)
    return Decision(
        name,
        Verdict.VIOLATED,
        f"{steps} {'step' if steps == 1 else 'steps'}{for_ever(trace)}{'' if shortest else ', perhaps not the fewest'}",
        depth=steps,
        engines=tuple(found[i][0].engine for i in finders),
        reached=reached,
        exercised_at=known.twin,
        trace=trace,
        anchor=known.anchor,
    )


def _replayed(model: Model, run: Run, hit: Finding) -> Trace:
    try:
        return build_trace(model, hit)
    except InternalError as error:
        raise InternalError(f"{run.engine}'s finding {hit.name} does not replay: {error}") from error


def _to_read(model: Model, hit: Finding, trace: Trace) -> Trace:
    """The trace in the order of steps that is shown to people; a run without an end stays as it is."""
    path = hit.path if hit.loop is not None else fewest_changes(model, hit.path)
    return trace if path == hit.path else build_trace(model, evolve(hit, path=path))


def _bounded(limits: Limits, runs: Sequence[Run], name: str, reached: Reached | None, known: Known | None) -> Decision:
    depth = max((int(bound(run, name)) for run in runs), default=-1)
    if depth < (1 if limits.depth is None else limits.depth):
        why = "; ".join(_shortfall(run, name, limits) for run in runs) or "no engine ran"
        return Decision(name, Verdict.INCONCLUSIVE, why, depth=max(depth, 0), reached=reached)
    deepest = [run for run in runs if int(bound(run, name)) == depth]
    return Decision(
        name,
        Verdict.NO_VIOLATION,
        "" if known is None or reached is not None else _not_exercised(name, depth, known, deepest),
        depth=depth,
        engines=tuple(run.engine for run in deepest),
        reached=reached,
        exercised_at=None if known is None else known.twin,
    )


def _not_exercised(name: str, depth: int, known: Known, deepest: Sequence[Run]) -> str:
    if known.twin is None or known.twin <= depth:
        return _NOT_KNOWN if all(name in run.twins_given_up for run in deepest) else "not exercised"
    return f"not exercised (first exercised at depth {known.twin})"


def _shortfall(run: Run, name: str, limits: Limits) -> str:
    """Why this run does not settle the matter."""
    reached = int(bound(run, name))
    so_far = f", no violation to depth {reached}" if reached > 0 else ""
    if name in run.partial:
        return f"{run.engine}: {run.partial[name]}{so_far}"
    match run.stop:
        case Stop.TIMEOUT:
            return f"{run.engine}: time limit of {limits.timeout or run.seconds:g} s{so_far}"
        case Stop.MEMORY:
            return f"{run.engine}: memory limit{so_far}"
        case Stop.INTERRUPTED:
            return f"{run.engine}: interrupted{so_far}"
        case Stop.FAILED:
            return f"{run.engine}: failed, {run.reason}{so_far}"
        case Stop.MISSING:
            return f"{run.engine}: missing, {run.reason}"
        case Stop.CANCELLED:
            return f"{run.engine}: cancelled{so_far}"
        case Stop.DEPTH | Stop.DECIDED | Stop.EXHAUSTED | Stop.SAMPLED:
            return f"{run.engine}: {run.reason or 'ended'}{so_far}"
        case _:
            assert_never(run.stop)


def _states(model: Model, run: Run) -> str:
    states = "reachable states" if run.states is None else f"{run.states:,} reachable states"
    if run.states is not None and run.symmetry:
        states = f"{run.states:,} orbits of reachable states under symmetry of {' and '.join(run.symmetry)}"
    held_back = run.held_back
    if held_back is None:  # not counted: then any bound may have been in the way
        held_back = sum(guard.kind is GuardKind.BOUND for action in model.actions for guard in action.guards)
    return f"{states} within the model's bounds" if held_back else states
