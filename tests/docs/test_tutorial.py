"""The tutorial does what it says."""

from __future__ import annotations

from pathlib import Path

from tests.docs.page import DOCS, run_page


def test_the_tutorial_runs_as_it_is_written(tmp_path: Path, plain_terminal: None) -> None:
    assert run_page(DOCS / "tutorial.md", tmp_path) > 10
