"""The checkers that others wrote, by name: those that search, and those that look to a depth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.peers import abc, rumur, smtlib, spin
from fencepost.peers.seen import Answers, Peer

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("rumur", rumur.search, rumur.version, counts_past_obligations=True),
        Peer("spin", spin.search, spin.version, asks_later=True),
    )
}
"""In the order in which a report names them."""


@frozen
class Bounded:
    """A checker that says of each violation in how many steps it can be had, within a depth.

    Where obligations are `lumped`, it says so of all of them together.
    """

    name: str
    search: Callable[[Model, int, float], Answers]
    lumped: bool = False


def _solver(model: Model, depth: int, timeout: float, *, name: str) -> Answers:
    return smtlib.search(model, name, depth, timeout)


BOUNDED: dict[str, Bounded] = {
    "abc": Bounded("abc", abc.search),
    **{name: Bounded(name, partial(_solver, name=name), lumped=True) for name in smtlib.SOLVERS},
}
"""By name."""
