"""`verify sweep`: whether other sizes change a verdict."""

from __future__ import annotations

from typing import Any

import click

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.options import ENTRY, ModelCommand, memory, seconds, whole
from fencepost.engines import Limits
from fencepost.memory import default_limit
from fencepost.registry import Entry
from fencepost.sweep import outcome, render, sweep

SECONDS = 60.0


def _options(function: Any) -> Any:
    options = (
        *MODEL_OPTIONS,
        click.option("--depth", metavar="N", callback=whole, help="Within so many steps.  [all]"),
        click.option("--timeout", metavar="S", callback=seconds, help=f"Seconds a search.  [{SECONDS:g}]"),
        click.option("--memory", metavar="SIZE", callback=memory, help="Memory a search.  [of what is free]"),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("sweep", cls=ModelCommand)
@_options
@click.pass_context
def sweep_command(ctx: click.Context, /, **options: Any) -> int:
    """Say whether other sizes change a verdict: each size one smaller and one larger, one at a time.

    Small sizes seldom hide what larger ones show, but that is experience and no proof: this is how to look.

    Exit codes: 0 no other size shows a violation that the chosen ones do not, 1 one does, 2 usage or
    model error, 3 some search came to no answer.
    """
    depth, timeout, limit = options.pop("depth"), options.pop("timeout"), options.pop("memory")
    entry: Entry | None = ctx.meta.get(ENTRY)
    model = chosen_model(ctx, options)
    assert entry is not None
    limits = Limits(depth, SECONDS if timeout is None else timeout or None, limit or default_limit())
    found = list(sweep(entry, model, limits))
    click.echo("\n".join(render(found, entry.protocol.default)))
    return outcome(found)[0]
