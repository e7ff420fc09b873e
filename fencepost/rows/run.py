"""Running rows, many at a time, each in one of several processes."""

from __future__ import annotations

import enum
import socket
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from typing import cast

from attrs import evolve, field, frozen, mutable

from fencepost.check import Check
from fencepost.engines import Limits
from fencepost.errors import FencepostError, InternalError
from fencepost.ir.model import Model
from fencepost.manifest import Pin, differences, pinned
from fencepost.processes import ASK_AGAIN, CtrlC, Ended, Send, Worker
from fencepost.registry import find
from fencepost.rows.cache import VerdictCache
from fencepost.rows.look import CUT_SHORT, Question, Unfinished, bmc_shortfalls, look, questions, with_bmc_again
from fencepost.rows.row import Profile, Row
from fencepost.verdict import ProgressEvent, Stop, Verdict


class Outcome(enum.Enum):
    """What became of a row."""

    AS_PINNED = "as pinned"
    DIFFERS = "differs"
    INCONCLUSIVE = "inconclusive"
    NOT_RUN = "not run"
    """Too large for the profile."""
    INTERRUPTED = "interrupted"
    WRONG = "wrong"
    """The protocol or the manifest is written wrongly."""
    INTERNAL = "internal error"


@frozen
class Result:
    """What became of a row: `lines` say why it is not as pinned, `remarks` what else there is to say.

    `now` is what its pin would be; `kept` says that it is from the cache. `notice` is why it could not be kept.
    """

    row: Row
    outcome: Outcome
    lines: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    now: Pin | None = None
    kept: bool = False
    seconds: float = 0.0
    notice: str = ""


@frozen
class Task:
    """A row to run, within limits, with the cache to ask if there is one."""

    row: Row
    limits: Limits
    bmc: bool = False
    cache: VerdictCache | None = None


def exit_code(results: Sequence[Result]) -> int:
    """The first that applies, in the order of a check's codes; rows that were not run do not count."""
    codes = {
        Outcome.INTERNAL: 70,
        Outcome.INTERRUPTED: 130,
        Outcome.WRONG: 2,
        Outcome.DIFFERS: 1,
        Outcome.INCONCLUSIVE: 3,
    }
    outcomes = {result.outcome for result in results}
    return next((code for outcome, code in codes.items() if outcome in outcomes), 0)


def settled(row: Row, profile: Profile) -> Result | None:
    """What is known of a row without running it, if there is nothing to run."""
    if row.problem:
        return Result(row, Outcome.DIFFERS if row.loads else Outcome.WRONG, (row.problem,))
    if not profile.takes(row.states):
        why = f"{row.states:,} states are more than the {profile.most:,} of the profile {profile.name}"
        return Result(row, Outcome.NOT_RUN, (why,))
    return None


def run_rows(
    tasks: Sequence[Task],
    jobs: int,
    done: Callable[[Result], None],
    progress: Callable[[Row, ProgressEvent], None] | None = None,
) -> None:
    """Run the tasks, the largest first, `jobs` at a time; `done` is told of each row once, as it ends.

    Ctrl-C ends the rows under way; those and the ones that wait are INTERRUPTED.
    """
    _Crew(sorted(tasks, key=lambda task: -task.row.states), jobs, done, progress).work()


