"""`verify anchors`: the table, the exit code, the JSON, and what a folder without sources is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fencepost.anchors.look import anchors_of
from fencepost.registry import find, names
from fencepost.sources import Described, covers
from tests.cli.conftest import Verify

MODEL = """\
from fencepost import *
class State(Record):
    on = boolean()
protocol = Protocol("mine", state=State, sources=[
    Described("description of a change", ("Tracker",)),
    DefinedIn("queue.cpp", ("Queue",)),
])
@protocol.action(by=Actor("app"), src="Queue::push (full)")
def push(m: Step, s: State) -> None:
    s.on = True
@protocol.action(by=Actor("app"), src="Tracker::Arm, Queue::peek")
def arm(m: Step, s: State) -> None:
    s.on = True
@protocol.action(by=Actor("app"), src="packet processor")
def run(m: Step, s: State) -> None:
    s.on = True
"""
ANCHORS = ("anchors", "--source", "src", "--protocol", "mine.py")


@pytest.fixture(autouse=True)
def _tree(verify: Verify) -> None:
    Path("mine.py").write_text(MODEL)
    Path("src").mkdir()
    Path("src/queue.cpp").write_text("\nvoid Queue::push() {}\nint Queue::peek() { return 0; }\n")


def test_the_table_and_exit_0(verify: Verify) -> None:
    ran = verify(*ANCHORS)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "Queue::peek   found      queue.cpp:3 (defined)\n"
        "Queue::push   found      queue.cpp:2 (defined)\n"
        "Tracker::Arm  described  in the description of a change\n"
        "3 names: 2 found, 0 moved, 0 gone, 1 described\n"
    )


def test_exit_1_when_one_has_moved_or_is_gone(verify: Verify) -> None:
    Path("src/queue.cpp").write_text("int Queue::peek() { return 0; }\n")
    gone = verify(*ANCHORS)
    assert (gone.code, "Queue::push   gone       named by mine: push\n" in gone.out) == (1, True)
    Path("src/ring.cpp").write_text("void Queue::push() {}\nvoid Queue::push(int) {}\n")
    moved = verify(*ANCHORS)
    assert moved.code == 1
    assert "moved      ring.cpp:1 (defined, and 1 more), not in queue.cpp; named by mine: push\n" in moved.out


def test_json_has_every_place(verify: Verify) -> None:
    document = json.loads(verify(*ANCHORS, "--json").out)
    assert document["summary"] == {"found": 2, "moved": 0, "gone": 0, "described": 1}
    assert document["anchors"][1] == {
        "name": "Queue::push",
        "state": "found",
        "described_by": None,
        "files": ["queue.cpp"],
        "places": [{"file": "queue.cpp", "line": 2, "evidence": "defined"}],
        "actions": ["mine: push"],
    }


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("anchors",), "Missing option '--source'."),
        (("anchors", "--source", "nowhere"), "nowhere: no such directory"),
        (("anchors", "--source", "mine.py"), "mine.py: not a directory"),
        (("anchors", "--source", "empty"), "empty: no source file in it; they end in .c, .cc, .cpp, .h, .hpp, .inc"),
        ((*ANCHORS[:4], "retirng"), "unknown protocol 'retirng'; did you mean 'retiring'?"),
        ((*ANCHORS[:4], "bare.py"), "bare: no action stands for a name of code"),
    ],
)
def test_one_line_and_exit_2(verify: Verify, args: tuple[str, ...], complaint: str) -> None:
    Path("empty").mkdir()
    Path("bare.py").write_text(MODEL.partition("@protocol")[0].replace('"mine"', '"bare"'))
    ran = verify(*args)
    assert (ran.code, ran.out, ran.err) == (2, "", f"verify: {complaint}\n")


def test_an_explanation_names_the_description(verify: Verify) -> None:
    out = verify("--protocol", "mine.py", "--explain", "arm").out
    assert "Stands for: described: Tracker::Arm, Queue::peek\n" in out
    assert "Tracker::Arm is known from the description of a change alone\n" in out


def test_whatever_a_shipped_protocol_says_is_described_is_named_by_some_action() -> None:
    """A description that no action needs any more goes."""
    entries = [find(name) for name in names()]
    named = [anchor.name for anchor in anchors_of(entries)]
    said = {
        name for entry in entries for one in entry.protocol.sources if isinstance(one, Described) for name in one.names
    }
    assert [name for name in sorted(said) if not any(covers([name], anchor) for anchor in named)] == []
