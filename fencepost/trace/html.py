"""A trace as a page that needs nothing else: one file, no network, opened from disk.

Whatever a trace says is data: it lies in a JSON block that no browser executes, and the page's own
script puts it on the screen as text. The page allows that script and that style by their digests
and nothing else, so that a hostile name stays a name.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib.resources import files

from fencepost.ir.model import Model
from fencepost.trace.causes import Reasons
from fencepost.trace.model import Trace
from fencepost.trace.page_data import page_data


def render_html(trace: Trace, model: Model, why: Reasons, *, command: str) -> str:
    """The page. For the arguments see `page_data`."""
    data = page_data(trace, model, why, command=command)
    title = escape(f"{data['violated']}: {data['setting'][0]}")
    told = _inert(json.dumps(data, ensure_ascii=True, separators=(",", ":")))
    return assemble(
        part("page.html"), "img-src data:", part("page.css"), whole(part("page.js")), title=title, data=told
    )


def part(name: str) -> str:
    """A file of the page's."""
    return files("fencepost.trace").joinpath("page", name).read_text(encoding="utf-8")


def whole(script: str) -> str:
    """A page's script with what it shares with other pages in it: a line `// include NAME` is a file of the page's."""
    return re.sub(r"^ *// include (\S+)\n", lambda found: part(found[1]), script, flags=re.MULTILINE)


def assemble(skeleton: str, allowed: str, style: str, script: str, *, title: str = "", data: str = "") -> str:
    """A page that allows its own style and script, by their digests, what `allowed` says, and nothing else.

    `title` and `data` have to be inert already.
    """
    parts = {
        "title": title,
        "policy": f"default-src 'none'; {allowed}; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "style": style,
        "data": data,
        "script": script,
    }
    for name, text in parts.items():
        skeleton = skeleton.replace(f"<!-- {name} -->", text, 1)
    return skeleton


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _inert(text: str) -> str:
    """JSON that cannot end the element that holds it."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
