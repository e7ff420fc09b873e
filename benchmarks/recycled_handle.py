"""The recycled handle at six sizes, with what other checkers count there."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.registry import find

PROTOCOL = "recycled-handle"


@frozen
class Size:
    """A size of the model, and what every checker finds there."""

    queues: int
    handles: int
    slots: int
    states: int
    transitions: int
    depth: int
    orbits: int | None = None
    """Of states, under symmetry of the queues, where somebody else counted them."""

    def build(self, variant: str | None = None) -> Model:
        """The model of this size."""
        return find(PROTOCOL).build(variant=variant, sizes=self.sizes)

    @property
    def sizes(self) -> Mapping[str, int]:
        """By the names of the protocol."""
        return {"queues": self.queues, "handles": self.handles, "slots": self.slots}

    def __str__(self) -> str:
        return f"Q{self.queues} H{self.handles} K{self.slots}"


SIZES = (
    Size(2, 2, 3, 8_100, 27_579, 23),
    Size(3, 2, 3, 120_944, 524_311, 27, 23_636),
    Size(3, 3, 3, 2_966_020, 13_057_228, 35, 540_616),
    Size(4, 3, 2, 6_413_562, 33_517_591, 36, 378_507),
    Size(3, 3, 4, 14_877_780, 64_939_766, 38, 2_612_762),
    Size(4, 3, 3, 75_146_530, 389_006_254, 40, 3_812_980),
)
"""Counts found alike by rumur, SPIN, TLC and two prototypes, for the variant that is repaired."""

PAIRED = SIZES[3]
"""The size at which the targets are looked at."""
