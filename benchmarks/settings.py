"""How much is measured."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen


@frozen
class Settings:
    """Rounds of each pair, states of the largest model, and what one run may take: seconds, steps, bytes."""

    scratch: Path
    rounds: int = 3
    most: int = 3_000_000
    seconds: float = 60.0
    depth: int = 30
    memory: int = 8 << 30
    threads: tuple[int, ...] = (1, 2)
