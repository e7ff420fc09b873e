"""What a new user types in after the README: a protocol of their own, edited, broken, mended and under pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import DOCS, blocks, run_page

PAGE = DOCS / "first-protocol.md"


def test_the_first_protocol_goes_as_it_is_written(
    tmp_path: Path, plain_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    assert run_page(PAGE, tmp_path) == 8


def test_they_begin_in_an_empty_folder() -> None:
    """The page's commands are not met by files that a block put there."""
    first = next(block for block in blocks(PAGE.read_text("utf-8")) if block.language)
    assert first.text.startswith("$ verify new ")
    assert first.directive == ""
