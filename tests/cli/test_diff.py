"""`verify diff`: what two traces share and where they part."""

from __future__ import annotations

import pytest

from fencepost.trace.build import build_trace
from fencepost.trace.diff import Pair, differences, pairs
from tests.cli.conftest import Verify
from tests.trace.toy import DESTROYED, HUNG, TOY

LEFT, RIGHT = build_trace(TOY, DESTROYED), build_trace(TOY, HUNG)


def test_steps_that_both_take_stand_beside_each_other() -> None:
    assert list(pairs(LEFT, RIGHT)) == [
        Pair(1, 1),
        Pair(2, None),
        Pair(3, 2, apart=True),  # one of them has paused
        Pair(4, None),
        Pair(5, None),
        Pair(6, 3, apart=True),
        Pair(7, 4, apart=True),
        Pair(None, 5),
        Pair(None, 6),
    ]


def test_what_differs_after_two_steps_is_named_with_both_values() -> None:
    assert [(each.element, each.old, each.new) for each in differences(LEFT, 2, RIGHT, 1)] == [
        ("paused", "true", "false")
    ]
    assert differences(LEFT, 4, RIGHT, 2) == ()


@pytest.fixture
def recorded(verify: Verify, counter: str) -> tuple[str, str]:
    """Two traces of the counter: pushed three times, and once."""
    verify("--protocol", counter, "--variant", "brittle", "--export", "out")
    verify("--protocol", counter, "--variant", "stuck", "--export", "out")
    return "out/brittle.whole.itf.json", "out/stuck.no-hang.itf.json"


def test_side_by_side(verify: Verify, recorded: tuple[str, str]) -> None:
    ran = verify("diff", *recorded)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == (
        "   whole             no-hang\n"
        "=  1  hand  push()   1  hand  push()\n"
        "<  2  hand  push()\n"
        "<  3  hand  push()\n"
        "\n"
        "At the ends\n"
        "  value: 3 on the left, 1 on the right\n"
    )


def test_a_trace_is_the_same_as_itself(verify: Verify, recorded: tuple[str, str]) -> None:
    ran = verify("diff", recorded[0], recorded[0])
    assert ran.code == 0
    assert ran.out.endswith("\n\nThey end in the same state\n")


def test_bad_input(verify: Verify, recorded: tuple[str, str]) -> None:
    assert (
        verify("--protocol", "recycled-handle", "--variant", "buggy", "--property", "no-hang", "--export", "out").code
        == 1
    )
    for args, complaint in (
        ((recorded[0],), "Missing argument 'RIGHT'"),
        ((recorded[0], "gone.itf.json"), "cannot be read"),
        ((recorded[0], "out/buggy.no-hang.itf.json"), "give two traces of one protocol"),
    ):
        ran = verify("diff", *args)
        assert (ran.code, ran.out) == (2, "")
        assert complaint in ran.err
        assert ran.err.count("\n") == 1
