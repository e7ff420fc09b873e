"""What an engine must have in common with the reference on one model, and what each of its runs must be."""

from __future__ import annotations

from attrs import evolve

from fencepost.agree import check_agreement
from fencepost.explore.bfs import run as explore
from fencepost.ir.model import Model
from fencepost.smt.bmc import run as bmc
from fencepost.smt.follow import feasible
from fencepost.trace.build import build_trace
from fencepost.verdict import Finding, Run
from tests.liveness.reference import Explored, explored, waits_for_ever
from tests.liveness.shortest import fewest_steps

MOST = 150
"""States; the reference takes their square."""


def explores_like_the_reference(model: Model, found: Explored | None = None) -> None:
    """The explorer and the reference agree on each response of the model."""
    found = found or explored(model, MOST)
    assert found is not None
    for prop in model.properties:
        run = explore(evolve(model, properties=(prop,)), compile_after=None)
        expected = waits_for_ever(found, prop)
        lengths = [len(finding.path) for finding in lassos(model, run)]
        assert bool(lengths) is expected
        for length in lengths:
            fewest = fewest_steps(found, prop, length)
            assert fewest is not None
            assert run.bounds[prop.name] < fewest <= length
        cut = not expected and waits_for_ever(found, prop, bounded=True)
        assert (prop.name in run.unended) is cut


def checks_like_the_reference(model: Model, depth: int, found: Explored | None = None) -> None:
    """The bounded check finds a lasso of the fewest steps within the depth, and none where there is none."""
    found = found or explored(model, MOST)
    assert found is not None
    for prop in model.properties:
        asked = evolve(model, properties=(prop,))
        run = bmc(asked, depth=depth, timeout=None, twins=False)
        check_agreement((run, explore(asked, depth=depth, compile_after=None)))
        lengths = [len(finding.path) for finding in lassos(model, run)]
        fewest = fewest_steps(found, prop, depth)
        assert lengths == ([] if fewest is None else [fewest])


def lassos(model: Model, run: Run) -> list[Finding]:
    """The runs without an end that an engine found, each of which the interpreter makes and finds fair."""
    found = [finding for finding in run.findings if finding.loop is not None]
    for finding in found:
        build_trace(model, finding)
        assert feasible(model, finding)
    return found
