"""The language reference does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import fencepost
from tests.docs.page import DOCS, run_page

PAGE = DOCS / "language.md"
ERRORS = {"FencepostError", "InternalError", "ModelError", "UsageError"}


def test_the_reference_runs_as_it_is_written(tmp_path: Path, plain_terminal: None) -> None:
    assert run_page(PAGE, tmp_path) > 10


def test_every_public_name_is_told_of() -> None:
    words = set(re.findall(r"\w+", PAGE.read_text("utf-8")))
    assert set(fencepost.__all__) - words - ERRORS == set()
