"""`--engine auto`: who is asked, who is first, what becomes of the others, and what is never left behind."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from attrs import evolve

from fencepost import portfolio, side_by_side
from fencepost.agree import Disagreement
from fencepost.check import Check, Reached, check
from fencepost.engines import ENGINES, Engine, Job, Limits
from fencepost.ir.model import Model
from fencepost.portfolio import settle
from fencepost.registry import find
from fencepost.side_by_side import Race, run_engines
from fencepost.verdict import OBLIGATIONS, Finding, Manner, Proof, Run, Stop, Verdict
from tests.cli.conftest import Verify, verify

__all__ = ["verify"]  # a fixture

SCHEMA = Path(__file__).parents[1] / "docs" / "json-schema" / "report-1.json"
COUNTER, VAST = (str(Path(__file__).parent / "cli" / "protocols" / f"{name}.py") for name in ("counter", "vast"))


@pytest.fixture
def vast() -> Model:
    """Of which no search sees every state."""
    return find(VAST).build()


def explored(stop: Stop, depth: int) -> Run:
    return Run("explore", stop, depth, states=4, twins={"whole": 2, "no-hang": 1})


def stub(monkeypatch: pytest.MonkeyPatch, *rounds: tuple[Run, ...]) -> list[list[str]]:
    """Engines that give these runs, round by round; who was asked."""
    calls: list[list[str]] = []

    def play(jobs: list[Job], *_: object) -> tuple[Run, ...]:
        runs = {run.engine: run for run in rounds[len(calls)]}
        calls.append([job.engine.name for job in jobs])
        return tuple(runs.get(job.engine.name, Run(job.engine.name, Stop.TIMEOUT, 0)) for job in jobs)

    monkeypatch.setattr(portfolio, "run_engines", play)
    return calls


@pytest.fixture
def all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every engine can run, ABC is a program."""
    monkeypatch.setattr(Engine, "missing", lambda self: "")
    monkeypatch.setattr(Engine, "is_program", True)


