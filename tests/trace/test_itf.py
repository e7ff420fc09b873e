"""Traces survive being stored, and nothing that is not a trace is taken for one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import UsageError
from fencepost.exec.interpreter import Broken, Interpreter, Refused
from fencepost.ir.model import Model
from fencepost.ir.sorts import BOOL, NONE, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.trace.build import Ran, build_trace, run_path
from fencepost.trace.itf import dump_itf, encode, to_itf
from fencepost.trace.itf_read import decode, load_itf, read_itf
from fencepost.trace.model import Explanation, Header, Subject, Trace
from fencepost.verdict import Label
from tests.goldens import expect_golden
from tests.strategies import models
from tests.trace.toy import DESTROYED, HUNG, OVERFLOW, TOY

FINDINGS = {"destroyed": DESTROYED, "hung": HUNG, "overflow": OVERFLOW}
Document = dict[str, Any]


@pytest.mark.parametrize("name", FINDINGS)
def test_golden(name: str) -> None:
    expect_golden(f"trace/{name}.itf.json", dump_itf(build_trace(TOY, FINDINGS[name])))


@pytest.mark.parametrize("name", FINDINGS)
def test_round_trip(name: str) -> None:
    trace = build_trace(TOY, FINDINGS[name])
    assert load_itf(dump_itf(trace), "x") == trace
    assert json.loads(dump_itf(trace)) == to_itf(trace)


def test_shape_of_the_format() -> None:
    """What the format itself prescribes, so that viewers of it can show a trace."""
    document = to_itf(build_trace(TOY, DESTROYED))
    assert document["#meta"]["format"] == "ITF"
    assert document["vars"] == ["handles[].phase", "queues[].waits", "used", "paused", "budget", "ever"]
    assert [state["#meta"]["index"] for state in document["states"]] == list(range(8))
    state = document["states"][3]
    assert state["#meta"]["action"] == "enqueue"
    assert state["#meta"]["args"] == {"q": 1, "h": 1}
    assert state["handles[].phase"] == ["FREE", "ARMED"]
    assert state["queues[].waits"] == [-1, 1]
    assert state["used"] == {"#set": [1]}
    assert state["paused"] is True


VALUES: list[tuple[Sort, int, object]] = [
    (BOOL, 1, True),
    (IntSort(-5, 5), -5, -5),
    (IntSort(0, 2**60), 2**53, 2**53),
    (IntSort(0, 2**60), 2**53 + 1, {"#bigint": "9007199254740993"}),
    (IntSort(-(2**60), 0), -(2**53) - 1, {"#bigint": "-9007199254740993"}),
    (EnumSort("E", ("A", "B")), 1, "B"),
    (IndexSort("Q", 3), 2, 2),
    (OptionSort(IndexSort("Q", 3)), NONE, -1),
    (SetSort(IndexSort("Q", 3)), 0b101, {"#set": [0, 2]}),
    (SetSort(IndexSort("Q", 3)), 0, {"#set": []}),
]


@pytest.mark.parametrize(("sort", "value", "stored"), VALUES)
def test_values(sort: Sort, value: int, stored: object) -> None:
    assert encode(sort, value) == stored
    assert type(encode(sort, value)) is type(stored)
    assert decode(sort, stored, "x") == value


def wander(model: Model, seed: int) -> Trace:
    """A random walk, as if something had been violated at its end."""
    interpreter, rng = Interpreter(model), random.Random(seed)
    state, path = interpreter.initial(), list[Label]()
    for _ in range(6):
        steps = [(action, args) for action, args in interpreter.instances()]
        action, args = rng.choice(steps)
        outcome = interpreter.fire(state, action, args)
        if isinstance(outcome, Refused):
            continue
        path.append((action.name, args))
        if isinstance(outcome, Broken):
            break
        state = outcome.state
    ran = run_path(model, tuple(path))
    assert isinstance(ran, Ran)
    header = Header("random", None, (), (), (), "0" * 16, "prop0", "It | holds `<b>`.")
    return Trace(header, model.vars, ran.steps, explanation=Explanation("x", blames=(Subject("Handle", 1),)))


@given(models(), st.integers(0, 2**16))
def test_random_traces_round_trip(model: Model, seed: int) -> None:
    trace = wander(model, seed)
    assert load_itf(dump_itf(trace), "x") == trace


# Files that are not what they should be.


def stored() -> Document:
    document: Document = json.loads(dump_itf(build_trace(TOY, DESTROYED)))
    return document


def ours(document: Document) -> Document:
    mine: Document = document["#meta"]["fencepost"]
    return mine


def refusal(text: str) -> str:
    with pytest.raises(UsageError) as refused:
        load_itf(text, "bad.itf.json")
    message = str(refused.value)
    assert message.startswith("bad.itf.json: not a trace that can be read: ")
    assert message.isprintable(), "one line, and no terminal codes"
    return message


TEXTS = {
    "nothing": ("", "line 1: it is not JSON, or it is cut off"),
    "not JSON": ("violated!", "line 1: it is not JSON"),
    "a list": ("[]", "the file: a list stands where an object should"),
    "null": ("null", "the file: null stands where an object should"),
    "another JSON": ("{}", "the file: the field '#meta' is missing"),
    "another tool's": ('{"#meta": {"format": "ITF"}, "vars": [], "states": []}', "the field 'fencepost' is missing"),
    "not a number": ('{"#meta": NaN}', "NaN is not a value of any sort"),
    "infinite": ('{"#meta": -Infinity}', "-Infinity is not a value"),
    "a field twice": ('{"vars": [], "vars": []}', "the field 'vars' stands twice"),
    "deep": ("[" * 100_000, "it is nested too deeply"),
    "a number of too many digits": ("1" * 5000, "the file: "),
}


@pytest.mark.parametrize(("text", "problem"), TEXTS.values(), ids=TEXTS.keys())
def test_not_a_trace(text: str, problem: str) -> None:
    assert problem in refusal(text)


def test_every_cut_is_refused() -> None:
    text = dump_itf(build_trace(TOY, OVERFLOW)).rstrip()
    for end in range(0, len(text), 97):
        assert "it is not JSON, or it is cut off" in refusal(text[:end])


def put(*path: str | int, value: object) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


OURS = ("#meta", "fencepost")
STEP = ("states", 3, "#meta")
FAULTS: dict[str, tuple[Callable[[Document], None], str]] = {
    # Versions and headers
    "another version": (put(*OURS, "header", "schema", value=2), "the version is 2; this fencepost reads 1"),
    "a version that is true": (put(*OURS, "header", "schema", value=True), "a Boolean stands where an integer should"),
    "no version": (drop(*OURS, "header", "schema"), "header.schema: null stands where an integer should"),
    "no header": (drop(*OURS, "header"), "header: null stands where an object should"),
    "no property": (drop(*OURS, "header", "violated"), "header: the field 'violated' is missing"),
    "no source that it protects": (drop(*OURS, "header", "protects"), "header: the field 'protects' is missing"),
    "another field": (put(*OURS, "header", "mood", value="good"), "header: there is no field 'mood'"),
    "a property that is a number": (
        put(*OURS, "header", "violated", value=3),
        "header.violated: an integer stands where",
    ),
    "a size that is text": (
        put(*OURS, "header", "sizes", value={"queues": "2"}),
        "text stands where an integer should",
    ),
    "sizes that are a list": (put(*OURS, "header", "sizes", value=[]), "header.sizes: a list stands where an object"),
    "features that are text": (
        put(*OURS, "header", "features", value="abc"),
        "header.features: text stands where a list",
    ),
    # Variables
    "a variable less": (drop("vars", 0), "vars: they are not those that #meta.fencepost.vars declares"),
    "variables that are no list": (put("vars", value=7), "vars: they are not those"),
    "no such sort": (put(*OURS, "vars", "paused", "sort", value={"is": "float"}), "a sort is one of bool, range, enum"),
    "an enum of text": (
        put(*OURS, "vars", "handles[].phase", "sort", value={"is": "enum", "name": "P", "members": "abc"}),
        "sort.members: text stands where a list should",
    ),
    "an empty range": (
        put(*OURS, "vars", "budget", "sort", value={"is": "range", "lo": 3, "hi": 0}),
        "vars.budget.sort: the sort has no values",
    ),
    "a huge set": (
        put(*OURS, "vars", "used", "sort", value={"is": "set", "of": {"name": "Handle", "count": 10**12}}),
        "Handle cannot have 1,000,000,000,000 positions",
    ),
    "a huge array": (
        put(*OURS, "vars", "queues[].waits", "dims", value=[{"name": "Queue", "count": 99_999}] * 3),
        "a state of more than 100,000 elements is no trace's",
    ),
    "a dimension of none": (
        put(*OURS, "vars", "queues[].waits", "dims", value=[{"name": "Queue", "count": 0}]),
        "Queue cannot have 0 positions",
    ),
    "an array that is not": (put("states", 1, "queues[].waits", value=-1), "an integer stands where a list should"),
    "an array too short": (
        put("states", 1, "queues[].waits", value=[-1]),
        "1 elements stand where 2 should, one for each",
    ),
    # Values
    "no states": (put("states", value=[]), "states: there is none"),
    "states that are an object": (put("states", value={}), "states: an object stands where a list should"),
    "a state that is text": (put("states", 2, value="x"), "states[2]: text stands where an object should"),
    "a value missing": (drop("states", 2, "budget"), "states[2]: the field 'budget' is missing"),
    "a value too many": (put("states", 2, "x", value=1), "states[2]: there is no field 'x'"),
    "a value out of range": (put("states", 2, "budget", value=4), "states[2].budget: 4 is not a value of Range(0..3)"),
    "a big value out of range": (
        put("states", 2, "budget", value={"#bigint": "9" * 30}),
        "is not a value of Range(0..3)",
    ),
    "a big value that is not a number": (
        put("states", 2, "budget", value={"#bigint": "1e9"}),
        "is not a value of Range",
    ),
    "a fraction": (
        put("states", 2, "budget", value=1.0),
        "states[2].budget: a fraction stands where an integer should",
    ),
    "a number for a Boolean": (put("states", 2, "paused", value=1), "an integer stands where a Boolean should"),
    "a Boolean for a number": (put("states", 2, "budget", value=True), "a Boolean stands where an integer should"),
    "an unknown member": (
        put("states", 2, "handles[].phase", 0, value="GONE"),
        'phase[0]: "GONE" is not a value of Phase',
    ),
    "a member that is a list": (put("states", 2, "handles[].phase", 0, value=[]), "[] is not a value of Phase"),
    "an option out of range": (put("states", 2, "queues[].waits", 0, value=-2), "-2 is not a value of Maybe[Handle]"),
    "a set with a stranger": (put("states", 2, "used", value={"#set": [2]}), "2 is not a value of Handle"),
    "a set with a member twice": (put("states", 2, "used", value={"#set": [1, 1]}), "is not a value of SetOf[Handle]"),
    "a set that is a list": (put("states", 2, "used", value=[1]), "a list stands where an object should"),
    # Steps
    "a state left out": (drop("states", 2), "states[2].#meta.index: it is not 2: a state is missing or out of order"),
    "an unknown action": (put(*STEP, "action", value="vanish"), "'vanish' is not one of #meta.fencepost.actions"),
    "an action that is a list": (put(*STEP, "action", value=["arm"]), "action: a list stands where text should"),
    "no action": (drop(*STEP, "action"), "states[3].#meta: the field 'action' is missing"),
    "an argument out of range": (
        put(*STEP, "args", "q", value=2),
        "states[3].#meta.args.q: 2 is not a value of HwQueue",
    ),
    "an argument missing": (drop(*STEP, "args", "q"), "states[3].#meta.args: the field 'q' is missing"),
    "an argument too many": (put(*STEP, "args", "z", value=0), "states[3].#meta.args: there is no field 'z'"),
    "an actor that is a number": (put(*STEP, "actor", value=1), "states[3].#meta.actor: an integer stands where text"),
    "a note that is text": (put(*STEP, "notes", value=["x"]), "notes[0]: text stands where an object should"),
    "a subject without a value": (
        put(*STEP, "notes", value=[{"text": "x", "subject": {"sort": "Handle"}}]),
        "subject: the field 'value' is missing",
    ),
    "a break in the middle": (
        put(*STEP, "broken", value="x"),
        "states[3]: a step that broke an obligation is the last one",
    ),
    "a break that changes something": (put("states", 7, "#meta", "broken", value="x"), "states[7]: a step that broke"),
    "a step at the start": (
        put("states", 0, "#meta", "action", value="arm"),
        "states[0].#meta: there is no field 'action'",
    ),
    # The explanation
    "no explanation": (drop(*OURS, "explanation"), "the field 'explanation' is missing"),
    "an explanation that is text": (
        put(*OURS, "explanation", value="because"),
        "explanation: text stands where an object",
    ),
    "a reading without a value": (
        put(*OURS, "explanation", "readings", value=[{"element": "x"}]),
        "explanation.readings[0]: the field 'value' is missing",
    ),
    "terminal codes": (put(*OURS, "header", "\x1b[31m\n", value="x"), "there is no field"),
    "terminal codes in a name": (put(*OURS, "vars", "\x1b[31m\n", value={}), "vars: they are not those"),
    "terminal codes in a place": (put(*OURS, "actions", "\x1b[31m\n", value={}), "the field 'params' is missing"),
}


@pytest.mark.parametrize(("change", "problem"), FAULTS.values(), ids=FAULTS.keys())
def test_planted_fault(change: Callable[[Document], None], problem: str) -> None:
    document = stored()
    change(document)
    assert problem in refusal(json.dumps(document))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "t.itf.json"
    with pytest.raises(UsageError, match=r"t\.itf\.json: cannot be read: No such file"):
        read_itf(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="it is not UTF-8 text"):
        read_itf(path)
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_itf(tmp_path)
    trace = build_trace(TOY, HUNG)
    path.write_text(dump_itf(trace))
    assert read_itf(path) == trace
    with path.open("r+b") as file:
        file.truncate(33 * 1024 * 1024)
    with pytest.raises(UsageError, match="34,603,008 bytes are more than any trace has"):
        read_itf(path)
