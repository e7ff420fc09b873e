"""Obligations that cannot break, found once instead of at every depth.

Most obligations that folding leaves open cannot break under the guards and branches around them, in
any state whose elements are within their sorts, reachable or not.
"""

from __future__ import annotations

from attrs import evolve

from fencepost.aig.circuit import Broken, Circuit
from fencepost.aig.cnf import Clauses
from fencepost.sat.solver import Solver

_SECONDS = 1.0
"""An obligation that takes longer to discharge stays; it is sound to keep any."""


def discharged(circuit: Circuit) -> Circuit:
    """The circuit without the obligations that break in no state that is within its sorts."""
    solver = Solver()
    clauses = Clauses(circuit.graph, solver.add)
    clauses.require(circuit.within)
    properties = {target.name for target in circuit.targets}
    closed = {
        name
        for name, literal in circuit.bads.items()
        if name not in properties and solver.satisfiable([clauses.number(literal)], _SECONDS) is False
    }

    def still_open(broken: Broken) -> Broken:
        return {name: literal for name, literal in broken.items() if name not in closed}

    return evolve(
        circuit,
        bads=still_open(circuit.bads),
        targets=tuple(evolve(target, broken=still_open(target.broken)) for target in circuit.targets),
        instances=tuple(evolve(instance, broken=still_open(instance.broken)) for instance in circuit.instances),
    )
