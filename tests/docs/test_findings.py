"""Findings: what they show comes out, and the names that manifests and reports give them are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fencepost.manifest import load
from tests.docs.page import DOCS, REPOSITORY, Block, Runner, blocks

PAGE = DOCS / "findings.md"
MANIFESTS = sorted((REPOSITORY / "properties").rglob("*manifest.toml"))


def anchors() -> list[str]:
    return re.findall(r'^<a id="([a-z0-9-]+)"></a>$', PAGE.read_text("utf-8"), re.MULTILINE)


BLOCKS = [block for block in blocks(PAGE.read_text("utf-8")) if block.language]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"line {block.line}")
def test_a_finding_comes_out_as_it_is_written(tmp_path: Path, plain_terminal: None, block: Block) -> None:
    assert block.language == "console"
    Runner(tmp_path).run(block)


def test_no_two_entries_have_one_name() -> None:
    assert len(set(anchors())) == len(anchors()) > 0


def test_every_finding_that_a_manifest_names_has_an_entry() -> None:
    named = {prop.finding for path in MANIFESTS for pin in load(path).pin for prop in pin.properties.values()}
    assert named - {None} <= set(anchors())
