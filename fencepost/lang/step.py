"""`Step`: what an action's function is given to say guards, branches, loops and notes with."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

from attrs import frozen

from fencepost.errors import ModelError
from fencepost.ir.model import GuardKind
from fencepost.lang.liveness import starts_dead
from fencepost.lang.location import here
from fencepost.lang.recorder import Recorder
from fencepost.lang.records import Record, elements
from fencepost.lang.refusals import near
from fencepost.lang.scope import index_sort
from fencepost.lang.values import Bool, Index, Value

A = TypeVar("A", bound=Index)
T = TypeVar("T", bound=Record)


@frozen
class Chosen:
    """What was chosen for a build, and what there was to choose from."""

    variant: str | None
    features: Collection[str]
    variants: Collection[str]
    optional: Collection[str]


class Settings:
    """What was chosen for this build: variant, features, sizes. Python values, so a plain `if` works on them."""

    def __init__(self, chosen: Chosen) -> None:
        self._chosen = chosen

    def variant(self, name: str) -> bool:
        """Whether the variant `name` is being built.

        Raises:
            ModelError: the protocol declares no such variant.
        """
        known = self._chosen.variants
        if name not in known:
            mend = near(name, known) or "declare it in Protocol(variants=...)"
            raise ModelError(f"the protocol has no variant {name!r}", mend, here())
        return self._chosen.variant == name

    def has(self, feature: str) -> bool:
        """Whether the optional feature is in this build.

        Raises:
            ModelError: the protocol declares no such feature.
        """
        known = self._chosen.optional
        if feature not in known:
            mend = near(feature, known) or "declare it in Protocol(features=...)"
            raise ModelError(f"the protocol has no feature {feature!r}", mend, here())
        return feature in self._chosen.features

    def size(self, index: type[Index]) -> int:
        """How many of an index sort there are."""
        return index_sort(index).count


class Step(Settings):
    """One atomic step being written down."""

    def __init__(self, recorder: Recorder, chosen: Chosen) -> None:
        super().__init__(chosen)
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
        return self._recorder.when(cond)

    def otherwise(self) -> AbstractContextManager[None]:
        """`with m.otherwise():` right after a `with m.when(...)` block: the other branch."""
        return self._recorder.otherwise()

    def each(self, index: type[A]) -> Iterator[A]:
        """`for i in m.each(HwQueue):` the body for every index, ascending, each turn seeing the last."""
        return self._recorder.each(index)

    def copy(self, to: T, source: T) -> None:
        """Make every field of one record what the same field of another is now, dead ones too."""
        if type(to) is not type(source):
            raise ModelError(
                f"m.copy() was given a {type(to).__name__} and a {type(source).__name__}",
                "give it two records of one class",
                here(),
            )
        values = [(field, index, source.place.raw(field, index)) for field, index in elements(source)]
        for field, index, value in values:
            to.place.put(to, field, index, value)
        self._recorder.copied(to, source)

    def clear(self, record: Record) -> None:
        """Make every field of a record what it was at the start."""
        if not isinstance(record, Record):
            raise ModelError("m.clear() takes a record", "assign the field itself", here())
        for field, index in elements(record):
            record.place.put(record, field, index, record.place.start(field))
            if starts_dead(record, field):
                self._recorder.is_reset()

    def note(self, text: str, *values: Value, of: Index | None = None) -> None:
        """Tell a reader of the trace what happens here; `{}` stands for a value.

        Steps with notes are the milestones of a trace. With `of`, the note is an event in the life of
        that index (a handle, say), shown on its lifecycle line.
        """
        self._recorder.note(text, values, of)
