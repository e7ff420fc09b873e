"""How the benchmarks measure: processes, pairs in turn, medians, and what is not there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.ours import Answer
from benchmarks.peers import runs
from benchmarks.sections.bmc import until
from benchmarks.sections.peers import Rate, _same
from benchmarks.timing import END, NO_TIME, NotMeasured, Spread, Taken, in_turn, ratios, run

HOG = "x = bytearray(300 << 20)\nfor at in range(0, len(x), 4096): x[at] = 1\nprint('done')"


def test_the_median_and_how_far_the_others_lie_apart() -> None:
    spread = Spread.of([5.0, 1.0, 2.0])
    assert (spread.median, spread.low, spread.high) == (2.0, 1.0, 5.0)
    assert spread.told("{:.0f}".format) == "2 (1 to 5)"
    assert Spread.of([1.2, 1.4]).told("{:.0f}".format) == "1"


def test_a_ratio_is_that_of_the_pairs() -> None:
    # The machine was half as fast in the second round; the ratio of the medians would be 3.
    assert ratios([8.0, 4.0, 6.0], [4.0, 2.0, 1.0]) == Spread(2.0, 2.0, 6.0)
    with pytest.raises(ValueError, match="zip"):
        ratios([1.0], [1.0, 2.0])


def test_subjects_come_in_turn_and_who_warms_up_is_not_counted() -> None:
    order: list[str] = []

    def subject(name: str) -> int:
        order.append(name)
        return len(order)

    found, failed = in_turn({"a": lambda: subject("a"), "b": lambda: subject("b")}, rounds=2)
    assert order == ["a", "b"] * 3
    assert (found, failed) == ({"a": [3, 5], "b": [4, 6]}, {})


def test_who_fails_once_has_no_figure_and_the_others_go_on() -> None:
    turns = 0

    def fails() -> int:
        nonlocal turns
        turns += 1
        if turns == 2:
            raise NotMeasured("over 5 s")
        return 0

    found, failed = in_turn({"fails": fails, "goes": lambda: 1}, rounds=3, warm_up=0)
    assert (found, failed, turns) == ({"goes": [1, 1, 1]}, {"fails": "over 5 s"}, 2)


def test_a_process_has_its_output_its_seconds_and_its_memory(tmp_path: Path) -> None:
    ran = run([sys.executable, "-c", HOG], tmp_path, 60)
    assert ran.output == "done\n"
    assert ran.taken.wall > 0
    assert ran.taken.cpu > 0
    assert 300 << 20 <= ran.taken.peak < 600 << 20


def test_one_that_is_not_installed_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match=r"^not installed$"):
        run(["no-such-checker", "--version"], tmp_path, 5)


@pytest.mark.parametrize("command", ["import time; time.sleep(60)", "import os; os.system('sleep 60')"])
def test_one_that_takes_too_long_is_ended_and_has_no_figure(tmp_path: Path, command: str) -> None:
    with pytest.raises(NotMeasured, match=r"^over 0 s$"):
        run([sys.executable, "-c", command], tmp_path, 0.3)


def test_one_that_fails_has_no_figure(tmp_path: Path) -> None:
    with pytest.raises(NotMeasured, match=r"^ended with status 3: why$"):
        run([sys.executable, "-c", "print('what'); print('why'); raise SystemExit(3)"], tmp_path, 60)


@pytest.mark.parametrize("make", [lambda f: runs.rumur_of("", f, 2), lambda f: runs.spin_of("", f, 10)])
def test_a_peer_that_is_missing_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("rumur") is None
    assert callable(make)
    with pytest.raises(NotMeasured, match=r"^not installed$"):
        make(tmp_path / "folder")


def test_seconds_to_a_depth_are_those_of_all_depths_before() -> None:
    said = {"cpus": {"0": 0.5, "1": 1.0, "2": 2.0, "10": 4.0}, "depth": 2, "stop": "timeout"}
    answer = Answer(said, Taken(0, 0))
    assert [until(answer, depth) for depth in (0, 1, 2, 3)] == [0.5, 1.5, 3.5, None]


def test_a_peer_that_counts_other_states_has_no_figure() -> None:
    rate = Rate(10, Taken(1, 1), Taken(1, 1))
    assert _same(10, 10, rate) == rate
    with pytest.raises(NotMeasured, match="counts 5 states, not 10"):
        _same(5, 10, rate)


def test_where_time_ends_finished_rounds_count(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []

    def subject() -> int:
        rounds.append(0)
        if len(rounds) == 3:
            monkeypatch.setattr(END, "at", 0.0)
        return len(rounds)

    assert in_turn({"a": subject}, rounds=5) == ({"a": [2, 3]}, {})
    assert in_turn({"a": subject, "b": subject}, rounds=5) == ({}, {"a": NO_TIME, "b": NO_TIME})
