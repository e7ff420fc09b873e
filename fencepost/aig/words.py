"""Bounded integers over literals, folded as they are built.

A `Word` is an interval and the unsigned distance from its lower end, as many bits as the interval
needs. Sums and differences widen the interval, so arithmetic is exact and nothing can wrap. Where
a value was not reached (an operand that a lazy operator skips) the distance may lie beyond the
interval; every operation is total, and nothing looks at the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from fencepost.aig.graph import FALSE, TRUE, Graph


@frozen
class Word:
    """`lo` plus what the bits say, the lowest first; there are just enough of them for `hi`."""

    lo: int
    hi: int
    bits: tuple[int, ...] = ()


def constant(value: int) -> Word:
    """A known integer."""
    return Word(value, value)


def truth(literal: int) -> Word:
    """A Boolean as 0 or 1."""
    return constant(literal) if literal <= TRUE else Word(0, 1, (literal,))


def bits_of(value: int, width: int) -> tuple[int, ...]:
    """A number's lowest bits, as literals."""
    return tuple(value >> i & 1 for i in range(width))


@frozen
class Words:
    """Arithmetic in a graph."""

    graph: Graph

    def literal(self, word: Word) -> int:
        """A word that is 0 or 1, as a literal."""
        return word.bits[0] if word.bits else word.lo

    def fit(self, word: Word, lo: int, hi: int) -> Word:
        """The same integer, known to lie between `lo` and `hi`; anything between them if it does not."""
        if (word.lo, word.hi) == (lo, hi):
            return word
        if lo == hi:
            return constant(lo)
        width = (hi - lo).bit_length()
        if word.lo >= lo:
            return Word(lo, hi, self.distance(word, lo, max(width, (word.hi - lo).bit_length()))[:width])
        inner = self._plus(word.bits, bits_of(word.lo - lo, max(width, len(word.bits))), max(width, len(word.bits)))
        return Word(lo, hi, inner[:width])

    def distance(self, word: Word, lo: int, width: int) -> tuple[int, ...]:
        """The integer as its distance from `lo` (at most `word.lo`), in `width` bits."""
        return self._plus(word.bits, bits_of(word.lo - lo, width), width)

    def _plus(self, a: Sequence[int], b: Sequence[int], width: int) -> tuple[int, ...]:
        """Sum modulo two to the power of the width."""
        graph, carry, out = self.graph, FALSE, []
        for i in range(width):
            x, y = (a[i] if i < len(a) else FALSE), (b[i] if i < len(b) else FALSE)
            half = graph.differ(x, y)
            out.append(graph.differ(half, carry))
            carry = graph.either(graph.both(x, y), graph.both(half, carry))
        return tuple(out)

    def scaled(self, word: Word, factor: int) -> Word:
        """The product with a known factor that is not 0."""
        lo, hi = sorted((word.lo * factor, word.hi * factor))
        width = (hi - lo).bit_length()
        steps = word.bits
        if factor < 0:
            # From the other end: hi - (lo + distance), and for a full range that is each bit negated.
            span = bits_of(word.hi - word.lo + 1, len(word.bits))
            steps = self._plus([bit ^ 1 for bit in word.bits], span, len(word.bits))
        total: tuple[int, ...] = bits_of(0, width)
        for place in range(abs(factor).bit_length()):
            if abs(factor) >> place & 1:
                total = self._plus(total, (*bits_of(0, place), *steps), width)
        return Word(lo, hi, total)

    def add(self, a: Word, b: Word) -> Word:
        """Exact sum."""
        lo, hi = a.lo + b.lo, a.hi + b.hi
        if not a.bits or not b.bits:
            return Word(lo, hi, a.bits or b.bits)
        return Word(lo, hi, self._plus(a.bits, b.bits, (hi - lo).bit_length()))

    def total(self, words: Iterable[Word], more: int = 0) -> Word:
        """Exact sum of any number of integers, added pairwise to keep them short."""
        layer = list(words)
        while len(layer) > 1:
            paired = [self.add(a, b) for a, b in zip(layer[::2], layer[1::2], strict=False)]
            layer = paired + layer[len(paired) * 2 :]
        return self.add(layer[0], constant(more)) if layer else constant(more)

    def equal(self, a: Word, b: Word) -> int:
        """Equality."""
        if a.hi < b.lo or b.hi < a.lo:
            return FALSE
        if not b.bits:
            a, b = b, a
        if not a.bits:
            wanted = bits_of(a.lo - b.lo, len(b.bits))
            return self.graph.all_of(bit ^ want ^ 1 for bit, want in zip(b.bits, wanted, strict=True))
        left, right = self._aligned(a, b)
        return self.graph.all_of(self.graph.differ(x, y) ^ 1 for x, y in zip(left, right, strict=True))

    def less(self, a: Word, b: Word) -> int:
        """`a < b`."""
        if a.hi < b.lo:
            return TRUE
        if a.lo >= b.hi:
            return FALSE
        graph, below = self.graph, FALSE
        for x, y in zip(*self._aligned(a, b), strict=True):
            below = graph.choose(graph.differ(x, y), y, below)
        return below

    def inside(self, word: Word, lo: int, hi: int) -> int:
        """Whether the integer lies between `lo` and `hi`, both included."""
        return self.graph.both(self.less(word, constant(lo)) ^ 1, self.less(constant(hi), word) ^ 1)

    def choose(self, cond: int, then: Word, orelse: Word) -> Word:
        """`then` where `cond`, else `orelse`."""
        if cond <= TRUE:
            return then if cond else orelse
        lo, hi = min(then.lo, orelse.lo), max(then.hi, orelse.hi)
        pairs = zip(*self._aligned(then, orelse), strict=True)
        return Word(lo, hi, tuple(self.graph.choose(cond, x, y) for x, y in pairs))

    def _aligned(self, a: Word, b: Word) -> tuple[tuple[int, ...], tuple[int, ...]]:
        lo = min(a.lo, b.lo)
        width = (max(a.hi, b.hi) - lo).bit_length()
        return self.distance(a, lo, width), self.distance(b, lo, width)

    def member(self, of: Word, item: Word) -> int:
        """Whether the bit of that number is set in a word from 0."""
        bits = self.distance(of, 0, of.hi.bit_length())
        places = range(max(item.lo, 0), min(item.hi + 1, len(bits)))
        return self.graph.any_of(self.graph.both(self.equal(item, constant(at)), bits[at]) for at in places)

    def with_member(self, of: Word, item: Word, hi: int, *, present: bool) -> Word:
        """The set with the bit of that number set, or cleared."""
        bits = self.distance(of, 0, hi.bit_length())
        hits = [self.equal(item, constant(at)) for at in range(len(bits))]
        change = self.graph.either if present else lambda bit, hit: self.graph.both(bit, hit ^ 1)
        return Word(0, hi, tuple(change(bit, hit) for bit, hit in zip(bits, hits, strict=True)))
