"""Looking again at what is pinned: the one place that says how."""

from __future__ import annotations

from attrs import evolve

from fencepost.check import Check, check, conclude
from fencepost.engines import ENGINES, Job, Limits
from fencepost.errors import FencepostError, InternalError
from fencepost.ir.model import Model
from fencepost.manifest import Pin, PropertyPin, known
from fencepost.side_by_side import run_engines
from fencepost.verdict import Progress, Run, Stop


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
    from fencepost.smt.follow import feasible  # noqa: PLC0415 - Z3 is loaded only where it is asked for

    for finding in found.runs[0].findings:
        if not feasible(found.model, finding):
            raise InternalError(f"the encoding for the bounded check refuses the run to {finding.name}")
    runs = run_engines([Job(ENGINES["bmc"], found.model, evolve(limits, depth=depth))], progress)
    return conclude(found.model, found.limits, found.runs + runs, known=found.known)


def bmc_depth(found: Check) -> int:
    """How deep to ask for: to the longest of the shortest violations, else as deep as was explored."""
    violations = [decision.depth for decision in found.decisions if decision.trace is not None]
    return max((length for length in violations if length is not None), default=found.runs[0].depth)


def pinned_bmc(pin: Pin) -> int | None:
    """The greatest depth to which the bounded check is pinned to have decided something."""
    return max((prop.bmc for prop in pin.properties.values() if prop.bmc is not None), default=None)


def bmc_shortfalls(pin: Pin, now: Pin) -> list[str]:
    """Where the bounded check got less deep than is pinned: no difference, since it depends on the machine."""
    lines = []
    for name, prop in sorted(pin.properties.items()):
        got = now.properties[name].bmc if name in now.properties else None
        if prop.bmc is not None and got is not None and got < prop.bmc:
            lines.append(f"{name}: the bounded check got to depth {got}, pinned {prop.bmc}")
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
