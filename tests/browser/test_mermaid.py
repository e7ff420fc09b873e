"""Sequence diagrams under Mermaid's own parser and painter: each that is kept, and one full of hostile names.

FENCEPOST_MERMAID is the path of `dist/mermaid.min.js` of the npm package `mermaid`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from fencepost.ir.model import Actor
from fencepost.trace.build import build_trace
from fencepost.trace.mermaid import render_mermaid
from tests.foreign import lacking
from tests.trace.toy import ARM, DESTROYED, TOY, with_action

pytestmark = pytest.mark.foreign

KEPT = sorted((Path(__file__).parents[2] / "counterexamples").glob("*/*.md"))
EVIL = "end; loop %%{init}%% <script>alert(1)</script> -->> A0: x `#` “quoted” 'and' \"so\""


@pytest.fixture(scope="module")
def mermaid(browser: Any) -> Any:
    script = Path(os.environ.get("FENCEPOST_MERMAID", "no such file"))
    if not script.is_file():
        lacking("mermaid")
    page = browser.new_page()
    page.set_content("<div></div>")
    page.add_script_tag(path=str(script))
    page.evaluate("mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' })")
    return page


def parsed(page: Any, text: str) -> Any:
    return page.evaluate("text => mermaid.parse(text).then(told => told.diagramType, error => String(error))", text)


def test_there_are_diagrams_to_parse() -> None:
    assert KEPT


def test_every_kept_diagram_is_understood(mermaid: Any) -> None:
    wrong = {}
    for page in KEPT:
        [text] = re.findall(r"^```mermaid\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        if (told := parsed(mermaid, text)) != "sequence":
            wrong[page.name] = told
    assert wrong == {}


def test_what_is_no_diagram_is_not(mermaid: Any) -> None:
    assert parsed(mermaid, "sequenceDiagram\n    Note over: nobody\n") != "sequence"


def test_a_hostile_name_is_painted_as_text(mermaid: Any) -> None:
    hostile = with_action(TOY, evolve(ARM, actor=Actor(EVIL)))
    text = render_mermaid(build_trace(hostile, DESTROYED))
    assert parsed(mermaid, text) == "sequence"
    painted = mermaid.evaluate("text => mermaid.render('it', text).then(told => told.svg)", text)
    assert "<script" not in painted
    assert "alert(1)" in painted
