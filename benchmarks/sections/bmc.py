"""The bounded checks by SAT, Z3 and a search: seconds against depth, and against each size of one protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from benchmarks.drawing import draw
from benchmarks.ours import Answer, ask
from benchmarks.page import Section, Target, seconds, table, targets
from benchmarks.settings import Settings
from benchmarks.timing import Spread, in_turn
from fencepost.registry import find

ENGINES = ("sat", "bmc", "explore")
PROTOCOLS = ("retiring", "serializer", "legacy")
DEPTHS = (6, 12, 16, 20, 25, 30)
SIZED = "recycled-handle"
SIZED_DEPTH = 12
LARGER: Mapping[str, Sequence[int]] = {"queues": (2, 3, 4, 5), "handles": (2, 3, 4, 5), "slots": (3, 4, 5, 6)}
GOALS = ((12, 10.0), (30, 60.0))
"""A depth, and the seconds within which the fastest engine is to have decided all properties to there."""

BY_DEPTH, BY_SIZE = "bounded-depth.svg", "bounded-size.svg"

Found = Mapping[tuple[str, str], list[Answer]]


def section(settings: Settings) -> Section:
    """Both tables with their drawings."""
    depth = min(settings.depth, DEPTHS[-1])
    found: dict[tuple[str, str], list[Answer]] = {}
    failed: dict[tuple[str, str], str] = {}
    for protocol in PROTOCOLS:
        subjects = {e: partial(_bounded, protocol, e, depth, settings.seconds, None) for e in ENGINES}
        # Once: each lasts as long as it may.
        each, lost = in_turn(subjects, 1, 0)
        found |= {(protocol, engine): answers for engine, answers in each.items()}
        failed |= {(protocol, engine): reason for engine, reason in lost.items()}
    depths = [d for d in DEPTHS if d <= depth]
    head = ("protocol", "engine", *(f"to {d}" for d in depths), "decided to")
    rows = [
        (f"`{protocol}`", engine, *_to_depths(protocol, engine, depths, found, failed))
        for protocol in PROTOCOLS
        for engine in ENGINES
    ]
    drawing = _by_depth(found)
    text = (
        "CPU seconds until every property that is not a response, its twin and every obligation are decided to a depth,"
        " lowering and compiling included, the engines in turn, at default sizes; at most"
        f" {settings.seconds:.0f} s of the wall's clock each."
    )
    larger, by_size = _sized(settings)
    parts = [text, table(head, rows), *shown("Seconds against depth", BY_DEPTH, drawing), _aims(found), larger]
    drawings = {BY_DEPTH: drawing, BY_SIZE: by_size}
    return Section("\n\n".join(parts), {name: svg for name, svg in drawings.items() if svg})


def shown(title: str, name: str, drawing: str) -> list[str]:
    """The line that shows a drawing, where there is one."""
    return [f"![{title}](images/{name})"] if drawing else []


def _bounded(protocol: str, engine: str, depth: int, limit: float, sizes: Mapping[str, int] | None) -> Answer:
    return ask("bounded", protocol, limit, engine=engine, depth=depth, sizes=dict(sizes) if sizes else None)


def until(answer: Answer, depth: int) -> float | None:
    """CPU seconds until all was decided to a depth; None if the run did not come so far."""
    if answer.said["depth"] < depth and answer.said["stop"] not in ("decided", "exhausted"):
        return None
    return float(sum(spent for at, spent in answer.said["cpus"].items() if int(at) <= depth))


def _to_depths(
    protocol: str, engine: str, depths: Sequence[int], found: Found, failed: Mapping[tuple[str, str], str]
) -> list[str]:
    if (protocol, engine) in failed:
        return [f"not measured: {failed[protocol, engine]}"] * (len(depths) + 1)
    (answer,) = found[protocol, engine]
    spent = [until(answer, depth) for depth in depths]
    return [*("not reached" if s is None else seconds(s) for s in spent), str(answer.said["depth"])]


def _by_depth(found: Found) -> str:
    lines = {}
    for (protocol, engine), (answer,) in found.items():
        reached = [(depth, until(answer, depth)) for depth in range(1, answer.said["depth"] + 1)]
        lines[f"{protocol}, {engine}"] = [(depth, spent) for depth, spent in reached if spent is not None]
    return draw("Bounded checks", "depth", "CPU seconds", lines) if any(lines.values()) else ""


def _aims(found: Found) -> str:
    aims = []
    for depth, limit in GOALS:
        for protocol in PROTOCOLS:
            answers = [found[protocol, engine][0] for engine in ENGINES if (protocol, engine) in found]
            spent = [s for answer in answers if (s := until(answer, depth)) is not None]
            told = f"{seconds(min(spent))} CPU s" if spent else "not reached"
            met = (bool(spent) and min(spent) <= limit) if answers else None
            aims.append(Target(f"`{protocol}` to depth {depth} within {limit:.0f} s", told, met))
    return targets(*aims)


def _sized(settings: Settings) -> tuple[str, str]:
    """One protocol, one size after the other made larger, the others as they are."""
    entry, depth = find(SIZED), min(SIZED_DEPTH, settings.depth)
    rows: list[tuple[str, ...]] = []
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, numbers in LARGER.items():
        for number in numbers if settings.most >= 1_000_000 else numbers[:2]:
            sizes = {**entry.sizes(None), name: number}
            subjects = {e: partial(_bounded, SIZED, e, depth, settings.seconds, sizes) for e in ENGINES}
            found, failed = in_turn(subjects, settings.rounds, 0)
            cells = []
            for engine in ENGINES:
                if engine in failed or any(answer.said["stop"] == "timeout" for answer in found[engine]):
                    cells.append(f"not measured: {failed[engine]}" if engine in failed else "not reached")
                    continue
                spent = Spread.of([answer.work.cpu for answer in found[engine]])
                cells.append(spent.told(seconds))
                lines.setdefault(f"{name}, {engine}", []).append((float(number), spent.median))
            rows.append((f"{name} {number}", *cells))
    text = f"`{SIZED}` to depth {depth}, one size other than by default at a time (CPU seconds, median and spread):"
    is_line = any(len(line) > 1 for line in lines.values())
    drawing = draw(f"Bounded check of {SIZED}", "size", "CPU seconds", lines) if is_line else ""
    parts = [text, table(("size", *ENGINES), rows), *shown("Seconds against size", BY_SIZE, drawing)]
    return "\n\n".join(parts), drawing
