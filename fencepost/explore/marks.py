"""Marking every state of a compiled search with the conditions that hold in it, in C."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from importlib.resources import files

import numpy as np
from attrs import evolve, frozen

from fencepost.exec.c_source import c_source
from fencepost.exec.lower_model import Watch
from fencepost.explore.compiler import Compilation, find_compiler
from fencepost.explore.graph import Bools
from fencepost.explore.native import Compiled
from fencepost.ir.model import Model

_CHUNK = 1 << 18
"""States between two looks at the clock and the memory."""


@frozen(eq=False)
class Marks:
    """For each watch, the states in which it hits; and the states in which some watch breaks an obligation."""

    hits: tuple[Bools, ...]
    breaks: Bools


def marks_of(
    compiled: Compiled, count: int, model: Model, watches: Sequence[Watch], pause: Callable[[], None]
) -> Marks | None:
    """The marks of so many states; None where they cannot be made in C."""
    compiler = find_compiler()
    if compiler is None or not watches:
        return None
    try:
        source = c_source(evolve(model, actions=()), watches)
        text = source.text + files("fencepost.explore").joinpath("marks.c").read_text(encoding="ascii")
        library = Compilation.begin(text, compiler).poll(wait=True)
    except (NotImplementedError, OSError):
        return None
    if not isinstance(library, ctypes.CDLL):
        return None
    mark = library.marks
    mark.restype, mark.argtypes = None, [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]
    words = np.zeros((count, -(-len(watches) // 64)), dtype=np.uint64)
    breaks = np.zeros(count, dtype=np.uint8)
    for first in range(0, count, _CHUNK):
        pause()
        size = min(_CHUNK, count - first)
        mark(compiled.address(first), size, words[first:].ctypes.data, breaks[first:].ctypes.data)
    one = np.uint64(1)
    hits = tuple((words[:, n // 64] >> np.uint64(n % 64) & one).astype(np.bool_) for n in range(len(watches)))
    return Marks(hits, breaks.astype(np.bool_))
