"""The page on other people's checkers: its commands run, its tables say what there is."""

from __future__ import annotations

from pathlib import Path

from fencepost.export.formats import FORMATS
from fencepost.export.reading import READERS
from fencepost.peers import rumur, spin
from tests.docs.page import DOCS, run_page

PAGE = (DOCS / "export.md").read_text("utf-8")


def test_the_page_runs_as_it_is_written(tmp_path: Path, plain_terminal: None) -> None:
    assert run_page(DOCS / "export.md", tmp_path) >= 1


def test_every_format_has_a_row_and_every_reader_is_named() -> None:
    assert [line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")] == list(FORMATS)
    assert all(f"--format {name}" in PAGE for name in READERS)


def test_the_commands_have_the_flags_that_are_used() -> None:
    assert f"rumur {' '.join((*rumur.GENERATE, *rumur.ALL_STATES))}".replace(" --colour off", "") in PAGE
    assert f"spin {' '.join(spin.GENERATE)} " in PAGE
    assert f"cc {' '.join(spin.COMPILE)} " in PAGE
    assert f"./pan {' '.join(spin.RUN)}" in PAGE
