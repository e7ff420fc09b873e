"""`verify matrix`: which property catches which variant."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

from fencepost.errors import FencepostError
from fencepost.matrix.markdown import page
from fencepost.matrix.table import matrices
from fencepost.matrix.text import render
from fencepost.registry import Entry, find, names


@click.command("matrix")
@click.option("--protocol", metavar="NAME|FILE.py", help="Of this protocol alone.  [every installed one]")
@click.option("--markdown", is_flag=True, help="As a page of Markdown.")
@click.option("--strict", is_flag=True, help="Exit 1 if something catches nothing, or is caught by nothing.")
def matrix_command(protocol: str | None, markdown: bool, strict: bool) -> int:
    """Say which property catches which variant, and in how many steps.

    From what is pinned; verify --all says whether that is so. Names what is caught by nothing, what
    catches nothing, and properties of which one says no more than another.

    Exit codes: 0, or with --strict 1 if a property catches nothing or a variant that is not
    recorded as harmless is caught by nothing; 2 usage or model error.
    """
    if protocol is None:
        found = matrices([find(name) for name in names()])
    else:
        found = matrices([find(protocol)], list(_sound()))
    if markdown:
        click.echo(page(found), nl=False)
    else:
        click.echo("\n\n".join("\n".join(render(one)) for one in found))
    return int(strict and not all(one.sound for one in found))


def _sound() -> Iterator[Entry]:
    """Every installed protocol that loads: what is wrong with another is not asked here."""
    for name in names():
        with contextlib.suppress(FencepostError):
            yield find(name)
