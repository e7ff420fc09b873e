"""Sorting networks: which pairs to put in order, one after the other, whatever the values are."""

from __future__ import annotations

from collections.abc import Iterator


def network(count: int) -> Iterator[tuple[int, int]]:
    """Batcher's merge exchange: pairs (low, high) that sort any `count` values; the fewest up to 5, 12 for 6."""
    span = 1
    while span < count:
        span *= 2
    top = step = span // 2
    while step > 0:
        distance, offset, jump = step, 0, top
        while True:
            for low in range(count - distance):
                if low & step == offset:
                    yield low, low + distance
            if jump == step:
                break
            distance, offset, jump = jump - step, step, jump // 2
        step //= 2
