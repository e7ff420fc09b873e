"""Running a tool that others wrote, in a folder of its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from fencepost.errors import UsageError


class Unusable(UsageError):
    """The tool is not here, or it did not do what it was asked for."""


def need(*commands: str) -> str:
    """The path of the first of these commands that there is: they are names of one tool.

    Raises:
        Unusable: it is not installed.
    """
    path = next(filter(None, map(shutil.which, commands)), None)
    if path is None:
        raise Unusable(f"{commands[0]} is not installed; docs/export.md says where it comes from")
    return path


def call(command: list[str], folder: Path, timeout: float, *, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command to its end; its standard output.

    Raises:
        Unusable: it cannot be run, took longer, or ended with another exit code.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a tool by its path, on files of ours
            command, cwd=folder, capture_output=True, text=True, timeout=timeout, check=False, errors="replace"
        )
    except subprocess.TimeoutExpired:
        raise Unusable(f"{Path(command[0]).name} took more than {timeout:.0f} s") from None
    except OSError as error:
        raise Unusable(f"{command[0]} cannot be run: {error.strerror}") from None
    if done.returncode not in codes:
        said = " ".join((done.stderr or done.stdout).split())[-400:]
        raise Unusable(f"{Path(command[0]).name} ended with exit code {done.returncode}: {said}")
    return done.stdout
