"""Whether two actions make the same step from every state, reachable or not: asked of Z3."""

from __future__ import annotations

from attrs import evolve

from fencepost.ir.model import Action, Model
from fencepost.smt import kernel
from fencepost.smt.bits import Bit, conj, disj, iff, neg, term
from fencepost.smt.solver import Solver, heard
from fencepost.smt.system import Instance, Slot, lower

SECONDS = 10.0
"""For each choice of arguments; more is no proof."""


def alike(model: Model, one: Action, other: Action) -> bool:
    """Whether the actions, in this model, are enabled, break obligations and lead on alike, from every state.

    False also where the solver gives up.
    """
    left, right = (lower(evolve(model, actions=(action,), properties=()), ()) for action in (one, other))
    solver = Solver()
    for slot in left.slots:
        solver.add(slot.well_formed)
    return all(
        heard(solver.satisfiable([term(_differ(left.slots, a, b))], SECONDS)) is False
        for a, b in zip(left.instances, right.instances, strict=True)
    )


def _differ(slots: tuple[Slot, ...], one: Instance, other: Instance) -> Bit:
    """In which states the two do not do the same."""
    found = [_unequal(one.enabled, other.enabled), _unequal(one.wanted, other.wanted)]
    names = sorted({*one.broken, *other.broken})
    found += [_unequal(one.broken.get(name, False), other.broken.get(name, False)) for name in names]
    for at in sorted({*one.changes, *other.changes}):
        slot = slots[at]
        pairs = zip(
            slot.terms(one.changes.get(at, slot.value)), slot.terms(other.changes.get(at, slot.value)), strict=True
        )
        found += [conj((one.enabled, neg(kernel.equals(a, b)))) for a, b in pairs]
    return disj(found)


def _unequal(a: Bit, b: Bit) -> Bit:
    return neg(iff(a, b))
