"""What an engine must have in common with the reference on one model, and what each of its runs must be."""

from __future__ import annotations

from attrs import evolve

from fencepost.explore.bfs import run as explore
from fencepost.ir.model import Model
from fencepost.trace.build import build_trace
from fencepost.verdict import Finding, Run
from tests.liveness.reference import Explored, explored, waits_for_ever

MOST = 150
"""States; the reference takes their square."""


def explores_like_the_reference(model: Model, found: Explored | None = None) -> None:
    """The explorer and the reference agree on each response of the model."""
    found = found or explored(model, MOST)
    assert found is not None
    for prop in model.properties:
        run = explore(evolve(model, properties=(prop,)), compile_after=None)
        expected = waits_for_ever(found, prop)
        assert bool(lassos(model, run)) is expected
        cut = not expected and waits_for_ever(found, prop, bounded=True)
        assert (prop.name in run.unended) is cut


def lassos(model: Model, run: Run) -> list[Finding]:
    """The runs without an end that an engine found, each of which the interpreter makes and finds fair."""
    found = [finding for finding in run.findings if finding.loop is not None]
    for finding in found:
        build_trace(model, finding)
        assert run.bounds[finding.name] < len(finding.path)
    return found
