"""`verify new NAME`: a protocol of the user's own to start from, with its tests."""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import shlex
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import click

from fencepost.cli.options import FOLDER
from fencepost.cli.saving import write_files
from fencepost.errors import UsageError
from fencepost.registry import names

STEM = "my_protocol"
"""What the template calls itself."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


@click.command("new")
@click.argument("name")
@click.option(
    "--into",
    metavar="DIR",
    type=FOLDER,
    default=".",
    help="Write them there.  [here]",
)
def new(name: str, into: Path) -> int:
    """Write a protocol to start from, NAME.py, and its tests, test_NAME.py.

    Writes both, or neither; never over a file that is there. Exit codes: 0 written, 2 usage error.
    """
    stem = _stem(name)
    contents = {f"{stem}.py": _named(f"{STEM}.py", stem), f"test_{stem}.py": _named(f"test_{STEM}.py", stem)}
    _require_free(stem, (into / file for file in contents))
    write_files(into, contents)
    protocol, test = ((into / file).as_posix() for file in contents)
    click.echo(f"{protocol}, {test}: written")
    click.echo(f"next: verify --protocol {shlex.quote(protocol)}")
    return 0


def _stem(name: str) -> str:
    """The name as one that Python can import.

    Raises:
        UsageError: it cannot be one.
    """
    stem = name.replace("-", "_")
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a module; take letters and digits, with single - or _ in between")
    if keyword.iskeyword(stem):
        raise UsageError(f"{name!r} is a word of Python; take another name")
    return stem


def _require_free(stem: str, paths: Iterable[Path]) -> None:
    """Check that nothing has the name yet.

    Raises:
        UsageError: a file, a protocol or a module has it.
    """
    for path in paths:
        if os.path.lexists(path):
            raise UsageError(f"{path}: there is such a file; nothing was written")
    if _kebab(stem) in names():
        raise UsageError(f"there is an installed protocol {_kebab(stem)!r}; take another name")
    if importlib.util.find_spec(stem) is not None:
        raise UsageError(f"{stem}.py would hide the Python module {stem!r}; take another name")


def _named(template: str, stem: str) -> str:
    """A file of the template, with the user's name in place of its own."""
    text = files("fencepost.templates").joinpath(template).read_text("utf-8")
    own = {spelling(STEM): spelling(stem) for spelling in (str, _kebab, _camel)}
    return re.sub("|".join(own), lambda found: own[found[0]], text)


def _kebab(stem: str) -> str:
    return stem.replace("_", "-")


def _camel(stem: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in stem.split("_"))
