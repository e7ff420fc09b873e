"""Bounded questions about the recycled handle: our two engines beside ABC, cvc5 and bitwuzla."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.ours import Answer, ask
from benchmarks.page import Section, ahead, mebibytes, seconds, table
from benchmarks.recycled_handle import PROTOCOL, SIZES
from benchmarks.settings import Settings
from benchmarks.timing import NotMeasured, Spread, in_turn

SIZE = SIZES[1]
DEPTHS = (8, 12, 20)
ENGINES = {"ours, sat": "sat", "ours, bmc (Z3)": "bmc"}
TOOLS = ("abc", "cvc5", "bitwuzla")
HEAD = ("to depth", "checker", "seconds", "CPU s", "MiB")


def section(settings: Settings) -> Section:
    """The table."""
    rows = []
    spent: dict[str, dict[str, float]] = {}
    for depth in (depth for depth in DEPTHS if depth <= settings.depth):
        found, failed = in_turn(_subjects(depth, settings), min(settings.rounds, 3), 0)
        for checker in [*found, *failed]:
            if checker in failed:
                rows.append((str(depth), checker, *[f"not measured: {failed[checker]}"] * 3))
                continue
            answers = found[checker]
            spreads = [Spread.of([getattr(a.work, clock) for a in answers]) for clock in ("wall", "cpu")]
            peak = mebibytes(max(answer.work.peak for answer in answers))
            spent.setdefault(f"to depth {depth}", {})[checker] = spreads[1].median
            rows.append((str(depth), checker, *(spread.told(seconds) for spread in spreads), peak))
    text = (
        f"`{PROTOCOL}` {SIZE} without its defect: no property and no obligation is broken within a depth, and our"
        " engines say of each property when its situation is first reached as well. Seconds are those of lowering and"
        " solving for ours, of reading and solving for the others, whose texts were written before. ABC is asked by"
        " `bmc3`, output by output; cvc5 with `bitblast` `eager`, bitwuzla as it is, on the SMT-LIB that"
        f" `verify export` writes."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{ahead(spent)}")


def _subjects(depth: int, settings: Settings) -> dict[str, Callable[[], Answer]]:
    ours: dict[str, Callable[[], Answer]] = {
        name: partial(_decided, engine, depth, settings) for name, engine in ENGINES.items()
    }
    return ours | {tool: partial(_asked, tool, depth, settings) for tool in TOOLS}


def _decided(engine: str, depth: int, settings: Settings) -> Answer:
    answer = ask("bounded", PROTOCOL, settings.seconds, engine=engine, depth=depth, sizes=dict(SIZE.sizes))
    if answer.said["stop"] == "timeout":
        raise NotMeasured(f"over {settings.seconds:.0f} s, decided to {answer.said['depth']}")
    return _holds(answer)


def _asked(tool: str, depth: int, settings: Settings) -> Answer:
    return _holds(ask("answers", PROTOCOL, settings.seconds, tool=tool, depth=depth, sizes=dict(SIZE.sizes)))


def _holds(answer: Answer) -> Answer:
    if answer.said["lengths"]:
        raise NotMeasured(f"says that {', '.join(answer.said['lengths'])} is broken")
    return answer
