"""What counts as a difference, with checkers that say what they are told to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from fencepost.ir.model import Model
from fencepost.peers.crosscheck import compare, compare_bounded, exported, ours
from fencepost.peers.peers import Bounded
from fencepost.peers.seen import Answers, Peer, Seen
from fencepost.peers.tools import Unusable, call, need
from fencepost.registry import find

SAFETY, HANG = "no-handle-destroyed-while-referenced", "no-hang"
STATES, TRANSITIONS = 8_100, 27_579
STEP = ("enable", ())


def model(variant: str | None = None) -> Model:
    return find("recycled-handle").build(variant=variant)


def saying(*answers: Seen, later: bool = False) -> Peer:
    """A checker that gives these answers, one after the other."""
    rest: Iterator[Seen] = iter(answers)

    def search(_: Model, *, timeout: float, past_obligations: bool = False) -> Seen:
        return next(rest)

    return Peer("other", search, lambda: "1", asks_later=later)


def broken(name: str, steps: int) -> Seen:
    return Seen(name, (STEP,) * steps)


def test_equal_counts_are_no_difference() -> None:
    assert compare(model(), saying(Seen(states=STATES, transitions=TRANSITIONS)), 60.0).differences == ()
    assert compare(model(), saying(Seen(states=STATES)), 60.0).differences == ()


def test_other_counts_are() -> None:
    found = compare(model(), saying(Seen(states=STATES - 1, transitions=TRANSITIONS + 1)), 60.0)
    assert found.differences == (
        "states: 8100 here, 8099 by other",
        "transitions: 27579 here, 27580 by other",
    )


def test_a_violation_that_is_none_here() -> None:
    found = compare(model(), saying(broken(HANG, 3), Seen(states=STATES)), 60.0)
    assert found.differences == ("no-hang: not broken here, broken after 3 steps by other",)


def test_a_violation_that_the_other_does_not_find() -> None:
    here = ours(exported(model("buggy")), 60.0)
    assert dict(here.lengths) == {SAFETY: 6, HANG: 8}
    found = compare(model("buggy"), saying(broken(SAFETY, 6), Seen(states=here.states)), 60.0)
    assert found.differences == ("no-hang: broken after 8 steps here, not broken by other",)


def test_a_run_that_is_too_long() -> None:
    here = ours(exported(model("buggy")), 60.0)
    answers = (broken(SAFETY, 7), broken(HANG, 8), Seen(states=here.states))
    (line,) = compare(model("buggy"), saying(*answers), 60.0).differences
    assert line == f"{SAFETY}: broken after 6 steps here, broken after 7 steps by other"
    assert compare(model("buggy"), saying(broken(SAFETY, 6), *answers[1:]), 60.0).differences == ()


def test_only_the_first_is_asked_for() -> None:
    here = ours(exported(model("buggy")), 60.0)
    right = saying(broken(SAFETY, 6), Seen(states=here.states))
    assert compare(model("buggy"), right, 60.0, each=False).differences == ()
    wrong = saying(broken(HANG, 8), Seen(states=here.states))
    (line,) = compare(model("buggy"), wrong, 60.0, each=False).differences
    assert line.startswith("first violation: broken after 6 steps here, broken after 8 steps")


def test_a_property_and_an_obligation_that_the_model_has_not() -> None:
    (first, *_) = compare(model(), saying(broken("no-hand", 1)), 60.0).differences
    assert first == "other says that no-hand is broken, and the model has no such property"
    (line,) = compare(model(), saying(broken("range:enable/x", 1)), 60.0).differences
    assert line == "obligations: not broken here, broken after 1 steps by other"


@pytest.mark.parametrize(("said", "differs"), [({SAFETY: 6}, False), ({SAFETY: 5}, True), ({}, True)])
def test_to_a_depth(said: dict[str, int], differs: bool) -> None:
    bounded = Bounded("other", lambda _model, depth, _timeout: Answers(depth, said))
    found = compare_bounded(model("buggy"), bounded, 7, 60.0)
    assert bool(found.differences) is differs
    assert HANG in found.not_compared


def test_our_search_must_come_to_its_end() -> None:
    with pytest.raises(Unusable, match="our own search ended with timeout"):
        ours(exported(find("recycled-handle").build(sizes={"queues": 4, "handles": 3})), 0.0)


def test_a_tool_that_is_not_there_or_fails(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no-such-tool is not installed"):
        need("no-such-tool")
    with pytest.raises(Unusable, match="false ended with exit code 1"):
        call([need("false")], tmp_path, 10)
    with pytest.raises(Unusable, match=r"sleep took more than 0\.1 s"):
        call([need("sleep"), "5"], tmp_path, 0.1)
    assert evolve(saying(), asks_later=True).asks_later
