"""Which rows of the manifests are cross-checked: what the gate has time for, or all that are small enough.

A build of a verifier takes seconds, so their number decides, and not that of the states.
"""

from __future__ import annotations

import os

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.manifest import Pin
from fencepost.registry import find, names
from fencepost.rows.row import Row, all_rows
from fencepost.verdict import Verdict
from tests.profile import DEEP

MOST = 200_000
"""States of the largest row that is compared at all."""

GATE = {"rumur": 8_000, "spin": 2_000}
"""States of the largest variant that the gate compares; of each protocol itself the smallest row, whatever its size."""

BY_THE_WAY = {"rumur": 500, "spin": 400}
"""The same for a run that is not asked to use foreign tools, and finds them."""

SMALL_ENOUGH = 30_000
"""States of a pin of a protocol itself that the gate takes; else the protocol at its smallest sizes."""


@frozen
class Compared:
    """A choice of variant, sizes and features, the checker that looks at it, and its pin if there is one."""

    tool: str
    subject: str
    title: str
    variant: str | None
    pin: Pin | None = None

    @classmethod
    def of(cls, tool: str, row: Row) -> Compared:
        """A row of a manifest."""
        assert row.pin is not None
        return cls(tool, row.subject, row.title, row.pin.variant, row.pin)

    @property
    def model(self) -> Model:
        entry = find(self.subject)
        if self.pin is not None:
            return entry.build(variant=self.variant, sizes=self.pin.sizes, features=self.pin.features)
        least = {size.name: size.low for size in entry.protocol.sizes}
        return entry.build(variant=self.variant, sizes=least)

    @property
    def id(self) -> str:
        return f"{self.tool} {self.title}"


def small() -> list[Row]:
    """Every row that is small enough, the smallest first; of others nobody knows how many states there are."""
    rows = [row for row in all_rows() if row.pin is not None and 0 < row.states <= MOST and is_whole(row.pin)]
    return sorted(rows, key=lambda row: (row.states, row.title))


def is_whole(pin: Pin) -> bool:
    """Whether the pinned states are all that there are: no depth, and something left to look for to the end."""
    return pin.depth is None and any(prop.verdict is not Verdict.VIOLATED for prop in pin.properties.values())


def smallest(tool: str, protocol: str, variant: str | None) -> Compared:
    """The smallest sizes that there can be; nothing of that is pinned."""
    return Compared(tool, protocol, f"{protocol} {variant or 'itself'} at its smallest", variant)


def chosen() -> list[Compared]:
    """What this run compares."""
    required = os.environ.get("FENCEPOST_TOOLS") == "required"
    rows = small()
    least: dict[tuple[str, str | None], Row] = {}
    for row in rows:
        assert row.pin is not None
        least.setdefault((row.pin.protocol, row.pin.variant), row)
    every = [(name, None) for name in names()]
    every += [(name, variant.name) for name in names() for variant in find(name).protocol.variants]
    found = []
    for tool, most in (GATE if required else BY_THE_WAY).items():
        if DEEP:
            found += [Compared.of(tool, row) for row in rows]
            found += [smallest(tool, *choice) for choice in every if choice not in least]
            continue
        found += [Compared.of(tool, row) for (_, variant), row in least.items() if variant and row.states <= most]
        for choice in every if required else every[:3]:
            if choice[1] is None:
                row = least.get(choice)
                fits = row is not None and row.states <= (SMALL_ENOUGH if required else most)
                found.append(Compared.of(tool, row) if row is not None and fits else smallest(tool, *choice))
    return found
