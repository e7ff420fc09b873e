"""`verify graph`: a small state space, the life of one element, or who waits for whom, as a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.models import entry_of, model_of
from fencepost.cli.options import PATH, ModelCommand, alone, one_of, whole
from fencepost.errors import UsageError
from fencepost.graphs.states import lifecycle_graph, state_graph
from fencepost.graphs.waits import wait_graph
from fencepost.graphs.write import WRITERS, Graph
from fencepost.trace.itf_read import read_itf
from fencepost.trace.replay import replay

MOST = 200
"""States that are drawn unless more are asked for; nobody looks at thousands."""


def _options(function: Any) -> Any:
    options = (
        *MODEL_OPTIONS,
        click.option("--element", metavar="NAME", help="The life of this element or record, as gpu.pool.signals[0]."),
        click.option("--trace", metavar="TRACE", type=PATH, help="Who waits at its end."),
        click.option("--depth", metavar="N", callback=whole, help="Within so many steps.  [all]"),
        click.option("--most", metavar="N", callback=whole, help=f"Refuse more states than these.  [{MOST}]"),
        click.option(
            "--format", "form", metavar="NAME", callback=one_of(*WRITERS), help="dot, mermaid or graphml.  [dot]"
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command("graph", cls=ModelCommand)
@_options
@click.pass_context
def graph_command(ctx: click.Context, /, **options: Any) -> int:
    """Write a graph: the states, the life of an element (--element), or who waits for whom (--trace).

    Exit codes: 0 written, 2 usage or model error.
    """
    form = options.pop("form") or "dot"
    click.echo(WRITERS[form](_graph(ctx, options)), nl=False)
    return 0


def _graph(ctx: click.Context, options: dict[str, Any]) -> Graph:
    element, trace, depth, most = (options.pop(name) for name in ("element", "trace", "depth", "most"))
    if trace is not None:
        if element is not None:
            raise UsageError("--element and --trace ask for different graphs; give one of them")
        alone(ctx, "--trace", "--protocol", "--format")
        return _waits(trace, options["protocol"])
    model = chosen_model(ctx, options)
    if element is not None:
        return lifecycle_graph(model, element, depth=depth)
    return state_graph(model, depth=depth, most=MOST if most is None else most)


def _waits(path: Path, protocol: str | None) -> Graph:
    recorded = read_itf(path)
    model = model_of(recorded.header, entry_of(recorded.header, protocol, path))
    again = replay(recorded, model, str(path))
    if again.trace is None:
        raise UsageError(f"{path}: {again.line}; record it again")
    graph = wait_graph(model, again.trace.states[-1])
    if not graph:
        raise UsageError(f"{path}: at its end nobody whose turn it is waits for anybody; it is no hang")
    return graph
