"""The search on the recycled handle: states a second with one thread and with two, with symmetry, and in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from benchmarks.ours import Answer, ask
from benchmarks.page import Section, million, seconds, table, times
from benchmarks.recycled_handle import PROTOCOL, SIZES, Size
from benchmarks.settings import Settings
from benchmarks.timing import NotMeasured, Spread, in_turn, ratios

HEAD = (
    "sizes",
    "what",
    "counted",
    "depth",
    "bits",
    "bytes",
    "seconds",
    "states/s",
    "per CPU s",
    "of one thread",
)
MOST_IN_PYTHON = 3_000_000


def section(settings: Settings) -> Section:
    """Rows for each size; a count that is not what others count is no figure."""
    rows = []
    for size in SIZES:
        if size.states > settings.most:
            rows.append((str(size), "C", f"{size.states:,}", str(size.depth), *["not measured"] * 6))
            continue
        found, failed = in_turn(_subjects(size, settings), settings.rounds)
        base = found.get(_threads(settings.threads[0]))
        for name in [*found, *failed]:
            if name in failed:
                rows.append((str(size), name, *[f"not measured: {failed[name]}"] * 8))
            else:
                rows.append((str(size), name, *_figures(found[name], base)))
    text = (
        "Every state of `recycled-handle`, with all properties looked at; the counts are those of rumur, SPIN and TLC"
        " on models of theirs. Bytes are those of states and table at the end, a state. Under symmetry what is"
        " counted are orbits. The last column is how many times as many states a second as with one thread."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}")


def _threads(number: int, symmetry: bool = False) -> str:
    return f"C, {number} thread{'s' * (number > 1)}{', symmetry' * symmetry}"


def _subjects(size: Size, settings: Settings) -> Mapping[str, Callable[[], Answer]]:
    each: dict[str, Callable[[], Answer]] = {}
    for symmetry, counted in ((False, size.states), (True, size.orbits)):
        if counted is None:
            continue
        for threads in settings.threads:
            each[_threads(threads, symmetry)] = partial(_counted, size, settings, "search", counted, threads, symmetry)
    if size.states < min(MOST_IN_PYTHON, 1_000_000):
        each["Python"] = partial(_counted, size, settings, "python", size.states, 1, False)
    return each


def _counted(size: Size, settings: Settings, task: str, wanted: int, threads: int, symmetry: bool) -> Answer:
    answer = ask(task, PROTOCOL, settings.seconds, sizes=size.sizes, threads=threads, symmetry=symmetry)
    counted = answer.said["states"], answer.said["depth"], answer.said["stop"]
    if counted != (wanted, size.depth, ""):
        raise NotMeasured(f"counts {counted[0]:,}, not {wanted:,} {counted[2]}".strip())
    return answer


def _figures(answers: list[Answer], base: list[Answer] | None) -> list[str]:
    said = answers[0].said
    by_wall = [answer.said["states"] / answer.work.wall for answer in answers]
    by_cpu = [answer.said["states"] / answer.work.cpu for answer in answers]
    others = [answer.said["states"] / answer.work.wall for answer in base or answers]
    return [
        f"{said['states']:,}",
        str(said["depth"]),
        str(said.get("bits", "-")),
        f"{said['held'] / said['states']:.0f}" if said["held"] else "-",
        Spread.of([answer.work.wall for answer in answers]).told(seconds),
        Spread.of(by_wall).told(million),
        f"{Spread.of(by_cpu).told(million)}",
        "-" if answers is base else ratios(by_wall, others).told(times),
    ]
