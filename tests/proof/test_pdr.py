"""Engine `pdr` against a search of every state, on random models; faults in what it reads; ABC that fails."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings

from fencepost.check import conclude
from fencepost.engines import ENGINES, Limits
from fencepost.errors import InternalError
from fencepost.exec.interpreter import Interpreter
from fencepost.explore.bfs import run as explore
from fencepost.ir.expr import FALSE, TRUE, Expr, Read
from fencepost.ir.model import Model
from fencepost.proof import abc, pla, prove
from fencepost.proof.clause import Vocabulary, holds
from fencepost.proof.pdr import run
from fencepost.proof.prover import Answer
from fencepost.verdict import OBLIGATIONS, Run, Stop, Verdict
from tests.explore.test_bfs_agrees import ALWAYS, shows
from tests.foreign import lacking
from tests.profile import as_drawn, examples
from tests.proof.agreement import flat
from tests.smt.tiny import below, counter, number, prop
from tests.strategies import models

pytestmark = pytest.mark.foreign


def need_abc() -> None:
    if reason := ENGINES["pdr"].missing():
        lacking(reason)


def compare(model: Model) -> None:
    """What pdr proves and finds is what a look at every state proves and finds."""
    model = evolve(model, properties=(*model.properties, ALWAYS))  # so that a search goes on to the end
    proved, seen = run(model, depth=None, timeout=None), explore(model, depth=None, timeout=None)
    assert seen.stop is Stop.EXHAUSTED
    assert proved.stop is Stop.DECIDED, f"pdr differs: {proved.reason}"
    assert proved.names == seen.names, "pdr differs on what is violated"
    assert all(shows(Interpreter(model), finding) for finding in proved.findings)
    for name in [p.name for p in model.properties]:
        assert proved.proof is not None
        assert proved.proof.covers(name) is (name not in seen.names), "pdr differs on what it proves"
        if name not in seen.names:
            assert (name in proved.twins) is (name in seen.twins), "pdr differs on twins"
    assert proved.proof is not None
    if not any(name.startswith(("range:", "dead:")) for name in seen.names):
        assert OBLIGATIONS in proved.proof.proves
    words = Vocabulary.of(model)
    for path in seen.twin_paths.values():
        state = Interpreter(model).initial()
        for name, args in path:
            state = Interpreter(model).fire(state, model.action(name), args).state  # type: ignore[union-attr]
        assert all(holds(words.read(line), flat(state)) for line in proved.proof.invariant)


@settings(deadline=None, max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(models())
def test_pdr_and_a_search_agree(model: Model) -> None:
    need_abc()
    compare(model)


def test_a_proof_and_a_violation_read_as_such() -> None:
    need_abc()
    model = counter(3, prop("always", TRUE), prop("never", FALSE))
    found = conclude(model, Limits(), (run(model, depth=None, timeout=None),))
    verdicts = {decision.name: decision.verdict for decision in found.decisions}
    assert verdicts == {"always": Verdict.PROVED, "never": Verdict.VIOLATED, OBLIGATIONS: Verdict.PROVED}


Plant = Callable[[pytest.MonkeyPatch], None]


def cubes_read_as_clauses(patch: pytest.MonkeyPatch) -> None:
    read = pla.clauses
    turned = str.maketrans("01", "10")

    def upside_down(text: str, what: object):  # type: ignore[no-untyped-def]
        lines = [line.translate(turned) if set(line[:1]) & set("01-") else line for line in text.splitlines()]
        return read("\n".join(lines), what)  # type: ignore[arg-type]

    patch.setattr(abc, "clauses", upside_down)


def negated_latches_read_straight(patch: pytest.MonkeyPatch) -> None:
    columns = pla._columns
    patch.setattr(pla, "_columns", lambda words, what: (evolve(bit, one=True) for bit in columns(words, what)))


def everything_is_proved(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(abc.Abc, "prove", lambda self, what, limits: Answer(invariant=()))


def clauses_lost(patch: pytest.MonkeyPatch) -> None:
    less = prove.minimised
    patch.setattr(prove, "minimised", lambda *args: less(*args)[1:])


FAULTS = [cubes_read_as_clauses, negated_latches_read_straight, everything_is_proved, clauses_lost]


@pytest.mark.parametrize(
    "plant",
    FAULTS,
    ids=lambda plant: plant.__name__,
)
def test_random_models_see_the_fault(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    need_abc()
    plant(monkeypatch)
    with pytest.raises(InternalError, match="proves what Z3 refutes"):
        _agree()


@as_drawn(300)
@given(models())
def _agree(model: Model) -> None:
    compare(model)


def fake(folder: Path, script: str) -> abc.Abc:
    """A program in place of ABC."""
    path = folder / "abc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return abc.Abc((str(path),), "0")


@pytest.mark.parametrize(
    ("script", "stop", "reason"),
    [
        ("exit 0", Stop.FAILED, "ABC wrote no verdict"),
        ("kill -9 $$", Stop.MEMORY, "ABC was killed by signal 9"),
        ("kill -11 $$", Stop.FAILED, "ABC was killed by signal 11"),
        ("echo 'snl_UNK -1' > status.txt", Stop.TIMEOUT, "ABC came to no end in its time"),
        ("echo what > status.txt", Stop.FAILED, "ABC wrote no verdict; is it what it is called?"),
        ("echo snl_SAT > status.txt; echo what > counterexample.txt", Stop.FAILED, "ABC wrote no counterexample: "),
    ],
)
def test_an_abc_that_fails_proves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, stop: Stop, reason: str
) -> None:
    monkeypatch.setattr(abc, "find", lambda: fake(tmp_path, script))
    found = run(counter(3, prop("open", _below_three())), depth=None, timeout=20)
    assert (found.stop, _covers(found)) == (stop, False)
    assert reason in found.reason


def test_an_abc_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abc, "_PATIENCE", 0.1)
    monkeypatch.setattr(abc, "find", lambda: fake(tmp_path, "sleep 600"))
    found = run(counter(3, prop("open", _below_three())), depth=None, timeout=0.5)
    assert (found.stop, _covers(found)) == (Stop.TIMEOUT, False)
    assert "did not end in its time" in found.reason


def test_without_abc_the_engine_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(abc, "find", lambda: None)
    found: Run = run(counter(3), depth=None, timeout=20)
    assert found.stop is Stop.MISSING
    assert "berkeley-abc" in found.reason


def _covers(found: Run) -> bool:
    return found.proof is not None and found.proof.covers("open")


def _below_three() -> Expr:
    return below(Read(counter(3).vars[0]), number(3))
