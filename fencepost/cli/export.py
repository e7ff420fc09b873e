"""`verify export`: the model as text for a checker that others wrote."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.options import PATH, ModelCommand, one_of
from fencepost.cli.saving import write_files
from fencepost.errors import UsageError
from fencepost.export.formats import FORMATS
from fencepost.ir.model import Model
from fencepost.names import require_known


def _options(function: Any) -> Any:
    options = (
        *MODEL_OPTIONS,
        click.option("--property", "only", metavar="NAME", multiple=True, help="Only this property; repeatable."),
        click.option(
            "--format", "form", metavar="NAME", required=True, callback=one_of(*FORMATS), help=f"{', '.join(FORMATS)}."
        ),
        click.option("-o", "--output", metavar="FILE", type=PATH, help="Write there.  [standard output]"),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("export", cls=ModelCommand)
@_options
@click.pass_context
def export_command(ctx: click.Context, /, **options: Any) -> int:
    """Write a model for a checker that others wrote; docs/export.md says what each format can say.

    Exit codes: 0 written, 2 usage or model error, or the format cannot say it.
    """
    form, output, only = (options.pop(name) for name in ("form", "output", "only"))
    exported = FORMATS[form].export(_with_properties(chosen_model(ctx, options), only))
    if output is None:
        click.echo(exported.text, nl=False)
        return 0
    if output.is_dir():
        raise UsageError(f"{output} is a folder; give a file in it")
    beside = {f"{output.stem}{suffix}": text for suffix, text in exported.beside.items()}
    _refuse_what_nobody_named(output, beside, FORMATS[form].suffix)
    write_files(output.parent, {output.name: exported.text, **beside})
    return 0


def _refuse_what_nobody_named(output: Path, beside: Iterable[str], suffix: str) -> None:
    """Replace a file beside the one that was named only together with that: then both are of an export before."""
    for name in beside:
        if name.casefold() == output.name.casefold():
            raise UsageError(f"{output}: that is the file which is written beside it; give {output.stem}{suffix}")
        there = output.with_name(name)
        if there.exists() and not output.exists():
            raise UsageError(f"{there} is written, too, and there is one already; move it away, or give another name")


def _with_properties(model: Model, only: tuple[str, ...]) -> Model:
    if not only:
        return model
    known = [prop.name for prop in model.properties]
    for name in only:
        require_known(f"property of {model.protocol}", name, known)
    return evolve(model, properties=tuple(prop for prop in model.properties if prop.name in only))
