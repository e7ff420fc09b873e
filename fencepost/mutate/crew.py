"""Running mutants, several at a time, each in one of several processes."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from typing import cast

from attrs import frozen

from fencepost.errors import InternalError
from fencepost.explore.bfs import run as explore
from fencepost.ir.model import Model
from fencepost.mutate.ground import Ground
from fencepost.mutate.hunt import Cap, Hunt, Result
from fencepost.mutate.mutant import Mutant
from fencepost.processes import ASK_AGAIN, CtrlC, Ended, Send, Worker
from fencepost.verdict import Stop

MOST = 200_000
"""States that the original may have; more are for the explorer, not for a copy of them in each process."""

_TIMES = 4
_MORE = 5_000
"""A mutant may come to so many times the original's states, and so many more."""


@frozen
class Setting:
    """The original, and how far it and each mutant are looked at."""

    model: Model
    depth: int | None
    most: int
    seconds: float
    violated: frozenset[str]

    @classmethod
    def of(cls, model: Model, depth: int | None, most: int, seconds: float) -> Setting:
        """Look first at what the original violates itself, which says nothing of a mutant.

        Raises:
            UsageError: it has more states than `most`; that is found before it is searched to its end.
        """
        Ground.of(model, depth, most, ())
        run = explore(model, depth=depth, timeout=None)
        if run.stop is Stop.INTERRUPTED:
            raise KeyboardInterrupt
        return cls(model, depth, most, seconds, run.names)


@frozen
class _Task:
    setting: Setting
    mutant: Mutant


@lru_cache(maxsize=1)
def _ground(setting: Setting) -> Ground:
    return Ground.of(setting.model, setting.depth, setting.most, setting.violated)


def ground_of(setting: Setting) -> Ground:
    """The original, explored; the last one is kept."""
    return _ground(setting)


def run_one(setting: Setting, mutant: Mutant) -> Result:
    """Run a mutant in this process."""
    ground = _ground(setting)
    return Hunt(ground, mutant, Cap(_TIMES * len(ground.marked) + _MORE, setting.seconds)).result()


def run_mutants(
    setting: Setting, mutants: Sequence[Mutant], jobs: int, done: Callable[[Result], None] = lambda _: None
) -> tuple[Result, ...]:
    """Run them all, `jobs` at a time; the results in the order of the mutants, whichever ended first.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    if jobs == 1 or len(mutants) == 1:
        results = []
        for mutant in mutants:
            results.append(run_one(setting, mutant))
            done(results[-1])
        return tuple(results)
    return _beside(setting, mutants, jobs, done)


def _beside(
    setting: Setting, mutants: Sequence[Mutant], jobs: int, done: Callable[[Result], None]
) -> tuple[Result, ...]:
    waiting, results = list(mutants), dict[int, Result]()
    busy: list[Worker] = []
    with CtrlC.heard() as ctrl_c:
        for _ in range(min(jobs, len(mutants))):
            busy.append(Worker.start(_work))
            busy[-1].give(_Task(setting, waiting.pop(0)))
        while busy:
            pipes: list[Connection | socket.socket] = [ctrl_c.pipe, *(worker.reports for worker in busy)]
            ready = wait(pipes, ASK_AGAIN)
            if ctrl_c.pipe in ready:
                _end(busy)
                raise KeyboardInterrupt
            for worker in [each for each in busy if each.reports in ready]:
                result = _receive(worker, busy)
                results[result.number] = result
                done(result)
                if waiting:
                    worker.give(_Task(setting, waiting.pop(0)))
                else:
                    busy.remove(worker)
                    worker.dismiss()
    return tuple(results[mutant.number] for mutant in mutants)


def _receive(worker: Worker, busy: Collection[Worker]) -> Result:
    try:
        return cast("Result", worker.receive())
    except Ended as ended:
        _end([other for other in busy if other is not worker])
        raise InternalError(f"a process that runs mutants {ended}") from None
    except BaseException:
        _end(busy)
        raise


def _end(workers: Collection[Worker]) -> None:
    for worker in workers:
        worker.process.terminate()


def _work(task: object, _send: Send) -> Result:
    given = cast("_Task", task)
    return run_one(given.setting, given.mutant)
