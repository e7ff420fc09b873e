"""`Step`: what an action's function is given to say guards, branches, loops and notes with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

from fencepost.errors import ModelError
from fencepost.ir.model import GuardKind
from fencepost.lang.location import here
from fencepost.lang.recorder import Recorder
from fencepost.lang.records import Record, elements
from fencepost.lang.scope import index_sort
from fencepost.lang.values import Bool, Index, Value

A = TypeVar("A", bound=Index)
T = TypeVar("T", bound=Record)


class Settings:
    """What was chosen for this build: variant, features, sizes. Python values, so a plain `if` works on them."""

    def __init__(
        self, variant: str | None, variants: Collection[str], features: Collection[str], known: Collection[str]
    ) -> None:
        self._variant = variant
        self._variants = variants
        self._features = features
        self._known = known

    def variant(self, name: str) -> bool:
        """Whether the variant `name` is being built.

        Raises:
            ModelError: the protocol declares no such variant.
        """
        if name not in self._variants:
            raise ModelError(f"the protocol has no variant {name!r}", "declare it in Protocol(variants=...)", here())
        return self._variant == name

    def has(self, feature: str) -> bool:
        """Whether the optional feature is in this build.

        Raises:
            ModelError: the protocol declares no such feature.
        """
        if feature not in self._known:
            raise ModelError(f"the protocol has no feature {feature!r}", "declare it in Protocol(features=...)", here())
        return feature in self._features

    def size(self, index: type[Index]) -> int:
        """How many of an index sort there are."""
        return index_sort(index).count


class Step(Settings):
    """One atomic step being written down."""

    def __init__(self, recorder: Recorder, settings: Settings) -> None:
        super().__init__(settings._variant, settings._variants, settings._features, settings._known)
        self._recorder = recorder

    def require(self, cond: Bool | bool, name: str) -> None:
        """The step can be taken only where `cond` holds. Guards come before the first assignment."""
        self._recorder.guard(cond, name, GuardKind.REQUIRE)

    def bound(self, cond: Bool | bool, name: str) -> None:
        """Keep the model finite: the code has no such condition. Comes after every `require`."""
        self._recorder.guard(cond, name, GuardKind.BOUND)

    def when(self, cond: Bool) -> AbstractContextManager[None]:
        """`with m.when(cond):` the assignments inside happen only where `cond` holds."""
        if isinstance(cond, bool):
            raise ModelError("m.when() was given a Python bool", "write a plain Python `if`", here())
        return self._recorder.branch(cond)

    def otherwise(self) -> AbstractContextManager[None]:
        """`with m.otherwise():` right after a `with m.when(...)` block: the other branch."""
        return self._recorder.alternative()

    def each(self, index: type[A]) -> Iterator[A]:
        """`for i in m.each(HwQueue):` the body for every index, ascending, each turn seeing the last."""
        return self._recorder.each(index)

    def copy(self, to: T, source: T) -> None:
        """Make every field of one record what the same field of another is now, dead ones too."""
        values = [(field, index, source.place.raw(field, index)) for field, index in elements(source)]
        for field, index, value in values:
            to.place.put(field, index, value)

    def clear(self, record: Record) -> None:
        """Make every field of a record what it was at the start."""
        for field, index in elements(record):
            record.place.put(field, index, record.place.start(field))

    def note(self, text: str, *values: Value, of: Index | None = None) -> None:
        """Tell a reader of the trace what happens here; `{}` stands for a value.

        Steps with notes are the milestones of a trace. With `of`, the note is an event in the life of
        that index (a handle, say), shown on its lifecycle line.
        """
        self._recorder.note(text, values, of)
