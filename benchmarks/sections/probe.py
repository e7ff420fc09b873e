"""Probes of the search beside insertions of a bare hash set with as many slots of the same size."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.ours import HERE, ask
from benchmarks.page import Section, Target, million, table, targets, times
from benchmarks.recycled_handle import PAIRED, PROTOCOL, SIZES, Size
from benchmarks.settings import Settings
from benchmarks.timing import NotMeasured, Spread, in_turn, ratios, run
from fencepost.explore.compiler import find_compiler

WANTED = 0.5
FULL = 80
"""Percent of its slots that are taken before the search doubles them (`search_store.c`)."""

Rates = tuple[float, float, float]
"""A second of the wall's clock, and a second of the processor; the part of the latter that is the system's."""

HEAD = (
    "threads",
    "probes/s",
    "insertions/s",
    "ratio",
    "probes per CPU s",
    "insertions per CPU s",
    "ratio of these",
    "of it in the system",
)


def section(settings: Settings) -> Section:
    """A row for each number of threads."""
    size = PAIRED if settings.most >= PAIRED.states else max(_within(settings), key=lambda one: one.states)
    try:
        bare = _bare(size, settings)
    except NotMeasured as error:
        return Section(f"not measured: {error}")
    rows, reached = [], []
    for threads in settings.threads:
        found, failed = in_turn({"ours": _probes(size, threads, settings), "bare": bare(threads)}, settings.rounds)
        if failed:
            rows.append((str(threads), *["not measured: " + "; ".join(failed.values())] * 7))
            continue
        row = [str(threads)]
        for clock in (0, 1):
            ours, theirs = ([rates[clock] for rates in found[who]] for who in ("ours", "bare"))
            ratio = ratios(ours, theirs)
            row += [Spread.of(ours).told(million), Spread.of(theirs).told(million), ratio.told(times)]
            reached.append(ratio.median)
        system = Spread.of([rates[2] for rates in found["ours"]])
        rows.append((*row, system.told(lambda share: f"{share:.0%}")))
    told = ", ".join(map(times, reached)) or "not measured"
    aim = Target("probes at least half as fast as insertions", told, min(reached) >= WANTED if reached else None)
    text = (
        f"`recycled-handle` {size}: {size.states:,} states, {size.transitions:,} transitions, each a state that is"
        " looked up. The search also makes these states, looks at every property, and keeps the states in order;"
        " and its memory is new, which the system clears for it (the last column: the part of our CPU seconds that is"
        " the system's), where that of the bare set is there before its clock starts."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{targets(aim)}")


def _within(settings: Settings) -> list[Size]:
    return [size for size in SIZES if size.states <= max(settings.most, SIZES[0].states)]


def _probes(size: Size, threads: int, settings: Settings) -> Callable[[], Rates]:
    def once() -> Rates:
        answer = ask("search", PROTOCOL, settings.seconds, sizes=size.sizes, threads=threads)
        done = answer.said["transitions"]
        return done / answer.work.wall, done / answer.work.cpu, answer.said["system"] / answer.work.cpu

    return once


def _bare(size: Size, settings: Settings) -> Callable[[int], Callable[[], Rates]]:
    """For a number of threads, a run of the hash set alone."""
    program, folder = settings.scratch / "hashset", Path(__file__).parents[1]
    run([find_compiler() or "cc", "-O2", "-o", program, folder / "hashset.c", "-lpthread"], HERE, settings.seconds)
    words = ask("search", PROTOCOL, settings.seconds, sizes=size.sizes, threads=1).said["words"]
    slots = next(log for log in range(16, 40) if size.states * 100 <= (1 << log) * FULL)
    percent = round(100 * size.states / (1 << slots))

    def of(threads: int) -> Callable[[], Rates]:
        command: list[str | Path] = [program, str(slots), str(words), str(percent), str(threads)]

        def once() -> Rates:
            wall, cpu = map(float, run(command, HERE, settings.seconds).output.split())
            return wall, cpu, 0.0

        return once

    return of
