"""Which rows of the manifests are cross-checked: what the gate has time for, or all that are small enough.

A build of a verifier takes seconds, so their number decides, and not that of the states.
"""

from __future__ import annotations

import os

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.manifest import Pin
from fencepost.registry import find
from fencepost.rows.row import Row, all_rows
from tests.profile import DEEP

MOST = 200_000
"""States of the largest row that is compared at all."""

GATE = {"rumur": 8_000, "spin": 2_000}
"""States of the largest variant that the gate compares; of each protocol itself the smallest pin, whatever its size."""

BY_THE_WAY = {"rumur": 500, "spin": 400}
"""The same for a run that is not asked to use foreign tools, and finds them."""



@frozen
class Compared:
    """A row and the checker that looks at it."""

    tool: str
    row: Row

    @property
    def pin(self) -> Pin:
        assert self.row.pin is not None
        return self.row.pin

    @property
    def model(self) -> Model:
        pin = self.pin
        return find(self.row.subject).build(variant=pin.variant, sizes=pin.sizes, features=pin.features)

    @property
    def id(self) -> str:
        return f"{self.tool} {self.row.title}"


def small() -> list[Row]:
    """Every row that is small enough, the smallest first."""
    rows = [row for row in all_rows() if row.pin is not None and row.pin.states is not None and row.states <= MOST]
    return sorted(rows, key=lambda row: (row.states, row.title))


def chosen() -> list[Compared]:
    """What this run compares."""
    required = os.environ.get("FENCEPOST_TOOLS") == "required"
    rows = small()
    if DEEP:
        return [Compared(tool, row) for row in rows for tool in GATE]
    smallest: dict[tuple[str, str | None], Row] = {}
    for row in rows:
        assert row.pin is not None
        smallest.setdefault((row.pin.protocol, row.pin.variant), row)
    found = []
    for tool, most in (GATE if required else BY_THE_WAY).items():
        for (_, variant), row in smallest.items():
            if row.states <= most or (variant is None and required):
                found.append(Compared(tool, row))
    return found
