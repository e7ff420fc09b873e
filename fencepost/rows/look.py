"""Looking again at what is pinned: the one place that says how."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from fencepost.check import Check, check, conclude
from fencepost.engines import ENGINES, Job, Limits
from fencepost.errors import FencepostError, InternalError
from fencepost.ir.model import Model
from fencepost.manifest import Pin, PropertyPin, known
from fencepost.side_by_side import run_engines
from fencepost.verdict import Finding, Progress, Run, Stop, Verdict

CUT_SHORT = (Stop.TIMEOUT, Stop.MEMORY, Stop.FAILED, Stop.MISSING)
"""How a run ends that another machine, or another day, takes further."""


class Unfinished(FencepostError):
    """The search did not finish, so that its numbers are another machine's."""

    def __init__(self, run: Run) -> None:
        super().__init__(f"exploring stopped ({run.stop.value}) at depth {run.depth}")
        self.stop = run.stop


def look(model: Model, pin: Pin | None, limits: Limits, progress: Progress | None = None) -> Check:
    """Check a model as its pin says it was checked, by exploring.

    What is not pinned is explored to its end, else as deep as `limits` say.

    Raises:
        Unfinished: the search did not finish.
    """
    tries = [None, limits.depth] if pin is None else [pin.depth]
    found = check(model, "explore", evolve(limits, depth=tries[0]), known=known(pin), progress=progress)
    if not _finished(found) and tries[-1] is not None:
        found = check(model, "explore", evolve(limits, depth=tries[-1]), known=known(pin), progress=progress)
    if not _finished(found):
        raise Unfinished(found.runs[0])
    return found


def _finished(found: Check) -> bool:
    return found.runs[0].stop in (Stop.EXHAUSTED, Stop.DEPTH, Stop.DECIDED)


def with_bmc(found: Check, depth: int, limits: Limits, progress: Progress | None = None) -> Check:
    """The bounded check as well, to that depth; it has to accept every run that exploring found.

    Raises:
        InternalError: it does not.
    """
    _require_feasible(found)
    runs = run_engines([Job(ENGINES["bmc"], found.model, evolve(limits, depth=depth))], progress)
    return conclude(found.model, found.limits, found.runs + runs, known=found.known)


def _require_feasible(found: Check) -> None:
    from fencepost.smt.follow import feasible  # noqa: PLC0415 - Z3 is loaded only where it is asked for

    for finding in found.runs[0].findings:
        if not feasible(found.model, finding):
            raise InternalError(f"the encoding for the bounded check refuses the run to {finding.name}")


def bmc_depth(found: Check) -> int:
    """How deep to ask for: to the longest of the shortest violations, else as deep as was explored."""
    violations = [decision.depth for decision in found.decisions if decision.trace is not None]
    return max((length for length in violations if length is not None), default=found.runs[0].depth)


@frozen
class Question:
    """What to ask the bounded check again: properties, and the depth to which it decided each of them before."""

    properties: tuple[str, ...]
    depth: int


def questions(pin: Pin) -> tuple[Question, ...]:
    """To find each violation again that it found, and to decide the others to the least depth pinned for one.

    It got as deep with each of the others as the time allowed; so deep with all of them takes no longer.
    """
    decided = {name: prop for name, prop in pin.properties.items() if prop.bmc is not None}
    found = {name: prop.length for name, prop in decided.items() if _was_found(prop)}
    rest = {name: prop.bmc for name, prop in decided.items() if name not in found}
    asked = []
    for depths, deepest in ((found, max), (rest, min)):
        if depths:
            asked.append(Question(tuple(depths), deepest(depth or 0 for depth in depths.values())))
    return tuple(asked)


def _was_found(prop: PropertyPin) -> bool:
    return prop.verdict is Verdict.VIOLATED and prop.length is not None and (prop.bmc or 0) >= prop.length


def with_bmc_again(found: Check, asked: Sequence[Question], limits: Limits, progress: Progress | None = None) -> Check:
    """The bounded check as well, asked what it decided before.

    Raises:
        InternalError: it contradicts what exploring found, or refuses a run to it.
    """
    names = [prop.name for prop in found.model.properties]
    runs: list[Run] = []
    for question in asked:
        # Obligations are asked of in any case, and by no name.
        properties = tuple(name for name in question.properties if name in names)
        job = Job(ENGINES["bmc"], found.model, evolve(limits, depth=question.depth), properties)
        runs += run_engines([job], progress)
        if runs[-1].stop is Stop.INTERRUPTED:
            raise Unfinished(runs[-1])
    _require_feasible(found)
    return conclude(found.model, limits, (*found.runs, _as_one(runs, names)), known=found.known)


def _as_one(runs: Sequence[Run], names: Sequence[str]) -> Run:
    """The runs as one that claims of each property what the run claims that was asked of it."""
    stop = next((run.stop for run in runs if run.stop in CUT_SHORT), Stop.DEPTH)
    depth = min(run.depth for run in runs)
    bounds = dict.fromkeys(names, -1)
    findings: dict[str, Finding] = {}
    for run in runs:
        bounds |= run.bounds
        for finding in run.findings:
            findings.setdefault(finding.name, finding)
    partial = {name: why for run in runs for name, why in run.partial.items()}
    return Run("bmc", stop, depth, findings=tuple(findings.values()), bounds=bounds, partial=partial)


def bmc_shortfalls(pin: Pin, now: Pin) -> list[str]:
    """Where the bounded check got less deep than before: no difference, since it depends on the machine."""
    lines = []
    for question in questions(pin):
        for name in question.properties:
            got = now.properties[name].bmc if name in now.properties else None
            length = pin.properties[name].length
            want = question.depth if length is None else min(question.depth, length)
            if got is not None and got < want:
                lines.append(f"{name}: the bounded check got to depth {got}, not to {want} as before")
    return lines


def keeping_bmc(now: Pin, pin: Pin | None) -> Pin:
    """How deep the bounded check got depends on the machine, so it is not lost where it was not asked for."""
    if pin is None:
        return now
    kept: dict[str, PropertyPin] = {}
    for name, prop in now.properties.items():
        was = pin.properties.get(name)
        kept[name] = prop if was is None or prop.bmc is not None else evolve(prop, bmc=was.bmc)
    return evolve(now, properties=kept)
