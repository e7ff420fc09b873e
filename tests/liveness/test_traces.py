"""Traces of runs that go on for ever: what replay refuses, what is stored, what is told."""

from __future__ import annotations

import json

import pytest

from fencepost.check import check
from fencepost.engines import Limits
from fencepost.errors import InternalError, UsageError
from fencepost.ir.model import Fairness, Model
from fencepost.trace.build import build_trace
from fencepost.trace.itf import dump_itf, to_itf
from fencepost.trace.itf_read import load_itf
from fencepost.trace.markdown import render_markdown
from fencepost.trace.mermaid import render_mermaid
from fencepost.trace.model import Trace
from fencepost.trace.replay import Replayed, replay
from fencepost.trace.text import render_text
from fencepost.verdict import Finding, Label
from tests.liveness.examples import corridor, counting, handler, mutex

WANT: list[Label] = [("want", (0,)), ("want", (1,))]
ROUND: list[Label] = [("take", (1,)), ("release", (1,)), ("want", (1,))]
STARVES = Finding("gets-it", (*WANT, *ROUND), loop=2)
WEAK = mutex(Fairness.WEAK)


def trace_of(model: Model, name: str) -> Trace:
    trace = next(d.trace for d in check(model, "explore", Limits(None, 30.0)).decisions if d.name == name)
    assert trace is not None
    return trace


def test_a_starving_run_is_made_and_explained() -> None:
    trace = build_trace(WEAK, STARVES)
    assert trace.lasso is not None
    assert (trace.lasso.back, trace.lasso.since) == (2, 1)
    assert trace.ending == "then for ever: steps 3 to 5"


@pytest.mark.parametrize(
    ("model", "finding", "why"),
    [
        (WEAK, Finding("gets-it", (*WANT, *ROUND), loop=1), "the steps behind it do not repeat"),
        (WEAK, Finding("gets-it", (*WANT, *ROUND)), "does not say what happens for ever"),
        (WEAK, Finding("gets-it", (*WANT, *ROUND), loop=9), "does not say what happens for ever"),
        (WEAK, Finding("gets-it", tuple(WANT), loop=2), r"take\(thread=0\) is enabled all the time from step 2 on"),
        (mutex(Fairness.STRONG), STARVES, r"take\(thread=0\) is enabled again and again and never taken"),
        (WEAK, Finding("gets-it", (*WANT[1:], *ROUND), loop=1), "what it asks for comes"),
        (WEAK, Finding("never-held-for-ever", (*WANT, *ROUND), loop=2), "what it asks for comes"),
        (counting(bounded=True), Finding("is-answered", (("send", ()), ("send", ())), loop=2), "send is enabled"),
    ],
)
def test_what_is_no_fair_run_that_waits_is_refused(model: Model, finding: Finding, why: str) -> None:
    with pytest.raises(InternalError, match=why):
        build_trace(model, finding)


def test_a_goal_before_the_trigger_is_none_of_its_business() -> None:
    """Thread 1 had the lock on the way to the loop; after that it waits while thread 0 goes around."""
    other: list[Label] = [("take", (0,)), ("release", (0,)), ("want", (0,))]
    path = (*WANT, *ROUND, *other)
    assert build_trace(WEAK, Finding("gets-it", path, loop=5)).lasso is not None


@pytest.mark.parametrize(
    "trace",
    [
        build_trace(WEAK, STARVES),
        trace_of(corridor(gives_way=False), "gets-by"),
        trace_of(mutex(Fairness.NONE), "gets-it"),
        trace_of(handler(armed_again=True), "handler-ends"),
    ],
    ids=lambda trace: trace.header.protocol,
)
def test_what_is_stored_is_read_back(trace: Trace) -> None:
    text = dump_itf(trace)
    assert load_itf(text, "t") == trace
    assert json.loads(text) == to_itf(trace)


def test_the_format_is_told_which_state_comes_after_the_last() -> None:
    assert to_itf(build_trace(WEAK, STARVES))["loop"] == 3
    stops = trace_of(mutex(Fairness.NONE), "gets-it")
    assert to_itf(stops)["loop"] == len(stops.steps) == 1


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"loop": 3,', '"loop": 2,', "loop: it is not the state that comes again, 3"),
        ('"loop": 3,', "", "loop: null stands where an integer should"),
        ('"back": 2', '"back": 7', "there is no state 7"),
        ('"since": 1', '"since": -1', "there is no state -1"),
        ('"since": 1,', "", "the field 'since' is missing"),
    ],
)
def test_a_file_that_says_two_things_is_refused(old: str, new: str, why: str) -> None:
    text = dump_itf(build_trace(WEAK, STARVES))
    assert old in text
    with pytest.raises(UsageError, match=why):
        load_itf(text.replace(old, new), "t")


def test_replay_says_whether_the_run_still_waits_for_ever() -> None:
    trace = build_trace(WEAK, STARVES)
    assert replay(trace, WEAK).outcome is Replayed.REPRODUCES
    fair = replay(trace, mutex(Fairness.STRONG))
    assert fair.outcome is Replayed.HARMLESS
    assert fair.line.endswith(
        "gets-it is not violated: take(thread=0) is enabled again and again and never taken, which is not fair"
    )


def test_an_edited_loop_is_told() -> None:
    text = dump_itf(build_trace(WEAK, STARVES)).replace('"back": 2', '"back": 1').replace('"loop": 3', '"loop": 2')
    with pytest.raises(UsageError, match="it was edited"):
        replay(load_itf(text, "t"), WEAK)


def test_text_markdown_and_diagram_say_what_happens_for_ever() -> None:
    trace = build_trace(WEAK, STARVES)
    text, page, diagram = render_text(trace), render_markdown(trace), render_mermaid(trace)
    assert text.startswith("gets-it is violated after 5 steps, the last 3 of them for ever\n")
    assert "\n  then for ever: steps 3 to 5\n" in text
    assert "\nFails: workers[thread].has, from step 1 on\n  for thread = 0\n" in text
    assert (
        '\n  take(thread=0) is owed no turn: it can be taken now and then, but after step 3 "free" does not hold\n'
        "      held = true\n"
    ) in text
    assert "\nThen for ever: steps 3 to 5.\n" in page
    assert "- `take(thread=0)` is owed no turn" in page
    lines = diagram.splitlines()
    assert lines.index("    loop for ever") == lines.index("    end") - 4
    stops = render_text(trace_of(mutex(Fairness.NONE), "gets-it"))
    assert stops.startswith("gets-it is violated after 1 step, and nothing more happens\n")
    assert "\n  then nothing more happens\n" in stops
