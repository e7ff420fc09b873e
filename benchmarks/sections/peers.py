"""Ours beside rumur, SPIN, ABC, cvc5 and bitwuzla, on the same models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from attrs import frozen

from benchmarks.ours import ask
from benchmarks.page import Section, Target, mebibytes, million, seconds, table, targets, times
from benchmarks.peers.runs import (
    RUMUR,
    SPIN,
    Verifier,
    exported_rumur,
    exported_spin,
    rumur_by_hand,
    spin_by_hand,
)
from benchmarks.recycled_handle import PROTOCOL, SIZES
from benchmarks.settings import Settings
from benchmarks.timing import END, NO_TIME, NotMeasured, Spread, Taken, in_turn, ratios
from fencepost.ir.model import Model
from fencepost.peers.crosscheck import exported
from fencepost.registry import find

EXPORTED = ("store-visibility", "chunks", "issued-ops")
"""Protocols beside the recycled handle, small enough at their default sizes."""

WITH_PROTOCOLS = 1_000_000
"""States of the largest model from which on these are measured: their verifiers take a while to build."""

HEAD = ("model", "checker", "threads", "states/s", "per CPU s and thread", "seconds", "MiB", "built in, s", "ours is")
GOALS = (("SPIN, by hand", 15.0), ("rumur, by hand", 30.0))
"""How many times as many states a second as theirs ours is to find, with two threads."""


@frozen
class Case:
    """A model, and how many states it has; what ours counts where nobody else is known to have counted."""

    name: str
    protocol: str
    sizes: Mapping[str, int]
    states: int
    model: Model
    by_hand: Mapping[str, Callable[[Path], Verifier]]


@frozen
class Rate:
    """A finished run."""

    states: int
    taken: Taken
    built: Taken


def section(settings: Settings) -> Section:
    """Rates, then first counterexamples, then bounded questions."""
    rows: list[tuple[str, ...]] = []
    reached: dict[str, tuple[Spread, Spread]] = {}
    for number, case in enumerate(_cases(settings)):
        found, failed = _rates(case, settings, settings.scratch / f"rates{number}")
        ours = found.get("ours 2")
        for name in [*found, *failed]:
            checker, _, threads = name.rpartition(" ")
            if name in failed:
                rows.append((case.name, checker, threads, *[f"not measured: {failed[name]}"] * 6))
                continue
            rows.append((case.name, checker, threads, *_figures(found[name], int(threads), ours)))
            if ours is not None and case.by_hand:
                reached[checker] = _ahead(ours, found[name], int(threads))
    text = (
        "Every state, each checker in turn with ours. Ours: the seconds of the search, with all properties; its build"
        " is generated, compiled and loaded anew. Theirs: the seconds of the verifier's process; its build is what the"
        " tool and the C compiler take, for texts that were written by hand and for those that `verify export` writes."
        f" A verifier that counts other states than ours is no figure. rumur: `{' '.join(RUMUR)}`."
        f" SPIN: `{' '.join(SPIN)}`. The last column is how many times as many states a second ours finds with two"
        " threads, by the wall's clock."
        f" Not measured, for size: {', '.join(_left_out(settings)) or 'nothing'}."
    )
    parts = [text, table(HEAD, rows), targets(*(_aim(checker, wanted, reached) for checker, wanted in GOALS))]
    return Section("\n\n".join(parts))


def _left_out(settings: Settings) -> list[str]:
    """The models that are larger than what is to be measured."""
    larger = [f"`{PROTOCOL}` {size}" for size in SIZES if size.states > settings.most]
    return [*larger, *(f"`{name}`" for name in EXPORTED if settings.most < WITH_PROTOCOLS)]


def _cases(settings: Settings) -> list[Case]:
    cases = []
    for size in SIZES:
        if size.states > settings.most or (size == SIZES[0] and settings.most > 10_000):
            continue
        by_hand: dict[str, Callable[[Path], Verifier]] = {
            "rumur, by hand 2": partial(rumur_by_hand, size, threads=2),
            "SPIN, by hand 1": partial(spin_by_hand, size),
        }
        model = exported(size.build())
        cases.append(Case(f"`{PROTOCOL}` {size}", PROTOCOL, size.sizes, size.states, model, by_hand))
    for protocol in EXPORTED if settings.most >= WITH_PROTOCOLS else ():
        states = ask("search", protocol, settings.seconds, threads=1).said["states"]
        cases.append(Case(f"`{protocol}`", protocol, {}, states, exported(find(protocol).build()), {}))
    return cases


def _rates(case: Case, settings: Settings, folder: Path) -> tuple[dict[str, list[Rate]], dict[str, str]]:
    subjects: dict[str, Callable[[], Rate]] = {}
    lost: dict[str, str] = {}
    for threads in settings.threads:
        subjects[f"ours {threads}"] = partial(_ours, case, threads, settings)
    makers: dict[str, Callable[[Path], Verifier]] = {
        **case.by_hand,
        "rumur, exported 2": partial(exported_rumur, case.model, threads=2),
        "SPIN, exported 1": partial(exported_spin, case.model, states=case.states),
    }
    for number, (name, make) in enumerate(makers.items()):
        if END.over:
            lost[name] = NO_TIME
            continue
        try:
            subjects[name] = partial(_theirs, make(folder / str(number)), case.states, settings.seconds)
        except NotMeasured as error:
            lost[name] = str(error)
    found, failed = in_turn(subjects, settings.rounds)
    return found, {**lost, **failed}


def _ours(case: Case, threads: int, settings: Settings) -> Rate:
    built = ask("load", case.protocol, settings.seconds, sizes=dict(case.sizes), fresh=True).work
    answer = ask("search", case.protocol, settings.seconds, sizes=dict(case.sizes), threads=threads)
    return _same(answer.said["states"], case.states, Rate(case.states, answer.work, built))


def _theirs(verifier: Verifier, states: int, limit: float) -> Rate:
    found = verifier.search(limit)
    return _same(found.states, states, Rate(states, found.taken, verifier.built))


def _same(counted: int, states: int, rate: Rate) -> Rate:
    if counted != states:
        raise NotMeasured(f"counts {counted:,} states, not {states:,}")
    return rate


def _figures(rates: Sequence[Rate], threads: int, ours: Sequence[Rate] | None) -> list[str]:
    walls = [rate.states / rate.taken.wall for rate in rates]
    cpus = [rate.states / rate.taken.cpu for rate in rates]
    ahead = "-" if ours is None or ours is rates else _ahead(ours, rates, threads)[0].told(times)
    return [
        Spread.of(walls).told(million),
        Spread.of(cpus).told(million),
        Spread.of([rate.taken.wall for rate in rates]).told(seconds),
        mebibytes(max(rate.taken.peak for rate in rates)),
        seconds(Spread.of([rate.built.wall for rate in rates]).median),
        ahead,
    ]


def _ahead(ours: Sequence[Rate], theirs: Sequence[Rate], threads: int) -> tuple[Spread, Spread]:
    """By the wall's clock, and by what the processors would do that each may use if they did nothing else."""
    wall = ratios([1 / rate.taken.wall for rate in ours], [1 / rate.taken.wall for rate in theirs])
    cpu = ratios([2 / rate.taken.cpu for rate in ours], [threads / rate.taken.cpu for rate in theirs])
    return wall, cpu


def _aim(checker: str, wanted: float, reached: Mapping[str, tuple[Spread, Spread]]) -> Target:
    what = f"{wanted:.0f} times the states/s of {checker}, with two threads"
    if checker not in reached:
        return Target(what, "not measured", None)
    wall, cpu = reached[checker]
    told = f"{wall.told(times)} by the wall's clock, {cpu.told(times)} by CPU seconds, at the largest size measured"
    return Target(what, told, wall.median >= wanted)
