"""The command `verify` (also `fencepost`): standard output is the report, standard error progress and errors."""

from fencepost.cli.main import main

__all__ = ["main"]
