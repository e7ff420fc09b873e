"""The engines by name: which there are, which can run here, and running several side by side.

Each engine is a module with `run(model, *, depth, timeout, properties, progress) -> Run`. One
engine runs in this process; several run in processes of their own, at most one a core.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Collection, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Protocol

from attrs import evolve, field, frozen, mutable

from fencepost.errors import FencepostError, InternalError
from fencepost.ir.model import Model
from fencepost.verdict import Progress, ProgressEvent, Run, Stop


class Runner(Protocol):
    """The one function that an engine's module exposes."""

    def __call__(
        self,
        model: Model,
        *,
        depth: int | None,
        timeout: float | None,
        properties: Collection[str] | None = None,
        progress: Progress | None = None,
    ) -> Run: ...


@frozen
class Engine:
    """An engine, the module that has it, and what it needs to be installed."""

    name: str
    module: str
    does: str
    needs: str | None = None
    package: str | None = None

    def missing(self) -> str:
        """Why the engine cannot run here; empty if it can."""
        for module, package in ((self.needs, self.package), (self.module, "fencepost")):
            if module is not None and not _importable(module):
                return f"{module} is not installed; pip install {package}"
        return ""

    def load(self) -> Runner:
        """The engine's `run`."""
        runner: Runner = importlib.import_module(self.module).run
        return runner


ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine("explore", "fencepost.explore.bfs", "breadth-first search of every reachable state"),
        Engine("bmc", "fencepost.smt.bmc", "bounded check by Z3, depth by depth", "z3", "z3-solver"),
        Engine("walk", "fencepost.stateful.walk", "long random runs by Hypothesis, shrunk", "hypothesis", "hypothesis"),
    )
}
"""In the order in which a report names them."""


@frozen
class Limits:
    """How far each engine may go: steps, seconds, and bytes of resident memory; None is no limit."""

    depth: int | None = None
    timeout: float | None = None
    memory: int | None = None


@frozen
class Job:
    """One engine's work on one model."""

    engine: str
    model: Model
    limits: Limits
    properties: tuple[str, ...] | None = None


def run_engines(jobs: Sequence[Job], progress: Progress | None = None) -> tuple[Run, ...]:
    """Run every job, and give the runs in the same order.

    An engine that cannot run here gives a run with `Stop.MISSING`. A KeyboardInterrupt stops
    them all; what each had covered is in its run.
    """
    missing = {job.engine: reason for job in jobs if (reason := ENGINES[job.engine].missing())}
    ready = [job for job in jobs if job.engine not in missing]
    done = {run.engine: run for run in (_here(ready, progress) if len(ready) == 1 else _beside(ready, progress))}
    done |= {name: Run(engine=name, stop=Stop.MISSING, depth=0, reason=reason) for name, reason in missing.items()}
    return tuple(done[job.engine] for job in jobs)


def resident_memory() -> int:
    """Bytes of this process that are in memory now."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _here(jobs: Sequence[Job], progress: Progress | None) -> list[Run]:
    return [_run(job, progress) for job in jobs]


def _run(job: Job, progress: Progress | None) -> Run:
    limits = job.limits
    with _MemoryWatch.over(limits.memory) as watch:
        try:
            run = ENGINES[job.engine].load()(
                job.model, depth=limits.depth, timeout=limits.timeout, properties=job.properties, progress=progress
            )
        except KeyboardInterrupt:
            # The engine was stopped before its own handler was in place: nothing was covered.
            run = Run(engine=job.engine, stop=Stop.INTERRUPTED, depth=0)
        except MemoryError:
            run = Run(engine=job.engine, stop=Stop.MEMORY, depth=0)
    if watch.tripped and run.stop is Stop.INTERRUPTED:
        run = evolve(run, stop=Stop.MEMORY)
    return run


@mutable
class _MemoryWatch:
    """Interrupts the main thread, as Ctrl-C would, when this process grows beyond its limit.

    An engine that is interrupted says what it covered; a hard limit would lose that.
    """

    limit: int
    tripped: bool = False
    over_now: threading.Event = field(factory=threading.Event)

    @classmethod
    @contextlib.contextmanager
    def over(cls, limit: int | None) -> Iterator[_MemoryWatch]:
        """Watch while the block runs."""
        watch = cls(limit or 0)
        if limit is None:
            yield watch
            return
        thread = threading.Thread(target=watch._watch, daemon=True)
        thread.start()
        try:
            yield watch
        finally:
            watch.over_now.set()
            thread.join()

    def _watch(self) -> None:
        while not self.over_now.wait(0.1):
            if resident_memory() > self.limit:
                self.tripped = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                return


@mutable
class _Worker:
    """A process that runs one job, and the pipe on which it reports."""

    job: Job
    process: multiprocessing.process.BaseProcess
    reports: Connection
    lifeline: Connection

    @classmethod
    def start(cls, job: Job) -> _Worker:
        context = multiprocessing.get_context("spawn")
        reports, theirs = context.Pipe(duplex=False)
        held, lifeline = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(job, theirs, held), daemon=True)
        process.start()
        theirs.close()
        held.close()
        return cls(job, process, reports, lifeline)

    def interrupt(self) -> None:
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGINT)


def _beside(jobs: Sequence[Job], progress: Progress | None) -> list[Run]:
    """Run each job in a process of its own, at most one a core at a time."""
    waiting, running, runs = list(jobs), list[_Worker](), list[Run]()
    interrupted = False
    while waiting or running:
        try:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append(_Worker.start(waiting.pop(0)))
            for worker in _ready(running):
                report = _receive(worker)
                if isinstance(report, Run):
                    runs.append(report)
                    running.remove(worker)
                    worker.process.join()
                elif progress is not None:
                    progress(report)
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            runs += [Run(engine=job.engine, stop=Stop.INTERRUPTED, depth=0) for job in waiting]
            waiting = []
            for worker in running:
                worker.interrupt()
    return runs


def _ready(workers: Sequence[_Worker]) -> list[_Worker]:
    ready = wait([worker.reports for worker in workers])
    return [worker for worker in workers if worker.reports in ready]


def _receive(worker: _Worker) -> Run | ProgressEvent:
    try:
        report: Run | ProgressEvent | BaseException = worker.reports.recv()
    except EOFError:
        worker.process.join()
        code = worker.process.exitcode
        if code == -signal.SIGKILL:
            # The kernel ends a process that takes all memory in just this way.
            return Run(engine=worker.job.engine, stop=Stop.MEMORY, depth=0, reason="killed by the system")
        raise InternalError(f"engine {worker.job.engine} ended with status {code} and no result") from None
    if isinstance(report, BaseException):
        raise report
    return report


def _work(job: Job, reports: Connection, lifeline: Connection) -> None:
    """The body of a worker: run the job, send what happens, end with the parent."""
    os.setpgrp()  # the parent alone hears Ctrl-C, and passes it on once
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    try:
        reports.send(_run(job, reports.send))
    except FencepostError as error:
        reports.send(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and the parent must hear of it
        reports.send(InternalError(f"engine {job.engine}: {type(error).__name__}: {error}"))


def _end_with_parent(lifeline: Connection) -> None:
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(130)
