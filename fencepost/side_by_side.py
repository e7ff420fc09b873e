"""Running several engines side by side.

One alone runs in this process; several run in processes of their own: at most one a core, or, in a
race, all at once, until together they have settled what was asked.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Collection, Sequence
from multiprocessing.connection import Connection, wait
from typing import cast

from attrs import evolve, field, frozen, mutable

from fencepost.engines import Job, run_job
from fencepost.errors import FencepostError, InternalError
from fencepost.memory import resident_below
from fencepost.processes import ASK_AGAIN, CtrlC, Ended, Send, Worker
from fencepost.verdict import Progress, ProgressEvent, Run, Stop

_OFTEN = 0.2
"""Seconds between two looks at how long a race takes, and how much memory."""

_PATIENCE = 5.0
"""Seconds beyond the limit in which racers may end by themselves, and tell more than one that is stopped."""

_AT_LEAST = 5.0
"""Seconds that the others get, at the least, once all is settled but whether there is something shorter."""


@frozen
class Race:
    """When a race is over, and what the racers may take together.

    `nearly`: all is settled but whether there is a shorter counterexample; then the others get as long
    again as it took so far. Where they take too much memory, the last of the jobs is stopped first, and
    the first one never: it looks after itself.
    """

    settled: Callable[[Sequence[Run]], bool]
    nearly: Callable[[Sequence[Run]], bool]
    seconds: float | None = None
    memory: int | None = None


def run_engines(jobs: Sequence[Job], progress: Progress | None = None, race: Race | None = None) -> tuple[Run, ...]:
    """Run every job, and give the runs in the same order.

    An engine that cannot run here gives a run with `Stop.MISSING`. A KeyboardInterrupt stops
    them all; what each had covered is in its run.
    """
    missing = {job.engine.name: reason for job in jobs if (reason := job.engine.missing())}
    ready = [job for job in jobs if job.engine.name not in missing]
    done = {run.engine: run for run in _run(ready, progress, race)}
    done |= {name: Run(engine=name, stop=Stop.MISSING, depth=0, reason=reason) for name, reason in missing.items()}
    return tuple(done[job.engine.name] for job in jobs)


def _run(jobs: Sequence[Job], progress: Progress | None, race: Race | None) -> list[Run]:
    if len(jobs) == 1:
        return [run_job(jobs[0], progress)]
    if not jobs:
        return []
    crew = _Crew(list(jobs), progress, race)
    with CtrlC.heard() as ctrl_c:
        try:
            while crew.waiting or crew.running:
                crew.fill()
                ready = wait([ctrl_c.pipe, *crew.pipes()], crew.pause())
                if ctrl_c.pipe in ready:
                    ctrl_c.take()
                    crew.interrupt()
                crew.hear(ready)
                crew.watch()
        finally:
            crew.end()
    return crew.runs


@mutable
class _Hand:
    """A process at work on a job; `why` it was asked to stop, if it was, how often, and when last."""

    job: Job
    worker: Worker
    why: Stop | None = None
    asked: int = 0
    at: float = 0.0

    def stop(self, why: Stop) -> None:
        """Ask it for what it covered. One that lost a race and does not answer is ended."""
        self.why = why
        self.asked += 1
        self.at = time.monotonic()
        if self.lost:
            self.worker.process.kill()
        else:
            self.worker.interrupt()

    @property
    def lost(self) -> bool:
        """Whether it did not answer in a race that goes on without it."""
        return self.asked > 1 and self.why is not Stop.INTERRUPTED

    def receive(self) -> Run | ProgressEvent:
        """What it sent.

        Raises:
            InternalError: it ended without a word, and nobody had asked it to.
        """
        name = self.job.engine.name
        try:
            report = cast("Run | ProgressEvent", self.worker.receive())
        except Ended as ended:
            if self.why is not None and (ended.asked or self.lost):
                return Run(engine=name, stop=self.why, depth=0, reason="it did not answer")
            if ended.killed:
                return Run(engine=name, stop=Stop.MEMORY, depth=0, reason="killed by the system")
            raise InternalError(f"engine {name} {ended}") from None
        if isinstance(report, Run) and report.stop is Stop.INTERRUPTED and self.why is not None:
            return evolve(report, stop=self.why)
        return report


@mutable
class _Crew:
    """The jobs that wait, those at work, and what has come of the others."""

    waiting: list[Job]
    progress: Progress | None
    race: Race | None
    running: list[_Hand] = field(factory=list)
    runs: list[Run] = field(factory=list)
    first: Job = field(init=False)
    begun: float = field(factory=time.monotonic)
    ends: float | None = None
    """When the race is over, whoever is still in it."""

    def __attrs_post_init__(self) -> None:
        self.first = self.waiting[0]

    def fill(self) -> None:
        """Start what may be started."""
        while self.waiting and (self.race is not None or len(self.running) < (os.cpu_count() or 1)):
            job = self.waiting.pop(0)
            self.running.append(_Hand(job, Worker.start(_work)))
            self.running[-1].worker.give(job)

    def pipes(self) -> list[Connection | socket.socket]:
        """Where there may be news."""
        return [hand.worker.reports for hand in self.running]

    def pause(self) -> float | None:
        """Seconds until there is something to do without news."""
        if self.race is not None:
            return _OFTEN
        return ASK_AGAIN if any(hand.why is not None for hand in self.running) else None

    def interrupt(self) -> None:
        """Ctrl-C was pressed."""
        self.runs += [Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0) for job in self.waiting]
        self.waiting = []
        self._stop(Stop.INTERRUPTED)

    def _stop(self, why: Stop) -> None:
        for hand in self.running:
            if hand.why is None or why is Stop.INTERRUPTED:
                hand.stop(why)

    def hear(self, ready: Collection[object]) -> None:
        """Take in the news."""
        for hand in [hand for hand in self.running if hand.worker.reports in ready]:
            report = hand.receive()
            if isinstance(report, Run):
                self.runs.append(report)
                self.running.remove(hand)
                hand.worker.dismiss()
                self._judge()
            elif self.progress is not None:
                self.progress(report)

    def _judge(self) -> None:
        """Whether what has come in is enough."""
        if self.race is None:
            return
        if self.race.settled(self.runs):
            self._stop(Stop.CANCELLED)
        elif self.ends is None and self.race.nearly(self.runs):
            now = time.monotonic()
            self.ends = now + max(now - self.begun, _AT_LEAST)

    def watch(self) -> None:
        """Ask those again that do not answer; stop those that take too long or too much."""
        now = time.monotonic()
        for hand in self.running:
            if hand.why is not None and now - hand.at >= ASK_AGAIN:
                hand.stop(hand.why)
        if self.race is None:
            return
        if self.ends is not None and now > self.ends:
            self._stop(Stop.CANCELLED)
        if self.race.seconds is not None and now - self.begun > self.race.seconds + _PATIENCE:
            self._stop(Stop.TIMEOUT)
        taken = sum(resident_below(hand.worker.process.pid or 0) for hand in self.running)
        last = self.running[-1] if self.running else None
        if self.race.memory is None or taken <= self.race.memory or last is None or last.why is not None:
            return
        if last.job is not self.first:
            last.stop(Stop.MEMORY)

    def end(self) -> None:
        """End whoever is still at work: something went wrong."""
        for hand in self.running:
            hand.worker.end()


def _work(task: object, send: Send) -> Run:
    """Run the job in this process, one of its own.

    Raises:
        InternalError: the engine raised what it should not.
    """
    job = cast("Job", task)
    if job.niceness and hasattr(os, "nice"):
        os.nice(job.niceness)
    try:
        return run_job(job, send)
    except FencepostError:
        raise
    except Exception as error:
        raise InternalError(f"engine {job.engine.name}: {type(error).__name__}: {error}") from error
