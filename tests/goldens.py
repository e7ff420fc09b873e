"""Comparing with files under `tests/golden`.

`FENCEPOST_GOLDEN=write pytest ...` writes them anew; what changed is for review in the diff.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def expect_golden(name: str, text: str) -> None:
    """The text is, byte for byte, that of the golden file."""
    path = FOLDER / name
    if os.environ.get("FENCEPOST_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    assert text.encode() == path.read_bytes(), f"{path} differs"
