"""Running the command in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import frozen

from fencepost.cli import main

COUNTER = str(Path(__file__).parent / "protocols" / "counter.py")


@frozen
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


Verify = Callable[..., Ran]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Verify:
    """Runs `verify` with some arguments in an empty directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "FENCEPOST_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)

    def run(*args: str) -> Ran:
        code = main(list(args))
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


@pytest.fixture
def counter() -> str:
    """The path of the counter's protocol."""
    return COUNTER
