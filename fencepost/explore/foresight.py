"""How much of a search is left, from the sizes of its levels.

Levels grow, and later shrink, by a factor that itself shrinks slowly. So nothing can be said before
they shrink; after that the rest is at most about what it would be if they went on by the same factor.
"""

from __future__ import annotations

from collections.abc import Sequence

_LOOK_BACK = 4
"""Levels over which the factor is taken, so that one odd level does not decide."""


def states_left(sizes: Sequence[int]) -> int | None:
    """About how many states the levels after the last one of `sizes` have; None while levels grow."""
    if len(sizes) <= _LOOK_BACK or not sizes[-1]:
        return None
    factor = (sizes[-1] / sizes[-1 - _LOOK_BACK]) ** (1 / _LOOK_BACK)
    return int(sizes[-1] * factor / (1 - factor)) if factor < 1 else None
