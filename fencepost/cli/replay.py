"""`verify replay TRACE`: take a recorded trace's steps on the model as it is now."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from fencepost.cli.console import console_for
from fencepost.cli.models import entry_of, model_of
from fencepost.cli.options import PATH, one_of
from fencepost.config import COLOR_CHOICES
from fencepost.trace.itf_read import read_itf
from fencepost.trace.replay import Replay, Replayed, replay
from fencepost.trace.text import render_text

_EXPECTED = {
    "violated": Replayed.REPRODUCES,
    "refused": Replayed.IMPOSSIBLE,
    "holds": Replayed.HARMLESS,
}


@click.command("replay")
@click.argument("trace", type=PATH)
@click.option("--protocol", metavar="NAME|FILE.py", help="Where the protocol is, if it is not installed.")
@click.option("--variant", metavar="NAME", help="Replay on this variant, not on the trace's own.")
@click.option(
    "--expect",
    metavar="WHAT",
    callback=one_of(*_EXPECTED),
    help="violated: it reproduces; refused: a step is no longer possible; holds: nothing is wrong at its end.",
)
@click.option("--quiet", is_flag=True, help="The outcome alone.")
@click.option("--color", metavar="WHEN", callback=one_of(*COLOR_CHOICES), help="always, never or auto.  [auto]")
def replay_command(
    trace: Path, protocol: str | None, variant: str | None, expect: str | None, quiet: bool, color: str | None
) -> int:
    """Replay a recorded trace (.itf.json) on the model as it is now.

    Says REPRODUCES, NO LONGER POSSIBLE with the step and the guard that refuses it, or NO LONGER
    VIOLATED. Exit codes: 0 it does not reproduce, or as expected; 1 it reproduces, or not as
    expected; 2 usage or model error.
    """
    recorded = read_itf(trace)
    found = replay(
        recorded, model_of(recorded.header, entry_of(recorded.header, protocol, trace), variant=variant), str(trace)
    )
    console = console_for(color or "auto")
    style = "bold red" if found.outcome is Replayed.REPRODUCES else "green"
    console.print(Text(found.line, style=style), soft_wrap=True)
    if found.trace is not None and not quiet:
        console.print()
        console.print(Text(render_text(found.trace).rstrip("\n")), soft_wrap=True)
    return _exit_code(found, expect)


def _exit_code(found: Replay, expect: str | None) -> int:
    if expect is None:
        return int(found.outcome is Replayed.REPRODUCES)
    return int(found.outcome is not _EXPECTED[expect])
