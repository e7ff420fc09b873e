"""Found, moved, gone or described; the names in what an action stands for; the protocol's own word on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost import Actor, DefinedIn, Described, Protocol, Record, Step, boolean
from fencepost.anchors.look import State, anchors_of, look
from fencepost.errors import UsageError
from fencepost.registry import Entry
from fencepost.sources import code_names, described, marked

HOST = Actor("app")
RUMOUR = Described("description of a change", ("Tracker", "Queue::park", "peek_later"))


class Nothing(Record):
    on = boolean()


def entry(*sources: str, where: tuple[DefinedIn | Described, ...] = (RUMOUR,)) -> Entry:
    return Entry("mine", protocol(*sources, where=where), (), None, "here")


def protocol(*sources: str, where: tuple[DefinedIn | Described, ...] = (RUMOUR,)) -> Protocol:
    made = Protocol("mine", state=Nothing, sources=where)
    for number, src in enumerate(sources):

        def act(m: Step, s: Nothing) -> None:
            s.on = True

        made.action(by=HOST, src=src, name=f"step_{number}")(act)
    return made


def states(folder: Path, *sources: str, where: tuple[DefinedIn | Described, ...] = (RUMOUR,)) -> dict[str, str]:
    return {each.anchor.name: each.state.value for each in look(anchors_of([entry(*sources, where=where)]), folder)}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "queue.cpp").write_text("namespace rt { int Queue::push(int x) { return x; } }\n")
    (tmp_path / "core" / "queue.hpp").write_text("class Queue : public Counted {};\nclass Counted : public Root {};\n")
    (tmp_path / "core" / "root.h").write_text("class Root {\n  void release();\n};\n")
    (tmp_path / "notes.md").write_text("void Queue::gone() {}\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "old.cpp").write_text("void Queue::gone() {}\n")
    return tmp_path


@pytest.mark.parametrize(
    ("src", "names"),
    [
        ("Tracker::Reclaim (arm), BeginUse", ("Tracker::Reclaim", "BeginUse")),
        ("packet processor: barrier-AND / barrier-value condition", ()),
        ("PCIe posted write, HDP: a store reaches device memory", ()),
        ("Device::callback (gpu_error_)", ("Device::callback", "gpu_error_")),
        ("Set::~Set, hsa_signal_destroy", ("Set::~Set", "hsa_signal_destroy")),
        ("a::b::Get (a::b::Get)", ("a::b::Get",)),
    ],
)
def test_the_names_in_what_an_action_stands_for(src: str, names: tuple[str, ...]) -> None:
    assert code_names(src) == names


def test_found_moved_gone_and_described(tree: Path) -> None:
    home = (DefinedIn("core/queue.cpp", ("Queue",)), DefinedIn("elsewhere.cpp", ("Root",)), RUMOUR)
    assert states(tree, "rt::Queue::push", "Queue::gone, Root::release", "Tracker::Arm", where=home) == {
        "Queue::gone": "gone",
        "Root::release": "moved",
        "Tracker::Arm": "described",
        "rt::Queue::push": "found",
    }


def test_what_is_described_and_there_is_found(tree: Path) -> None:
    (tree / "tracker.cc").write_text("void Tracker::Arm() {}\n")
    assert states(tree, "Tracker::Arm", "Tracker::Park") == {"Tracker::Arm": "found", "Tracker::Park": "described"}


def test_a_member_that_a_class_has_from_another_is_found_there(tree: Path) -> None:
    home = (DefinedIn("core/queue.cpp", ("Queue",)),)
    (looked,) = look(anchors_of([entry("Queue::release", where=home)]), tree)
    assert looked.state is State.FOUND
    assert [(place.file, place.line, place.evidence.value) for place in looked.places] == [
        ("core/root.h", 2, "inherited")
    ]


def test_the_file_is_known_by_the_end_of_its_path(tree: Path) -> None:
    assert states(tree, "Queue::push", where=(DefinedIn("queue.cpp", ("Queue",)),)) == {"Queue::push": "found"}
    assert states(tree, "Queue::push", where=(DefinedIn("eue.cpp", ("Queue",)),)) == {"Queue::push": "moved"}


def test_a_definition_goes_before_a_declaration(tree: Path) -> None:
    (tree / "a.hpp").write_text("class Queue {\n int push(int);\n};\n")
    (looked,) = look(anchors_of([entry("Queue::push")]), tree)
    assert [place.file for place in looked.places] == ["core/queue.cpp"]


def test_the_actions_that_name_it_are_told() -> None:
    (anchor,) = anchors_of([entry("Queue::push", "hardware", "Queue::push (again)")])
    assert anchor.actions == ("mine: step_0", "mine: step_2")


@pytest.mark.parametrize(
    ("folder", "complaint"),
    [
        ("nowhere", "no such directory"),
        ("notes.md", "not a directory"),
        ("empty", "no source file in it; they end in .c, .cc, .cpp, .h, .hpp, .inc"),
    ],
)
def test_a_folder_that_is_none(tree: Path, folder: str, complaint: str) -> None:
    (tree / "empty").mkdir()
    with pytest.raises(UsageError, match=complaint):
        look((), tree / folder)


def test_the_mark_stands_before_what_is_described_in_part() -> None:
    sources = (RUMOUR, DefinedIn("x.cpp", ("Queue",)))
    assert marked("Queue::push, Tracker::Arm", sources) == "described: Queue::push, Tracker::Arm"
    assert marked("Queue::parked, Trackers::Arm", sources) == "Queue::parked, Trackers::Arm"
    assert list(described("Queue::park (peek_later)", sources)) == [
        ("Queue::park", "description of a change"),
        ("peek_later", "description of a change"),
    ]


def test_the_mark_is_in_the_model_and_what_derives_from_it() -> None:
    mine = protocol("Tracker::Arm")
    assert mine.build().action("step_0").src == "described: Tracker::Arm"
    assert mine.extend("yours").build().action("step_0").src == "described: Tracker::Arm"
    assert mine.compose("both", state=Nothing).build().action("step_0").src == "described: Tracker::Arm"
    more = mine.compose("more", state=Nothing, sources=[Described("another", ("Queue",))])
    more.action(by=HOST, src="Queue::push", name="more")(lambda m, s: None)
    assert [one.by for one in more.sources if isinstance(one, Described)] == ["description of a change", "another"]
