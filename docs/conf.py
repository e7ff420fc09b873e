"""The documentation as pages: `sphinx-build -W --keep-going -c docs . build/docs` from the repository's root."""

from __future__ import annotations

import re
from typing import Any

project = "fencepost"
author = "The fencepost authors"
project_copyright = author

# Pages link to what lies beside docs/ as well, so the sources are the whole repository, and these of it.
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "counterexamples/README.md",
]
source_suffix = {".md": "markdown"}
extensions = ["myst_parser"]

# As GitHub reads Markdown, since that is where most will read it.
myst_heading_anchors = 4
myst_links_external_new_tab = False
nitpicky = True

html_theme = "furo"
html_title = "fencepost"
html_show_sphinx = False
html_copy_source = False
pygments_style = "friendly"


def explicit_anchors(_app: Any, _name: str, source: list[str]) -> None:
    """An anchor that is written for GitHub, as HTML, is one here as well."""
    source[0] = re.sub(r'^<a id="([a-z0-9-]+)"></a>$', r"(\1)=", source[0], flags=re.MULTILINE)


def setup(app: Any) -> None:
    """Sphinx calls this."""
    app.connect("source-read", explicit_anchors)
