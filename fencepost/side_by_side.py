"""Running several engines side by side.

One alone runs in this process; several run in processes of their own, at most one a core.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from typing import cast

from fencepost.engines import Job, run_job
from fencepost.errors import FencepostError, InternalError
from fencepost.processes import ASK_AGAIN, CtrlC, Ended, Send, Worker
from fencepost.verdict import Progress, ProgressEvent, Run, Stop


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


def _beside(jobs: Sequence[Job], progress: Progress | None) -> list[Run]:
    """Run each job in a process of its own, at most one a core at a time."""
    waiting, running, runs = list(jobs), list[tuple[Job, Worker]](), list[Run]()
    with CtrlC.heard() as ctrl_c:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append((job := waiting.pop(0), Worker.start(_work)))
                running[-1][1].give(job)
            pipes: list[Connection | socket.socket] = [ctrl_c.pipe, *(worker.reports for _, worker in running)]
            ready = wait(pipes, ASK_AGAIN if ctrl_c.taken else None)
            if ctrl_c.pipe in ready:
                ctrl_c.take()
                runs += [Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0) for job in waiting]
                waiting = []
            if ctrl_c.pipe in ready or not ready:
                for _, worker in running:
                    worker.interrupt()
            for job, worker in [(job, worker) for job, worker in running if worker.reports in ready]:
                report = _receive(job, worker)
                if isinstance(report, Run):
                    runs.append(report)
                    running.remove((job, worker))
                    worker.dismiss()
                elif progress is not None:
                    progress(report)
    return runs


def _receive(job: Job, worker: Worker) -> Run | ProgressEvent:
    try:
        return cast("Run | ProgressEvent", worker.receive())
    except Ended as ended:
        if ended.asked:
            return Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0, reason="it did not answer")
        if ended.killed:
            return Run(engine=job.engine.name, stop=Stop.MEMORY, depth=0, reason="killed by the system")
        raise InternalError(f"engine {job.engine.name} {ended}") from None


def _work(task: object, send: Send) -> Run:
    """Run the job in this process, one of its own.

    Raises:
        InternalError: the engine raised what it should not.
    """
    job = cast("Job", task)
    try:
        return run_job(job, send)
    except FencepostError:
        raise
    except Exception as error:
        raise InternalError(f"engine {job.engine.name}: {type(error).__name__}: {error}") from error
