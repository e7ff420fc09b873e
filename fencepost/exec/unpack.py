"""Taking a packed state apart by table, for Python: one look-up gives all elements of some bits.

A shift and a mask cost Python about as much as looking up a tuple and unpacking it into five names.
So the fields that a block reads are put into windows of a few bits, and a table has, for each value
of a window, the values of its fields.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from attrs import frozen

from fencepost.exec.low import STATE, Field, Local, Low
from fencepost.exec.low_code import Block
from fencepost.exec.low_walk import expressions, operands, rebuild, rewrite

WINDOW = 11
"""Bits of a window: its table has two to the power of that many rows, to be kept small enough for a cache."""

Table = tuple[tuple[int, ...], ...]


@frozen
class Unpacking:
    """How a state is taken apart, and the block with its fields named."""

    lines: tuple[str, ...]
    """Assigns the fields from the state; goes before the block."""
    tables: dict[str, Table]
    """What the lines refer to."""
    block: Block


def unpack(block: Block) -> Unpacking:
    """Name every field of the state that the block reads, except where that saves nothing."""
    uses: Counter[Field] = Counter()
    for root in expressions(block):
        uses.update(_fields(root))
    lines: list[str] = []
    tables: dict[str, Table] = {}
    names: dict[Low, Local] = {}
    for window in _windows(sorted(uses, key=lambda field: field.offset)):
        if sum(uses[field] for field in window) < 2:
            continue
        names |= {field: Local(_name(field), 0, field.hi) for field in window}
        if len(window) == 1:
            lines.append(f"{_name(window[0])} = {_shifted(window[0].offset)} & {(1 << window[0].width) - 1}")
            continue
        table = f"T{window[0].offset}"
        targets, tables[table] = _table(window)
        lines.append(f"{', '.join(targets)} = {table}[{_shifted(window[0].offset)} & {len(tables[table]) - 1}]")
    return Unpacking(tuple(lines), tables, _named(block, names))


def _shifted(offset: int) -> str:
    return f"{STATE} >> {offset}" if offset else STATE


def _name(field: Field) -> str:
    return f"f{field.offset}"


def _fields(node: Low) -> Iterator[Field]:
    if isinstance(node, Field):
        if node.state.name == STATE:
            yield node
        return
    for group in operands(node):
        for operand in group:
            yield from _fields(operand)


def _windows(fields: list[Field]) -> Iterator[list[Field]]:
    """The fields, in runs that begin and end within so many bits."""
    window: list[Field] = []
    for field in fields:
        if window and field.offset + field.width > window[0].offset + WINDOW:
            yield window
            window = []
        window.append(field)
    if window:
        yield window


def _table(window: list[Field]) -> tuple[list[str], Table]:
    """What a row gives, highest bits first, and the rows; bits between the fields are given to `_`."""
    parts: list[tuple[str, int]] = []
    end = window[0].offset
    for field in window:
        if field.offset > end:
            parts.append(("_", field.offset - end))
        parts.append((_name(field), field.width))
        end = field.offset + field.width
    parts.reverse()
    return [name for name, _ in parts], tuple(itertools.product(*(range(1 << width) for _, width in parts)))


def _named(block: Block, names: dict[Low, Local]) -> Block:
    renamed: dict[Low, Low] = dict(names)

    def expr(node: Low) -> Low:
        if node not in renamed:
            renamed[node] = rebuild(node, expr)
        return renamed[node]

    def inner(nested: Block) -> Block:
        return tuple(rewrite(code, expr, inner) for code in nested)

    return inner(block)
