"""`verify diff A B`: two recorded traces side by side."""

from __future__ import annotations

from pathlib import Path

import click

from fencepost.cli.options import PATH
from fencepost.errors import UsageError
from fencepost.trace.diff import render_diff
from fencepost.trace.itf_read import read_itf


@click.command("diff")
@click.argument("left", type=PATH)
@click.argument("right", type=PATH)
def diff(left: Path, right: Path) -> int:
    """Lay two recorded traces (.itf.json) of one protocol side by side.

    The steps are marked: `=` both take it, `~` both take it and are then in different states, `<` and
    `>` only one takes it. Exit codes: 0 the same steps, 1 not, 2 usage error.
    """
    one, other = read_itf(left), read_itf(right)
    if one.header.protocol != other.header.protocol:
        raise UsageError(
            f"{left} is of {one.header.protocol}, {right} of {other.header.protocol}; give two traces of one protocol"
        )
    click.echo(render_diff(one, other), nl=False)
    return int([step.call for step in one.steps] != [step.call for step in other.steps])
