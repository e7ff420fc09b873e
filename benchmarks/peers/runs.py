"""Verifiers that rumur and SPIN make, each built the way that is fastest and right.

SPIN built by gcc 12 with `-O2` alone loses half of the states and says nothing of it; with
`-fno-tree-slp-vectorize` it finds them all. Hence callers compare the count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from attrs import evolve, frozen

from benchmarks.recycled_handle import Size
from benchmarks.timing import NotMeasured, Taken, run
from fencepost.export import murphi, murphi_trace, promela, promela_trace
from fencepost.ir.model import Model
from fencepost.peers import rumur, spin

BY_HAND = Path(__file__).parents[2] / "tests" / "peers" / "reference"
"""The model as it was written for rumur and SPIN by hand; tests compare ours with it."""
BUILD_SECONDS = 300.0

RUMUR = ("-std=gnu11", "-O3", "-march=native", "-mcx16", "-w")
SPIN = (*spin.COMPILE, "-O2", "-march=native", "-DMEMLIM=8000")
"""Of the C compiler; of two levels of optimisation it takes the last."""


@frozen
class Found:
    """A verifier's run: states if it came to its end, else how many steps its counterexample has."""

    taken: Taken
    states: int = 0
    length: int | None = None


@frozen
class Verifier:
    """A program that searches one model, and what it took to make it."""

    built: Taken
    search: Callable[[float], Found]
    """Within so many seconds; raises `NotMeasured`."""


def rumur_of(text: str, folder: Path, threads: int, model: Model | None = None) -> Verifier:
    """The verifier of a Murphi text; its counterexamples are read where the text was exported from a model.

    Raises:
        NotMeasured: rumur or a compiler is not here, or refuses the text.
    """
    folder.mkdir(parents=True)
    (folder / "model.m").write_text(text, encoding="utf-8")
    every: list[str | Path] = [
        "rumur",
        *rumur.GENERATE,
        *rumur.ALL_STATES,
        "--threads",
        str(threads),
        "--output",
        "model.c",
        "model.m",
    ]
    built = run(every, folder, BUILD_SECONDS).taken
    built += run(["cc", *RUMUR, "-o", "verifier", "model.c", "-lpthread"], folder, BUILD_SECONDS).taken

    def search(seconds: float) -> Found:
        ran = run([folder / "verifier"], folder, seconds, codes=(0, 1))
        if model is not None and murphi_trace.broken(ran.output):
            return Found(ran.taken, length=len(murphi_trace.read(ran.output, model)))
        return Found(ran.taken, _number(r"(\d+) states, ", ran.output))

    return Verifier(built, search)


def spin_of(text: str, folder: Path, states: int, defines: Sequence[str] = (), model: Model | None = None) -> Verifier:
    """The same of a Promela text, breadth first, without the reduction that finds nothing here to reduce.

    `states` is about how many there are, for the size of its table.
    """
    folder.mkdir(parents=True)
    (folder / "model.pml").write_text(text, encoding="utf-8")
    built = run(["spin", *spin.GENERATE, *defines, "model.pml"], folder, BUILD_SECONDS).taken
    built += run(["cc", *SPIN, "-o", "pan", "pan.c"], folder, BUILD_SECONDS).taken
    command: list[str | Path] = [folder / "pan", *spin.RUN, f"-w{max(20, states.bit_length() + 1)}"]

    def search(seconds: float) -> Found:
        ran = run(command, folder, seconds)
        if model is not None and not re.search(r"errors: 0\b", ran.output):
            replayed = run(["spin", "-t", "model.pml"], folder, seconds, codes=(0, 1)).output
            return Found(ran.taken, length=len(promela_trace.read(replayed, model)))
        return Found(ran.taken, _number(r"(\d+) states, stored", ran.output))

    return Verifier(built, search)


def exported_spin(model: Model, folder: Path, states: int) -> Verifier:
    """Of the text that is exported, whose count has one state more: the one before the initial values are set."""
    made = spin_of(promela.export(model).text, folder, states, model=model)

    def search(seconds: float) -> Found:
        found = made.search(seconds)
        return found if found.length is not None else evolve(found, states=found.states - 1)

    return evolve(made, search=search)


def exported_rumur(model: Model, folder: Path, threads: int) -> Verifier:
    """Of the text that is exported."""
    return rumur_of(murphi.export(model).text, folder, threads, model)


def spin_by_hand(size: Size, folder: Path) -> Verifier:
    """Of a text that was written by hand, as one would who knows SPIN."""
    text = (BY_HAND / "rh.pml").read_text(encoding="utf-8")
    values = {"Q": size.queues, "H": size.handles, "K": size.slots, "FIXED": 1}
    # HID keeps helper variables out of the state, which breadth first does not know: they are 0 in every state.
    defines = [*(f"-D{name}={value}" for name, value in values.items()), "-DHID="]
    return spin_of(text, folder, size.states, defines)


def rumur_by_hand(size: Size, folder: Path, threads: int) -> Verifier:
    """Of a text that was written by hand, as one would who knows rumur."""
    text = (BY_HAND / "rh.m").read_text(encoding="utf-8")
    values = {"Q": size.queues, "H": size.handles, "K": size.slots, "FIXED": 1, "QT": f"0..{size.queues - 1}"}
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return rumur_of(text, folder, threads)


def _number(pattern: str, output: str) -> int:
    found = re.findall(pattern, output)
    if not found:
        raise NotMeasured("counted no states")
    return int(found[-1])
