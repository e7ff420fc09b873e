"""Sorts: the finite, nominal types of the model language.

Every value of every sort is a Python `int` between `sort.lo` and `sort.hi`, both included:
a Boolean is 0 or 1, an enum its ordinal, an index its position, an option -1 (none) or the
index, a set the bit mask of its members. Readers that pack a value store `value - sort.lo`
in `sort.width` bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

NONE = -1
"""The value of an option that holds nothing."""


class _Bounded:
    """What every sort can say of itself from its two bounds."""

    __slots__ = ()
    lo: int
    hi: int

    @property
    def width(self) -> int:
        """Bits that `value - lo` needs (0 for a sort of one value)."""
        return (self.hi - self.lo).bit_length()

    @property
    def size(self) -> int:
        """How many values the sort has."""
        return self.hi - self.lo + 1

    @property
    def zero(self) -> int:
        """The value of a dead field: none for an option, else the value nearest to 0."""
        return NONE if isinstance(self, OptionSort) else min(max(0, self.lo), self.hi)

    def values(self) -> Iterator[int]:
        """Every value, ascending."""
        return iter(range(self.lo, self.hi + 1))


@frozen(cache_hash=True)
class BoolSort(_Bounded):
    """False (0) or true (1)."""

    @property
    def lo(self) -> int:  # type: ignore[override]
        return 0

    @property
    def hi(self) -> int:  # type: ignore[override]
        return 1


@frozen(cache_hash=True)
class IntSort(_Bounded):
    """The integers from `lo` to `hi`, both included. Structural: two ranges mix freely in arithmetic."""

    lo: int
    hi: int


@frozen(cache_hash=True)
class EnumSort(_Bounded):
    """A named set of members."""

    name: str
    members: tuple[str, ...]

    @property
    def lo(self) -> int:  # type: ignore[override]
        return 0

    @property
    def hi(self) -> int:  # type: ignore[override]
        return len(self.members) - 1


@frozen(cache_hash=True)
class IndexSort(_Bounded):
    """Positions 0..`count`-1 of something that has a name (queues, handles, slots)."""

    name: str
    count: int

    @property
    def lo(self) -> int:  # type: ignore[override]
        return 0

    @property
    def hi(self) -> int:  # type: ignore[override]
        return self.count - 1


@frozen(cache_hash=True)
class OptionSort(_Bounded):
    """An index of `of`, or none."""

    of: IndexSort

    @property
    def lo(self) -> int:  # type: ignore[override]
        return NONE

    @property
    def hi(self) -> int:  # type: ignore[override]
        return self.of.hi


@frozen(cache_hash=True)
class SetSort(_Bounded):
    """A set of indices of `of`, as a bit mask."""

    of: IndexSort

    @property
    def lo(self) -> int:  # type: ignore[override]
        return 0

    @property
    def hi(self) -> int:  # type: ignore[override]
        return (1 << self.of.count) - 1


Sort = BoolSort | IntSort | EnumSort | IndexSort | OptionSort | SetSort

BOOL = BoolSort()


def sort_name(sort: Sort) -> str:
    """The sort as a person would write it."""
    match sort:
        case BoolSort():
            return "Bool"
        case IntSort(lo, hi):
            return f"Range({lo}..{hi})"
        case EnumSort(name=name) | IndexSort(name=name):
            return name
        case OptionSort(of):
            return f"Maybe[{of.name}]"
        case SetSort(of):
            return f"SetOf[{of.name}]"
        case _:
            assert_never(sort)


def show(sort: Sort, value: int) -> str:
    """The value as a person would write it; `parse` reads it back."""
    match sort:
        case BoolSort():
            return "true" if value else "false"
        case IntSort() | IndexSort():
            return str(value)
        case EnumSort(members=members):
            return members[value]
        case OptionSort():
            return "none" if value == NONE else str(value)
        case SetSort(of):
            return "{" + ",".join(str(i) for i in range(of.count) if value >> i & 1) + "}"
        case _:
            assert_never(sort)


def parse(sort: Sort, text: str) -> int:
    """Read what `show` wrote.

    Raises:
        ValueError: the text is not a value of the sort.
    """
    match sort:
        case BoolSort():
            value = {"false": 0, "true": 1}.get(text)
        case EnumSort(members=members):
            value = members.index(text) if text in members else None
        case OptionSort():
            value = NONE if text == "none" else int(text)
        case SetSort():
            value = sum(1 << int(i) for i in set(text.strip("{}").split(",")) if i)
        case IntSort() | IndexSort():
            value = int(text)
        case _:
            assert_never(sort)
    if value is None or not sort.lo <= value <= sort.hi:
        raise ValueError(f"{text!r} is not a value of {sort_name(sort)}")
    return value


def compatible(a: Sort, b: Sort) -> bool:
    """Whether values of the two sorts may be compared or assigned (up to a range obligation)."""
    match a, b:
        case (IntSort(), IntSort()):
            return True
        case (OptionSort(of=x), IndexSort() as y) | (IndexSort() as x, OptionSort(of=y)):
            return x == y
        case _:
            return a == b
