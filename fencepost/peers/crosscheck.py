"""One model under our search and under another checker: equal states, equal verdicts, equal shortest lengths."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, frozen

from fencepost.explore import bfs
from fencepost.ir.expr import TRUE
from fencepost.ir.model import Model, Property, PropertyKind
from fencepost.peers.peers import Bounded
from fencepost.peers.seen import Peer, Seen
from fencepost.peers.tools import Unusable
from fencepost.verdict import OBLIGATIONS, Stop, is_obligation

_ANYTHING = Property("anything", TRUE, TRUE, "Holds, so that the search goes on to the end.", "")


@frozen
class Ours:
    """What our search found: counts, and the shortest length of everything violated but responses."""

    states: int
    transitions: int
    lengths: Mapping[str, int]

    @property
    def obligations(self) -> dict[str, int]:
        """The lengths of the obligations that break."""
        return {name: length for name, length in self.lengths.items() if is_obligation(name)}


@frozen
class Compared:
    """What was compared with one checker, and every difference as a line."""

    states: int
    transitions: int
    lengths: Mapping[str, int]
    not_compared: tuple[str, ...]
    differences: tuple[str, ...]
    runs: int


def exported(model: Model) -> Model:
    """The model with the properties that are asked of single states."""
    return evolve(model, properties=tuple(p for p in model.properties if p.kind is not PropertyKind.RESPONSE))


def ours(model: Model, timeout: float) -> Ours:
    """Our own exhaustive search.

    Raises:
        Unusable: it did not come to its end.
    """
    run = bfs.run(evolve(model, properties=(*model.properties, _ANYTHING), symmetric=()), timeout=timeout)
    if run.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    if run.stop is not Stop.EXHAUSTED or run.states is None or run.transitions is None:
        raise Unusable(f"our own search ended with {run.stop.value}; choose smaller sizes")
    return Ours(run.states, run.transitions, {found.name: len(found.path) for found in run.findings})


def compare(model: Model, peer: Peer, timeout: float, *, each: bool = True) -> Compared:
    """Compare with a checker: its first error, again without that property, until it finds none; then counts.

    Without `each`, only its first error, and then counts without all that is violated here: of the
    other violated properties nothing is compared.
    """
    model = exported(model)
    here = ours(model, timeout)
    differences: list[str] = []
    left, lengths = model, {}
    seen, runs = peer.search(left, timeout=timeout), 1
    while seen.broken and not is_obligation(seen.broken):
        lengths[seen.broken] = len(seen.path)
        gone = {seen.broken} if each or seen.broken not in here.lengths else here.lengths
        remaining = tuple(prop for prop in left.properties if prop.name not in gone)
        if len(remaining) == len(left.properties):
            differences.append(f"{peer.name} says that {seen.broken} is broken, and the model has no such property")
            break
        left = evolve(left, properties=remaining)
        seen, runs = peer.search(left, timeout=timeout), runs + 1
    if seen.broken:
        lengths[seen.broken] = len(seen.path)
        seen = Seen()
        if peer.counts_past_obligations and here.obligations:
            clean = evolve(left, properties=tuple(p for p in left.properties if p.name not in here.lengths))
            seen, runs = peer.search(clean, timeout=timeout, past_obligations=True), runs + 1
    differences += _lengths(here, lengths, peer, each=each)
    differences += _counts(here, seen, peer.name)
    missed = sorted(name for name in here.lengths if name not in lengths)
    if seen.states is None:
        missed.append("states")
    return Compared(here.states, here.transitions, lengths, tuple(missed), tuple(differences), runs)


def compare_bounded(model: Model, peer: Bounded, depth: int, timeout: float) -> Compared:
    """Compare with a checker that looks to a depth: what is violated within it, and in how many steps."""
    model = exported(model)
    here = ours(model, timeout)
    mine = {name: length for name, length in here.lengths.items() if length <= depth}
    least = min((mine.pop(name) for name in here.obligations if name in mine and peer.lumped), default=None)
    if least is not None:
        mine[OBLIGATIONS] = least
    theirs = peer.search(model, depth, timeout).lengths
    differences = tuple(
        f"{name}: {_told(mine.get(name))} here, {_told(theirs.get(name))} by {peer.name}"
        for name in sorted(mine.keys() | theirs.keys())
        if mine.get(name) != theirs.get(name)
    )
    left = sorted(name for name, length in here.lengths.items() if length > depth)
    return Compared(here.states, here.transitions, theirs, ("states", *left), differences, 1)


def _lengths(here: Ours, lengths: Mapping[str, int], peer: Peer, *, each: bool) -> list[str]:
    """Differences of what was found; an obligation ends the peer's run, and what is longer it never comes to."""
    stopped = next((length for name, length in lengths.items() if is_obligation(name)), None)
    early = stopped is not None and peer.asks_later
    lines = []
    if not each:
        first, found = min(here.lengths.values(), default=None), next(iter(lengths.values()), None)
        if not _same(first, found, early=early):
            lines.append(f"first violation: {_told(first)} here, {_told(found)} by {peer.name}")
    for name in sorted(here.lengths.keys() | lengths.keys()):
        mine, other = here.lengths.get(name), lengths.get(name)
        beyond = stopped is not None and mine is not None and mine >= stopped - early
        if is_obligation(name) or (other is None and (beyond or (lengths and not each))):
            continue
        if mine != other:
            lines.append(f"{name}: {_told(mine)} here, {_told(other)} by {peer.name}")
    least = min(here.obligations.values(), default=None)
    if (each or stopped is not None) and not _same(least, stopped, early=early):
        lines.append(f"obligations: {_told(least)} here, {_told(stopped)} by {peer.name}")
    return lines


def _same(mine: int | None, other: int | None, *, early: bool) -> bool:
    return mine == other or (early and mine is not None and mine + 1 == other)


def _counts(here: Ours, seen: Seen, peer: str) -> list[str]:
    lines = []
    if seen.states is not None and seen.states != here.states:
        lines.append(f"states: {here.states} here, {seen.states} by {peer}")
    if seen.transitions is not None and seen.transitions != here.transitions:
        lines.append(f"transitions: {here.transitions} here, {seen.transitions} by {peer}")
    return lines


def _told(length: int | None) -> str:
    return "not broken" if length is None else f"broken after {length} steps"
