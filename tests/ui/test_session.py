"""What the explorer shows of a run: what can be taken, what blocks the rest, and links that are runs."""

from __future__ import annotations

import pytest

from fencepost.errors import UsageError
from fencepost.ui.session import LONGEST, View, parse_path, show_path
from tests.trace.toy import DESTROYED_PATH, TOY

VIEW = View(TOY)


def steps(path: str) -> dict[str, dict[str, object]]:
    return {str(step["label"]): step for step in VIEW.at(parse_path(path))["steps"]}


def test_every_step_is_there_and_those_that_cannot_be_taken_say_why() -> None:
    told = steps("arm.1;enqueue.1.1")
    assert len(told) == 2 + 4 + 2 + 2 + 2 + 1 + 4  # arm, enqueue, run, clear, destroy, pause, refill
    assert sorted(label for label, step in told.items() if "guard" not in step and "breaks" not in step) == [
        "arm.0",
        "clear.1",
        "enqueue.0.1",
        "pause",
        "refill.1",
    ]
    assert told["run.1"]["guard"] == "signal down"
    assert told["run.1"]["values"] == [["queues[1].waits", "1"], ["handles[1].phase", "ARMED"]]
    assert told["refill.4"]["breaks"] == "6 is not in 0..3"


def test_the_run_has_a_link_for_each_of_its_steps() -> None:
    taken = VIEW.at(parse_path("arm.1;clear.1"))["path"]
    assert [step["link"] for step in taken] == ["arm.1", "arm.1;clear.1"]
    assert taken[0]["notes"] == ["handle 1: ARMED, 2 left"]


def test_values_are_those_after_the_run_and_before_its_last_step() -> None:
    told = VIEW.at(parse_path("arm.1;clear.1"))
    assert (told["before"][1], told["values"][1]) == ("ARMED", "CLEARED")
    assert VIEW.at(parse_path("arm.1"))["before"][1] == "FREE"


def test_properties_that_fail_say_so() -> None:
    told = {each["name"]: each["fails"] for each in VIEW.at(DESTROYED_PATH)["properties"]}
    assert told["no-hang"] == ""
    assert told["not-destroyed"] == "handles[h].phase != FREE"


def test_a_step_that_breaks_an_obligation_ends_the_run() -> None:
    told = VIEW.at(parse_path("refill.4"))
    assert told["broken"] == "budget: 7 is not in 0..3"
    assert (told["steps"], told["properties"]) == ([], [])


def test_a_link_is_a_run() -> None:
    assert parse_path(show_path(DESTROYED_PATH)) == DESTROYED_PATH
    assert parse_path("") == ()
    assert parse_path("refill.-1") == (("refill", (-1,)),)


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("arm.x", "'arm.x' is no step"),
        ("arm.99999999999", "is no step"),
        ("arm.²", "is no step"),
        (";".join(["pause"] * (LONGEST + 1)), "too long"),
    ],
)
def test_what_is_no_link(link: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        parse_path(link)


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("fly", "step 1 takes 'fly', an action that the model does not have"),
        ("arm", "step 1 gives arm 0 arguments; it takes 1"),
        ("arm.7", "step 1 gives arm h=7, which is not in 0..1"),
        ("arm.1;arm.1", 'step 2 refused by guard "free"'),
        ("refill.4;pause", "step 1 breaks"),
    ],
)
def test_what_is_no_run(link: str, complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        VIEW.at(parse_path(link))
    assert str(raised.value).startswith(complaint)
