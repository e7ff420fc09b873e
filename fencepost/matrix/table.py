"""Which property catches which variant, as the manifest has it, and what follows from that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from attrs import evolve, field, frozen

from fencepost.manifest import Pin, load
from fencepost.registry import Entry
from fencepost.verdict import Verdict


@frozen
class Line:
    """A variant, or (with no `variant`) the protocol as it is.

    `caught` has the fewest steps in which each property is violated, over all of its pins; `asked` the
    properties that some pin of it has. `harmless` says that it is recorded as breaking nothing.
    """

    name: str
    variant: bool
    help: str
    breaks: str | None
    caught: Mapping[str, int]
    asked: frozenset[str]
    pinned: bool

    @property
    def harmless(self) -> bool:
        """Whether it is recorded as breaking nothing."""
        return self.variant and self.breaks is None


@frozen
class Subsumed:
    """`by` is violated wherever `name` is, in no more steps; `same` says that it is so the other way round too."""

    name: str
    by: str
    same: bool


@frozen
class Matrix:
    """One protocol: its properties in order, its lines, and its pins.

    `elsewhere` has the protocols in which a property that is included from them, or that they include
    from the same place, catches something.
    """

    protocol: str
    properties: tuple[str, ...]
    lines: tuple[Line, ...]
    pins: tuple[Pin, ...]
    elsewhere: Mapping[str, tuple[str, ...]] = field(factory=dict)

    @property
    def uncaught(self) -> list[Line]:
        """Variants that no property catches."""
        return [line for line in self.lines if line.variant and not line.caught]

    @property
    def catching(self) -> list[str]:
        """Properties that catch something: a variant, or the protocol as it is."""
        return [name for name in self.properties if any(name in line.caught for line in self.lines)]

    @property
    def idle_here(self) -> list[str]:
        """Properties that catch nothing here, but do elsewhere."""
        return [name for name in self.properties if name not in self.catching and name in self.elsewhere]

    @property
    def idle(self) -> list[str]:
        """Properties that catch nothing anywhere."""
        return [name for name in self.properties if name not in self.catching and name not in self.elsewhere]

    @property
    def subsumed(self) -> list[Subsumed]:
        """Pairs of properties of which one says no more than the other, as far as the pins tell."""
        caught = {
            name: {i: steps for i, pin in enumerate(self.pins) if (steps := _length(pin, name)) is not None}
            for name in self.properties
        }
        found = []
        for one, other in permutations(self.properties, 2):
            if caught[one] and _covers(caught[other], caught[one]):
                same = _covers(caught[one], caught[other])
                if not same or self.properties.index(one) > self.properties.index(other):
                    found.append(Subsumed(one, by=other, same=same))
        return found

    @property
    def sound(self) -> bool:
        """Whether every property catches something, and something catches every variant that is not harmless."""
        return not self.idle and all(line.harmless for line in self.uncaught)

    @property
    def obligations(self) -> bool:
        """Whether some line breaks an obligation: a range, an index or a live field."""
        return any(name not in self.properties for line in self.lines for name in line.caught)

    def broken_obligation(self, line: Line) -> int | None:
        """The fewest steps in which a line breaks an obligation."""
        return min((steps for name, steps in line.caught.items() if name not in self.properties), default=None)


def matrices(entries: Sequence[Entry], others: Sequence[Entry] = ()) -> list[Matrix]:
    """The matrix of each protocol, from its manifest; what a property catches in `others` counts as elsewhere.

    Raises:
        UsageError: a manifest does not parse.
    """
    alone = {entry.name: _alone(entry) for entry in (*others, *entries)}
    catching: dict[object, set[str]] = {}
    for entry in (*others, *entries):
        for name, at in _definitions(entry).items():
            if name in alone[entry.name].catching:
                catching.setdefault(at, set()).add(entry.name)
    return [
        evolve(
            alone[entry.name],
            elsewhere={
                name: tuple(sorted(where))
                for name, at in _definitions(entry).items()
                if (where := catching.get(at, set()) - {entry.name})
            },
        )
        for entry in entries
    ]


def _definitions(entry: Entry) -> dict[str, object]:
    """The protocol's properties, each with where it is stated: one that is included is stated elsewhere."""
    return {definition.name: definition.at for family in entry.properties for definition in family}


def _alone(entry: Entry) -> Matrix:
    pins = tuple(pin for pin in load(entry.manifest).pin if pin.protocol == entry.name)
    protocol = entry.protocol
    lines = [_line(protocol.default, None, "as it is", None, pins)]
    lines += [_line(each.name, each.name, each.help, each.breaks, pins) for each in protocol.variants]
    return Matrix(entry.name, tuple(_definitions(entry)), tuple(lines), pins)


def _line(name: str, variant: str | None, help_: str, breaks: str | None, pins: tuple[Pin, ...]) -> Line:
    mine = [pin for pin in pins if pin.variant == variant]
    caught: dict[str, int] = {}
    for pin in mine:
        for prop in pin.properties:
            steps = _length(pin, prop)
            if steps is not None:
                caught[prop] = min(steps, caught.get(prop, steps))
    asked = frozenset(prop for pin in mine for prop in pin.properties)
    return Line(name, variant is not None, help_, breaks, caught, asked, bool(mine))


def _length(pin: Pin, name: str) -> int | None:
    """In how many steps the pin violates the property; None if it does not."""
    prop = pin.properties.get(name)
    return None if prop is None or prop.verdict is not Verdict.VIOLATED else prop.length or 0


def _covers(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    """Whether the first is violated wherever the second is, in no more steps."""
    return all(pin in one and one[pin] <= steps for pin, steps in other.items())
