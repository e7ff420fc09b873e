"""docs/trust.md lists the tests that plant faults: they are there, and none is left out."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "trust.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)`", PAGE)))
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and "`tests/" in line]


def test_what_is_named_is_there() -> None:
    assert NAMED
    assert [name for name in NAMED if not (ROOT / name).is_file()] == []


def test_every_test_that_plants_faults_is_named() -> None:
    planting = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_planted_*.py")}
    assert planting
    assert sorted(planting - set(NAMED)) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_the_number_of_faults_is_right(row: str) -> None:
    number = re.match(r"(\d+):", row.split("|")[2].strip())
    names = re.findall(r"`(tests/[\w/]+)\.py`", row)
    if number is None or len(names) != 1:
        return
    module = importlib.import_module(names[0].replace("/", "."))
    lists = {
        "the search in C": "IN_C",
        "the search in Python": "IN_PYTHON",
        "fair loops, in the bounded check": "SYMBOLIC",
    }
    faults = getattr(module, lists.get(row.split("|")[1].strip(), "FAULTS"), None)
    if faults is not None:
        assert len(faults) == int(number[1])
