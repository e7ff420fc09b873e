"""How long the bounded checks take at each depth: `python -m benchmarks.bmc PROTOCOL [--depth N] [--property NAME]...`.

Seconds of processor time for all the questions about runs of one length together, by SAT and by Z3
in one run, and by a search that stops at that depth. Responses are left out, for SAT does not look
for runs without an end.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from attrs import frozen

from fencepost.engines import ENGINES
from fencepost.ir.model import Model
from fencepost.peers.crosscheck import exported
from fencepost.registry import find
from fencepost.verdict import ProgressEvent, Run

SEARCH = "explore"
ALL = ("sat", "bmc", SEARCH)


@frozen
class Measured:
    """A run, the seconds that went into each depth, and all of them, lowering included."""

    run: Run
    seconds: Mapping[int, float]
    whole: float
    walls: Mapping[int, float]
    """The same by the wall's clock."""


def measure(
    engine: str, model: Model, depth: int, timeout: float | None, properties: Collection[str] | None
) -> Measured:
    """One engine's run, of at most so many seconds."""
    seconds: dict[int, float] = defaultdict(float)
    walls: dict[int, float] = defaultdict(float)
    started = last = cpu()
    shown = time.monotonic()
    least = 0

    def spend(at: int) -> None:
        nonlocal last, shown
        now, wall = cpu(), time.monotonic()
        seconds[at] += now - last
        walls[at] += wall - shown
        last, shown = now, wall

    def note(event: ProgressEvent) -> None:
        # A search does not tell of each depth: what it spent since is counted where it may have begun.
        nonlocal least
        spend(least if engine == SEARCH else event.depth)
        least = event.depth

    run = ENGINES[engine].load()(model, depth=depth, timeout=timeout, properties=properties, progress=note)
    spend(least)
    return Measured(run, seconds, last - started, walls)


def cpu() -> float:
    """Seconds of the processor that went into this process and its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def report(model: Model, found: Mapping[str, Measured]) -> str:
    """A table with a row a depth and a column an engine."""
    depths = sorted({depth for measured in found.values() for depth in measured.seconds})
    rows = [f"{at:5}" + "".join(f"{one.seconds.get(at, 0.0):9.2f}" for one in found.values()) for at in depths]
    return "\n".join(
        [
            f"{model.protocol}: {model.bits} bits, {len(model.properties)} properties without responses",
            f"{'depth':>5}" + "".join(f"{name:>9}" for name in found),
            *rows,
            f"{'all':>5}" + "".join(f"{one.whole:9.2f}" for one in found.values()),
            *(f"{name}: {one.run.stop.value}, decided to depth {one.run.depth}" for name, one in found.items()),
            *_violations(found),
        ]
    )


def _violations(found: Mapping[str, Measured]) -> list[str]:
    lengths = {name: {f.name: len(f.path) for f in one.run.findings} for name, one in found.items()}
    names = sorted({name for by_name in lengths.values() for name in by_name})
    return [
        f"{name}: violated in {', '.join(f'{by_name.get(name)} by {engine}' for engine, by_name in lengths.items())}"
        for name in names
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure one protocol and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bmc", description=__doc__.splitlines()[0])
    parser.add_argument("protocol")
    parser.add_argument("--variant")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds an engine may take")
    parser.add_argument("--property", action="append", metavar="NAME")
    parser.add_argument("--engine", action="append", choices=ALL, help="only this one")
    given = parser.parse_args(arguments)
    sizes = {name: int(value) for name, _, value in (size.partition("=") for size in given.size)}
    model = find(given.protocol).build(variant=given.variant, sizes=sizes)
    model = exported(model)
    names = given.engine or ALL
    print(report(model, {name: measure(name, model, given.depth, given.timeout, given.property) for name in names}))


if __name__ == "__main__":
    main(sys.argv[1:])
