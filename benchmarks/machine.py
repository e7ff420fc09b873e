"""What the figures were measured on: processor, memory, versions. No names of hosts, no paths."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.page import table
from benchmarks.timing import NotMeasured, run
from fencepost.explore.bfs import cores
from fencepost.explore.compiler import find_compiler
from fencepost.programs import ABC

PACKAGES = ("cvc5", "bitwuzla", "z3-solver", "python-sat")


def described() -> str:
    """A table of the machine and the versions."""
    rows = [
        ("processor", f"{_first('/proc/cpuinfo', r'model name.*: (.*)')}, {cores()} cores"),
        ("memory", f"{int(_first('/proc/meminfo', r'MemTotal: *([0-9]+)', '0')) / 2**20:.0f} GiB"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("Python", platform.python_version()),
        ("C compiler", _said([find_compiler() or "cc", "--version"], r".*?([0-9]+\.[0-9.]+)", name="cc ")),
        ("rumur", _said(["rumur", "--version"], r"version v?(\S+)")),
        ("SPIN", _said(["spin", "-V"], r"Version (\S+)")),
        ("ABC", _abc()),
        *((package, _package(package)) for package in PACKAGES),
    ]
    return table(("", ""), rows)


def load() -> str:
    """What else the machine does."""
    return f"{os.getloadavg()[0]:.1f}"


def _first(path: str, pattern: str, otherwise: str = "unknown") -> str:
    try:
        found = re.search(pattern, Path(path).read_text(encoding="ascii", errors="replace"))
    except OSError:
        return otherwise
    return found[1].strip() if found else otherwise


def _said(command: list[str], pattern: str, name: str = "") -> str:
    try:
        found = re.search(pattern, run(command, Path.cwd(), 20).output)
    except NotMeasured as error:
        return str(error)
    return f"{name}{found[1]}" if found else "of unknown version"


def _abc() -> str:
    for command in ABC:
        said = _said([command, "-c", "version"], r"ABC ([0-9.]+ \(compiled [^)]*\))")
        if said != "not installed":
            return said
    return "not installed"


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
