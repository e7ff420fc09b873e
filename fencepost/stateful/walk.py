"""The engine `walk`: long runs drawn by chance, at sizes that no exhaustive search reaches.

It looks in two ways, and claims nothing about what it did not see:

1. Plain seeded random walks over generated code (see `hunt`), which take most of the time and most
   of the steps.
2. The Hypothesis state machine of the model (see `machine`), whose every step the interpreter
   takes too, with what time is left.

What either finds is shrunk (see `shrink`): first by leaving out steps and detours, then by
Hypothesis to a local minimum, until no single step can be left out, and last replayed by the
interpreter. Chance is seeded: with `runs` and without `timeout`, two runs are alike. Between two
installations the part of Hypothesis may differ, which also draws numbers from the source around it.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress

from attrs import evolve, field, mutable
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.stateful import run_state_machine_as_test

from fencepost.clock import Clock
from fencepost.ir.model import Model, properties_named, responses
from fencepost.memory import resident
from fencepost.stateful.ending import TimeIsUp, ended_from_inside, stop_if_over
from fencepost.stateful.hunt import Hunt
from fencepost.stateful.machine import machine
from fencepost.stateful.player import Goal, Player
from fencepost.stateful.replay import Replayer
from fencepost.stateful.shrink import Shrinker
from fencepost.stateful.storage import nothing_kept
from fencepost.verdict import NO_LOOPS, Finding, Progress, ProgressEvent, Run, Stop

ENGINE = "walk"

STEPS = 250
"""The most steps of a run, unless the user gives a depth."""
RUNS = 1_000
"""Runs without a time limit."""
MACHINE_RUNS, MACHINE_STEPS = 40, 50
"""Runs of the Hypothesis machine, and the most steps of one: it is some hundred times slower a step."""

_HUNT, _MACHINE = 0.75, 0.9
"""When plain walks and the machine end, as parts of the time limit: what is left is for shrinking."""
_SHRINK = 0.2
"""The part of the time limit that the shrinking of one run may take."""

_PROGRESS_SECONDS = 0.25


def run(
    model: Model,
    *,
    depth: int | None = None,
    timeout: float | None = None,
    properties: Collection[str] | None = None,
    progress: Progress | None = None,
    runs: int | None = None,
    machine_runs: int = MACHINE_RUNS,
    seed: int = 0,
) -> Run:
    """Draw runs by chance and look at every state that they pass.

    Args:
        model: what to walk in.
        depth: the most steps of a run (`STEPS` if None).
        timeout: seconds after which to stop.
        properties: names of the properties to check (all if None). Obligations always count.
        progress: called a few times a second.
        runs: how many plain walks to take; if None, `RUNS` without a time limit, else as many as it allows.
        machine_runs: how many runs of the Hypothesis machine to take after them.
        seed: what the chance of plain walks is drawn from.

    Returns:
        A run of depth 0: a walk may miss what is one step away.

    Raises:
        UsageError: a property that the model has not.
    """
    clock = Clock(timeout)
    steps = STEPS if depth is None else depth
    walk = _Walk(evolve(model, properties=properties_named(model, properties)), clock, steps, progress)
    try:
        with nothing_kept():
            stop = walk.run(RUNS if runs is None and timeout is None else runs, machine_runs, seed)
    except KeyboardInterrupt:
        stop = Stop.INTERRUPTED
    return walk.result(stop)


@mutable
class _Walk:
    """One run of the engine under way."""

    model: Model
    clock: Clock
    steps: int
    progress: Progress | None
    findings: dict[str, Finding] = field(factory=dict)
    hunt: Hunt | None = None
    shown: float = -math.inf

    def run(self, runs: int | None, machine_runs: int, seed: int) -> Stop:
        """Walk, then let Hypothesis walk."""
        player = Player.of(self.model)
        hunt = self.hunt = Hunt(player, self.model.properties, self.steps, seed, self._tick)
        for finding in hunt.go(runs, self.clock.share(_HUNT)):
            self._take(finding, player)
        if machine_runs and not self._is_decided:
            self._run_machine(player, machine_runs)
        self._shorten_twins(hunt)
        if self._is_decided:
            return Stop.DECIDED
        return Stop.SAMPLED if hunt.is_exhausted or hunt.runs == runs else Stop.TIMEOUT

    @property
    def _is_decided(self) -> bool:
        return bool(self.model.properties) and all(prop.name in self.findings for prop in self.model.properties)

    def _run_machine(self, player: Player, runs: int) -> None:
        """Run the state machine, collecting what it comes to: it never fails, so Hypothesis shrinks nothing here."""
        found: dict[str, Finding] = {}

        def report(finding: Finding) -> None:
            if finding.name not in self.findings:
                found.setdefault(finding.name, finding)

        clock = self.clock.share(_MACHINE)

        def tick() -> None:
            stop_if_over(clock)
            self._tick()

        shape = machine(self.model, player=player, report=report, tick=tick)
        try:
            with suppress(TimeIsUp), ended_from_inside():
                run_state_machine_as_test(shape, settings=machine_settings(runs, min(MACHINE_STEPS, self.steps)))
        finally:
            for finding in found.values():
                self._take(finding, player)

    def _take(self, finding: Finding, player: Player) -> None:
        """Keep a finding, shrunk; as it is if there is no time."""
        self.findings[finding.name] = finding
        clock = self.clock if self.clock.timeout is None else self.clock.at_most(_SHRINK * self.clock.timeout)
        goal = Goal.of(finding, self.model, player.steps.layout)
        numbers = {instance.label: instance.number for instance in player.steps.instances}
        shrunk = Shrinker(player, goal, clock).shrink(tuple(numbers[label] for label in finding.path))
        self.findings[finding.name] = evolve(finding, path=player.path(shrunk))
        self.findings[finding.name] = Replayer.of(self.model).least(self.findings[finding.name], clock)

    def _shorten_twins(self, hunt: Hunt) -> None:
        """Leave out of the ways to twins what can be, by steps alone: there are many, and nobody reads them."""
        for prop in self.model.properties:
            if prop.name in hunt.twins:
                goal = Goal.twin(prop, hunt.player.steps.layout)
                hunt.twins[prop.name] = Shrinker(hunt.player, goal, self.clock).without_steps(hunt.twins[prop.name])

    def _tick(self) -> None:
        seconds = self.clock.seconds
        if self.progress is not None and self.hunt is not None and seconds - self.shown >= _PROGRESS_SECONDS:
            self.shown = seconds
            seen, depth = len(self.hunt.seen), self.hunt.longest
            self.progress(ProgressEvent(ENGINE, depth, seen, 0, seconds, resident()))

    def result(self, stop: Stop) -> Run:
        """What was walked and found."""
        hunt = self.hunt
        if hunt is None:
            return Run(engine=ENGINE, stop=stop, depth=0, partial=self._partial(), seconds=self.clock.seconds)
        for finding in hunt.look():  # what an interrupt left unseen
            self.findings.setdefault(finding.name, finding)
        paths = {name: hunt.player.path(items) for name, items in sorted(hunt.twins.items())}
        return Run(
            engine=ENGINE,
            stop=stop,
            depth=0,
            findings=tuple(sorted(self.findings.values(), key=lambda found: (len(found.path), found.name))),
            twins={name: len(path) for name, path in paths.items()},
            twin_paths=paths,
            states=None if hunt.forgot else len(hunt.seen),
            partial=self._partial(),
            transitions=hunt.transitions,
            actions=hunt.actions(),
            seconds=self.clock.seconds,
            reason=self._reason(hunt),
        )

    def _partial(self) -> dict[str, str]:
        return {prop.name: NO_LOOPS for prop in responses(self.model.properties)}

    def _reason(self, hunt: Hunt) -> str:
        quiet = ", the last of them without a new state" if hunt.is_exhausted else ""
        return f"{hunt.runs:,} runs of at most {self.steps:,} steps drawn by chance{quiet}"


def machine_settings(runs: int, steps: int) -> settings:
    """Hypothesis settings for a model's machine: repeatable, and without what is meant for tests of code.

    No example database, since a run from another version of the model would mean something else;
    no health checks, since a model is slow to step and may have nothing to do for long; no deadline.
    """
    return settings(
        max_examples=runs,
        stateful_step_count=max(steps, 1),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
    )
