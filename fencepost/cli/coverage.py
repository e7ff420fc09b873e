"""`verify coverage`: what of a model never happens."""

from __future__ import annotations

from typing import Any

import click

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.options import ENTRY, FILE, ModelCommand, above_zero, alone, whole
from fencepost.cli.saving import write_files
from fencepost.coverage.collect import MOST, Coverage, collect
from fencepost.coverage.html import render_html
from fencepost.coverage.text import page, render
from fencepost.mutate.pinned import load
from fencepost.registry import Entry, find, names


def _options(function: Any) -> Any:
    options = (
        *MODEL_OPTIONS,
        click.option("--depth", metavar="N", callback=whole, help="Within so many steps.  [all]"),
        click.option("--most", metavar="N", callback=above_zero, help=f"Refuse more states than these.  [{MOST}]"),
        click.option("--html", metavar="FILE", type=FILE, help="As a page, there."),
        click.option("--cover", is_flag=True, help="Exit 4 if something never happens."),
        click.option("--markdown", is_flag=True, help="Of all whose mutation is pinned, the page docs/coverage.md."),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("coverage", cls=ModelCommand)
@_options
@click.pass_context
def coverage(ctx: click.Context, /, **options: Any) -> int:
    """Say what of a model never happens: actions, conjuncts of guards, branches, situations of properties.

    Exit codes: 0 told, 2 usage or model error, 4 with --cover, something never happens.
    """
    if options.pop("markdown"):
        alone(ctx, "--markdown")
        click.echo(page(_every_pinned()), nl=False)
        return 0
    html, cover = options.pop("html"), options.pop("cover")
    depth, most = options.pop("depth"), options.pop("most")
    entry: Entry | None = ctx.meta.get(ENTRY)
    model = chosen_model(ctx, options)
    assert entry is not None
    found = collect(model, depth, most or MOST)
    if html is not None:
        write_files(html.parent, {html.name: render_html(found)})
    click.echo("\n".join(render(found, entry.protocol.default)))
    return 4 if cover and any(True for _ in found.holes()) else 0


def _every_pinned() -> list[Coverage]:
    found: dict[str, Coverage] = {}
    for name in names():
        entry = find(name)
        for pin in load(entry.manifest):
            if pin.protocol == name and name not in found:
                model = entry.build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
                found[name] = collect(model, pin.depth)
    return [found[name] for name in sorted(found)]
