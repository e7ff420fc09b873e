"""What becomes of a row, and what all of them come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from fencepost.engines import Job, Limits
from fencepost.errors import InternalError
from fencepost.manifest import Pin, PropertyPin
from fencepost.rows.cache import VerdictCache
from fencepost.rows.look import Question, questions
from fencepost.rows.row import CI, DEEP, Row
from fencepost.rows.run import Outcome, Result, Task, _compared, exit_code, run_row, settled
from fencepost.verdict import Finding, Run, Stop, Verdict

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
    def cut_short(jobs: list[Job], _: object) -> tuple[Run, ...]:
        assert [(job.properties, job.limits.depth) for job in jobs] == [(("whole",), 3)]
        return (Run("bmc", stop, 1, bounds={"whole": 1}),)

    monkeypatch.setattr("fencepost.rows.look.run_engines", cut_short)
    holds = {"whole": evolve(HOLDS, bmc=3), "no-hang": HOLDS}
    row = Row(COUNTER, "counter sound", Pin("counter", sizes={"limit": 3}, states=4, properties=holds))
    task = Task(row, Limits(), bmc=True, cache=VerdictCache(tmp_path))
    result = run_row(task)
    assert (result.outcome, len(list(tmp_path.rglob("*.toml")))) == (outcome, kept)
    if stop is not Stop.INTERRUPTED:
        assert result.remarks == ("whole: the bounded check got to depth 1, not to 3 as before",)
    assert run_row(task).kept == bool(kept)


def violated(length: int, bmc: int | None) -> PropertyPin:
    return PropertyPin(Verdict.VIOLATED, length=length, bmc=bmc)


@pytest.mark.parametrize(
    ("properties", "asked"),
    [
        ({"a": HOLDS}, ()),
        ({"a": evolve(HOLDS, bmc=9), "b": evolve(HOLDS, bmc=7)}, (Question(("a", "b"), 7),)),
        ({"a": violated(3, 9), "b": violated(5, 5)}, (Question(("a", "b"), 5),)),
        ({"a": violated(3, 9), "b": evolve(HOLDS, bmc=7)}, (Question(("a",), 3), Question(("b",), 7))),
        ({"a": violated(8, 7), "b": evolve(HOLDS, bmc=9)}, (Question(("a", "b"), 7),)),
        ({"a": violated(8, None)}, ()),
    ],
)
def test_the_bounded_check_is_asked_for_no_more_than_it_did(
    properties: dict[str, PropertyPin], asked: tuple[Question, ...]
) -> None:
    assert questions(Pin("some", properties=properties)) == asked


@pytest.mark.parametrize("bmc", [1, None])
def test_each_property_has_the_answer_to_its_own_question(bmc: int | None) -> None:
    """That the run for `whole` says nothing of `no-hang`, which is violated at once, is no contradiction."""
    properties = {"whole": evolve(HOLDS, bmc=3), "no-hang": violated(1, bmc)}
    pin = Pin("counter", "stuck", sizes={"limit": 3}, states=4, properties=properties)
    result = run_row(Task(Row(COUNTER, "counter stuck", pin), Limits(), bmc=True))
    assert (result.outcome, result.lines, result.remarks) == (Outcome.AS_PINNED, (), ())
    assert result.now is not None
    assert result.now.properties["whole"].bmc == 3
    assert result.now.properties["no-hang"].bmc == (bmc or -1)


def test_a_bounded_check_that_finds_what_is_not_there_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(jobs: list[Job], _: object) -> tuple[Run, ...]:
        return (Run("bmc", Stop.DECIDED, 2, findings=(Finding("whole", (("push", ()),) * 2),), bounds={"whole": 2}),)

    monkeypatch.setattr("fencepost.rows.look.run_engines", other)
    pin = Pin("counter", sizes={"limit": 3}, properties={"whole": evolve(HOLDS, bmc=3)})
    with pytest.raises(InternalError, match="bmc violates whole in 2 steps, but explore found none"):
        run_row(Task(Row(COUNTER, "counter sound", pin), Limits(), bmc=True))
