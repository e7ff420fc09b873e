"""`verify render TRACE`: the pages of a recorded trace, made anew from the trace alone."""

from __future__ import annotations

from pathlib import Path

import click

from fencepost.cli.models import entry_of, model_of
from fencepost.cli.options import FOLDER, PATH
from fencepost.cli.saving import trace_files, write_files
from fencepost.errors import UsageError
from fencepost.trace.itf_read import read_itf
from fencepost.trace.replay import replay

SUFFIX = ".itf.json"


@click.command("render")
@click.argument("trace", nargs=-1, required=True, type=PATH)
@click.option("--protocol", metavar="NAME|FILE.py", help="Where the protocol is, if it is not installed.")
@click.option("--into", metavar="DIR", type=FOLDER, help="Write there, not beside the trace.")
def render(trace: tuple[Path, ...], protocol: str | None, into: Path | None) -> int:
    """Write the pages of recorded traces (.itf.json) anew: Markdown, and HTML to step through.

    A trace that the model does not make any more is refused. Exit codes: 0 written, 2 usage or model error.
    """
    for path in trace:
        _render(path, protocol, into or path.parent)
    return 0


def _render(path: Path, protocol: str | None, folder: Path) -> None:
    if not path.name.endswith(SUFFIX):
        raise UsageError(f"{path}: a recorded trace is called something{SUFFIX}")
    recorded = read_itf(path)
    entry = entry_of(recorded.header, protocol, path)
    again = replay(recorded, model_of(recorded.header, entry), str(path))
    if again.trace is None:
        raise UsageError(f"{path}: {again.line}; there is nothing to show, record it again")
    name = path.name.removesuffix(SUFFIX)
    files = trace_files(again.trace, name, entry, path.parent)
    pages = {file: text for file, text in files.items() if not file.endswith(SUFFIX)}
    write_files(folder, pages)
    click.echo(f"{path}: {', '.join(sorted(pages))}")
