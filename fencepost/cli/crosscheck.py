"""`verify crosscheck` and `verify import`: what checkers say that others wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from fencepost.cli.choosing import MODEL_OPTIONS, chosen_model
from fencepost.cli.console import console_for
from fencepost.cli.options import PATH, ModelCommand, one_of, seconds, whole
from fencepost.cli.saving import write_files
from fencepost.errors import UsageError
from fencepost.export.reading import READERS
from fencepost.files import printable, read_text
from fencepost.ir.model import Model
from fencepost.peers.crosscheck import Compared, compare, compare_bounded
from fencepost.peers.peers import BOUNDED, PEERS
from fencepost.trace.build import STATEMENTS, Refusal, conclude, run_path
from fencepost.trace.itf import dump_itf
from fencepost.trace.model import Trace
from fencepost.trace.text import render_text

Command = Callable[..., int]

DEPTH = 12
"""Steps that a checker which looks to a depth is asked for."""


def _with(options: tuple[Any, ...]) -> Callable[[Command], Command]:
    def decorate(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


@click.command("crosscheck", cls=ModelCommand)
@_with(
    (
        *MODEL_OPTIONS,
        click.option(
            "--with-tool",
            "tool",
            metavar="NAME",
            callback=one_of(*PEERS, *BOUNDED),
            help=f"{', '.join((*PEERS, *BOUNDED))}.  [{' and '.join(PEERS)}]",
        ),
        click.option("--depth", metavar="N", callback=whole, help=f"How deep {', '.join(BOUNDED)} look.  [{DEPTH}]"),
        click.option("--timeout", metavar="S", callback=seconds, help="Seconds that each run may take.  [300]"),
    )
)
@click.pass_context
def crosscheck(ctx: click.Context, /, **options: Any) -> int:
    """Have checkers that others wrote search the exported model; compare states, verdicts and shortest lengths.

    rumur and spin search all states; the others look for violations to a depth.

    Exit codes: 0 all equal, 1 something differs, 2 usage or model error, or the tool is not there.
    """
    tool, timeout, depth = options.pop("tool"), options.pop("timeout") or 300.0, options.pop("depth")
    model = chosen_model(ctx, options)
    differs = False
    for name in [tool] if tool else PEERS:
        if name in PEERS:
            compared = compare(model, PEERS[name], timeout)
        else:
            compared = compare_bounded(model, BOUNDED[name], DEPTH if depth is None else depth, timeout)
        differs |= bool(compared.differences)
        for line in _lines(name, compared):
            click.echo(line)
    return int(differs)


def _lines(name: str, compared: Compared) -> list[str]:
    word = "DIFFERS" if compared.differences else "equal"
    counted = f"{compared.states:,} states" if "states" not in compared.not_compared else "states not compared"
    lines = [f"{name}: {word}, {counted}"]
    lines += [f"  {line}" for line in compared.differences]
    lines += [f"  {broken} is violated after {length} steps" for broken, length in sorted(compared.lengths.items())]
    left = [each for each in compared.not_compared if each != "states"]
    return lines + ([f"  not compared: {', '.join(left)}"] if left else [])


@click.command("import", cls=ModelCommand)
@click.argument("trace", type=PATH)
@_with(
    (
        *MODEL_OPTIONS,
        click.option(
            "--format", "form", metavar="NAME", required=True, callback=one_of(*READERS), help=f"{', '.join(READERS)}."
        ),
        click.option("-o", "--output", metavar="FILE", type=PATH, help="Record it there (.itf.json)."),
    )
)
@click.pass_context
def import_command(ctx: click.Context, /, **options: Any) -> int:
    """Take the steps of a counterexample that another checker found, and show it as one of ours.

    Exit codes: 1 it is a counterexample here, too; 0 it is none; 2 usage or model error.
    """
    path, form, output = (options.pop(name) for name in ("trace", "form", "output"))
    console, model = console_for("auto"), chosen_model(ctx, options)
    found = _taken(read_text(path, "counterexample"), form, model, path)
    if isinstance(found, str):
        console.print(Text(found, style="green"), soft_wrap=True)
        return 0
    if output is not None:
        write_files(output.parent, {output.name: dump_itf(found)})
    console.print(Text(render_text(found).rstrip("\n")), soft_wrap=True)
    return 1


def _taken(text: str, form: str, model: Model, path: Path) -> Trace | str:
    """The run as the interpreter makes it, or why it is no counterexample."""
    try:
        steps, named = READERS[form].read(text, model), READERS[form].broken(text)
    except UsageError as error:
        raise UsageError(f"{path}: {printable(str(error))}") from error
    if named and not _can_break(model, named):
        raise UsageError(
            f"{path}: it shows how {printable(named)!r} is violated, and {model.protocol} has no such property"
        )
    ran = run_path(model, steps)
    if isinstance(ran, Refusal):
        raise UsageError(f"{path}: step {ran.step} of {len(steps)} cannot be taken here: {ran.why}")
    asked = [ran.broken] if ran.broken else [named] if named else [prop.name for prop in model.properties]
    for name in asked:
        trace = conclude(model, ran, name)
        if isinstance(trace, Trace):
            return trace
    return f"all {len(steps)} steps can be taken, and {' and '.join(asked) or 'nothing'} is not violated"


def _can_break(model: Model, name: str) -> bool:
    """Whether it is called so in the model: a property, or a range or a dead field of an action or a property."""
    asked = [prop.name for prop in model.properties]
    kind, _, where = name.partition(":")
    places = [*asked, *(action.name for action in model.actions)]
    return name in asked or (kind in STATEMENTS and where.partition("/")[0] in places)
