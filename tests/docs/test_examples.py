"""The worked examples: the mistake is found at the length that is told, the fix holds, and the pages are true."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

import fencepost
import fencepost.parts
from fencepost.check import check
from fencepost.engines import Limits
from fencepost.registry import find
from fencepost.verdict import Verdict
from tests.docs.page import DOCS, run_page

FOLDER = DOCS / "examples"
INDEX = (FOLDER / "README.md").read_text("utf-8")
MISTAKES = {
    "skipped_wake": ("no-hang", 4),
    "age_by_position": ("no-return-without-news", 4),
    "reread_target": ("no-hang", 5),
    "failed_submission": ("no-hang", 3),
    "event_outlives_pool": ("no-use-after-destruction", 5),
    "stored_not_subtracted": ("wait-covers-all-copies", 4),
}


def test_every_example_is_here_with_its_page() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == set(MISTAKES)
    pages = {path.stem for path in FOLDER.glob("*.md")} - {"README"}
    assert {page.replace("-", "_") for page in pages} == set(MISTAKES)


@pytest.mark.parametrize("name", MISTAKES)
def test_the_mistake_is_found_at_its_length(name: str) -> None:
    entry, (breaks, length) = find(str(FOLDER / f"{name}.py")), MISTAKES[name]
    (variant,) = entry.protocol.variants
    assert (variant.name, variant.breaks) == ("as-reported", breaks)
    found = {one.name: one for one in check(entry.build(variant="as-reported"), "explore", Limits()).decisions}
    assert found[breaks].verdict is Verdict.VIOLATED
    trace = found[breaks].trace
    assert trace is not None
    assert len(trace.steps) == length


@pytest.mark.parametrize("name", MISTAKES)
def test_the_fix_holds_in_all_states(name: str) -> None:
    found = check(find(str(FOLDER / f"{name}.py")).build(), "explore", Limits()).decisions
    assert {one.verdict for one in found} == {Verdict.EXHAUSTED}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_index_says_what_comes_out(name: str) -> None:
    breaks, length = MISTAKES[name]
    (row,) = [line for line in INDEX.splitlines() if f"({name.replace('_', '-')}.md)" in line]
    assert row.endswith(f"| `{breaks}` | {length} steps |")
    (url,) = re.findall(r"\(https://github.com/([^)]+)\)", row)
    assert url in (FOLDER / f"{name.replace('_', '-')}.md").read_text("utf-8")


@pytest.mark.parametrize("name", MISTAKES)
def test_the_page_runs_as_it_is_written(tmp_path: Path, plain_terminal: None, name: str) -> None:
    shutil.copy(FOLDER / f"{name}.py", tmp_path)
    assert run_page(FOLDER / f"{name.replace('_', '-')}.md", tmp_path) >= 3


@pytest.mark.parametrize("name", MISTAKES)
def test_only_documented_names_are_used(name: str) -> None:
    public = {"fencepost": fencepost.__all__, "fencepost.parts": fencepost.parts.__all__}
    for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))):
        assert not (isinstance(node, ast.Attribute) and node.attr.startswith("_"))
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            assert {alias.name for alias in node.names} <= set(public[node.module or ""])
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= {"enum"}
