"""`verify --list` and `verify --version`."""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console
from rich.text import Text

from fencepost.engines import ENGINES
from fencepost.errors import FencepostError
from fencepost.registry import Entry, find, names
from fencepost.report import columns

_COMPILERS = ("gcc", "clang")
_SOLVERS = ("z3", "cvc5", "bitwuzla", "yices-smt2", "spin", "rumur", "tlc")
_PACKAGES = ("z3-solver", "hypothesis")


def print_version(console: Console) -> int:
    """What is installed: the package, the engines, Python packages, and tools on the path."""
    rows = [["fencepost", version("fencepost")]]
    rows += [[f"engine {name}", engine.missing() or engine.does] for name, engine in ENGINES.items()]
    rows += [[package, _package(package)] for package in _PACKAGES]
    rows += [[tool, _tool(tool)] for tool in (*_SOLVERS, *_COMPILERS)]
    _print_table(console, rows)
    return 0


def print_list(console: Console, entry: Entry | None) -> int:
    """What may be chosen about a protocol; without one, about every installed one. What does not load says why."""
    if entry is not None:
        _print_entry(console, entry)
        return 0
    for position, name in enumerate(names()):
        if position:
            console.print()
        try:
            _print_entry(console, find(name))
        except FencepostError as error:
            _print(console, Text(name, style="bold"))
            _print(console, Text(f"  does not load: {error}", style="yellow"))
    return 0


def _print_entry(console: Console, entry: Entry) -> None:
    protocol = entry.protocol
    _print(console, Text(f"{entry.name}", style="bold"))
    if protocol.doc:
        _print(console, Text(f"  {first_sentence(protocol.doc)}"))
    variants = [[protocol.default, "as it is"]]
    variants += [[variant.name, _breaks(variant.help, variant.breaks)] for variant in protocol.variants]
    sizes = [[f"--{s.name}", f"{s.low} to {s.high}, default {s.default}: {s.help}"] for s in protocol.sizes]
    features = [[f.name, f"{f.help} ({'on' if f.default else 'off'})"] for f in protocol.features]
    properties = [[d.name, d.statement] for family in entry.properties for d in family]
    for title, rows in (
        ("variants", variants),
        ("sizes", sizes),
        ("features", features),
        ("properties", properties),
    ):
        if rows:
            _print(console, Text(f"  {title}", style="dim"))
            _print_table(console, rows, "    ")


def first_sentence(doc: str) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join(doc.strip().split("\n\n")[0].split())


def _breaks(help_: str, breaks: str | None) -> str:
    return help_ if breaks is None else f"{help_}; breaks {breaks}"


def _print_table(console: Console, rows: list[list[str]], margin: str = "") -> None:
    for first, second in columns(rows):
        _print(console, Text(f"{margin}{first}  {second.rstrip()}"))


def _print(console: Console, text: Text) -> None:
    console.print(text, soft_wrap=True, highlight=False)


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _tool(name: str) -> str:
    """The first line of `name --version` that has a number, or that the tool is not there."""
    path = shutil.which(name)
    if path is None:
        return "not found"
    try:
        done = subprocess.run(  # noqa: S603 - a tool of the user's own path, no input of anyone
            [path, "-V" if name == "spin" else "--version"], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return f"found, but does not run ({path})"
    lines = (done.stdout + done.stderr).splitlines()
    return next((line.strip() for line in lines if any(c.isdigit() for c in line)), path)
