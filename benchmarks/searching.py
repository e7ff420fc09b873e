"""A search without an end to its properties: every state of a model, with its seconds."""

from __future__ import annotations

import os
import time

from attrs import frozen

from fencepost.explore.compiler import Failed
from fencepost.explore.native import Compiled, Native
from fencepost.explore.searcher import Searcher
from fencepost.ir.model import Model

TIME, MEMORY = "time", "memory"


@frozen
class Searched:
    """A search at its end, or where `stop` says that time or memory was up; `depth` is how deep states were found."""

    states: int
    transitions: int
    depth: int
    held: int
    """Bytes of states and table at its end; 0 in Python."""
    wall: float
    cpu: float
    system: float
    """Of the seconds of the processor, those of the system: mostly for memory that is touched first."""
    stop: str = ""


def search(
    native: Native, model: Model, threads: int, seconds: float | None = None, limit: int | None = None
) -> Searched:
    """Every state, with all properties looked at, in C.

    Raises:
        SystemExit: it cannot be compiled.
    """
    compiled = compile_now(native, threads, limit)
    found = drain(compiled, model, seconds)
    compiled.close()
    return found


def drain(searcher: Searcher, model: Model, seconds: float | None = None) -> Searched:
    """The same with a search that has begun."""
    wall, cpu, system = time.monotonic(), time.process_time(), os.times().system
    depth = 0
    while True:
        for _ in searcher.look():
            pass
        stop = _expand(searcher, None if seconds is None else wall + seconds)
        if stop or not searcher.advance():
            break
        depth += 1
    wall, cpu, system = time.monotonic() - wall, time.process_time() - cpu, os.times().system - system
    held = searcher.bytes if isinstance(searcher, Compiled) else 0
    outcome = searcher.outcome(model)
    return Searched(outcome.states, outcome.transitions, depth, held, wall, cpu, system, stop)


def _expand(searcher: Searcher, until: float | None) -> str:
    """Take the steps of a level; why it was stopped, if it was."""
    for went in searcher.expand():
        if went is False:
            return MEMORY
        if until is not None and time.monotonic() > until:
            return TIME
    return ""


def load(model: Model, symmetry: bool = False) -> tuple[Native, float]:
    """The compiled model, and the seconds until it was generated, compiled and loaded.

    Raises:
        SystemExit: it cannot be compiled.
    """
    started = time.monotonic()
    native = Native.of(model, model.properties, symmetry)
    if isinstance(native, Failed):
        raise SystemExit(native.reason)
    compiled = compile_now(native)
    seconds = time.monotonic() - started
    compiled.close()
    return native, seconds


def compile_now(native: Native, threads: int = 1, limit: int | None = None) -> Compiled:
    """A search that is about to begin.

    Raises:
        SystemExit: it cannot be compiled.
    """
    compiled = native.ready(wait=True, threads=threads, limit=limit)
    if not isinstance(compiled, Compiled):
        raise SystemExit(compiled.reason if isinstance(compiled, Failed) else "not compiled")
    return compiled
