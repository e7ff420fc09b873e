"""Every state that a model can reach, found by the searches of `explore` and turned into sets of bits."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from fencepost.clock import Clock
from fencepost.exec.layout import WORD, Layout
from fencepost.explore.compiler import Failed
from fencepost.explore.interpreted import Interpreted
from fencepost.explore.native import Compiled, Native
from fencepost.explore.searcher import Searcher
from fencepost.ir.model import Model
from fencepost.ir.sorts import SetSort
from fencepost.memory import default_limit, resident
from fencepost.proof.reached import Column, Reached, Set
from fencepost.verdict import Path

_WORTH_C = 5_000
"""States that are worth compiling a model."""

_COUNTED = 1 << 16
"""Values below this are counted, which is fast; greater ones are sorted."""


@frozen
class Failure:
    """Not every state was reached, and why."""

    reason: str
    out_of_memory: bool = False


_TOO_MANY = Failure("there are more states than a search in Python is asked for")
_OUT_OF_TIME = Failure("the search did not reach every state in its time")
_OUT_OF_MEMORY = Failure("the states that can be reached take more memory than they may", out_of_memory=True)


def every_state(model: Model, clock: Clock, memory: int | None) -> Reached | Failure:
    """Search until there is no new state: in Python, and in C where there are many."""
    bare = evolve(model, properties=())
    limit = memory if memory is not None else default_limit()
    searcher = Interpreted.begin(bare, [])
    failure = _driven(searcher, clock, limit, _WORTH_C)
    if failure is _TOO_MANY:
        native = Native.of(bare, [])
        compiled = native if isinstance(native, Failed) else native.ready(wait=True)
        if isinstance(compiled, Compiled):
            failure = _driven(compiled, clock, limit, None)
            if failure is None:
                return _of_c(bare, compiled)
            compiled.close()
        else:
            failure = _driven(searcher, clock, limit, None)
    return failure or _of_python(bare, searcher)


def _driven(searcher: Searcher, clock: Clock, limit: int | None, most: int | None) -> Failure | None:
    """Go on to the end; why that was not reached."""
    while True:
        for went in searcher.expand():
            if went is False or (limit is not None and resident() >= limit):
                return _OUT_OF_MEMORY
            if clock.over:
                return _OUT_OF_TIME
        if not searcher.advance():
            return None
        if most is not None and searcher.count > most:
            return _TOO_MANY


def _of_python(model: Model, searcher: Interpreted) -> Reached:
    layout, states = searcher.steps.layout, list(searcher.parents)
    words = max(1, -(-layout.bits // WORD))
    data = b"".join(state.to_bytes(words * WORD // 8, "little") for state in states)
    table = np.frombuffer(data, dtype=np.uint64).reshape(len(states), words)
    return _sets(model, layout, table, lambda number: searcher.path_to(model, states[number]), lambda: None)


def _of_c(model: Model, compiled: Compiled) -> Reached:
    count, words = compiled.count, compiled.source.words
    data = (ctypes.c_char * (count * words * WORD // 8)).from_address(compiled.address(0))
    table = np.frombuffer(memoryview(data).cast("B"), dtype=np.uint64).reshape(count, words)
    return _sets(model, compiled.layout, table, lambda number: compiled.path_to(model, number), compiled.close)


def _sets(
    model: Model, layout: Layout, table: NDArray[np.uint64], path: Callable[[int], Path], close: Callable[[], None]
) -> Reached:
    columns: list[Column] = []
    sizes: list[int] = []
    at = first = 0
    for var in model.vars:
        slot, width = layout.slots[var], var.sort.width
        for position in range(var.count):
            parts = range(width) if isinstance(var.sort, SetSort) else [None] * bool(width)
            for item in parts:
                place, wide = (0, width) if item is None else (item, 1)
                seen, counts = _seen(_bits(table, slot.at(position) + place, wide))
                columns.append(Column(at, item, first + place, wide, var.sort.lo, seen, counts))
                sizes.append(var.sort.size if item is None else 2)
            at += 1
            first += width
    return Reached(len(table), tuple(columns), tuple(sizes), path, close)


def _bits(table: NDArray[np.uint64], at: int, width: int) -> NDArray[np.uint64]:
    """So many bits of each state, from bit `at` on."""
    word, bit = divmod(at, WORD)
    found = table[:, word] >> np.uint64(bit)
    if bit + width > WORD:
        found = found | table[:, word + 1] << np.uint64(WORD - bit)
    return found & np.uint64((1 << width) - 1)


def _seen(values: NDArray[np.uint64]) -> tuple[dict[int, Set], dict[int, int]]:
    """For each value the states that have it, and how many these are."""
    if int(values.max()) < _COUNTED:
        sizes = np.bincount(values.astype(np.intp))
        found = np.flatnonzero(sizes)
        counts = sizes[found]
    else:
        found, counts = np.unique(values, return_counts=True)
    return {int(v): _packed(values == v) for v in found}, dict(zip(map(int, found), map(int, counts), strict=True))


def _packed(hits: NDArray[np.bool_]) -> Set:
    packed = np.packbits(hits, bitorder="little")
    return np.pad(packed, (0, -len(packed) % (WORD // 8))).view(np.uint64)