@pytest.mark.parametrize(
    ("head", "depth"),
    [
        (explored(Stop.EXHAUSTED, 3), None),
        (explored(Stop.DEPTH, 9), 9),
        (explored(Stop.INTERRUPTED, 2), None),
        (explored(Stop.TIMEOUT, 9), 9),
        (evolve(explored(Stop.EXHAUSTED, 3), partial={"no-hang": "interrupted"}, stop=Stop.INTERRUPTED), None),
    ],
)
@pytest.mark.usefixtures("all_there")
def test_nobody_is_started_beside_a_search_that_ends(
    head: Run, depth: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = stub(monkeypatch, (head,))
    found = settle(find(COUNTER).build(), Limits(depth))
    assert (calls, found.runs, found.first) == ([["explore"]], (head,), ())


@pytest.mark.parametrize(
    ("missing", "program", "protocol", "expected"),
    [
        ((), True, COUNTER, ["explore", "sat", "pdr"]),
        ((), False, COUNTER, ["explore", "sat"]),
        (("sat",), False, COUNTER, ["explore", "bmc"]),
        ((), True, "serializer", ["explore", "sat", "bmc", "pdr"]),
    ],
)
@pytest.mark.parametrize("stop", [Stop.TIMEOUT, Stop.MEMORY])
def test_who_races(
    missing: tuple[str, ...],
    program: bool,
    protocol: str,
    expected: list[str],
    stop: Stop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Engine, "missing", lambda self: "not here" if self.name in missing else "")
    monkeypatch.setattr(Engine, "is_program", program)
    calls = stub(monkeypatch, (explored(stop, 2),), ())
    settle(find(protocol).build(), Limits())
    assert calls == [["explore"], expected]


@pytest.mark.usefixtures("all_there")
def test_a_response_that_was_not_come_to_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """All states were found, and there was no time to look at runs without an end."""
    head = evolve(explored(Stop.EXHAUSTED, 3), partial={"no-hang": "no time was left"})
    calls = stub(monkeypatch, (head,), ())
    settle(find(COUNTER).build(), Limits(timeout=60.0))
    assert calls == [["explore"], ["explore", "sat", "pdr"]]


@pytest.mark.usefixtures("all_there")
def test_what_the_head_start_covered_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the race the search came to nothing, as on a machine where others have the time."""
    model = find(COUNTER).build()
    for stop in (Stop.TIMEOUT, Stop.INTERRUPTED):
        stub(monkeypatch, (explored(Stop.TIMEOUT, 5),), (Run("explore", stop, 0),))
        assert settle(model, Limits()).runs[0] == explored(stop, 5)
    stub(monkeypatch, (explored(Stop.TIMEOUT, 5),), (explored(Stop.TIMEOUT, 7),))
    assert settle(model, Limits()).runs[0] == explored(Stop.TIMEOUT, 7)


@pytest.mark.parametrize(
    ("own", "timeout", "searches"),
    [(0.1, 60.0, [5.0, 15.0]), (0.9, 60.0, [5.0]), (0.1, 8.0, [2.0]), (0.1, 30.0, [5.0, 7.5])],
)
@pytest.mark.usefixtures("all_there")
def test_where_others_had_the_machine_the_search_is_alone_once_more(
    own: float, timeout: float, searches: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float | None] = []
    clock = [0.0, 0.0]

    def play(jobs: list[Job], *_: object) -> tuple[Run, ...]:
        if len(jobs) == 1:
            given.append(seconds := jobs[0].limits.timeout)
            clock[0] += seconds or 0
            clock[1] += own * (seconds or 0)
        return tuple(Run(job.engine.name, Stop.TIMEOUT, 0) for job in jobs)

    monkeypatch.setattr(portfolio, "run_engines", play)
    monkeypatch.setattr(portfolio.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(portfolio.time, "process_time", lambda: clock[1])
    settle(find(COUNTER).build(), Limits(timeout=timeout))
    assert given == searches


@pytest.mark.usefixtures("all_there")
def test_a_search_that_is_kept_has_the_machine_to_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calls = stub(monkeypatch, (explored(Stop.TIMEOUT, 2),), ())
    manner = Manner(checkpoint=tmp_path / "kept")
    settle(find(COUNTER).build(), Limits(9, manner=manner))
    assert calls == [["explore"], ["sat"]]
    calls.clear()
    settle(find(COUNTER).build(), Limits(manner=manner))
    assert calls == [["explore"]]


PROOF = Proof(("whole", "no-hang", OBLIGATIONS), (), (), "none", "0", "good faith")
PUSHES = (("push", ()),) * 3


@pytest.mark.parametrize(
    ("runs", "depth", "settled"),
    [
        ([Run("sat", Stop.DEPTH, 9)], 9, True),
        ([Run("sat", Stop.DEPTH, 8)], 9, False),
        ([Run("sat", Stop.DEPTH, 9)], None, False),
        ([Run("sat", Stop.DEPTH, 9, partial={"no-hang": "not looked at"})], 9, False),
        ([Run("pdr", Stop.DECIDED, -1, proof=PROOF)], None, True),
        ([Run("pdr", Stop.DECIDED, -1, proof=evolve(PROOF, proves=("whole", OBLIGATIONS)))], None, False),
        (
            [Run("explore", Stop.DECIDED, 3, findings=(Finding("whole", PUSHES), Finding("no-hang", PUSHES)))],
            None,
            True,
        ),
        ([Run("pdr", Stop.DECIDED, -1, findings=(Finding("whole", PUSHES), Finding("no-hang", PUSHES)))], None, False),
        (
            [
                Run("pdr", Stop.DECIDED, -1, findings=(Finding("whole", PUSHES), Finding("no-hang", PUSHES))),
                Run("sat", Stop.CANCELLED, 2),
            ],
            None,
            True,
        ),
    ],
)
def test_when_everything_is_settled(runs: list[Run], depth: int | None, settled: bool) -> None:
    question = portfolio._Question(frozenset({"whole", "no-hang"}), depth)
    assert question.settled(runs) is settled


# Real processes


def double(monkeypatch: pytest.MonkeyPatch, name: str, plays: str) -> None:
    """Another engine in the place of one."""
    monkeypatch.setitem(ENGINES, name, Engine(name, f"tests.engine_doubles.{plays}", "plays", commands=("sh",)))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search has but a moment to itself."""
    monkeypatch.setattr(portfolio, "HEAD_START", 0.5)


def raced(model: Model, timeout: float = 60.0, **limits: int) -> Check:
    return check(model, "auto", Limits(timeout=timeout, **limits))  # type: ignore[arg-type]


def verdicts(found: Check) -> dict[str, Verdict]:
    return {decision.name: decision.verdict for decision in found.decisions}


@pytest.mark.usefixtures("soon")
def test_the_first_to_settle_everything_ends_the_others(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    double(monkeypatch, "pdr", "credulous")
    calm = evolve(vast, properties=vast.properties[:1])
    begun = time.monotonic()
    found = raced(calm, timeout=300.0)
    assert time.monotonic() - begun < 60
    assert verdicts(found) == {"never-odd": Verdict.PROVED, OBLIGATIONS: Verdict.PROVED}
    assert found.first == ("pdr",)
    assert [(run.engine, run.stop) for run in found.runs] == [
        ("explore", Stop.CANCELLED),
        ("sat", Stop.CANCELLED),
        ("pdr", Stop.DECIDED),
    ]
    chance = [(run.states, run.transitions, run.levels, dict(run.actions)) for run in found.runs[:2]]
    assert chance == [(None, None, (), {})] * 2
    assert not found.counted


@pytest.mark.usefixtures("soon")
def test_engines_that_disagree_are_an_internal_error(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """One proves what the search had found violated."""
    double(monkeypatch, "pdr", "credulous")
    with pytest.raises(Disagreement, match="violates never-at-two in 2 steps, but pdr found none at any depth"):
        raced(vast)


@pytest.mark.usefixtures("soon")
def test_what_disagrees_is_saved(verify: Verify, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    double(monkeypatch, "pdr", "credulous")
    ran = verify("--protocol", VAST)
    assert ran.code == 70
    assert ran.err.startswith("verify: internal error: explore violates never-at-two in 2 steps, but pdr found none")
    assert ran.err.endswith("; what each of them says is in fencepost-disagreement\n")
    folder = tmp_path / "fencepost-disagreement"
    assert {"explore.run.json", "explore.never-at-two.itf.json", "pdr.run.json", "pdr.certificate.json"} <= {
        path.name for path in folder.iterdir()
    }
    told = json.loads((folder / "pdr.run.json").read_text("utf-8"))
    assert told["proof"]["proves"] == ["never-odd", "never-at-two", OBLIGATIONS]
    steps = json.loads((folder / "explore.run.json").read_text("utf-8"))["findings"][0]["steps"]
    assert steps == ["turn(d=0)", "turn(d=0)"]
    assert verify("replay", str(folder / "explore.never-at-two.itf.json"), "--protocol", VAST).code == 1


@pytest.mark.usefixtures("soon")
def test_the_report_says_who_was_first(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    double(monkeypatch, "pdr", "credulous")
    told = verify("--protocol", VAST, "--property", "never-odd")
    assert "  first     pdr\n" in told.out
    assert "  explore   cancelled (pdr had settled everything)\n" in told.out
    assert "no actions were counted" in told.out
    ran = verify("--protocol", VAST, "--property", "never-odd", "--json")
    document = json.loads(ran.out)
    jsonschema.validate(document, json.loads(SCHEMA.read_text("utf-8")))
    assert document["first"] == ["pdr"]
    assert [engine["stop"] for engine in document["engines"]] == ["cancelled", "cancelled", "decided"]


@pytest.mark.usefixtures("soon")
def test_a_longer_counterexample_gives_way_to_a_shortest_one(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    double(monkeypatch, "pdr", "roundabout")
    found = raced(vast, timeout=300.0)
    assert verdicts(found) == {
        "never-odd": Verdict.PROVED,
        "never-at-two": Verdict.VIOLATED,
        OBLIGATIONS: Verdict.PROVED,
    }
    violated = found.decisions[1]
    assert (violated.depth, violated.why) == (2, "2 steps")
    assert found.decisions[0].reached == Reached(1, least=False)


@pytest.mark.usefixtures("soon")
def test_a_longer_one_alone_is_said_to_be_perhaps_not_the_shortest(
    vast: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else comes to anything: they get as long again, and then it is over."""
    monkeypatch.setattr(side_by_side, "_AT_LEAST", 0.5)
    double(monkeypatch, "sat", "silent")
    double(monkeypatch, "pdr", "roundabout")
    double(monkeypatch, "explore", "timed_out")
    found = raced(vast, timeout=300.0)
    assert found.decisions[1].why == "5 steps, perhaps not the fewest"
    assert [run.stop for run in found.runs] == [Stop.CANCELLED, Stop.CANCELLED, Stop.DECIDED]


@pytest.mark.usefixtures("soon")
def test_one_that_is_killed_does_not_end_the_race(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    double(monkeypatch, "pdr", "vanishing")
    found = raced(evolve(vast, properties=vast.properties[:1]), depth=40)
    assert [(run.engine, run.stop) for run in found.runs if run.engine == "pdr"] == [("pdr", Stop.MEMORY)]
    assert verdicts(found)["never-odd"] is Verdict.NO_VIOLATION


@pytest.mark.usefixtures("soon")
def test_a_defect_in_one_ends_all(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    double(monkeypatch, "pdr", "failing")
    started: list[int] = []
    start = side_by_side.Worker.start.__func__  # type: ignore[attr-defined]

    def noted(cls: type, work: object) -> object:
        started.append((worker := start(cls, work)).process.pid)
        return worker

    monkeypatch.setattr(side_by_side.Worker, "start", classmethod(noted))
    with pytest.raises(Exception, match="engine pdr: ZeroDivisionError: oh"):
        raced(vast)
    assert len(started) == 3
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


def test_together_they_keep_to_the_limit_of_memory(vast: Model) -> None:
    """The last one takes too much, and is the first to go."""
    hungry = Engine("hungry", "tests.engine_doubles.hungry", "takes memory")
    patient = Engine("timed_out", "tests.engine_doubles.timed_out", "waits")
    race = Race(lambda runs: False, lambda runs: False, None, 300 << 20)
    waits, eats = run_engines([Job(patient, vast, Limits(timeout=3.0)), Job(hungry, vast, Limits())], None, race)
    assert (eats.stop, eats.depth, waits.stop) == (Stop.MEMORY, 3, Stop.TIMEOUT)


def test_a_race_is_over_when_its_time_is(vast: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_by_side, "_PATIENCE", 0.5)
    jobs = [Job(Engine(name, f"tests.engine_doubles.{name}", ""), vast, Limits()) for name in ("endless", "hungry")]
    runs = run_engines(jobs, None, Race(lambda runs: False, lambda runs: False, 1.0))
    assert [run.stop for run in runs] == [Stop.TIMEOUT] * 2


# Nothing is left behind


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment that a process and all that it starts can be known by; in it ABC never ends."""
    abc = tmp_path / "bin" / "berkeley-abc"
    abc.parent.mkdir()
    abc.write_text('#!/bin/sh\n[ "$2" = version ] || sleep 600\n')
    abc.chmod(0o755)
    environment = {**os.environ, "MARK": uuid.uuid4().hex, "PATH": f"{abc.parent}:{os.environ['PATH']}"}
    yield environment
    for pid in alive(environment["MARK"]):
        os.kill(int(pid), signal.SIGKILL)


def alive(mark: str) -> dict[str, str]:
    """The processes of that mark, and what they are."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found[folder.name] = (folder / "cmdline").read_text("utf-8").replace("\0", " ")
        except OSError:
            pass
    return found


def until(what: str, mark: str, seconds: float = 60.0) -> dict[str, str]:
    """Wait until a process that is called so is among them; without a name, until there is none."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        there = alive(mark)
        if (not there) if not what else any(what in command for command in there.values()):
            return there
        time.sleep(0.2)
    return there


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_no_process_is_left(blow: signal.Signals, marked: dict[str, str], tmp_path: Path) -> None:
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "fencepost", "--protocol", VAST, "--property", "never-odd", "--timeout", "0"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        cwd=tmp_path,
        env=marked,
    )
    os.close(theirs)
    there = until("sleep 600", marked["MARK"])
    assert any("sleep 600" in command for command in there.values())
    process.send_signal(blow)
    out, _ = process.communicate(timeout=60)
    os.close(terminal)
    assert until("", marked["MARK"]) == {}
    if blow is signal.SIGINT:
        assert process.returncode == 130
        assert re.search(r"^  explore +interrupted", out, re.MULTILINE)
        assert re.search(r"^  pdr +interrupted", out, re.MULTILINE)
