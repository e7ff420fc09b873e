"""A terminal of known width and no colour."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns, no colour, and no path left over from a page's files."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LC_ALL", "C")
    for name in ("FORCE_COLOR", "NO_COLOR", "FENCEPOST_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)