@mutable
class _Crew:
    """The workers, what each is at, and what waits."""

    waiting: list[Task]
    jobs: int
    done: Callable[[Result], None]
    progress: Callable[[Row, ProgressEvent], None] | None
    idle: list[Worker] = field(factory=list)
    busy: list[tuple[Worker, Task]] = field(factory=list)

    def work(self) -> None:
        with CtrlC.heard() as ctrl_c:
            while self.waiting or self.busy:
                while self.waiting and len(self.busy) < self.jobs:
                    self._begin(self.waiting.pop(0))
                pipes: list[Connection | socket.socket] = [ctrl_c.pipe, *(worker.reports for worker, _ in self.busy)]
                ready = wait(pipes, ASK_AGAIN if ctrl_c.taken else None)
                if ctrl_c.pipe in ready:
                    ctrl_c.take()
                    for task in self.waiting:
                        self.done(Result(task.row, Outcome.INTERRUPTED))
                    self.waiting = []
                if ctrl_c.pipe in ready or not ready:
                    for worker, _ in self.busy:
                        worker.interrupt()
                for worker, task in [each for each in self.busy if each[0].reports in ready]:
                    self._hear(worker, task)
        for worker in self.idle:
            worker.dismiss()

    def _begin(self, task: Task) -> None:
        worker = self.idle.pop() if self.idle else Worker.start(_run)
        worker.give(task)
        self.busy.append((worker, task))

    def _hear(self, worker: Worker, task: Task) -> None:
        """Take in one report of a worker."""
        lasts = True
        try:
            report = worker.receive()
        except Ended as ended:
            lasts = False
            report = _of_ended(task.row, ended)
        except FencepostError as error:
            report = _of_error(task.row, error)
        if isinstance(report, ProgressEvent):
            if self.progress is not None:
                self.progress(task.row, report)
            return
        self.busy.remove((worker, task))
        if lasts:
            self.idle.append(worker)
        else:
            worker.dismiss()
        self.done(cast("Result", report))


def _of_ended(row: Row, ended: Ended) -> Result:
    if ended.asked:
        return Result(row, Outcome.INTERRUPTED)
    if ended.killed:
        return Result(row, Outcome.INCONCLUSIVE, ("killed by the system, as one that takes all memory is",))
    return Result(row, Outcome.INTERNAL, (f"its process {ended}",))


def _of_error(row: Row, error: FencepostError) -> Result:
    if isinstance(error, InternalError):
        return Result(row, Outcome.INTERNAL, (str(error),))
    return Result(row, Outcome.WRONG, (str(error),))


def _run(task: object, send: Send) -> Result:
    """Run one row, in a worker."""
    given = cast("Task", task)
    begun = time.monotonic()
    result = run_row(given, send)
    return evolve(result, seconds=time.monotonic() - begun)


def run_row(task: Task, progress: Callable[[ProgressEvent], None] | None = None) -> Result:
    """Run one row in this process, or take what the cache has of it."""
    row, pin = task.row, task.row.pin
    assert pin is not None
    model = find(row.subject).build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
    if not pin.fits(model):
        return Result(row, Outcome.DIFFERS, ("sizes: the pin does not name just those that the protocol has",))
    bmc = questions(pin) if task.bmc else ()
    cache = task.cache
    key = None if cache is None else cache.key(model, pin.depth, bmc)
    if cache is not None and key is not None and (now := cache.find(key, model)) is not None:
        return evolve(_compared(row, pin, now), kept=True)
    try:
        found = _found(model, pin, bmc, task.limits, progress)
    except Unfinished as unfinished:
        if unfinished.stop is Stop.INTERRUPTED:
            return Result(row, Outcome.INTERRUPTED)
        return Result(row, Outcome.INCONCLUSIVE, (str(unfinished),))
    now = pinned(found)
    cut_short = any(run.stop in CUT_SHORT for run in found.runs)
    notice = "" if cache is None or key is None or cut_short else cache.keep(key, now)
    return evolve(_compared(row, pin, now), notice=notice)


def _found(
    model: Model,
    pin: Pin,
    bmc: Sequence[Question],
    limits: Limits,
    progress: Callable[[ProgressEvent], None] | None,
) -> Check:
    found = look(model, pin, limits, progress)
    return with_bmc_again(found, bmc, limits, progress) if bmc else found


def _compared(row: Row, pin: Pin, now: Pin) -> Result:
    lines = tuple(differences(pin, now))
    undecided = {name for name, prop in now.properties.items() if prop.verdict is Verdict.INCONCLUSIVE}
    if not lines:
        outcome = Outcome.AS_PINNED
    elif all(line.partition(": ")[0] in undecided for line in lines):
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.DIFFERS
    return Result(row, outcome, lines, tuple(bmc_shortfalls(pin, now)), now)
