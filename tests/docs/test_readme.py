"""The README is true: its example runs, its lines are those that continuous integration uses."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from fencepost.registry import names
from fencepost.verdict import Verdict
from tests.docs import page
from tests.docs.page import REPOSITORY, blocks, run_page

README = REPOSITORY / "README.md"
TEXT = README.read_text("utf-8")
MAIN, TEST = (block.text.strip() for block in blocks(TEXT) if block.language == "sh")


def test_the_examples_run_as_they_are_written(
    tmp_path: Path, plain_terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a new user types them, in an empty folder, each command a process of its own."""
    monkeypatch.setattr(page, "_PLAIN", re.compile(r"(?!)"))
    for name in ("PYTHONPATH", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    assert run_page(README, tmp_path) == 2
    assert {path.name for path in tmp_path.glob("*.py")} == {"mine.py", "test_mine.py"}


def test_each_line_installs_in_an_environment_of_its_own() -> None:
    for line in (MAIN, TEST):
        assert "\n" not in line
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert MAIN.endswith(" && .venv/bin/verify --protocol retiring --depth 12")
    assert TEST.endswith(" && .venv/bin/pytest --quiet --numprocesses auto")


def test_continuous_integration_runs_the_test_line() -> None:
    script = (REPOSITORY / ".ci" / "run").read_text("utf-8")
    extract = re.search(r"^line=\$\((.*)\)$", script, re.MULTILINE)
    assert extract is not None
    done = subprocess.run(["bash", "-c", extract[1]], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout == f"{TEST}\n"


def test_every_protocol_has_a_row() -> None:
    assert set(re.findall(r"^\| `([\w-]+)` \|", TEXT, re.MULTILINE)) == set(names())


def test_every_verdict_is_named() -> None:
    assert [verdict.value for verdict in Verdict if verdict.value not in TEXT] == []
