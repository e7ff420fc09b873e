"""Symbolic values of the IR's sorts: bits, bounded integers and sets, folded as they are built.

An integer (a range, an enum, an index, an option) is a `Num`: an interval and the unsigned
distance from its lower end, as wide as the interval needs. Sums and differences widen the
interval, so arithmetic is exact and nothing can wrap; negative values need no signed vectors.
A set is one bit a member.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from fencepost.errors import InternalError
from fencepost.ir.sorts import BoolSort, SetSort, Sort
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, choose_bit, conj, disj, iff, neg, same
from fencepost.smt.kernel import BoolTerm, VectorTerm


@frozen(eq=False)
class Num:
    """An integer `lo + offset`, `offset` a bit vector of `(hi - lo).bit_length()` bits (None if `lo == hi`).

    Where a value was not reached (an operand that a lazy operator skips), the offset may lie
    beyond `hi - lo`; every operation is total, and nothing looks at the result.
    """

    lo: int
    hi: int
    offset: VectorTerm | None = None


@frozen(eq=False)
class Members:
    """A set: for each index, whether it is in."""

    bits: tuple[Bit, ...]


Value = Bit | Num | Members


def constant(value: int, sort: Sort) -> Value:
    """A literal of a sort."""
    match sort:
        case BoolSort():
            return bool(value)
        case SetSort(of):
            return Members(tuple(bool(value >> i & 1) for i in range(of.count)))
        case _:
            return Num(value, value)


def number(value: Value) -> Num:
    """The value as an integer; a bit counts as 0 or 1.

    Raises:
        InternalError: it is a set.
    """
    if isinstance(value, Num):
        return value
    if isinstance(value, Members):
        raise InternalError("a set stands where an integer is needed")
    if isinstance(value, bool):
        return Num(int(value), int(value))
    return Num(0, 1, kernel.if_vector(value, kernel.literal(1, 1), kernel.literal(0, 1)))


def bit(value: Value) -> Bit:
    """The value as a Boolean.

    Raises:
        InternalError: it is not one.
    """
    if isinstance(value, (Num, Members)):
        raise InternalError("an integer or a set stands where a Boolean is needed")
    return value


def members(value: Value) -> Members:
    """The value as a set.

    Raises:
        InternalError: it is not one.
    """
    if isinstance(value, Members):
        return value
    raise InternalError("a Boolean or an integer stands where a set is needed")


def distance(num: Num, lo: int, width: int) -> VectorTerm:
    """The integer as its distance from `lo` (at most `num.lo`), in `width` bits."""
    shift = num.lo - lo
    if num.offset is None:
        return kernel.literal(shift, width)
    wide = kernel.widened(num.offset, width)
    return kernel.plus(wide, kernel.literal(shift, width)) if shift else wide


def _aligned(a: Num, b: Num) -> tuple[VectorTerm, VectorTerm]:
    lo = min(a.lo, b.lo)
    width = (max(a.hi, b.hi) - lo).bit_length()
    return distance(a, lo, width), distance(b, lo, width)


def is_value(num: Num, value: int) -> Bit:
    """Whether the integer is the one given."""
    if not num.lo <= value <= num.hi:
        return False
    return True if num.offset is None else kernel.equals(num.offset, kernel.literal(value - num.lo, num.offset.size()))


def equal(a: Value, b: Value) -> Bit:
    """Equality of two values of compatible sorts."""
    if isinstance(a, Members) or isinstance(b, Members):
        return conj(iff(x, y) for x, y in zip(members(a).bits, members(b).bits, strict=True))
    if not isinstance(a, Num) and not isinstance(b, Num):
        return iff(a, b)
    x, y = number(a), number(b)
    if x.offset is None:
        return is_value(y, x.lo)
    if y.offset is None:
        return is_value(x, y.lo)
    if x.hi < y.lo or y.hi < x.lo:
        return False
    left, right = _aligned(x, y)
    return True if left.eq(right) else kernel.equals(left, right)


def less(a: Num, b: Num) -> Bit:
    """`a < b`."""
    if a.hi < b.lo:
        return True
    if a.lo >= b.hi:
        return False
    left, right = _aligned(a, b)
    return False if left.eq(right) else kernel.below(left, right)


def add(a: Num, b: Num) -> Num:
    """Exact sum."""
    lo, hi = a.lo + b.lo, a.hi + b.hi
    if a.offset is None or b.offset is None:
        return Num(lo, hi, b.offset if a.offset is None else a.offset)
    width = (hi - lo).bit_length()
    return Num(lo, hi, kernel.plus(distance(a, a.lo, width), distance(b, b.lo, width)))


def minus(num: Num) -> Num:
    """Exact negation."""
    if num.offset is None:
        return Num(-num.lo, -num.hi)
    return Num(-num.hi, -num.lo, kernel.less_by(kernel.literal(num.hi - num.lo, num.offset.size()), num.offset))


def total(terms: Sequence[Num]) -> Num:
    """Exact sum of any number of integers, added pairwise to keep the vectors short."""
    if not terms:
        return Num(0, 0)
    layer = list(terms)
    while len(layer) > 1:
        paired = [add(a, b) for a, b in zip(layer[::2], layer[1::2], strict=False)]
        layer = paired + layer[len(paired) * 2 :]
    return layer[0]


def choose(cond: Bit, then: Value, orelse: Value) -> Value:
    """`then` where `cond`, else `orelse`."""
    if isinstance(cond, bool):
        return then if cond else orelse
    if then is orelse:
        return then
    if isinstance(then, Members):
        pairs = zip(then.bits, members(orelse).bits, strict=True)
        return Members(tuple(choose_bit(cond, x, y) for x, y in pairs))
    if not isinstance(then, Num) and not isinstance(orelse, (Num, Members)):
        return choose_bit(cond, then, orelse)
    return _choose_number(cond, number(then), number(orelse))


def _choose_number(cond: BoolTerm, then: Num, orelse: Num) -> Num:
    lo, hi = min(then.lo, orelse.lo), max(then.hi, orelse.hi)
    if lo == hi:
        return then
    x, y = _aligned(then, orelse)
    return Num(lo, hi, x if x.eq(y) else kernel.if_vector(cond, x, y))


def inside(num: Num, lo: int, hi: int) -> Bit:
    """Whether the integer lies between `lo` and `hi`, both included."""
    return conj((neg(less(num, Num(lo, lo))), neg(less(Num(hi, hi), num))))


def narrow(num: Num, lo: int, hi: int) -> Num:
    """The same integer, known to lie between `lo` and `hi`; anything between them if it does not."""
    new_lo, new_hi = max(num.lo, lo), min(num.hi, hi)
    if (new_lo, new_hi) == (num.lo, num.hi):
        return num
    if new_lo >= new_hi:
        return Num(min(new_lo, hi), min(new_lo, hi))
    assert num.offset is not None
    width, shift = (new_hi - new_lo).bit_length(), new_lo - num.lo
    by = kernel.literal(shift, num.offset.size())
    return Num(new_lo, new_hi, kernel.lowest(kernel.less_by(num.offset, by) if shift else num.offset, width))


def positions(index: Num, count: int) -> tuple[Bit, ...]:
    """For each position below `count`, whether the index is that position."""
    return tuple(is_value(index, i) for i in range(count))


def select(index: Num, items: Sequence[Value]) -> Value:
    """The item at an index: a tree over the index's bits, its leaves the items that it can reach."""
    if index.offset is None:
        return items[index.lo]
    return _by_bits(index.offset, index.offset.size() - 1, items[index.lo : index.hi + 1])


