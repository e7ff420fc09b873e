"""Every protocol, exhausted as far as time and memory allow, with symmetry and without."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from attrs import frozen

from benchmarks.ours import Answer, ask
from benchmarks.page import Section, Target, mebibytes, million, seconds, table, targets
from benchmarks.settings import Settings
from benchmarks.timing import in_turn
from fencepost.registry import find, names

HEAD = (
    "protocol",
    "sizes",
    "counted",
    "depth",
    "ended",
    "seconds",
    "CPU s",
    "states/s",
    "bytes a state",
    "MiB",
)

LADDERS: Mapping[str, tuple[Mapping[str, int], ...]] = {
    "retiring": (
        {"queues": 1, "ring": 2, "cap": 2, "handles": 2},
        {"queues": 1, "ring": 2, "cap": 3, "handles": 3},
        {"queues": 1, "ring": 3, "cap": 4, "handles": 5},
        {"queues": 2, "ring": 1, "cap": 1, "handles": 2},
        {"queues": 2, "ring": 1, "cap": 2, "handles": 3},
        {"queues": 2, "ring": 2, "cap": 2, "handles": 4},
    ),
    "serializer": (
        {"queues": 2, "kernels": 1},
        {"queues": 3, "kernels": 1},
        {"queues": 2, "kernels": 3},
        {"queues": 2, "handles": 3, "kernels": 3},
        {"queues": 3, "kernels": 2},
    ),
}
"""Sizes of the protocols of the main job, smaller and larger than the default ones, for what fits."""

MAIN = ("retiring", "serializer")


@frozen
class Case:
    """A protocol at some sizes."""

    protocol: str
    sizes: Mapping[str, int]
    symmetry: bool = False

    @property
    def told(self) -> str:
        """What of the sizes is not as it is by default."""
        chosen = " ".join(f"{name} {number}" for name, number in self.sizes.items()) or "default"
        return f"{chosen}{', symmetry' * self.symmetry}"


def section(settings: Settings) -> Section:
    """Rows for each protocol at its default sizes, and for the main ones at others."""
    rows, defaults = [], {}
    chosen = names() if settings.most >= 1_000_000 else ("recycled-handle",)
    for protocol in chosen:
        cases = [Case(protocol, {})]
        if find(protocol).build().symmetric:
            cases.append(Case(protocol, {}, symmetry=True))
        cases += [Case(protocol, sizes) for sizes in LADDERS.get(protocol, ())]
        for case in cases:
            # Each once: what is searched for seconds and minutes differs by less than what it is asked for here.
            found, failed = in_turn({"": partial(_search, case, settings)}, 1, 0)
            if failed:
                rows.append((f"`{protocol}`", case.told, *[f"not measured: {failed['']}"] * 8))
                continue
            (answer,) = found[""]
            rows.append((f"`{protocol}`", case.told, *_figures(answer)))
            if not case.sizes and not case.symmetry:
                defaults[protocol] = answer
    aims = [_aim(name, defaults.get(name)) for name in MAIN]
    text = (
        f"Two threads, the properties that are not responses and responses' states alike; at most"
        f" {settings.seconds:.0f} s and {settings.memory / 2**30:.0f} GiB of states and table a run."
        " A search that time or memory ended found the states to the depth that is told."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{targets(*aims)}")


def _search(case: Case, settings: Settings) -> Answer:
    return ask(
        "search",
        case.protocol,
        settings.seconds,
        sizes=dict(case.sizes),
        threads=max(settings.threads),
        symmetry=case.symmetry,
        memory=settings.memory,
    )


def _figures(answer: Answer) -> list[str]:
    said, work = answer.said, answer.work
    ended = f"out of {said['stop']}" if said["stop"] else "exhausted"
    return [
        f"{said['states']:,}",
        str(said["depth"]),
        ended,
        seconds(work.wall),
        seconds(work.cpu),
        million(said["states"] / work.wall),
        f"{said['held'] / said['states']:.0f}",
        mebibytes(work.peak),
    ]


def _aim(protocol: str, answer: Answer | None) -> Target:
    what = f"`{protocol}` exhausted at its default sizes in seconds"
    if answer is None:
        return Target(what, "not measured", None)
    said = answer.said
    if said["stop"]:
        told = f"out of {said['stop']} after {said['states']:,} states to depth {said['depth']}"
        return Target(what, told, met=False)
    return Target(what, f"{seconds(answer.work.wall)} s", answer.work.wall < 60)
