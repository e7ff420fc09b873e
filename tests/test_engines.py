"""Running engines: alone, side by side, out of memory, interrupted, broken."""

from __future__ import annotations

import ctypes
import os
import signal
from pathlib import Path

import pytest

from fencepost.check import check
from fencepost.engines import ENGINES, Engine, Job, Limits
from fencepost.errors import InternalError
from fencepost.ir.model import Model
from fencepost.registry import find
from fencepost.side_by_side import run_engines
from fencepost.verdict import ProgressEvent, Run, Stop

COUNTER = str(Path(__file__).parent / "cli" / "protocols" / "counter.py")


@pytest.fixture
def model() -> Model:
    return find(COUNTER).build(variant="brittle")


def double(name: str) -> Engine:
    return Engine(name, f"tests.engine_doubles.{name}", "plays a part")


def test_side_by_side_is_the_same_as_one_by_one(model: Model) -> None:
    jobs = [Job(ENGINES[name], model, Limits(depth=4)) for name in ("explore", "bmc", "sat")]
    together = run_engines(jobs)
    assert [run.engine for run in together] == ["explore", "bmc", "sat"]
    for run, job in zip(together, jobs, strict=True):
        alone = run_engines([job])[0]
        assert (run.stop, run.depth, run.findings, run.actions) == (
            alone.stop,
            alone.depth,
            alone.findings,
            alone.actions,
        )


def test_an_engine_that_is_not_there(model: Model) -> None:
    absent = Engine("absent", "tests.engine_doubles.absent", "nothing")
    needy = Engine("needy", "tests.engine_doubles.endless", "nothing", needs="no_such_package", package="no-such")
    runs = run_engines([Job(absent, model, Limits()), Job(needy, model, Limits())])
    assert [run.stop for run in runs] == [Stop.MISSING] * 2
    assert runs[1].reason == "no_such_package is not installed; pip install no-such"


@pytest.mark.parametrize("companions", [[], ["explore"]], ids=str)
def test_over_its_memory_an_engine_stops_and_says_what_it_covered(model: Model, companions: list[str]) -> None:
    limits = Limits(depth=2, memory=(1 << 28) + (1 << 26))
    runs = run_engines([Job(e, model, limits) for e in (double("hungry"), *(ENGINES[name] for name in companions))])
    assert (runs[0].stop, runs[0].depth) == (Stop.MEMORY, 3)
    assert [run.stop for run in runs[1:]] == [Stop.DEPTH] * len(companions)


def test_over_its_memory_where_ctrl_c_is_ignored(model: Model) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        (run,) = run_engines([Job(double("hungry"), model, Limits(depth=2, memory=(1 << 28) + (1 << 26)))])
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert (run.stop, run.depth) == (Stop.MEMORY, 3)


def test_an_interrupt_is_passed_on_to_every_engine(model: Model) -> None:
    told: list[ProgressEvent] = []

    def progress(event: ProgressEvent) -> None:
        told.append(event)
        if len(told) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    jobs = [Job(double("endless"), model, Limits()), Job(ENGINES["explore"], model, Limits())]
    endless, explore = run_engines(jobs, progress)
    assert (endless.stop, endless.depth) == (Stop.INTERRUPTED, 7)
    assert explore.stop in (Stop.EXHAUSTED, Stop.INTERRUPTED)


def test_an_interrupt_before_the_search_began(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("fencepost.explore.interpreted.Interpreted.begin", interrupted)
    (run,) = run_engines([Job(ENGINES["explore"], model, Limits())])
    assert (run.stop, run.depth) == (Stop.INTERRUPTED, 0)


def test_an_interrupt_in_the_midst_of_a_call_to_c(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it strikes while arguments are converted, ctypes calls it a wrong argument."""

    class Struck:
        @classmethod
        def from_param(cls, _: object) -> object:
            raise KeyboardInterrupt

    def call(*_: object) -> None:
        function = ctypes.CDLL(None).abs
        function.argtypes = [Struck]
        function(1)

    monkeypatch.setattr("fencepost.explore.interpreted.Interpreted.begin", call)
    (run,) = run_engines([Job(ENGINES["explore"], model, Limits())])
    assert (run.stop, run.depth) == (Stop.INTERRUPTED, 0)
    monkeypatch.setattr(Struck, "from_param", classmethod(lambda *_: 1 / 0))
    with pytest.raises(ctypes.ArgumentError, match="ZeroDivisionError"):
        run_engines([Job(ENGINES["explore"], model, Limits())])


def test_a_defect_in_an_engine_is_an_internal_error(model: Model) -> None:
    jobs = [Job(double("failing"), model, Limits()), Job(ENGINES["explore"], model, Limits())]
    with pytest.raises(InternalError, match="engine failing: ZeroDivisionError: oh"):
        run_engines(jobs)


def test_a_process_that_ends_without_a_word(model: Model) -> None:
    explore = Job(ENGINES["explore"], model, Limits())
    with pytest.raises(InternalError, match="engine vanishing ended with status 3 and no result"):
        run_engines([Job(double("vanishing"), model, Limits(depth=3)), explore])
    killed, _ = run_engines([Job(double("vanishing"), model, Limits(depth=9)), explore])
    assert (killed.stop, killed.reason) == (Stop.MEMORY, "killed by the system")


def stub(monkeypatch: pytest.MonkeyPatch, *runs: Run) -> list[list[tuple[str, int | None]]]:
    """Engines that give these runs; the calls made of them."""
    calls: list[list[tuple[str, int | None]]] = []
    by_name = {run.engine: run for run in runs}

    def play(jobs: list[Job], progress: object) -> tuple[Run, ...]:
        calls.append([(job.engine.name, job.limits.depth) for job in jobs])
        return tuple(by_name[job.engine.name] for job in jobs)

    monkeypatch.setattr("fencepost.check.run_engines", play)
    return calls


def explored(stop: Stop, depth: int) -> Run:
    return Run("explore", stop, depth, states=4, twins={"whole": 2, "no-hang": 1})


BMC, SAT, WALK = Run("bmc", Stop.DEPTH, 9), Run("sat", Stop.DEPTH, 9), Run("walk", Stop.DEPTH, 0)


def test_all_runs_side_by_side_to_one_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    model = find(COUNTER).build()
    calls = stub(monkeypatch, explored(Stop.EXHAUSTED, 3), BMC, SAT, WALK)
    check(model, "all", Limits(9))
    assert calls == [[("explore", 9), ("bmc", 9), ("sat", 9), ("walk", 9)]]
    calls.clear()
    check(model, "all", Limits())
    assert calls == [[("explore", None)], [("bmc", 3), ("sat", 3), ("walk", 3)]]
