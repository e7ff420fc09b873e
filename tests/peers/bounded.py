"""Pinned rows as a bounded check sees them: what is violated within a depth, and after how many steps."""

from __future__ import annotations

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.manifest import Pin
from fencepost.registry import find
from fencepost.rows.row import Row
from fencepost.verdict import OBLIGATIONS
from tests.peers.rows import small


@frozen
class Violating:
    """A row of which some property of single states is violated."""

    row: Row
    pin: Pin

    @property
    def id(self) -> str:
        return self.row.title

    @property
    def model(self) -> Model:
        return find(self.row.subject).build(variant=self.pin.variant, sizes=self.pin.sizes, features=self.pin.features)

    @property
    def depth(self) -> int:
        """The longest of the pinned lengths, of responses too, so that what is not violated is looked for as well."""
        return max(prop.length for prop in self.pin.properties.values() if prop.length is not None)

    def expected(self, model: Model) -> dict[str, int]:
        """The pinned lengths of the properties that are asked of single states."""
        asked = {prop.name for prop in model.properties if prop.response is None}
        return {name: prop.length for name, prop in self.pin.properties.items() if name in asked and prop.length}


def violating(depth: int) -> list[Violating]:
    """Rows whose violations take at most so many steps, those first that are easiest to check."""
    rows = [Violating(row, row.pin) for row in small() if row.pin is not None]
    found = [each for each in rows if any(prop.length for prop in each.pin.properties.values())]
    return sorted((each for each in found if each.depth <= depth), key=lambda each: (each.depth, each.id))


def of_properties(lengths: dict[str, int]) -> dict[str, int]:
    """Without obligations, which the pins have in other words."""
    return {n: length for n, length in lengths.items() if n != OBLIGATIONS and not n.startswith(("range:", "dead:"))}
