"""The compiled search: the same breadth-first order as the one in Python, over generated C."""

from __future__ import annotations

import bisect
import ctypes
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from attrs import field, frozen, mutable

from fencepost.exec.c_source import CSource, c_source
from fencepost.exec.lower_model import Watch
from fencepost.explore.compiler import Compilation, Failed, find_compiler
from fencepost.explore.searcher import Outcome
from fencepost.ir.model import Model, Property
from fencepost.verdict import ActionCount, Label, Path

_CHUNK = 1 << 16
"""States that one call expands: a fraction of a second, between two looks at the clock and the memory."""


@frozen
class Native:
    """A model being compiled."""

    source: CSource
    watches: tuple[Watch, ...]
    compilation: Compilation

    @classmethod
    def begin(cls, model: Model, properties: Sequence[Property]) -> Native | Failed:
        """Generate the source and start the compiler."""
        compiler = find_compiler()
        if compiler is None:
            return Failed("no C compiler was found: set CC, or install gcc or clang")
        watches = tuple(
            Watch(prop.name, prop.twin if wanted else prop.holds, wanted)
            for prop in properties
            for wanted in (False, True)
        )
        try:
            source = c_source(model, watches)
            engine = files("fencepost.explore").joinpath("search.c").read_text(encoding="ascii")
            return cls(source, watches, Compilation.begin(source.text + engine, compiler))
        except NotImplementedError as error:
            return Failed(f"the model does not fit the compiled form: {error}")
        except OSError as error:
            return Failed(f"the C compiler could not be run: {error.strerror}")

    def ready(self, wait: bool = False) -> Compiled | Failed | None:
        """The search once the compiler is done, None while it runs."""
        library = self.compilation.poll(wait)
        return Compiled(self.source, self.watches, library) if isinstance(library, ctypes.CDLL) else library


@mutable
class Compiled:
    """A compiled search under way. States are numbered as they are found; `levels[d]` is the first at depth `d`."""

    source: CSource
    watches: tuple[Watch, ...]
    library: ctypes.CDLL
    levels: list[int] = field(factory=lambda: [0])
    _end: int = field(default=1, init=False)
    _search: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        for name, result, arguments in _SIGNATURES:
            function = getattr(self.library, f"search_{name}")
            function.restype, function.argtypes = result, arguments
        self._search = self._call("open")
        if not self._search:
            raise MemoryError

    def _call(self, name: str, *arguments: Any) -> int:
        value = getattr(self.library, f"search_{name}")(*arguments)
        return int(value or 0)

    def close(self) -> None:
        """Give the memory back."""
        self._call("close", self._search)
        self._search = 0

    @property
    def count(self) -> int:
        """States found."""
        return self._call("count", self._search)

    @property
    def frontier(self) -> int:
        """States of the level."""
        return self._end - self.levels[-1]

    def look(self) -> Iterator[None]:
        """Check the states of the level, a chunk at a time."""
        for first, last in self._chunks():
            self._call("look", self._search, first, last)
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
        return frozenset(self._hits(wanted=False))

    def outcome(self, model: Model) -> Outcome:
        """What was found so far."""
        return Outcome(
            states=self.count,
            transitions=self._call("transitions", self._search),
            held_back=self._call("held_back", self._search),
            cut=self._call("cut", self._search),
            actions={
                action.name: ActionCount(self._call("enabled", self._search, i), self._call("fired", self._search, i))
                for i, action in enumerate(model.actions)
            },
            violated={name: self._path(state) for name, state in self._hits(wanted=False).items()},
            broken_steps=self._broken_steps(),
            broken_states=self._broken_states(),
            twins={name: self._path(state) for name, state in self._hits(wanted=True).items()},
        )

    def _hits(self, wanted: bool) -> dict[str, int]:
        """The first state violating each property, or reaching its twin (`wanted`)."""
        found = {}
        for number, watch in enumerate(self.watches):
            state = self._call("hit", self._search, number)
            if watch.wanted is wanted and state >= 0:
                found[watch.where] = state
        return found

    def _broken_states(self) -> dict[str, Path]:
        found = {}
        for number, name in enumerate(self.source.watch_obligations):
            state = self._call("watch_break", self._search, number)
            if state >= 0:
                found[name] = self._path(state)
        return found

    def _broken_steps(self) -> dict[str, Path]:
        found = {}
        item = ctypes.c_int()
        for number, name in enumerate(self.source.obligations):
            state = self._call("break", self._search, number, ctypes.byref(item))
            if state >= 0:
                found[name] = (*self._path(state), self.source.instances[item.value].label)
        return found

    def _path(self, state: int) -> Path:
        """The steps by which the search first came to a state: at each level the first state that leads on."""
        labels: list[Label] = []
        item = ctypes.c_int()
        starts = [*self.levels, self._end]
        for depth in range(bisect.bisect_right(starts, state) - 1, 0, -1):
            state = self._call("parent", self._search, starts[depth - 1], starts[depth], state, ctypes.byref(item))
            labels.append(self.source.instances[item.value].label)
        return tuple(reversed(labels))


_P, _N, _I = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int
_OUT = ctypes.POINTER(ctypes.c_int)
_SIGNATURES: tuple[tuple[str, Any, list[Any]], ...] = (
    ("open", _P, []),
    ("close", None, [_P]),
    ("expand", _I, [_P, _N, _N]),
    ("look", None, [_P, _N, _N]),
    ("count", _N, [_P]),
    ("held_back", _N, [_P]),
    ("cut", _N, [_P]),
    ("transitions", _N, [_P]),
    ("enabled", _N, [_P, _I]),
    ("fired", _N, [_P, _I]),
    ("hit", ctypes.c_int64, [_P, _I]),
    ("watch_break", ctypes.c_int64, [_P, _I]),
    ("break", ctypes.c_int64, [_P, _I, _OUT]),
    ("parent", ctypes.c_int64, [_P, _N, _N, _N, _OUT]),
)
