"""From a state to the one that stands for its orbit, as C source: the function `canonical`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from fencepost.exec.layout import WORD
from fencepost.exec.orbits import Field, Key, Mark, Orbits
from fencepost.exec.sort_network import network
from fencepost.ir.expr import Var
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort
from fencepost.ir.symmetry import VALUE

_WIDEST = 48
"""Bits that are moved at once."""


def canonical_lines(orbits: Orbits) -> Iterator[str]:
    """The function `canonical`, and what it needs."""
    for number, (_, key) in enumerate(orbits.sorted):
        yield from _sort_lines(number, key)
    yield "static inline void arrange(S *s) {"
    yield "(void)s;"
    yield from (f"sort{number}(s);" for number in range(len(orbits.sorted)))
    yield "}"
    if not orbits.tried:
        yield "static inline void canonical(S *s) { arrange(s); }"
        return
    yield from _tables(sorted({orders.role.sort.count for orders in orbits.tried}))
    yield from _least_lines(orbits)


# Roles that are sorted


def _sort_lines(number: int, key: Key) -> Iterator[str]:
    """The function that sorts the indices of a role by their keys: `k<word>_<index>`, the highest word first."""
    count, words = key.count, key.words
    yield f"static inline void sort{number}(S *s) {{"
    names = [f"k{word}_{index}" for word in range(words) for index in range(count)]
    if not names:
        yield "(void)s; }"
        return
    yield f"u64 {', '.join(names)};"
    for index, word in itertools.product(range(count), range(words)):
        yield f"k{word}_{index} = {_key_text(key, word, index)};"
    for low, high in network(count):
        yield from _exchange(low, high, words)
    yield from _clear(key)
    for part in key.parts:
        yield from _put_back(part, count)
    yield "}"


def _key_text(key: Key, word: int, index: int) -> str:
    return " | ".join(_part_text(part, index) for part in key.parts if part.to // WORD == word) or "0"


def _part_text(part: Field | Mark, index: int) -> str:
    by = part.to % WORD
    match part:
        case Field(width=width, at=at):
            return f"({_read(at[index], width)} << {by})"
        case Mark(at=at, width=width, base=base):
            return f"((u64)({_read(at, width)} == {index + base}) << {by})"


def _read(at: int, width: int) -> str:
    """Some bits of the state."""
    word, by = divmod(at, WORD)
    mask = f"{(1 << width) - 1:#x}ULL"
    if by + width <= WORD:
        return f"(s->w[{word}] >> {by} & {mask})"
    return f"((s->w[{word}] >> {by} | s->w[{word + 1}] << {WORD - by}) & {mask})"


def _exchange(low: int, high: int, words: int) -> Iterator[str]:
    """Put two keys in order, without a branch: it would be guessed wrong half of the time."""
    a, b = [f"k{word}_{low}" for word in range(words)], [f"k{word}_{high}" for word in range(words)]
    later = "0"
    for word in range(words):  # the lowest word decides last
        later = f"({a[word]} > {b[word]} || ({a[word]} == {b[word]} && {later}))" if word else f"({a[0]} > {b[0]})"
    yield f"{{ u64 m = 0 - (u64){later}, d;"
    for one, other in zip(a, b, strict=True):
        yield f"d = ({one} ^ {other}) & m; {one} ^= d; {other} ^= d;"
    yield "}"


def _clear(key: Key) -> Iterator[str]:
    gone = 0
    for part in key.parts:
        starts = part.at if isinstance(part, Field) else (part.at,)
        for start in starts:
            gone |= ((1 << part.width) - 1) << start
    for word in range(gone.bit_length() // WORD + 1):
        if mask := gone >> word * WORD & ((1 << WORD) - 1):
            yield f"s->w[{word}] &= {~mask % (1 << WORD):#x}ULL;"


def _put_back(part: Field | Mark, count: int) -> Iterator[str]:
    word, by = divmod(part.to, WORD)
    match part:
        case Field(width=width, at=at):
            for index in range(count):
                yield from _write(f"(k{word}_{index} >> {by} & {(1 << width) - 1:#x}ULL)", at[index], width)
        case Mark(at=at, width=width, base=base):
            held = [f"(k{word}_{index} >> {by} & 1) * {index + base}" for index in range(count) if index + base]
            if held:
                yield from _write(f"({' + '.join(held)})", at, width)


def _write(value: str, at: int, width: int) -> Iterator[str]:
    """Put bits into a place that is clear."""
    word, by = divmod(at, WORD)
    yield f"s->w[{word}] |= {value} << {by};"
    if by + width > WORD:
        yield f"s->w[{word + 1}] |= {value} >> {WORD - by};"


# Roles that are tried in each order


def _tables(counts: Sequence[int]) -> Iterator[str]:
    """For each number of indices, every renaming: the new name of each, and the old one of each."""
    for count in counts:
        new = list(itertools.permutations(range(count)))
        old = [tuple(each.index(name) for name in range(count)) for each in new]
        for name, rows in (("new", new), ("old", old)):
            text = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows)
            yield f"static const unsigned char {name}{count}[{len(rows)}][{count}] = {{{text}}};"


def _least_lines(orbits: Orbits) -> Iterator[str]:
    """The function that takes the least of what the orders lead to."""
    yield "static void canonical(S *s) {"
    yield "S best = *s, x;"
    yield "int any = 0;"
    for number, orders in enumerate(orbits.tried):
        keys = ", ".join(_key_text(orders.key, 0, index) for index in range(orders.key.count))
        yield f"const u64 g{number}[{orders.key.count}] = {{{keys}}};"
    for number, orders in enumerate(orbits.tried):
        count = orders.key.count
        yield f"for (int o{number} = 0; o{number} < {math.factorial(count)}; o{number}++) {{"
        yield f"const unsigned char *p{number} = new{count}[o{number}], *q{number} = old{count}[o{number}];"
        falls = (f"g{number}[q{number}[{i}]] > g{number}[q{number}[{i + 1}]]" for i in range(count - 1))
        yield f"if ({' || '.join(falls)}) continue;"
        yield f"(void)p{number};"
    yield "x = *s;"
    for var in orbits.layout.vars:
        names = {
            where: number
            for number, orders in enumerate(orbits.tried)
            for each, where in orders.role.places
            if each == var
        }
        if names and orbits.layout.slots[var].width:
            yield from _move_lines(orbits, var, names)
    yield "arrange(&x);"
    yield "if (!any || before(&x, &best)) { best = x; any = 1; }"
    yield from ("}" for _ in orbits.tried)
    yield "*s = best;"
    yield "}"


def _move_lines(orbits: Orbits, var: Var, names: dict[int, int]) -> Iterator[str]:
    """Move the elements of a variable to where they belong by their new names, and rename what they hold."""
    slot = orbits.layout.slots[var]
    looped = len(var.dims) if VALUE in names else max(names) + 1
    width = math.prod(dim.count for dim in var.dims[looped:]) * slot.width
    if width > _WIDEST:
        looped, width = len(var.dims), slot.width
    start = finish = "0"
    for dim in range(looped):
        count, name = var.dims[dim].count, f"i{dim}"
        yield f"for (int {name} = 0; {name} < {count}; {name}++) {{"
        start = f"({start} * {count} + {name})"
        finish = f"({finish} * {count} + {f'p{names[dim]}[{name}]' if dim in names else name})"
    yield f"u64 v = (u64)bits(s, {slot.offset} + {start} * {width}, {width});"
    if VALUE in names:
        yield _renamed(var, f"p{names[VALUE]}")
    yield f"put(&x, {slot.offset} + {finish} * {width}, {width}, v);"
    yield from ("}" for _ in range(looped))


def _renamed(var: Var, new: str) -> str:
    match var.sort:
        case IndexSort():
            return f"v = {new}[v];"
        case OptionSort():
            return f"v = v ? {new}[v - 1] + 1u : 0;"
        case SetSort(of):
            return f"{{ u64 w = 0; for (int j = 0; j < {of.count}; j++) w |= (v >> j & 1) << {new}[j]; v = w; }}"
        case BoolSort() | IntSort() | EnumSort():
            raise AssertionError("no index is the value of such a variable")
