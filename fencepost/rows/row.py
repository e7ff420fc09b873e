"""The rows of the manifests: every pin, which of them a run takes, and which of those a shard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from fencepost.errors import FencepostError
from fencepost.manifest import Pin, load
from fencepost.registry import Entry, find, names


@frozen
class Profile:
    """How much a run looks at: rows of at most so many pinned states, and so many seconds an engine.

    `bmc` says whether the bounded check decides again what is pinned that it decided.
    """

    name: str
    most: int | None
    seconds: float
    bmc: bool = False

    def takes(self, states: int) -> bool:
        """Whether a row of so many pinned states is small enough."""
        return self.most is None or states <= self.most


QUICK = Profile("quick", most=50_000, seconds=60.0)
"""What pytest looks at one by one; `verify --all` has profiles of its own."""

CI = Profile("ci", most=1_000_000, seconds=300.0)
DEEP = Profile("deep", most=None, seconds=3600.0, bmc=True)
PROFILES = {profile.name: profile for profile in (CI, DEEP)}


@frozen
class Row:
    """One pin, and the protocol that it is of, as `registry.find` takes it.

    Where there is a `problem`, there is nothing to run: a variant without a pin, a pin without a
    protocol, a protocol that does not load (`loads` is False).
    """

    subject: str
    title: str
    pin: Pin | None = None
    problem: str = ""
    loads: bool = True

    @property
    def states(self) -> int:
        """The pinned states, as a measure of the work."""
        return 0 if self.pin is None else self.pin.states or 0


def title(entry: Entry, pin: Pin) -> str:
    """The pin's variant, with the sizes and features that are not the variant's own."""
    own = entry.sizes(pin.variant)
    parts = [pin.variant or entry.protocol.default]
    parts += [f"{name}={count}" for name, count in sorted(pin.sizes.items()) if own.get(name) != count]
    if frozenset(pin.features) != entry.features(pin.variant):
        parts.append(" ".join(["with", *sorted(pin.features)]) if pin.features else "without features")
    return " ".join(parts)


def rows_of(entry: Entry) -> Iterator[Row]:
    """The protocol's pins as it is, then of each variant in order; then what is wrong with the manifest."""
    subject = entry.file or entry.name
    mine = [pin for pin in load(entry.manifest).pin if pin.protocol == entry.name]
    variants = [None, *(variant.name for variant in entry.protocol.variants)]
    for variant in variants:
        pins = [pin for pin in mine if pin.variant == variant]
        pins.sort(key=lambda pin: title(entry, pin) != (pin.variant or entry.protocol.default))  # its own choice first
        titles = [f"{entry.name} {title(entry, pin)}" for pin in pins]
        named = dict(zip(titles, pins, strict=True))
        yield from (Row(subject, name, pin) for name, pin in named.items())
        twice = sorted({name for name in titles if titles.count(name) > 1})
        yield from (Row(subject, name, problem="pinned twice") for name in twice)
        if not pins:
            yield Row(subject, f"{entry.name} {variant or entry.protocol.default}", problem="not pinned")
    for gone in sorted({pin.variant or "" for pin in mine if pin.variant not in variants}):
        yield Row(subject, f"{entry.name} {gone}", problem="pinned, but there is no such variant")


def all_rows() -> list[Row]:
    """The rows of every installed protocol, and what is pinned of one that is not installed."""
    rows: list[Row] = []
    orphans: dict[str, Row] = {}
    installed = names()
    for name in installed:
        try:
            entry = find(name)
            rows += rows_of(entry)
        except FencepostError as error:
            rows.append(Row(name, name, problem=f"does not load: {error}", loads=False))
            continue
        for other in {pin.protocol for pin in load(entry.manifest).pin} - set(installed):
            orphans[other] = Row(other, other, problem="pinned, but no protocol of that name is installed")
    return rows + [orphans[name] for name in sorted(orphans)]


def shard(rows: Sequence[Row], number: int, of: int, profile: Profile) -> list[Row]:
    """One of `of` parts of the rows, in their order; the parts are disjoint, and have much the same number of states.

    The largest rows are dealt out first, each to the part that has the fewest states by then. Those
    that the profile leaves out are no work.
    """
    work = [row.states if profile.takes(row.states) else 0 for row in rows]
    loads = [0] * of
    mine: set[int] = set()
    for i in sorted(range(len(rows)), key=lambda i: (-work[i], i)):
        part = min(range(of), key=lambda part: (loads[part], part))
        loads[part] += max(work[i], 1)
        if part == number - 1:
            mine.add(i)
    return [row for i, row in enumerate(rows) if i in mine]
