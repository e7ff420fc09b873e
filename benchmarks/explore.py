"""How fast the explorer goes: `python -m benchmarks.explore PROTOCOL [--size NAME=N]... [--states N]`.

For generated Python, and for generated C where there is a compiler: seconds until the code is there,
then states and transitions a second over a breadth-first search of the first states, without any
property and, in the last column, with all of them. Each figure is the best of some rounds, for
other work on the machine only ever slows one down.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from attrs import frozen

from fencepost.explore.compiler import Failed
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Native
from fencepost.explore.searcher import Searcher
from fencepost.ir.model import Model, Property
from fencepost.registry import find

ROUNDS = 3

Begin = Callable[[Model, Sequence[Property]], Searcher]


@frozen
class Rate:
    """One language's figures."""

    prepared: float
    """Seconds until the code is there."""
    states: int
    transitions: int
    steps_only: float
    """Seconds for the search without properties."""
    checked: float
    """Seconds with all of them."""


def measure(model: Model, begin: Begin, states: int) -> Rate:
    """Search until at least `states` states are found."""
    started = time.monotonic()
    begin(model, model.properties)
    prepared = time.monotonic() - started
    bare = [_search(model, begin(model, ()), states) for _ in range(ROUNDS)]
    checked = [_search(model, begin(model, model.properties), states) for _ in range(ROUNDS)]
    _, found, taken = bare[0]
    return Rate(prepared, found, taken, min(b for b, _, _ in bare), min(c for c, _, _ in checked))


def _search(model: Model, searcher: Searcher, states: int) -> tuple[float, int, int]:
    started = time.process_time()
    while searcher.count < states:
        for _ in searcher.look():
            pass
        for _ in searcher.expand():
            if searcher.count >= states:
                break
        if not searcher.advance():
            break
    seconds = time.process_time() - started
    outcome = searcher.outcome(model)
    return seconds, outcome.states, outcome.transitions


def in_python(model: Model, properties: Sequence[Property]) -> Searcher:
    """A search in generated Python, its code compiled."""
    searcher = Interpreted.begin(model, properties)
    _ = searcher.steps.expand
    return searcher


def in_c(model: Model, properties: Sequence[Property]) -> Searcher:
    """A search in generated C.

    Raises:
        RuntimeError: there is no compiler, or it cannot compile the model.
    """
    native = Native.of(model, properties)
    compiled = native.ready(wait=True) if isinstance(native, Native) else native
    if compiled is None or isinstance(compiled, Failed):
        raise RuntimeError("not compiled" if compiled is None else compiled.reason)
    return compiled


def report(model: Model, states: int) -> str:
    """A table of both languages."""
    instances = len(Interpreted.begin(model, ()).steps.instances)
    lines = [
        f"{model.protocol}: {model.bits} bits, {instances} instances",
        f"{'':8}{'ready':>9}{'states':>12}{'states/s':>14}{'transitions/s':>16}{'checked states/s':>18}",
    ]
    for name, begin in (("python", in_python), ("c", in_c)):
        try:
            rate = measure(model, begin, states)
        except RuntimeError as error:
            lines.append(f"{name:8}{error}")
            continue
        bare, checked = max(rate.steps_only, 1e-9), max(rate.checked, 1e-9)
        lines.append(
            f"{name:8}{rate.prepared:8.2f}s{rate.states:12,}{rate.states / bare:14,.0f}"
            f"{rate.transitions / bare:16,.0f}{rate.states / checked:18,.0f}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Measure one protocol and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explore", description=__doc__.splitlines()[0])
    parser.add_argument("protocol")
    parser.add_argument("--variant")
    parser.add_argument("--size", action="append", default=[], metavar="NAME=N")
    parser.add_argument("--states", type=int, default=200_000)
    given = parser.parse_args(arguments)
    sizes = {name: int(value) for name, _, value in (size.partition("=") for size in given.size)}
    with tempfile.TemporaryDirectory() as empty:
        os.environ["FENCEPOST_CACHE"] = empty
        print(report(find(given.protocol).build(variant=given.variant, sizes=sizes), given.states))


if __name__ == "__main__":
    main(sys.argv[1:])
