"""How long it takes from a model to the first counterexample, and how many steps that has."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from pathlib import Path

from attrs import evolve, frozen

from benchmarks.ours import ask
from benchmarks.page import Section, ahead, seconds, table
from benchmarks.peers.runs import exported_rumur, exported_spin
from benchmarks.settings import Settings
from benchmarks.timing import Spread, Taken, in_turn
from fencepost.registry import find

CASES = (
    ("recycled-handle", "buggy", "no-handle-destroyed-while-referenced"),
    ("recycled-handle", "buggy", "no-hang"),
    ("chunks", "reset-though-newer", "chunk-wait-not-early"),
    ("serializer", "drain-at-any-completion", "no-handle-destroyed-while-referenced"),
)
"""Protocol, variant, and the property that it breaks."""

FEW, DEEPEST = 2, 24
"""Cases that are measured where little is; the depth to which bounded checkers of others are asked."""

STATES = 1 << 20
"""For the size of SPIN's table."""

HEAD = ("variant, property", "checker", "steps", "all, s", "all, CPU s", "of it built in, s")


@frozen
class Shown:
    """A counterexample's length; what the building and the whole took."""

    length: int | None
    built: Taken
    whole: Taken


def section(settings: Settings) -> Section:
    """The table."""
    rows = []
    spent: dict[str, dict[str, float]] = {}
    for number, (protocol, variant, name) in enumerate(CASES if settings.most >= 1_000_000 else CASES[:FEW]):
        folder = settings.scratch / f"first{number}"
        found, failed = in_turn(_subjects(protocol, variant, name, folder, settings), 1, 0)
        what = f"`{protocol}` `{variant}`, `{name}`"
        for checker in [*found, *failed]:
            if checker in failed:
                rows.append((what, checker, *[f"not measured: {failed[checker]}"] * 4))
                continue
            shown = found[checker]
            length = "none found" if shown[0].length is None else str(shown[0].length)
            spreads = [Spread.of(column) for column in _columns(shown)]
            spent.setdefault(what, {})[checker] = spreads[1].median
            rows.append((what, checker, length, *(spread.told(seconds) for spread in spreads)))
    text = (
        "From a model to a counterexample of one property, with nothing cached. Ours is the whole process, the start of"
        " Python and the recording of the model included; theirs is what the tool, the C compiler and the verifier"
        " take, without the writing of the text. rumur runs with one thread, for with two its first counterexample"
        f" need not be a shortest one. ABC, cvc5 and bitwuzla are asked to depth {DEEPEST} or to its length."
    )
    return Section(f"{text}\n\n{table(HEAD, rows)}\n\n{ahead(spent)}")


def _columns(shown: list[Shown]) -> list[list[float]]:
    return [[s.whole.wall for s in shown], [s.whole.cpu for s in shown], [s.built.wall for s in shown]]


def _subjects(
    protocol: str, variant: str, name: str, folder: Path, settings: Settings
) -> dict[str, Callable[[], Shown]]:
    model = find(protocol).build(variant=variant)
    one = evolve(model, properties=(model.property(name),))

    def ours(task: str, **more: object) -> Shown:
        answer = ask(task, protocol, settings.seconds, variant=variant, property=name, **more)
        whole = answer.process
        return Shown(answer.said["lengths"].get(name), Taken(max(0.0, whole.wall - answer.work.wall), 0.0), whole)

    def rumur() -> Shown:
        made = exported_rumur(one, _anew(folder / "rumur"), 1)
        found = made.search(settings.seconds)
        return Shown(found.length, made.built, made.built + found.taken)

    def spin() -> Shown:
        made = exported_spin(one, _anew(folder / "spin"), STATES)
        found = made.search(settings.seconds)
        return Shown(found.length, made.built, made.built + found.taken)

    def solver(tool: str) -> Shown:
        answer = ask("answers", protocol, settings.seconds, variant=variant, property=name, tool=tool, depth=DEEPEST)
        return Shown(answer.said["lengths"].get(name), Taken(0.0, 0.0), answer.work)

    bounded = {"depth": DEEPEST}
    return {
        "ours, explore": partial(ours, "first"),
        "ours, sat": partial(ours, "bounded", engine="sat", **bounded),
        "ours, bmc (Z3)": partial(ours, "bounded", engine="bmc", **bounded),
        "rumur": rumur,
        "SPIN": spin,
        **{tool: partial(solver, tool) for tool in ("abc", "cvc5", "bitwuzla")},
    }


def _anew(folder: Path) -> Path:
    """A folder that is not there yet."""
    return next(path for number in itertools.count() if not (path := folder / str(number)).exists())
