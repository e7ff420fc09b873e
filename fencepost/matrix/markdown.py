"""The matrix as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.matrix.table import Matrix
from fencepost.matrix.text import cells, column_names, said

_HEAD = """\
# Which property catches which variant

Made by `verify matrix --markdown` from the pinned results; [cli.md](cli.md#verify-matrix) says how to read it.
"""


def page(matrices: Sequence[Matrix]) -> str:
    """The page: a section a protocol."""
    return "\n".join([_HEAD, *("\n".join(_section(matrix)) for matrix in matrices)])


def _section(matrix: Matrix) -> Iterator[str]:
    names = column_names(matrix)
    yield f"## {matrix.protocol}"
    yield ""
    yield _row(["", *(str(i) for i, _ in enumerate(names, 1))])
    yield _row(["---", *("--:" for _ in names)])
    for line in matrix.lines:
        yield _row([f"`{line.name}`" if line.variant else f"{line.name} (as it is)", *cells(matrix, line)])
    yield ""
    for i, name in enumerate(names, 1):
        yield f"{i}. {name}"
    conclusions = list(said(matrix))
    if conclusions:
        yield ""
        yield from (f"- {line}" for line in conclusions)
    yield ""


def _row(parts: Sequence[str]) -> str:
    return f"| {' | '.join(part.replace('|', chr(92) + '|') for part in parts)} |"
