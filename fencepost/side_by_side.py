"""Running several engines side by side.

One alone runs in this process; several run in processes of their own, at most one a core.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait

from attrs import mutable

from fencepost.engines import Job, ctrl_c_blocked, run_job
from fencepost.errors import FencepostError, InternalError
from fencepost.verdict import Progress, ProgressEvent, Run, Stop

_ASK_AGAIN = 2.0
"""Seconds after which an interrupted engine that does not answer is asked again: a solver can miss a signal."""

_PATIENCE = 5
"""How often it is asked."""


def run_engines(jobs: Sequence[Job], progress: Progress | None = None) -> tuple[Run, ...]:
    """Run every job, and give the runs in the same order.

    An engine that cannot run here gives a run with `Stop.MISSING`. A KeyboardInterrupt stops
    them all; what each had covered is in its run.
    """
    missing = {job.engine.name: reason for job in jobs if (reason := job.engine.missing())}
    ready = [job for job in jobs if job.engine.name not in missing]
    done = {run.engine: run for run in _run(ready, progress)}
    done |= {name: Run(engine=name, stop=Stop.MISSING, depth=0, reason=reason) for name, reason in missing.items()}
    return tuple(done[job.engine.name] for job in jobs)


def _run(jobs: Sequence[Job], progress: Progress | None) -> list[Run]:
    return [run_job(jobs[0], progress)] if len(jobs) == 1 else _beside(jobs, progress)


@mutable
class _Worker:
    """A process that runs one job, and the pipe on which it reports."""

    job: Job
    process: multiprocessing.process.BaseProcess
    reports: Connection
    lifeline: Connection
    asked: int = 0

    @classmethod
    def start(cls, job: Job) -> _Worker:
        context = multiprocessing.get_context("spawn")
        reports, theirs = context.Pipe(duplex=False)
        held, lifeline = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(job, theirs, held), daemon=True)
        with ctrl_c_blocked():  # it hears nothing until it can answer
            process.start()
        theirs.close()
        held.close()
        return cls(job, process, reports, lifeline)

    def interrupt(self) -> None:
        """Ask for what was covered; one that does not answer after some asking is ended."""
        self.asked += 1
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGINT if self.asked <= _PATIENCE else signal.SIGTERM)


def _beside(jobs: Sequence[Job], progress: Progress | None) -> list[Run]:
    """Run each job in a process of its own, at most one a core at a time."""
    waiting, running, runs = list(jobs), list[_Worker](), list[Run]()
    with _CtrlC.heard() as ctrl_c:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append(_Worker.start(waiting.pop(0)))
            pipes: list[Connection | int] = [ctrl_c.pipe, *(worker.reports for worker in running)]
            ready = wait(pipes, _ASK_AGAIN if ctrl_c.taken else None)
            if ctrl_c.pipe in ready:
                ctrl_c.take()
                runs += [Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0) for job in waiting]
                waiting = []
            if ctrl_c.pipe in ready or not ready:
                for worker in running:
                    worker.interrupt()
            for worker in [worker for worker in running if worker.reports in ready]:
                report = _receive(worker)
                if isinstance(report, Run):
                    runs.append(report)
                    running.remove(worker)
                    worker.process.join()
                elif progress is not None:
                    progress(report)
    return runs


@mutable
class _CtrlC:
    """Ctrl-C as something to wait for, so that it cannot strike while a worker or a report is in hand.

    The first is taken to ask every engine for what it covered; a second ends the program.
    """

    pipe: int
    taken: bool = False

    @classmethod
    @contextlib.contextmanager
    def heard(cls) -> Iterator[_CtrlC]:
        """Listen while the block runs."""
        reading, writing = os.pipe()
        before = signal.signal(signal.SIGINT, lambda *_: os.write(writing, b"!"))
        try:
            yield cls(reading)
        finally:
            signal.signal(signal.SIGINT, before)
            os.close(reading)
            os.close(writing)

    def take(self) -> None:
        """One was heard."""
        self.taken = True
        os.read(self.pipe, 1)
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _receive(worker: _Worker) -> Run | ProgressEvent:
    try:
        report: Run | ProgressEvent | BaseException = worker.reports.recv()
    except EOFError:
        worker.process.join()
        code = worker.process.exitcode
        if code == -signal.SIGTERM and worker.asked:
            return Run(engine=worker.job.engine.name, stop=Stop.INTERRUPTED, depth=0, reason="it did not answer")
        if code == -signal.SIGKILL:
            # The kernel ends a process that takes all memory in just this way.
            return Run(engine=worker.job.engine.name, stop=Stop.MEMORY, depth=0, reason="killed by the system")
        raise InternalError(f"engine {worker.job.engine.name} ended with status {code} and no result") from None
    if isinstance(report, BaseException):
        raise report
    return report


def _work(job: Job, reports: Connection, lifeline: Connection) -> None:
    """The body of a worker: run the job, send what happens, end with the parent."""
    os.setpgrp()  # the parent alone hears Ctrl-C, and passes it on once
    threading.Thread(target=_end_with_parent, args=(lifeline,), daemon=True).start()
    try:
        reports.send(run_job(job, reports.send))
    except FencepostError as error:
        reports.send(error)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and the parent must hear of it
        reports.send(InternalError(f"engine {job.engine.name}: {type(error).__name__}: {error}"))


def _end_with_parent(lifeline: Connection) -> None:
    try:
        lifeline.recv()
    except (EOFError, OSError):
        os._exit(130)
