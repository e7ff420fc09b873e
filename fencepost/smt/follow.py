"""Whether the encoding accepts a run that another engine found, step by step, to the same violation."""

from __future__ import annotations

from attrs import frozen

from fencepost.errors import InternalError
from fencepost.ir.model import Model
from fencepost.smt.bits import Bit, conj, disj, neg, term
from fencepost.smt.lasso import Lassos, Waits
from fencepost.smt.solver import Solver, Unknown
from fencepost.smt.system import System, lower
from fencepost.smt.unroll import Unrolling
from fencepost.verdict import Finding, Label


@frozen
class Followed:
    """How far the encoding goes along a finding: how many of its steps it takes, and whether it is violated there."""

    steps: int
    violated: bool


def follow(model: Model, finding: Finding) -> Followed:
    """Take a finding's steps in the encoding, and look for what it names at the end.

    The last step of a broken obligation that is not `in_state` is the one that breaks it, and
    counts as taken if it does.

    Raises:
        InternalError: the solver does not decide it.
        KeyError: the model has no such property, nor such an action.
    """
    system = lower(model)
    runs = Unrolling(system, Solver())
    breaks = _breaks_in_step(model, finding)
    taken = finding.path[:-1] if breaks else finding.path
    for number, label in enumerate(taken):
        runs.extend()
        runs.solver.add(runs.selectors[number][_instance(system, label)])
        if not _possible(runs, True):
            return Followed(number, violated=False)
    if finding.loop is None:
        sought = runs.at(len(taken), _sought(system, finding, breaks=breaks))
    else:
        lassos = Lassos(runs)
        target = next(target for target in system.targets if target.name == finding.name)
        waits = Waits(lassos, target).at(len(taken))
        sought = conj((waits, lassos.begins(finding.loop), *(neg(lassos.again(at)) for at in range(finding.loop))))
    violated = _possible(runs, sought)
    return Followed(len(taken) + int(breaks and violated), violated)


def feasible(model: Model, finding: Finding) -> bool:
    """Whether the encoding takes every step of a finding and is violated at its end."""
    followed = follow(model, finding)
    return followed.violated and followed.steps == len(finding.path)


def _breaks_in_step(model: Model, finding: Finding) -> bool:
    return not finding.in_state and all(prop.name != finding.name for prop in model.properties)


def _instance(system: System, label: Label) -> int:
    for number, instance in enumerate(system.instances):
        if instance.label == label:
            return number
    raise KeyError(label)


def _sought(system: System, finding: Finding, *, breaks: bool) -> Bit:
    if breaks:
        return system.instances[_instance(system, finding.path[-1])].broken.get(finding.name, False)
    if finding.in_state:
        return disj(target.broken.get(finding.name, False) for target in system.targets)
    return next(target.violated for target in system.targets if target.name == finding.name)


def _possible(runs: Unrolling, also: Bit) -> bool:
    answer = runs.solver.satisfiable([*runs.active(runs.depth), term(also)])
    if isinstance(answer, Unknown):
        raise InternalError(f"the solver does not follow a run of {runs.depth} steps: {answer.reason}")
    return answer
