"""Our traces through the reader and writer of others (`itf-py`, from an author of the format)."""

from __future__ import annotations

import json
from pathlib import Path

import itf_py
import pytest

from fencepost.trace.itf_read import load_itf, read_itf

KEPT = sorted((Path(__file__).parents[2] / "counterexamples").glob("*/*.itf.json"))
LASSOS = [path for path in KEPT if '"loop":' in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_they_read_and_write_is_the_same_trace(path: Path) -> None:
    theirs = itf_py.trace_from_json(json.loads(path.read_text(encoding="utf-8")))
    assert load_itf(json.dumps(itf_py.trace_to_json(theirs)), path.name) == read_itf(path)


def test_they_see_states_variables_and_the_loop() -> None:
    assert LASSOS, "no kept trace goes on for ever"
    for path in (KEPT[0], LASSOS[0]):
        theirs, ours = itf_py.trace_from_json(json.loads(path.read_text(encoding="utf-8"))), read_itf(path)
        assert list(theirs.vars) == [var.name for var in ours.vars]
        assert len(theirs.states) == len(ours.steps) + 1
        assert theirs.loop == (None if ours.lasso is None else min(ours.lasso.back + 1, len(ours.steps)))


def test_a_value_that_they_change_is_another_trace() -> None:
    path = KEPT[0]
    theirs = itf_py.trace_from_json(json.loads(path.read_text(encoding="utf-8")))
    document = itf_py.trace_to_json(theirs)
    name = next(name for name, value in document["states"][-1].items() if isinstance(value, bool))
    document["states"][-1][name] = not document["states"][-1][name]
    assert load_itf(json.dumps(document), path.name) != read_itf(path)
