"""The options of `verify`, those of the protocol's own sizes among them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from fencepost.cli.console import nothing_said
from fencepost.config import LONGEST, load_config, parse_memory
from fencepost.errors import ModelError, UsageError, shortened
from fencepost.names import require_known
from fencepost.registry import Entry, find

ENTRY = "fencepost.entry"
CONFIG = "fencepost.config"
SIZE_PREFIX = "size_"

_DIGITS = 18
"""Of a whole number: more are no count of anything."""


class GivenPath(click.Path):
    """A path that is not empty: an empty one would be the folder in which we are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("it is empty; give a name", param, ctx)
        return super().convert(value, param, ctx)


PATH = GivenPath(path_type=Path)
FILE = GivenPath(path_type=Path, dir_okay=False)
FOLDER = GivenPath(path_type=Path, file_okay=False)


def whole(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A whole number from 0 up."""
    if value is None:
        return None
    if not value.isascii() or not value.isdigit():
        raise click.BadParameter(f"{shortened(value)!r} is not a whole number from 0 up", param=param)
    if len(value.lstrip("0")) > _DIGITS:
        raise click.BadParameter(f"{shortened(value)!r} is too large; it takes at most {_DIGITS} digits", param=param)
    return int(value)


def above_zero(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """A whole number from 1 up."""
    number = whole(ctx, param, value)
    if number == 0:
        raise click.BadParameter("it takes at least 1", param=param)
    return number


def seconds(_: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Seconds; 0 is no limit."""
    if value is None:
        return None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise click.BadParameter(f"{shortened(value)!r} is not a number of seconds; 0 is no limit", param=param)
    if number > LONGEST:
        raise click.BadParameter(f"{shortened(value)!r} s are more than {LONGEST:,}; 0 is no limit", param=param)
    return number


def memory(_: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """An amount of memory, in bytes."""
    try:
        return None if value is None else parse_memory(value)
    except ValueError as error:
        raise click.BadParameter(str(error), param=param) from error


def in_a_folder(_: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """A file that can be written when the work is done; refused before an hour's work, not after it."""
    if value is None:
        return None
    if not value.parent.is_dir():
        raise click.BadParameter(f"there is no folder {value.parent}; make it first", param=param)
    if not os.access(value.parent, os.W_OK):
        raise click.BadParameter(f"the folder {value.parent} cannot be written", param=param)
    return value


def one_of(*choices: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """One of a few names; a slip is answered with the nearest."""

    def check(_: click.Context, param: click.Parameter, value: str | None) -> str | None:
        if value is not None:
            require_known(f"choice for {param.opts[0]}", value, choices)
        return value

    return check


def alone(ctx: click.Context, option: str, *others: str) -> None:
    """Refuse what was given beside an option that it says nothing to; `others` are those that it goes with.

    Raises:
        UsageError: something was.
    """
    for name in given(ctx):
        if name not in (option, *others):
            raise UsageError(f"{name} says nothing beside {option}; leave one of them out")


def given(ctx: click.Context) -> list[str]:
    """The options that the command line has, by their long names, in the order of the help."""
    return [
        max(param.opts, key=len)
        for param in ctx.command.get_params(ctx)
        if ctx.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
    ]


class ModelCommand(click.Command):
    """A command about one model, with an option for each size of the protocol in question."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[CONFIG] = config = load_config(_here())
        name = _value_of("--protocol", args) or config.protocol
        if name is not None and not self.is_for_another(args):
            with nothing_said():
                ctx.meta[ENTRY] = find(name)
        return super().parse_args(ctx, args)

    def is_for_another(self, args: Sequence[str]) -> bool:  # noqa: ARG002 - a group looks at them
        """Whether the arguments are those of a command of this one's."""
        return False

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        entry: Entry | None = ctx.meta.get(ENTRY)
        params = super().get_params(ctx)
        return params if entry is None else params[:-1] + _size_options(entry, params) + params[-1:]

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "--protocol NAME [--SIZE N]... [OPTIONS]")


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("the folder in which this was started is gone; start it in another") from error


class ProtocolCommand(ModelCommand, click.Group):
    """A group whose bare form is the check itself."""

    def is_for_another(self, args: Sequence[str]) -> bool:
        return bool(args) and args[0] in self.commands


def _value_of(option: str, args: Sequence[str]) -> str | None:
    for arg, following in zip(args, (*args[1:], None), strict=False):
        if arg == option:
            return following
        if arg.startswith(f"{option}="):
            return arg.partition("=")[2]
    return None


def _size_options(entry: Entry, params: Sequence[click.Parameter]) -> list[click.Parameter]:
    taken = {option for param in params for option in param.opts}
    for size in entry.protocol.sizes:
        if f"--{size.name}" in taken:
            raise ModelError(
                f"{entry.name}: the size {size.name!r} is also an option of verify", "give it another name"
            )
    return [
        click.Option(
            [f"--{size.name}", f"{SIZE_PREFIX}{position}"],
            callback=whole,
            metavar="N",
            help=f"{size.help or size.name}, {size.low} to {size.high}; default {size.default}",
        )
        for position, size in enumerate(entry.protocol.sizes)
    ]


def sizes_of(entry: Entry | None, options: dict[str, Any]) -> dict[str, int]:
    """Take the sizes out of the options; those that were given, by name."""
    sizes = () if entry is None else entry.protocol.sizes
    given = {size.name: options.pop(f"{SIZE_PREFIX}{position}") for position, size in enumerate(sizes)}
    return {name: count for name, count in given.items() if count is not None}
