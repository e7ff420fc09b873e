"""The cookbook: each recipe runs, and its mistake is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.page import DOCS, run_page

FOLDER = DOCS / "cookbook"
PAGES = sorted(path.name for path in FOLDER.glob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("page", PAGES)
def test_the_page_runs_as_it_is_written(tmp_path: Path, plain_terminal: None, page: str) -> None:
    assert run_page(FOLDER / page, tmp_path) > 4


@pytest.mark.parametrize("page", PAGES)
def test_every_recipe_shows_its_protocol_hold_and_a_mistake_break_it(page: str) -> None:
    for recipe in (FOLDER / page).read_text("utf-8").split("\n## ")[1:]:
        title = recipe.partition("\n")[0]
        assert "EXHAUSTED" in recipe, title
        assert re.search(r"--variant [\w-]+", recipe), title


def test_every_recipe_is_in_the_index() -> None:
    index = (FOLDER / "README.md").read_text("utf-8")
    recipes = [page for page in PAGES for _ in re.findall(r"^## ", (FOLDER / page).read_text("utf-8"), re.MULTILINE)]
    assert len(recipes) == 11
    assert sorted(re.findall(r"^\| \[.*?\]\((\w+\.md)#", index, re.MULTILINE)) == recipes
