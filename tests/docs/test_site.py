"""The documentation as pages: each has a place in the navigation, and a link that leads nowhere is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.page import DOCS

RIGHT = """# Page

[up](index.md), [here](#there), [beside](#beside)

## There

<a id="beside"></a>

Text.
"""
INDEX = (DOCS / "index.md").read_text("utf-8")


def entries() -> list[str]:
    """What the navigation lists, in order; patterns among them."""
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", INDEX, re.MULTILINE | re.DOTALL)
    return [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]


def test_every_page_has_a_place_in_the_navigation() -> None:
    pages = {path.relative_to(DOCS).with_suffix("").as_posix() for path in DOCS.rglob("*.md")} - {"index"}
    lost = {page for page in pages if not any(fnmatch(page, entry) for entry in entries())}
    assert lost == set(), "add them to docs/index.md"


def test_the_navigation_names_what_is_there() -> None:
    named = [entry for entry in entries() if "*" not in entry]
    assert len(named) > 20
    assert [entry for entry in named if not (DOCS / f"{entry}.md").exists()] == []


def build(tmp_path: Path, page: str) -> subprocess.CompletedProcess[str]:
    """A site of two pages, made with our settings; the navigation names the one called `page`."""
    docs = tmp_path / "source" / "docs"
    docs.mkdir(parents=True)
    shutil.copy(DOCS / "conf.py", docs)
    docs.joinpath("index.md").write_text("# All\n\n```{toctree}\npage\n```\n")
    docs.joinpath("page.md").write_text(page)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-c", str(docs), str(docs.parent)]
    return subprocess.run(
        [*command, str(tmp_path / "site")], capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path
    )


@pytest.mark.skipif(find_spec("sphinx") is None, reason="sphinx is not installed; pip install 'fencepost[docs]'")
@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        (
            '# Page\n\n[up](index.md), [here](#there), [beside](#beside)\n\n## There\n\n<a id="beside"></a>\n\nText.\n',
            "",
        ),
        ("# Page\n\n[nowhere](nowhere.md)\n", "'nowhere.md'"),
        ("# Page\n\n[nowhere](#nowhere)\n", "'nowhere'"),
        ("# Page\n\n[nowhere](index.md#nowhere)\n", "'nowhere'"),
    ],
    ids=["right", "page", "heading", "heading elsewhere"],
)
def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path, page: str, complaint: str) -> None:
    done = build(tmp_path, page)
    assert (done.returncode == 0) == (not complaint), done.stderr
    assert complaint in done.stderr
