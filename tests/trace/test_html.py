"""The page of a trace: what it says, that it is complete in itself, and that nothing in a trace is executed."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest
from attrs import evolve

from fencepost.ir.model import Actor, Model
from fencepost.trace.build import build_trace
from fencepost.trace.causes import Other, reasons
from fencepost.trace.html import render_html
from fencepost.trace.model import Trace
from tests.trace.toy import ARM, DESTROYED, HUNG, MENDED, OVERFLOW, TOY, with_action

COMMAND = "verify replay toy.itf.json"


def page(trace: Trace, model: Model = TOY, other: Other | None = None) -> str:
    return render_html(trace, model, reasons(trace, model, other), command=COMMAND)


def data(html: str) -> Any:
    [block] = re.findall(r'<script type="application/json" id="trace">(.*?)</script>', html, re.DOTALL)
    return json.loads(block)


def scripts(html: str) -> list[str]:
    return re.findall(r"<script(?: [^>]*)?>(.*?)</script>", html, re.DOTALL)


@pytest.fixture
def told() -> Any:
    return data(page(build_trace(TOY, DESTROYED), other=Other("mended", MENDED)))


def test_a_step_has_its_actor_call_changes_and_guards(told: Any) -> None:
    step = told["steps"][2]
    assert (step["actor"], step["call"], step["src"]) == (
        "packet processor 1",
        "enqueue(q=1, h=1)",
        "Serializer::enqueue",
    )
    assert step["notes"] == ["packet on queue 1"]
    assert [change[1:] for change in step["changes"]] == [["queues[1].waits", "none", "1"]]
    assert [guard["name"] for guard in step["guards"]] == ["armed", "room"]
    assert step["guards"][0]["values"] == [["handles[1].phase", "ARMED"]]


def test_the_steps_at_fault_are_marked(told: Any) -> None:
    assert [number for number, step in enumerate(told["steps"], 1) if step["cause"]] == [3, 7]


def test_it_says_where_another_model_parts(told: Any) -> None:
    assert told["other"]["name"] == "mended"
    assert told["other"]["partings"] == [[7, 'is refused there: "unreferenced" does not hold', True]]


def test_every_element_is_in_one_table_and_starts_as_the_model_does(told: Any) -> None:
    tables = {table["title"]: table for table in told["tables"]}
    assert list(tables) == ["handles", "queues", ""]
    assert tables["queues"]["columns"] == ["waits"]
    assert tables["queues"]["rows"] == ["0", "1"]
    assert tables[""]["columns"] == ["used", "paused", "budget", "ever"]
    numbers = [number for table in told["tables"] for row in table["cells"] for number in row if number is not None]
    assert sorted(numbers) == list(range(8))
    initial = {number: text for table in told["tables"] for number, text in table["initial"].items()}
    assert [initial[str(number)] for number in range(8)] == [
        "FREE",
        "FREE",
        "none",
        "none",
        "{}",
        "false",
        "3",
        "false",
    ]


def test_changes_lead_from_the_initial_state_to_the_last(told: Any) -> None:
    values = {int(number): text for table in told["tables"] for number, text in table["initial"].items()}
    for step in told["steps"]:
        for number, _, before, after in step["changes"]:
            assert values[number] == before
            values[number] = after
    assert values[1] == "FREE"  # destroyed
    assert values[3] == "1"  # and waited for


@pytest.mark.parametrize("finding", [DESTROYED, HUNG, OVERFLOW])
def test_it_is_complete_in_itself(finding: Any) -> None:
    html = page(build_trace(TOY, finding))
    assert re.findall(r' (?:src|href|action)="([^"]*)"', html) == ["data:,"]
    assert not re.search(r"https?://|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|import\(", html)
    assert "<!-- " not in html
    assert (html.count("function make("), html.count("const theme ="), "// include" in html) == (1, 1, False)
    assert page(build_trace(TOY, finding)) == html


def test_only_its_own_script_and_style_are_allowed() -> None:
    html = page(build_trace(TOY, DESTROYED))
    [style] = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    script = scripts(html)[1]
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    digests = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in (style, script)
    ]
    assert policy == f"default-src 'none'; img-src data:; style-src {digests[0]}; script-src {digests[1]}"


EVIL = "</script><script>alert(1)</script><!-- script --><img src=x onerror=alert(2)>\u2028&amp;"


def test_a_hostile_name_stays_text() -> None:
    hostile = with_action(TOY, evolve(ARM, actor=Actor(EVIL), src=EVIL))
    hostile = evolve(hostile, protocol=EVIL, variant=EVIL)
    html = page(build_trace(hostile, DESTROYED), hostile)
    around = re.sub(r'(<script type="application/json" id="trace">).*?</script>', "", html, flags=re.DOTALL)
    assert "<script>alert" not in around
    assert "<img" not in around
    assert len(scripts(html)) == 2
    assert data(html)["actors"][0] == EVIL.replace("\u2028", "?")
    assert scripts(html)[1] == scripts(page(build_trace(TOY, DESTROYED)))[1]
