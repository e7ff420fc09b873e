"""How long it takes until the compiled search of a protocol is there: anew, and from the cache."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.ours import Answer, ask
from benchmarks.page import Section, Target, seconds, table, targets
from benchmarks.settings import Settings
from benchmarks.timing import Spread, in_turn
from fencepost.registry import names

TYPICAL, WORST, CACHED = 1.0, 3.0, 0.1
HEAD = ("protocol", "C, kB", "anew, s", "anew, CPU s", "from the cache, s", "from the cache, CPU s")


def section(settings: Settings) -> Section:
    """A row for each protocol at its default sizes."""
    rows, anew, cached = [], [], []
    for name in names() if settings.most >= 1_000_000 else names()[:2]:
        found, failed = in_turn({"anew": _anew(name, settings), "cached": _cached(name, settings)}, settings.rounds, 0)
        if failed:
            rows.append((f"`{name}`", *["not measured: " + "; ".join(failed.values())] * 5))
            continue
        # A round is a pair: what is cached is what was compiled just before.
        cold = Spread.of([answer.work.wall for answer in found["anew"]])
        cpu = Spread.of([answer.work.cpu for answer in found["anew"]])
        warm = Spread.of([answer.work.wall for answer in found["cached"]])
        anew.append((cold.median, cpu.median))
        warm_cpu = Spread.of([answer.work.cpu for answer in found["cached"]])
        cached.append((warm.median, warm_cpu.median))
        kilobytes = found["anew"][0].said["characters"] / 1000
        rows.append((f"`{name}`", f"{kilobytes:.0f}", *(each.told(seconds) for each in (cold, cpu, warm, warm_cpu))))
    text = "Generating the C, compiling it and loading the library; recording the model is not in it."
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{_aims(anew, cached)}")


def _aims(anew: list[tuple[float, float]], cached: list[tuple[float, float]]) -> str:
    if not anew:
        return targets(Target("compiled", "not measured", None))
    by_wall = Spread.of([wall for wall, _ in anew])
    by_cpu = Spread.of([cpu for _, cpu in anew])
    slowest, slowest_cpu = max(wall for wall, _ in cached), max(cpu for _, cpu in cached)
    return targets(
        Target(
            f"anew: {TYPICAL:.0f} s for the typical protocol",
            f"{seconds(by_wall.median)} s ({seconds(by_cpu.median)} CPU s)",
            by_wall.median <= TYPICAL,
        ),
        Target(
            f"anew: {WORST:.0f} s for the worst",
            f"{seconds(by_wall.high)} s ({seconds(by_cpu.high)} CPU s)",
            by_wall.high <= WORST,
        ),
        Target(
            f"from the cache: under {CACHED} s",
            f"at worst {seconds(slowest)} s ({seconds(slowest_cpu)} CPU s)",
            slowest < CACHED,
        ),
    )


def _anew(name: str, settings: Settings) -> Callable[[], Answer]:
    return lambda: ask("load", name, settings.seconds, fresh=True)


def _cached(name: str, settings: Settings) -> Callable[[], Answer]:
    return lambda: ask("load", name, settings.seconds)
