"""Answers for every depth: our proofs and our search beside ABC's `pdr` by itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.ours import Answer, ask
from benchmarks.page import Section, ahead, mebibytes, seconds, table
from benchmarks.recycled_handle import PROTOCOL, SIZES, Size
from benchmarks.settings import Settings
from benchmarks.timing import NotMeasured, Spread, in_turn

MOST = 3
"""Of the sizes."""

HEAD = ("sizes", "what", "seconds", "CPU s", "MiB")


def section(settings: Settings) -> Section:
    """The table."""
    rows = []
    spent: dict[str, dict[str, float]] = {}
    for size in (size for size in SIZES[:MOST] if size.states <= settings.most):
        found, failed = in_turn(_subjects(size, settings), settings.rounds, 0)
        for name in [*found, *failed]:
            if name in failed:
                rows.append((str(size), name, *[f"not measured: {failed[name]}"] * 3))
                continue
            spreads = [Spread.of([getattr(a.work, clock) for a in found[name]]) for clock in ("wall", "cpu")]
            peak = mebibytes(max(answer.work.peak for answer in found[name]))
            spent.setdefault(str(size), {})[name] = spreads[1].median
            rows.append((str(size), name, *(spread.told(seconds) for spread in spreads), peak))
    text = (
        f"`{PROTOCOL}` without its defect. ABC by itself is asked by `pdr` about each output of the circuit that"
        " `verify export --format aiger` writes. Our `pdr` asks ABC as well, about all at once, and then makes its"
        " invariant smaller and looks whether Z3 accepts it. Our search is the one in C with two threads, ready to"
        f" run."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{ahead(spent)}")


def _subjects(size: Size, settings: Settings) -> dict[str, Callable[[], Answer]]:
    return {
        "ours, explore": partial(_ask, "search", size, settings, threads=max(settings.threads)),
        "ours, pdr": partial(_ask, "bounded", size, settings, engine="pdr", depth=None),
        "abc, pdr": partial(_ask, "proofs", size, settings),
    }


def _ask(task: str, size: Size, settings: Settings, **more: object) -> Answer:
    answer = ask(task, PROTOCOL, settings.seconds, sizes=dict(size.sizes), **more)
    said = answer.said
    if said.get("proved", 0) != said.get("asked", 0):
        raise NotMeasured(f"{said['proved']} of {said['asked']} outputs proved")
    if said["stop"] if task == "search" else said.get("stop", "decided") != "decided":
        raise NotMeasured(f"ended by {said['stop']}")
    return answer
