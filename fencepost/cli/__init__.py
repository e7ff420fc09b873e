"""The command `verify` (also `fencepost`): standard output is the report, standard error progress and errors."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> int:
    """Run `verify` with these arguments (the process's own by default) and give the exit code."""
    try:
        from fencepost.cli.entry import main as run  # noqa: PLC0415 - takes a while, in which Ctrl-C is one line, too
    except KeyboardInterrupt:
        sys.stderr.write("verify: interrupted before anything was checked\n")
        return 130
    return run(args)
