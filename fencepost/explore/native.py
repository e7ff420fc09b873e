"""The compiled search: the same breadth-first order as the one in Python, over generated C."""

from __future__ import annotations

import bisect
import ctypes
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path as FilePath
from typing import Any

from attrs import field, frozen, mutable

from fencepost.errors import InternalError, UsageError
from fencepost.exec.c_action import risky
from fencepost.exec.c_source import USED, CSource, c_source
from fencepost.exec.layout import WORD, Layout
from fencepost.exec.lower_model import Watch
from fencepost.explore.checkpoint import Mark, load, save
from fencepost.explore.compiler import Compilation, Failed, cached, find_compiler
from fencepost.explore.searcher import Edges, Outcome
from fencepost.ir.model import Model, Property
from fencepost.verdict import ActionCount, Label, Path

_CHUNK = 1 << 16
"""States that one call expands: a fraction of a second, between two looks at the clock and the memory."""

_EDGES = 1 << 18
"""Steps that one call reads, and more where one state may have more."""

_NO_LIMIT = 1 << 62


@mutable
class Native:
    """A model whose search is to be compiled."""

    source: CSource
    watches: tuple[Watch, ...]
    text: str
    compiler: str
    compilation: Compilation | None = None

    @classmethod
    def of(cls, model: Model, properties: Sequence[Property], symmetry: bool = False) -> Native | Failed:
        """Generate the source; with symmetry, of a search for orbits of what the model declares symmetric."""
        compiler = find_compiler()
        if compiler is None:
            return Failed("no C compiler was found: set CC, or install gcc or clang")
        watches = tuple(
            Watch(prop.name, prop.twin if wanted else prop.holds, wanted)
            for prop in properties
            for wanted in (False, True)
        )
        try:
            source = c_source(model, watches, symmetry)
        except NotImplementedError as error:
            return Failed(f"the model does not fit the compiled form: {error}")
        engine = [files("fencepost.explore").joinpath(name).read_text(encoding="ascii") for name in _ENGINE]
        return cls(source, watches, "".join((source.text, *engine)), compiler)

    @property
    def is_cached(self) -> bool:
        """Whether it was compiled before."""
        return cached(self.text, self.compiler).is_file()

    @property
    def digest(self) -> str:
        """Of the model, the properties and the search, whichever compiler there is."""
        return hashlib.sha256(self.text.encode("ascii")).hexdigest()

    def ready(self, wait: bool = False, threads: int = 1, limit: int | None = None) -> Compiled | Failed | None:
        """The search once the compiler is done, None while it runs; the first call starts it.

        Args:
            wait: wait for the compiler.
            threads: how many threads share the work; what is found does not depend on it.
            limit: bytes for the states and their table, at which `expand` stops.
        """
        try:
            self.compilation = self.compilation or Compilation.begin(self.text, self.compiler)
        except OSError as error:
            return Failed(f"the model could not be compiled: {error.strerror}")
        library = self.compilation.poll(wait)
        if not isinstance(library, ctypes.CDLL):
            return library
        return Compiled(self.source, self.watches, library, threads, _NO_LIMIT if limit is None else max(limit, 0))

    def cancel(self) -> None:
        """Stop a compiler that still runs."""
        if self.compilation is not None:
            self.compilation.cancel()


