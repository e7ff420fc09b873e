"""The recycled handle has as many states as three other checkers found, whatever engine and threads search it."""

from __future__ import annotations

import pytest

from benchmarks.recycled_handle import SIZES, Size
from benchmarks.searching import search
from fencepost.explore import bfs
from fencepost.explore.compiler import find_compiler
from fencepost.explore.native import Native
from fencepost.verdict import Stop

pytestmark = pytest.mark.usefixtures("own_cache")


def sizes(most: int, deep: int) -> list[object]:
    """Those of at most so many states; of those above, the deep run takes the ones of at most so many."""
    return [
        pytest.param(size, id=str(size), marks=[] if size.states <= most else [pytest.mark.deep])
        for size in SIZES
        if size.states <= deep
    ]


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("size", sizes(7_000_000, 80_000_000))
def test_in_c(size: Size, threads: int) -> None:
    model = size.build()
    native = Native.of(model, model.properties)
    assert isinstance(native, Native)
    found = search(native, model, threads)
    assert (found.states, found.transitions, found.depth) == (size.states, size.transitions, size.depth)


@pytest.mark.parametrize("size", sizes(1_000_000, 3_000_000))
def test_in_python(size: Size) -> None:
    found = bfs.run(size.build(), compile_after=None)
    assert found.stop is Stop.EXHAUSTED
    assert (found.states, found.transitions, found.depth) == (size.states, size.transitions, size.depth)
