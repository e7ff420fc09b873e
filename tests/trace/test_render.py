"""Text, Markdown and Mermaid: their bytes, their folding, and what hostile names can do to them (nothing)."""

from __future__ import annotations

import re

import pytest
from attrs import evolve
from markdown_it import MarkdownIt

from fencepost.ir.expr import Param, Var
from fencepost.ir.sorts import EnumSort, IndexSort
from fencepost.trace.build import build_trace
from fencepost.trace.escape import block, code, line, mermaid, prose
from fencepost.trace.fold import Fold, Scene, scenes
from fencepost.trace.itf import dump_itf
from fencepost.trace.itf_read import load_itf
from fencepost.trace.lifecycle import lives, subject_name
from fencepost.trace.markdown import render_markdown, replay_command
from fencepost.trace.mermaid import render_mermaid
from fencepost.trace.model import (
    Blocked,
    Bound,
    Event,
    Explanation,
    Header,
    Reading,
    Step,
    Subject,
    Trace,
    TraceAction,
)
from fencepost.trace.text import render_text
from tests.goldens import expect_golden
from tests.trace.toy import DESTROYED, HUNG, OVERFLOW, TOY

FINDINGS = {"destroyed": DESTROYED, "hung": HUNG, "overflow": OVERFLOW}


@pytest.fixture(params=FINDINGS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def trace(name: str) -> Trace:
    return build_trace(TOY, FINDINGS[name])


def test_text(name: str, trace: Trace) -> None:
    expect_golden(f"trace/{name}.txt", render_text(trace))


def test_folded_text(name: str, trace: Trace) -> None:
    expect_golden(f"trace/{name}.folded.txt", render_text(trace, folded=True))


def test_markdown(name: str, trace: Trace) -> None:
    expect_golden(f"trace/{name}.md", render_markdown(trace, command=replay_command(f"{name}.itf.json")))


def test_rendered_from_the_stored_trace_alone(trace: Trace) -> None:
    stored = load_itf(dump_itf(trace), "x")
    assert render_text(stored) == render_text(trace)
    assert render_markdown(stored) == render_markdown(trace)
    assert dump_itf(stored) == dump_itf(trace)


# Folding


def test_folds_lie_between_milestones() -> None:
    folded = list(scenes(build_trace(TOY, DESTROYED), folded=True))
    shown = [scene.number if isinstance(scene, Scene) else scene.numbers for scene in folded]
    assert shown == [1, "2", 3, "4-5", 6, 7]
    assert [scene.event for scene in folded if isinstance(scene, Scene)] == [1, 2, 3, 4]


def test_last_step_is_always_shown() -> None:
    trace = build_trace(TOY, DESTROYED)
    steps = (*trace.steps, evolve(trace.steps[1], state=trace.states[-1]))
    *_, last = scenes(evolve(trace, steps=steps), folded=True)
    assert isinstance(last, Scene)
    assert (last.number, last.event) == (8, None)


def test_without_milestones_nothing_is_folded() -> None:
    trace = build_trace(TOY, DESTROYED)
    bare = evolve(trace, steps=tuple(evolve(step, notes=()) for step in trace.steps))
    assert not any(isinstance(scene, Fold) for scene in scenes(bare, folded=True))


def test_long_traces_are_folded_unless_asked_otherwise() -> None:
    trace = build_trace(TOY, DESTROYED)
    pauses = (evolve(trace.steps[1], state=trace.states[0]),) * 30
    long = evolve(trace, steps=(*pauses, *trace.steps))
    assert "1-30  ... host: pause(), pause()" in render_text(long)
    assert "..." not in render_text(long, folded=False)
    assert "..." not in render_text(trace)


# Lifecycles


def test_lifecycle() -> None:
    first, second = lives(build_trace(TOY, HUNG))
    assert first.line == "handle 1: ARMED, 2 left -> CLEARED(0) -> DESTROYED -> ARMED, 1 left"
    assert [event.step for event in first.events] == [1, 3, 4, 5]
    assert (first.at_fault, second.at_fault) == (True, False)
    assert second.line == "handle 0: ARMED, 0 left"


@pytest.mark.parametrize(
    ("sort", "name"),
    [("Handle", "handle 3"), ("SignalHandle", "signal handle 3"), ("HSA", "hsa 3"), ("Slot2Use", "slot2 use 3")],
)
def test_subject_names(sort: str, name: str) -> None:
    assert subject_name(Subject(sort, 3)) == name


# Hostile names

EVIL = "a|b`c``<script>alert(1)</script>\x1b[31m\n# x\r\n- y [z](w) &amp; *b* _i_ ~s~ $m$ @me \\| end; %% -->"


def evil_trace() -> Trace:
    sort = EnumSort(EVIL, (EVIL, EVIL + "2"))
    var = Var(EVIL, sort, (), (0,))
    action = TraceAction(EVIL, (Param(EVIL, IndexSort(EVIL, 2)),), EVIL)
    subject = Subject(EVIL, 1)
    steps = (
        Step(EVIL, action, (1,), ((1,),), (Event(EVIL, subject), Event(EVIL))),
        Step(EVIL + "2", action, (1,), ((1,),)),
        Step(EVIL, action, (1,), ((1,),), (), EVIL),
    )
    readings = (Reading(EVIL, EVIL),)
    explanation = Explanation(
        EVIL, (Bound(EVIL, EVIL, EVIL),), (EVIL,), readings, (Blocked(EVIL, EVIL, readings),), 3, (subject,)
    )
    header = Header(EVIL, EVIL, ((EVIL, 1),), (EVIL,), (EVIL,), EVIL, EVIL, EVIL, EVIL)
    return Trace(header, (var,), steps, explanation=explanation)


def test_hostile_names_survive_storage() -> None:
    trace = evil_trace()
    assert load_itf(dump_itf(trace), "x") == trace
    assert dump_itf(trace).isascii()


def test_hostile_names_in_text() -> None:
    text = render_text(evil_trace())
    assert all(row.isprintable() for row in text.splitlines())
    assert text.count("\n") == len(text.splitlines())
    assert len(text.splitlines()) == 20, "no name adds a line"


def test_hostile_names_in_markdown() -> None:
    """Rendered as GitHub would, the page has the tables, headings and blocks that we made, and no others."""
    page = render_markdown(evil_trace(), command=replay_command("x; rm -rf `y`", "z z.py"))
    assert "\x1b" not in page
    html = MarkdownIt("commonmark").enable("table").enable("strikethrough").render(page)
    assert "<script" not in html
    assert [*re.findall(r"<h(\d)>", html)] == ["1", "2", "2", "2", "2", "2"]
    assert html.count("<table>") == 2
    rows = [re.findall(r"<t[hd][ >]", row) for row in re.findall(r"<tr>.*?</tr>", html, re.DOTALL)]
    assert [len(row) for row in rows] == [3, 3, 3, 3, 5, 5, 5, 5]
    assert html.count("<pre>") == 3
    assert not re.search(r"<(em|s|a|del|img)[ >]", html)
    assert html.count("<li>") == 11
    assert "@me" not in re.sub(r"<code.*?</code>", "", html, flags=re.DOTALL), "outside of code nobody is called"
    assert "verify replay 'x; rm -rf `y`' --protocol 'z z.py'\n" in page


def test_hostile_names_in_mermaid() -> None:
    diagram = render_mermaid(evil_trace())
    head, *rows = diagram.splitlines()
    assert head == "sequenceDiagram"
    label = r"(?:[A-Za-z0-9 _.,()=+'/?-]|#[0-9]+;|<br/>)*"
    statement = rf"    (?:participant A\d as {label}|Note over A\d(?:,A\d)?: {label})"
    assert rows
    for row in rows:
        assert re.fullmatch(statement, row), row
        assert not re.search(r"\bend\b|--|%%", row)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a``b`", "``` a``b` ```"),
        ("", ""),
        ("a|b_c", r"<code>a&#124;b\_c</code>"),
    ],
)
def test_code(text: str, shown: str) -> None:
    assert code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a&#124;b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("snake_case *x*", r"snake\_case \*x\*"),
        ("1. one", r"1\. one"),
        ("- one", r"\- one"),
        ("# one", r"\# one"),
        ("ask @someone", "ask @<!-- -->someone"),
    ],
)
def test_prose(text: str, shown: str) -> None:
    assert prose(text) == shown


def test_other_escapes() -> None:
    assert line("a\x1b[0m\u202eb\nc") == "a?[0m?b c"
    assert block("a\n````\nb") == "`````\na\n````\nb\n`````\n"
    assert mermaid("a: b; end --> <x>") == "a#58; b#59; #101;nd #45;#45;#62; #60;x#62;"