@mutable
class Compiled:
    """A compiled search under way. States are numbered as they are found; `levels[d]` is the first at depth `d`."""

    source: CSource
    watches: tuple[Watch, ...]
    library: ctypes.CDLL
    threads: int = 1
    limit: int = _NO_LIMIT
    levels: list[int] = field(factory=lambda: [0])
    _end: int = field(default=1, init=False)
    _search: int = field(default=0, init=False)
    _risky: tuple[bool, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        for name, result, arguments in _SIGNATURES:
            function = getattr(self.library, f"search_{name}")
            function.restype, function.argtypes = result, arguments
        self._risky = risky(self.watches, self.source.layout)
        self._open(None, 0)

    def _open(self, states: Any, count: int) -> None:
        self._search = self._call("open", self.threads, self.limit, states, count)
        if not self._search:
            raise MemoryError

    def _call(self, name: str, *arguments: Any) -> int:
        value = getattr(self.library, f"search_{name}")(*arguments)
        return int(value or 0)

    def close(self) -> None:
        """Give the memory back."""
        self._call("close", self._search)
        self._search = 0

    def mark(self) -> Mark:
        """Where the search is, at the beginning of a level."""
        return Mark(list(self.levels), self._end, self._row())

    def save(self, path: FilePath, digest: str, mark: Mark) -> None:
        """Keep what was found up to a mark in a file.

        Raises:
            OSError: it cannot be written.
        """
        size = mark.count * self._size
        states = (ctypes.c_char * size).from_address(self._call("states", self._search))
        save(path, digest, mark, memoryview(states).cast("B"))

    def resume(self, path: FilePath, digest: str) -> None:
        """Be where the search was that a file holds.

        Raises:
            UsageError: the file is no such thing, is damaged, or is of another search.
        """
        kept = load(path, digest)
        if len(kept.states) != kept.mark.count * self._size:
            raise UsageError(f"{path} is damaged; begin anew without --resume")
        self.close()
        self._open((ctypes.c_char * len(kept.states)).from_buffer(kept.states), kept.mark.count)
        row = (ctypes.c_int64 * len(kept.mark.totals))(*kept.mark.totals)
        self._call("restore", self._search, row)
        self.levels, self._end = list(kept.mark.levels), kept.mark.count

    @property
    def _size(self) -> int:
        """Bytes of a state."""
        return self.source.words * WORD // 8

    @property
    def symmetry(self) -> tuple[str, ...]:
        """The sorts under whose symmetry a state stands for its orbit."""
        return self.source.symmetry

    @property
    def count(self) -> int:
        """States found."""
        return self._call("count", self._search)

    @property
    def frontier(self) -> int:
        """States of the level."""
        return self._end - self.levels[-1]

    @property
    def bytes(self) -> int:
        """Memory that the states and their table hold."""
        return self._call("bytes", self._search)

    @property
    def layout(self) -> Layout:
        """How the integers that `states` gives are packed."""
        return self.source.layout

    def address(self, state: int) -> int:
        """Where in memory the state of that number lies, and those after it."""
        return self._call("states", self._search) + state * self._size

    def look(self) -> Iterator[None]:
        """Check the states of the level, a chunk at a time."""
        decided = self._totals()
        for first, last in self._chunks():
            wanted = bytes(r or decided.hit[k] < 0 for k, r in enumerate(self._risky)) or b"\0"
            self._call("look", self._search, first, last, wanted)
            decided = self._totals()
            yield

    def expand(self) -> Iterator[bool]:
        """Take every step of the level's states, a chunk at a time; False where memory ran out."""
        for first, last in self._chunks():
            yield bool(self._call("expand", self._search, first, last))

    def advance(self) -> bool:
        """Make the new states the level."""
        self.levels.append(self._end)
        self._end = self.count
        return self.frontier > 0

    def _chunks(self) -> Iterator[tuple[int, int]]:
        for first in range(self.levels[-1], self._end, _CHUNK):
            yield first, min(first + _CHUNK, self._end)

    def violated(self) -> frozenset[str]:
        """Properties violated so far."""
        return frozenset(self._hits(self._totals(), wanted=False))

    def states(self, first: int, last: int) -> Iterator[int]:
        """The states numbered `first..last-1`, packed by `layout`."""
        size = self._size
        start = self._call("states", self._search)
        for at in range(start + first * size, start + last * size, size):
            yield int.from_bytes(ctypes.string_at(at, size), "little") ^ USED

    def edges(self, first: int, last: int) -> Iterator[Edges]:
        """Every step from the states numbered `first..last-1` to a state that was found, in order, in chunks.

        The search cannot go on after this.

        Raises:
            MemoryError: there is no memory for it.
        """
        if not self._call("index", self._search):
            raise MemoryError
        room = max(_EDGES, len(self.source.instances))
        at = ctypes.c_uint64(first)
        while at.value < last:
            arrays = [(ctypes.c_uint32 * room)() for _ in range(3)]
            count = self._call("edges", self._search, ctypes.byref(at), last, room, *arrays)
            yield Edges(*(_numbers(array)[:count] for array in arrays))

    def outcome(self, model: Model) -> Outcome:
        """What was found so far."""
        totals = self._totals()
        violated, twins = self._hits(totals, wanted=False), self._hits(totals, wanted=True)
        broken_states = _named(self.source.watch_obligations, totals.watch_break)
        broken_steps = _named(self.source.obligations, totals.break_state)
        reached = {*violated.values(), *twins.values(), *broken_states.values(), *broken_steps.values()}
        paths = self._paths(reached, self.layout.pack(tuple(var.init for var in model.vars)))
        last = dict(zip(self.source.obligations, totals.break_item, strict=False))
        return Outcome(
            states=self.count,
            transitions=totals.transitions,
            held_back=totals.held_back,
            cut=totals.cut,
            actions={
                action.name: ActionCount(totals.enabled[i], totals.fired[i]) for i, action in enumerate(model.actions)
            },
            violated={name: paths[state] for name, state in violated.items()},
            broken_steps={name: (*paths[state], self._label(last[name])) for name, state in broken_steps.items()},
            broken_states={name: paths[state] for name, state in broken_states.items()},
            twins={name: paths[state] for name, state in twins.items()},
        )

    def path_to(self, model: Model, state: int) -> Path:
        """The steps by which the search first came to the state of that number."""
        return self._paths({state}, self.layout.pack(tuple(var.init for var in model.vars)))[state]

    def _label(self, item: int) -> Label:
        return self.source.instances[item].label

    def _row(self) -> list[int]:
        array = (ctypes.c_int64 * self._call("totals", None, None))()
        self._call("totals", self._search, array)
        return list(array)

    def _totals(self) -> _Totals:
        return _Totals.of(self._row(), self.source)

    def _hits(self, totals: _Totals, wanted: bool) -> dict[str, int]:
        """The first state violating each property, or reaching its twin (`wanted`)."""
        numbered = zip(self.watches, totals.hit, strict=False)
        return {watch.where: state for watch, state in numbered if watch.wanted is wanted and state >= 0}

    def _paths(self, states: set[int], first: int) -> dict[int, Path]:
        """To each state the steps by which the search first came to it: from the first state that leads on.

        All are followed at once, so that each level is gone over once at most. The steps are those from the
        initial state itself, packed: under symmetry, another one may stand for its orbit.
        """
        steps: dict[int, int] = {}
        starts = [*self.levels, self._end]
        wanted = set(states)
        for depth in range(len(starts) - 1, 0, -1):
            here = sorted(state for state in wanted if bisect.bisect_right(starts, state) - 1 == depth)
            if here:
                steps |= self._parents(here, starts[depth - 1], starts[depth])
                wanted |= {steps[state] for state in here}
        paths: dict[int, Path] = {}
        for state in states:
            numbers = [state]
            while numbers[-1] in steps:
                numbers.append(steps[numbers[-1]])
            paths[state] = tuple(self._follow(first, numbers[-2::-1]))
        return paths

    def _follow(self, first: int, states: Sequence[int]) -> Iterator[Label]:
        """The steps from a state to those of these numbers, one after the other."""
        at = ctypes.create_string_buffer((first | USED).to_bytes(self._size, "little"), self._size)
        for state in states:
            item = self._call("follow", self._search, at, state)
            if item < 0:
                raise InternalError("a path that was found in C cannot be followed")
            yield self._label(item)

    def _parents(self, targets: list[int], first: int, last: int) -> dict[int, int]:
        """Of each state, by number, the first one of the level before it that leads to it."""
        n = len(targets)
        numbers, parents = (ctypes.c_uint64 * n)(*targets), (ctypes.c_int64 * n)()
        self._call("parents", self._search, first, last, n, numbers, parents)
        return dict(zip(targets, parents, strict=True))


def _numbers(array: ctypes.Array[ctypes.c_uint32]) -> memoryview[int]:
    return memoryview(array).cast("B").cast("I")


def _named(names: Sequence[str], states: Sequence[int]) -> dict[str, int]:
    return {name: state for name, state in zip(names, states, strict=False) if state >= 0}


@frozen
class _Totals:
    """The counts of a search, as its C has them in a row."""

    held_back: int
    cut: int
    transitions: int
    enabled: Sequence[int]
    fired: Sequence[int]
    hit: Sequence[int]
    watch_break: Sequence[int]
    break_state: Sequence[int]
    break_item: Sequence[int]

    @classmethod
    def of(cls, row: list[int], source: CSource) -> _Totals:
        """The counts in a row; a part that would be empty has one number."""
        sizes = [source.actions] * 2 + [source.watches, len(source.watch_obligations)] + [len(source.obligations)] * 2
        parts, at = [], 3
        for size in sizes:
            parts.append(row[at : at + max(1, size)])
            at += max(1, size)
        return cls(row[0], row[1], row[2], *parts)


_ENGINE = ("search_store.c", "search.c", "search_read.c")

_P, _N, _I = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int
_SIGNATURES: tuple[tuple[str, Any, list[Any]], ...] = (
    ("open", _P, [_I, _N, _P, _N]),
    ("close", None, [_P]),
    ("expand", _I, [_P, _N, _N]),
    ("look", None, [_P, _N, _N, ctypes.c_char_p]),
    ("count", _N, [_P]),
    ("bytes", _N, [_P]),
    ("states", _P, [_P]),
    ("totals", _I, [_P, _P]),
    ("restore", None, [_P, _P]),
    ("parents", _I, [_P, _N, _N, _I, _P, _P]),
    ("follow", _I, [_P, _P, _N]),
    ("index", _I, [_P]),
    ("edges", _N, [_P, _P, _N, _N, _P, _P, _P]),
)
