"""A trace as a page that needs nothing else: one file, no network, opened from disk.

Whatever a trace says is data: it lies in a JSON block that no browser executes, and the page's own
script puts it on the screen as text. The page allows that script and that style by their digests
and nothing else, so that a hostile name stays a name.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files

from fencepost.ir.model import Model
from fencepost.trace.causes import Reasons
from fencepost.trace.model import Trace
from fencepost.trace.page_data import page_data


def render_html(trace: Trace, model: Model, why: Reasons, *, command: str) -> str:
    """The page. For the arguments see `page_data`."""
    data = page_data(trace, model, why, command=command)
    style, script = _part("page.css"), _part("page.js")
    parts = {
        "title": escape(f"{data['violated']}: {data['setting'][0]}"),
        "policy": f"default-src 'none'; img-src data:; style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "style": style,
        "data": _inert(json.dumps(data, ensure_ascii=True, separators=(",", ":"))),
        "script": script,
    }
    page = _part("page.html")
    for name, text in parts.items():
        page = page.replace(f"<!-- {name} -->", text, 1)
    return page


def _part(name: str) -> str:
    return files("fencepost.trace").joinpath("page", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _inert(text: str) -> str:
    """JSON that cannot end the element that holds it."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
