"""How long the bounded check takes at each depth: `python -m benchmarks.bmc PROTOCOL [--depth N] [--property NAME]...`.

Seconds of processor time, for all the questions about runs of one length together.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Sequence

from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.smt import bmc
from fencepost.smt.system import lower
from fencepost.verdict import ProgressEvent, Run


def measure(model: Model, depth: int, properties: Collection[str] | None) -> tuple[Run, dict[int, float]]:
    """The run, and for each depth the seconds that went into it."""
    seconds: dict[int, float] = defaultdict(float)
    last = time.process_time()

    def note(event: ProgressEvent) -> None:
        nonlocal last
        now = time.process_time()
        seconds[event.depth] += now - last
        last = now

    run = bmc.run(model, depth=depth, timeout=None, properties=properties, progress=note)
    return run, seconds


def report(model: Model, depth: int, properties: Collection[str] | None) -> str:
    """A table with a row a depth."""
    started = time.process_time()
    instances = len(lower(model, properties).instances)
    lowered = time.process_time() - started
    run, seconds = measure(model, depth, properties)
    rows = [f"{at:5}{seconds[at]:9.2f}" for at in sorted(seconds)]
    return "\n".join(
        [
            f"{model.protocol}: {model.bits} bits, {instances} instances, lowered in {lowered:.2f} s",
            f"{'depth':>5}{'seconds':>9}",
            *rows,
            f"{'all':>5}{sum(seconds.values()):9.2f}   {run.stop.value}, decided to depth {run.depth}",
            *(f"{finding.name}: violated in {len(finding.path)} steps" for finding in run.findings),
        ]
    )


def main(arguments: Sequence[str]) -> None:
    """Measure one protocol and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bmc", description=__doc__.splitlines()[0])
    parser.add_argument("protocol")
    parser.add_argument("--variant")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--property", action="append", metavar="NAME")
    given = parser.parse_args(arguments)
    sizes = {name: int(value) for name, _, value in (size.partition("=") for size in given.size)}
    print(report(find(given.protocol).build(variant=given.variant, sizes=sizes), given.depth, given.property))


if __name__ == "__main__":
    main(sys.argv[1:])