def _by_bits(offset: VectorTerm, top: int, items: Sequence[Value]) -> Value:
    if len(items) == 1:
        return items[0]
    half = 1 << top
    if len(items) <= half:
        return _by_bits(offset, top - 1, items)
    low, high = _by_bits(offset, top - 1, items[:half]), _by_bits(offset, top - 1, items[half:])
    return choose(kernel.bit_at(offset, top), high, low)


def member(item: Num, of: Members) -> Bit:
    """Whether the index is in the set."""
    return bit(select(item, of.bits))


def with_member(of: Members, item: Num, *, present: bool) -> Members:
    """The set with the index added, or taken out."""
    hits = positions(item, len(of.bits))
    if present:
        return Members(tuple(disj((old, hit)) for old, hit in zip(of.bits, hits, strict=True)))
    return Members(tuple(conj((old, neg(hit))) for old, hit in zip(of.bits, hits, strict=True)))


def identical(a: Value, b: Value) -> bool:
    """Whether the two are one and the same term."""
    if isinstance(a, Num) and isinstance(b, Num):
        if a.offset is None or b.offset is None:
            return a.offset is b.offset and a.lo == b.lo
        return a.lo == b.lo and a.offset.eq(b.offset)
    if isinstance(a, Members) and isinstance(b, Members):
        return all(map(same, a.bits, b.bits))
    return not isinstance(a, (Num, Members)) and not isinstance(b, (Num, Members)) and same(a, b)
