"""`verify explore-ui`: a page on this machine where a person takes the steps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.models import entry_of, model_of
from fencepost.cli.options import PATH, ModelCommand, whole
from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.trace.itf_read import read_itf
from fencepost.ui.server import Server
from fencepost.ui.session import show_path
from fencepost.verdict import Path as Run

HIGHEST_PORT = 65535


def _options(function: Any) -> Any:
    options = (
        *MODEL_OPTIONS,
        click.option("--trace", metavar="TRACE", type=PATH, help="Begin at a recorded trace's end."),
        click.option("--port", metavar="N", callback=whole, help="Where to listen; 0: any that is free.  [0]"),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("explore-ui", cls=ModelCommand)
@_options
@click.pass_context
def explore_ui(ctx: click.Context, /, trace: Path | None, port: int | None, **options: Any) -> int:
    """Take a protocol's steps by hand, in a browser on this machine.

    Prints the address to open, and serves it until Ctrl-C. Nothing is written, and nobody else can
    open it: the address has a random token.
    """
    if (port or 0) > HIGHEST_PORT:
        raise UsageError(f"--port {port}: ports end at {HIGHEST_PORT}")
    model, run = _of_trace(trace, options["protocol"]) if trace is not None else (chosen_model(ctx, options), ())
    with Server(model, _title(model), port or 0) as server:
        click.echo(f"{server.url}{f'#{show_path(run)}' if run else ''}")
        click.echo("Ctrl-C ends it.", err=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def _of_trace(path: Path, protocol: str | None) -> tuple[Model, Run]:
    trace = read_itf(path)
    return model_of(trace.header, entry_of(trace.header, protocol, path)), trace.path


def _title(model: Model) -> str:
    name = model.protocol if model.variant is None else f"{model.protocol}, variant {model.variant}"
    return " · ".join([name, *(f"{size} {count}" for size, count in model.sizes), *model.features])
