"""The matrix for a person: a table where it fits the width, else a list."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from fencepost.matrix.table import Line, Matrix
from fencepost.report import columns

WIDTH = 100

OBLIGATIONS = "an obligation: a range, an index or a live field"
"""What the last column stands for, where there is one."""


def render(matrix: Matrix, width: int = WIDTH) -> Iterator[str]:
    """The table with numbered properties and their key, then what follows from it."""
    yield matrix.protocol
    table = list(_table(matrix))
    if all(len(line) <= width for line in table):
        yield from table
        yield ""
        yield from (f"  {i:>2}  {name}" for i, name in enumerate(column_names(matrix), 1))
    else:
        yield from _list(matrix)
    conclusions = list(said(matrix))
    if conclusions:
        yield ""
        for line in conclusions:
            yield from textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def column_names(matrix: Matrix) -> list[str]:
    """What each column is of."""
    return [*matrix.properties, *([OBLIGATIONS] if matrix.obligations else [])]


def cells(matrix: Matrix, line: Line) -> list[str]:
    """The fewest steps to a violation, `-` where there is none, nothing where it was not asked."""
    found = [
        str(line.caught[name]) if name in line.caught else "-" * (name in line.asked) for name in matrix.properties
    ]
    if matrix.obligations:
        broken = matrix.broken_obligation(line)
        found.append(str(broken) if broken is not None else "-" * line.pinned)
    return found


def _table(matrix: Matrix) -> Iterator[str]:
    head = ["", *(str(i) for i, _ in enumerate(column_names(matrix), 1))]
    rows = [head, *([line.name, *cells(matrix, line)] for line in matrix.lines)]
    for row in columns(rows, right=range(1, len(head))):
        yield f"  {'  '.join(row)}".rstrip()


def _list(matrix: Matrix) -> Iterator[str]:
    for line in matrix.lines:
        yield f"  {line.name}"
        for name, cell in zip(column_names(matrix), cells(matrix, line), strict=True):
            if cell not in ("", "-"):
                yield f"    {cell:>3}  {name}"


def said(matrix: Matrix) -> Iterator[str]:
    """What follows from the table, a line each."""
    for line in matrix.uncaught:
        if not line.pinned:
            yield f"caught by nothing: {line.name}, which is not pinned"
        elif line.harmless:
            yield f"caught by nothing, as recorded: {line.name} ({line.help})"
        else:
            yield f"caught by nothing: {line.name}, said to break {line.breaks}"
    for name in matrix.idle:
        yield f"catches nothing: {name}"
    for where in sorted({matrix.elsewhere[name] for name in matrix.idle_here}):
        these = [name for name in matrix.idle_here if matrix.elsewhere[name] == where]
        yield f"catches nothing here, but in {', '.join(where)}: {', '.join(these)}"
    pairs = matrix.subsumed
    for name in matrix.properties:
        by = [pair.by for pair in pairs if pair.name == name and not pair.same]
        if by:
            yield f"subsumed: {name} by {', '.join(by)}"
        same = [pair.by for pair in pairs if pair.name == name and pair.same]
        if same:
            yield f"catches the same, equally soon: {name} as {', '.join(same)}"
