"""Which depth a second of a bounded check is counted for."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from benchmarks import bmc
from fencepost.verdict import Progress, ProgressEvent, Run, Stop
from tests.smt.tiny import counter

TOLD = (2, 5)
"""The depths that the engine tells of; it takes a second until each, and one more to its end."""


def steps(*_: object, progress: Progress, **__: object) -> Run:
    for depth in TOLD:
        progress(ProgressEvent("any", depth, 0, 0, 0.0, 0))
    return Run("any", Stop.DEPTH, 6)


def measured(engine: str, patch: pytest.MonkeyPatch) -> bmc.Measured:
    clock = itertools.count(10)
    patch.setattr(bmc, "cpu", lambda: float(next(clock)))
    patch.setattr(bmc, "ENGINES", {engine: SimpleNamespace(load=lambda: steps)})
    return bmc.measure(engine, counter(3), 6, None, None)


def test_what_a_solver_answers_is_counted_at_its_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured("sat", monkeypatch)
    assert (found.seconds, found.whole) == ({2: 1.0, 5: 2.0}, 3.0)


def test_what_a_search_spends_between_two_depths_is_never_counted_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured("explore", monkeypatch)
    assert (found.seconds, found.whole) == ({0: 1.0, 2: 1.0, 5: 1.0}, 3.0)
