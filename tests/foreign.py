"""Tools that are not ours and that a test may need: found, or the test says what it did not run.

Such tests are marked `foreign`. Without FENCEPOST_TOOLS in the environment none of them is run. With
FENCEPOST_TOOLS=required a tool that is missing is a failure, not a skip; with any other value, a skip.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

WITHOUT = "not run, for want of"
"""What the reason of such a skip begins with."""

ASKED_FOR = pytest.mark.skip(
    reason=f"{WITHOUT} FENCEPOST_TOOLS=required, which asks for rumur, SPIN, ABC, yosys and a browser"
)
"""What a test that needs such tools is marked with where they are not asked for."""


def need(*commands: str) -> str:
    """The path of the first of these commands that there is."""
    path = next(filter(None, map(shutil.which, commands)), None)
    return path or lacking(commands[0])


def lacking(tool: str) -> NoReturn:
    """End the test: it needs a tool that is not there."""
    if os.environ.get("FENCEPOST_TOOLS") == "required":
        pytest.fail(f"{tool} is required and was not found")
    pytest.skip(f"{WITHOUT} {tool}")
