"""What becomes of a row, and what all of them come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from fencepost.check import Check
from fencepost.engines import Limits
from fencepost.manifest import Pin, PropertyPin
from fencepost.rows.cache import VerdictCache
from fencepost.rows.row import CI, DEEP, Row
from fencepost.rows.run import Outcome, Result, Task, _compared, exit_code, run_row, settled
from fencepost.verdict import Run, Stop, Verdict

COUNTER = str(Path(__file__).parents[1] / "cli" / "protocols" / "counter.py")

HOLDS, OPEN = PropertyPin(Verdict.EXHAUSTED), PropertyPin(Verdict.INCONCLUSIVE)
PIN = Pin("some", states=4, properties={"a": HOLDS, "b": HOLDS})
ROW = Row("some", "some row", PIN)


@pytest.mark.parametrize(
    ("now", "outcome"),
    [
        (PIN, Outcome.AS_PINNED),
        (Pin("some", states=5, properties={"a": HOLDS, "b": HOLDS}), Outcome.DIFFERS),
        (Pin("some", states=4, properties={"a": HOLDS, "b": OPEN}), Outcome.INCONCLUSIVE),
        (Pin("some", states=5, properties={"a": HOLDS, "b": OPEN}), Outcome.DIFFERS),
        (Pin("some", states=4, properties={"a": HOLDS}), Outcome.DIFFERS),
    ],
)
def test_what_is_undecided_now_is_no_difference(now: Pin, outcome: Outcome) -> None:
    assert _compared(ROW, PIN, now).outcome is outcome


def test_a_pin_that_is_inconclusive_is_as_pinned_where_it_still_is() -> None:
    pin = Pin("some", states=4, properties={"a": OPEN})
    assert _compared(ROW, pin, pin).outcome is Outcome.AS_PINNED


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([Outcome.AS_PINNED, Outcome.NOT_RUN], 0),
        ([Outcome.INCONCLUSIVE, Outcome.AS_PINNED], 3),
        ([Outcome.INCONCLUSIVE, Outcome.DIFFERS], 1),
        ([Outcome.DIFFERS, Outcome.WRONG], 2),
        ([Outcome.WRONG, Outcome.INTERRUPTED], 130),
        ([Outcome.INTERRUPTED, Outcome.INTERNAL], 70),
    ],
)
def test_the_exit_code_is_the_first_that_applies(outcomes: list[Outcome], code: int) -> None:
    assert exit_code([Result(ROW, outcome) for outcome in outcomes]) == code


def test_what_is_known_without_a_run() -> None:
    large = Row("some", "some row", Pin("some", states=1_000_001))
    assert settled(ROW, CI) is None
    assert settled(large, DEEP) is None
    found = [settled(row, CI) for row in (large, Row("x", "x", problem="p"), Row("x", "x", problem="p", loads=False))]
    assert [each and each.outcome for each in found] == [Outcome.NOT_RUN, Outcome.DIFFERS, Outcome.WRONG]


@pytest.mark.parametrize(
    ("stop", "outcome", "kept"),
    [
        (Stop.DEPTH, Outcome.AS_PINNED, 1),
        (Stop.TIMEOUT, Outcome.AS_PINNED, 0),
        (Stop.MEMORY, Outcome.AS_PINNED, 0),
        (Stop.MISSING, Outcome.AS_PINNED, 0),
        (Stop.INTERRUPTED, Outcome.INTERRUPTED, 0),
    ],
)
def test_a_bounded_check_that_was_cut_short_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stop: Stop, outcome: Outcome, kept: int
) -> None:
    def cut_short(found: Check, depth: int, *_: object) -> Check:
        return evolve(found, runs=(*found.runs, Run("bmc", stop, 1)))

    monkeypatch.setattr("fencepost.rows.run.with_bmc", cut_short)
    holds = {"whole": evolve(HOLDS, bmc=3), "no-hang": HOLDS}
    row = Row(COUNTER, "counter sound", Pin("counter", sizes={"limit": 3}, states=4, properties=holds))
    result = run_row(Task(row, Limits(), bmc=True, cache=VerdictCache(tmp_path)))
    assert (result.outcome, len(list(tmp_path.rglob("*.toml")))) == (outcome, kept)
    assert run_row(Task(row, Limits(), bmc=True, cache=VerdictCache(tmp_path))).kept == bool(kept)
