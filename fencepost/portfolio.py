"""`--engine auto`: a search, and where that does not end in a moment, engines of all kinds side by side.

What each of them is good at cannot be told beforehand: the search exhausts what is small, the bounded
check finds what lies deep among many states, a proof holds for every depth. They race until together
they have settled everything that was asked; the others are cancelled, and what they had counted by
chance until then is not told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence

from attrs import evolve, frozen

from fencepost.agree import bound, check_agreement, finding
from fencepost.clock import Clock
from fencepost.engines import ENGINES, Job, Limits
from fencepost.ir.model import Model, properties_named, responses
from fencepost.memory import default_limit
from fencepost.side_by_side import Race, run_engines
from fencepost.verdict import OBLIGATIONS, Finding, Progress, Run, Stop

HEAD_START = 5.0
"""Seconds in which the search is alone: most models are exhausted by then, and no process is started for them."""

_SHARE = 0.25
"""The part of the time that this may be at most."""

_WORTH = 2.0
"""Seconds of a time limit below which no process is started: it would not have begun."""

_OWN, _LONGER = 0.5, 3.0
"""Of those seconds, the part that the search has to have for itself, lest it is given so many times as many."""

_GIVE_WAY = 5
"""Niceness of the others: the search goes on at most of its speed, for it is as a rule the one that ends."""


@frozen
class Settled:
    """What was run, and the engines whose answers settled everything; nobody, where one ran alone or none came so far.

    `runs` have been compared with each other, and with what was cancelled.
    """

    runs: tuple[Run, ...]
    first: tuple[str, ...] = ()


def settle(
    model: Model, limits: Limits, properties: Collection[str] | None = None, progress: Progress | None = None
) -> Settled:
    """Run what `auto` stands for, within the limits, which hold for all of it together.

    Raises:
        Disagreement: engines contradict each other.
    """
    asked = None if properties is None else tuple(properties)
    question = _Question(frozenset(prop.name for prop in properties_named(model, properties)), limits.depth)
    others = _others(model, properties)
    short = limits.timeout is not None and limits.timeout < _WORTH
    if limits.manner.checkpoint is not None or not others or short:
        return _one_by_one(model, limits, asked, question, others, progress)
    clock = Clock(limits.timeout)
    head = _head_start(model, limits, asked, progress)
    if head.stop is Stop.INTERRUPTED or not _cut_off(head) or question.settled([head]):
        return Settled((head,))
    within = evolve(limits, timeout=clock.left)
    jobs = [Job(ENGINES["explore"], model, within, asked)]
    jobs += [Job(ENGINES[name], model, within, asked, niceness=_GIVE_WAY) for name in others]
    race = Race(
        lambda runs: question.settled([head, *runs]),
        lambda runs: question.known([head, *runs]),
        within.timeout,
        default_limit() if limits.memory is None else limits.memory,
    )
    return question.judged(head, run_engines(jobs, progress, race))


def _head_start(model: Model, limits: Limits, asked: tuple[str, ...] | None, progress: Progress | None) -> Run:
    """The search alone; once more and for longer, where others had the machine."""
    most = math.inf if limits.timeout is None else limits.timeout * _SHARE
    seconds = min(HEAD_START, most)
    clock, used = Clock(None), time.process_time()

    def explored() -> Run:
        return run_engines([Job(ENGINES["explore"], model, evolve(limits, timeout=seconds), asked)], progress)[0]

    head = explored()
    took = clock.seconds
    starved = took > seconds / 2 and time.process_time() - used < _OWN * took
    if head.stop is not Stop.INTERRUPTED and _cut_off(head) and starved and seconds < most:
        seconds = min(_LONGER * HEAD_START, most)
        head = explored()
    return head


def _cut_off(head: Run) -> bool:
    """Whether it might have come further with more time, perhaps with responses alone."""
    return head.stop in (Stop.TIMEOUT, Stop.MEMORY) or bool(head.partial)


def _one_by_one(
    model: Model,
    limits: Limits,
    asked: tuple[str, ...] | None,
    question: _Question,
    others: Sequence[str],
    progress: Progress | None,
) -> Settled:
    """Nobody races with a search that is kept or short; what it leaves open to a depth a bounded check may say."""
    runs = run_engines([Job(ENGINES["explore"], model, limits, asked)], progress)
    if limits.depth is not None and runs[0].stop is not Stop.INTERRUPTED and not question.settled(runs):
        checks = [name for name in others if not ENGINES[name].proves]
        runs += run_engines([Job(ENGINES[name], model, limits, asked) for name in checks], progress)
    return Settled(runs)


def _others(model: Model, properties: Collection[str] | None) -> list[str]:
    """Who runs beside the search, the last to be left out first.

    SAT is the faster bounded check, but says nothing of responses. ABC is asked for proofs where it is
    installed as a program; as WebAssembly it takes a minute to begin, and is for those who ask for it.
    """
    checks = ["bmc"]
    if not ENGINES["sat"].missing():
        checks = ["sat", "bmc"] if responses(properties_named(model, properties)) else ["sat"]
    provers = ["pdr"] if ENGINES["pdr"].is_program else []
    return [name for name in (*checks, *provers) if not ENGINES[name].missing()]


@frozen
class _Question:
    """The properties that are asked about, and to which depth; None is every depth."""

    names: frozenset[str]
    depth: int | None

    def settled(self, runs: Sequence[Run]) -> bool:
        """Whether everything is known for the depth that was asked for, counterexamples as short as they get."""
        return self.known(runs) and all(self._shortest(runs, found) for run in runs for found in run.findings)

    def known(self, runs: Sequence[Run]) -> bool:
        """Whether all is known, though perhaps some counterexample is not a shortest one."""
        violated = {found.name for run in runs for found in run.findings}
        if self.names and self.names <= violated:
            return True  # then obligations are owed no more
        owed = [*(self.names - violated), OBLIGATIONS]
        return all(any(self._covers(run, name) for run in runs) for name in owed)

    def _covers(self, run: Run, name: str) -> bool:
        return bound(run, name) >= (math.inf if self.depth is None else self.depth)

    def _shortest(self, runs: Sequence[Run], found: Finding) -> bool:
        steps = min(len(hit.path) for run in runs if (hit := finding(run, found.name)) is not None)
        return any(bound(run, found.name) >= steps - 1 for run in runs)

    def judged(self, head: Run, runs: Sequence[Run]) -> Settled:
        """The runs as they are reported, and who was first; `head` is what the search had found before the race.

        Raises:
            Disagreement: they contradict each other.
        """
        check_agreement([head, *runs])
        ended = [run for run in runs if run.stop is not Stop.CANCELLED]
        if any(run.stop is Stop.INTERRUPTED for run in runs) or not self.known([head, *ended]):
            return Settled(tuple(_no_less(run, head) for run in runs))
        alone = [run for run in ended if self.settled([head, run])]
        gave_up = (Stop.TIMEOUT, Stop.MEMORY, Stop.FAILED, Stop.MISSING)
        first = alone[:1] or [run for run in ended if run.stop not in gave_up]
        names = tuple(run.engine for run in first)
        if not self.settled([head, *ended]):
            return Settled(tuple(runs), names)
        reason = f"{' and '.join(names)} had settled everything"
        return Settled(tuple(_without_chance(run, head, reason) for run in runs), names)


def _no_less(run: Run, head: Run) -> Run:
    """The search as it came further: in the race, or before it."""
    if run.engine != head.engine or run.depth >= head.depth:
        return run
    return evolve(head, stop=run.stop, reason=run.reason)


def _without_chance(run: Run, head: Run, reason: str) -> Run:
    """A cancelled run without what depends on when that was; what it found and which situations it met are kept.

    The search may not have come again to what it had found before.
    """
    if run.stop is not Stop.CANCELLED:
        return run
    mine = [head, run] if run.engine == head.engine else [run]
    findings = {found.name: (found, bound(one, found.name)) for one in mine for found in one.findings}
    return Run(
        run.engine,
        run.stop,
        -1,
        findings=tuple(found for found, _ in findings.values()),
        bounds={name: min(int(depth), len(found.path) - 1) for name, (found, depth) in findings.items()},
        twins={name: steps for one in mine for name, steps in one.twins.items()},
        twin_paths={name: path for one in mine for name, path in one.twin_paths.items()},
        reason=reason,
    )
