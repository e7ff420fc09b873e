"""Symmetry on the command line: what is counted is told, and what cannot be is a line."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Verify

RECYCLED = ("--protocol", "recycled-handle", "--queues", "2", "--handles", "1", "--slots", "2")


def test_orbits_are_what_is_counted(verify: Verify) -> None:
    plain, ran = (verify(*RECYCLED, "--engine", "explore", *more) for more in ((), ("--symmetry",)))
    assert (plain.code, ran.code) == (0, 0)
    assert "under symmetry of Queue" in ran.out
    assert "orbits of reachable states under symmetry of Queue" in ran.out
    assert "  symmetry  Queue left out: not asked for; --symmetry does\n" in plain.out
    assert "left out" not in ran.out


def test_the_report_for_programs_names_the_sorts(verify: Verify) -> None:
    ran = verify(*RECYCLED, "--engine", "explore", "--symmetry", "--json")
    plain = verify(*RECYCLED, "--engine", "explore", "--json")
    (engine,), (other,) = json.loads(ran.out)["engines"], json.loads(plain.out)["engines"]
    assert engine["symmetry"] == ["Queue"]
    assert "symmetry" not in other
    assert json.loads(plain.out)["symmetry_left_out"] == {"Queue": "not asked for; --symmetry does"}
    assert "symmetry_left_out" not in json.loads(ran.out)
    assert engine["states"] < other["states"] <= 2 * engine["states"]


def test_one_index_alone_leaves_nothing_out(verify: Verify) -> None:
    assert "symmetry" not in verify(*RECYCLED[:2], "--queues", "1", "--handles", "1", "--slots", "2").out


def test_where_responses_are_asked_for_it_is_said_why(verify: Verify) -> None:
    ran = verify("--protocol", "cpu-wait", "--symmetry", "--depth", "3", "--engine", "explore")
    plain = verify("--protocol", "cpu-wait", "--depth", "3", "--engine", "sat")
    assert "  symmetry  Thread left out: responses are asked for\n" in ran.out
    assert "  symmetry  Handle left out: responses are asked for\n" in ran.out
    assert "symmetry" not in plain.out, "a solver tells no states apart"


def test_a_counterexample_is_as_short_as_without(verify: Verify) -> None:
    buggy = ("--protocol", "recycled-handle", "--variant", "buggy", "--engine", "explore")
    ran = verify(*buggy, "--symmetry")
    assert ran.code == 1
    assert "no-handle-destroyed-while-referenced is violated after 6 steps" in ran.out
    assert "no-hang is violated after 8 steps" in ran.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--protocol", "async-handler", "--symmetry"),
            "async-handler declares nothing symmetric: leave out --symmetry",
        ),
        ((*RECYCLED, "--engine", "bmc", "--symmetry"), "--engine bmc looks at no states by themselves; --symmetry is"),
        (("--all", "--symmetry"), "--symmetry"),
    ],
)
def test_what_cannot_be_is_a_line(verify: Verify, options: tuple[str, ...], says: str) -> None:
    ran = verify(*options)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
