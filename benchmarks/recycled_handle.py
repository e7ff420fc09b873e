"""The explorer on the recycled handle, beside others: `python -m benchmarks.recycled_handle [--most N] [--peers]`.

For each size of the model: states, bits and bytes a state, and states a second with one and with two
threads, all properties looked at; seconds to generate and compile, and to load what was compiled
before. The number of states is checked against what three other checkers found.

Beside it, in turn and in the same run so that the machine's other work falls on all alike:
insertions of a bare hash set of the same size (`hashset.c`), and with `--peers` rumur and SPIN where
they are installed. A second is one of the wall's clock; in brackets, one of the processor's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from attrs import frozen

from benchmarks.peers.runs import rumur, spin
from fencepost.explore.compiler import Failed, find_compiler
from fencepost.explore.native import Compiled, Native
from fencepost.ir.model import Model
from fencepost.registry import find

HERE = Path(__file__).parent
THREADS = (1, 2)
HEAD = f"{'':9}{'states':>12}{'bits':>6}{'bytes':>8}{'states/s, 1':>26}{'2 threads':>26}{'compiled':>9}{'cached':>9}"


@frozen
class Size:
    """A size of the model, and what every checker finds there."""

    queues: int
    handles: int
    slots: int
    states: int
    transitions: int
    depth: int
    orbits: int | None = None
    """Of states, under symmetry of the queues, where somebody else counted them."""

    def build(self, variant: str | None = None) -> Model:
        """The model of this size."""
        sizes = {"queues": self.queues, "handles": self.handles, "slots": self.slots}
        return find("recycled-handle").build(variant=variant, sizes=sizes)

    def __str__(self) -> str:
        return f"Q{self.queues} H{self.handles} K{self.slots}"


SIZES = (
    Size(2, 2, 3, 8_100, 27_579, 23),
    Size(3, 2, 3, 120_944, 524_311, 27, 23_636),
    Size(3, 3, 3, 2_966_020, 13_057_228, 35, 540_616),
    Size(4, 3, 2, 6_413_562, 33_517_591, 36, 378_507),
    Size(3, 3, 4, 14_877_780, 64_939_766, 38, 2_612_762),
    Size(4, 3, 3, 75_146_530, 389_006_254, 40, 3_812_980),
)
"""Counts found alike by rumur, SPIN, TLC and two prototypes, for the variant that is repaired."""

PAIRED = SIZES[3]
"""The size at which the peers are measured."""


@frozen
class Rate:
    """How much was done in how many seconds."""

    done: int
    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.done / self.wall:12,.0f} ({self.done / self.cpu:,.0f})"


@frozen
class Searched:
    """A finished search."""

    states: int
    transitions: int
    depth: int
    held: int
    """Bytes at its end."""
    wall: float
    cpu: float


def search(native: Native, model: Model, threads: int) -> Searched:
    """Every state, with all properties looked at."""
    compiled = native.ready(wait=True, threads=threads)
    if not isinstance(compiled, Compiled):
        raise SystemExit(compiled.reason if isinstance(compiled, Failed) else "not compiled")
    wall, cpu = time.monotonic(), time.process_time()
    while True:
        for _ in compiled.look():
            pass
        for _ in compiled.expand():
            pass
        if not compiled.advance():
            break
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    outcome = compiled.outcome(model)
    depth, held = len(compiled.levels) - 2, compiled.bytes
    compiled.close()
    return Searched(outcome.states, outcome.transitions, depth, held, wall, cpu)


def prepare(model: Model, symmetry: bool = False) -> tuple[Native, float, float]:
    """The compiled model; seconds until it was there, and until it is loaded when it was compiled before."""
    _, cold = _loaded(model, symmetry)
    native, cached = _loaded(model, symmetry)
    return native, cold, cached


def _loaded(model: Model, symmetry: bool) -> tuple[Native, float]:
    started = time.monotonic()
    native = Native.of(model, model.properties, symmetry)
    if isinstance(native, Failed):
        raise SystemExit(native.reason)
    compiled = native.ready(wait=True)
    seconds = time.monotonic() - started
    if not isinstance(compiled, Compiled):
        raise SystemExit(compiled.reason if isinstance(compiled, Failed) else "not compiled")
    compiled.close()
    return native, seconds


def row(size: Size, rounds: int) -> str:
    """One size's figures.

    Raises:
        SystemExit: the counts are not what they must be.
    """
    model = size.build()
    native, cold, cached = prepare(model)
    found = {threads: [search(native, model, threads) for _ in range(rounds)] for threads in THREADS}
    for run in (run for runs in found.values() for run in runs):
        if (run.states, run.transitions, run.depth) != (size.states, size.transitions, size.depth):
            raise SystemExit(f"{size}: {run.states:,} states, {run.transitions:,} transitions, depth {run.depth}")
    best = {threads: min(runs, key=lambda run: run.wall) for threads, runs in found.items()}
    rates = "".join(f"{Rate(run.states, run.wall, run.cpu)!s:>26}" for run in best.values())
    return f"{size!s:9}{size.states:12,}{model.bits:6}{best[1].held / size.states:8.0f}{rates}{cold:9.2f}{cached:9.3f}"


def orbits(rounds: int, most: int) -> list[str]:
    """Orbits under symmetry of the queues, with one thread and with two.

    Raises:
        SystemExit: there are not as many as there must be.
    """
    lines = []
    for size in SIZES:
        if size.orbits is None or size.orbits > most:
            continue
        model = size.build()
        native, _, _ = prepare(model, symmetry=True)
        rates = ""
        for threads in THREADS:
            runs = [search(native, model, threads) for _ in range(rounds)]
            if {(run.states, run.depth) for run in runs} != {(size.orbits, size.depth)}:
                raise SystemExit(f"{size}: {runs[0].states:,} orbits, depth {runs[0].depth}")
            best = min(runs, key=lambda run: run.wall)
            rates += f"{Rate(best.states, best.wall, best.cpu)!s:>26}"
        lines.append(f"{size!s:9}{size.orbits:12,} orbits, {size.states / size.orbits:.1f} states each{rates}")
    return lines


def bare(rounds: int, scratch: Path) -> list[str]:
    """Probes of the search, in turn with insertions of a bare hash set with as many slots of the same size."""
    model = PAIRED.build()
    native, _, _ = prepare(model)
    program = scratch / "hashset"
    compiler = find_compiler()
    assert compiler is not None
    subprocess.run([compiler, "-O2", "-o", program, HERE / "hashset.c", "-lpthread"], check=True)
    slots = next(log for log in range(16, 40) if PAIRED.states * 100 <= (1 << log) * 80)
    percent = round(100 * PAIRED.states / (1 << slots))
    lines = []
    for threads in THREADS:
        command = [str(program), str(slots), str(native.source.key_words), str(percent), str(threads)]
        pairs = []
        for _ in range(rounds):
            run = search(native, model, threads)
            wall, cpu = map(float, subprocess.run(command, check=True, capture_output=True).stdout.split())
            pairs.append((run.transitions / run.wall, wall, run.transitions / run.cpu, cpu))
        lines.append(f"{threads} threads: {_paired(pairs, 'probes', 'insertions of a bare hash set')}")
    return lines


def peers(rounds: int, scratch: Path) -> list[str]:
    """Two threads of the search, in turn with each peer at its best."""
    model = PAIRED.build()
    native, _, _ = prepare(model)
    lines = []
    for name, threads, run_peer in (("spin", 1, spin), ("rumur", 2, rumur)):
        if shutil.which(name) is None:
            lines.append(f"{name} is not installed")
            continue
        once = run_peer(scratch, (PAIRED.queues, PAIRED.handles, PAIRED.slots))
        pairs = []
        for _ in range(rounds):
            ours = search(native, model, 2)
            theirs = once()
            if theirs.states != PAIRED.states:
                raise SystemExit(f"{name} found {theirs.states:,} states, not {PAIRED.states:,}")
            pairs.append(
                (
                    ours.states / ours.wall,
                    theirs.states / theirs.wall,
                    ours.states / ours.cpu * 2,
                    theirs.states / theirs.cpu * threads,
                )
            )
        lines.append(f"{name}, {threads} threads: {_paired(pairs, 'states', f'of {name}')}")
    return lines


def _paired(pairs: Iterable[Sequence[float]], what: str, others: str) -> str:
    middle = [statistics.median(column) for column in zip(*pairs, strict=True)]
    wall, cpu = (statistics.median(p[i] / p[i + 1] for p in pairs) for i in (0, 2))
    return (
        f"{middle[0]:,.0f} {what} a second, {middle[1]:,.0f} {others}: {wall:.2f} times as many"
        f" (of the processor's seconds {middle[2]:,.0f} and {middle[3]:,.0f}: {cpu:.2f} times)"
    )


def main(arguments: Sequence[str]) -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recycled_handle", description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=7_000_000, metavar="N", help="states of the largest size to search")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true", help="measure rumur and SPIN as well")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["FENCEPOST_CACHE"] = scratch
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(HEAD)
        for size in SIZES:
            if size.states <= given.most:
                print(row(size, given.rounds), flush=True)
        for line in orbits(given.rounds, given.most):
            print(line, flush=True)
        parts: list[Callable[[int, Path], list[str]]] = [bare, *([peers] if given.peers else [])]
        for part in parts:
            for line in part(given.rounds, Path(scratch)):
                print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
