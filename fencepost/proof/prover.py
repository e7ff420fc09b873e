"""What a prover is asked, and what it answers."""

from __future__ import annotations

from typing import Protocol

from attrs import frozen

from fencepost.aig.aiger import Design
from fencepost.proof.clause import Clause


@frozen
class Limits:
    """When to give up: seconds from now on, and bytes of resident memory; None is no limit."""

    seconds: float | None = None
    memory: int | None = None


@frozen
class Answer:
    """An invariant, or the choices of a run to something bad, or the reason why neither.

    `choices` are the numbers of the instances that step, as the design's inputs give them.
    """

    invariant: tuple[Clause, ...] | None = None
    choices: tuple[int, ...] | None = None
    reason: str = ""
    out_of_memory: bool = False
    failed: bool = False
    """The reason is that the prover did not do what it is for: to ask it again is in vain."""


class Prover(Protocol):
    """Something that proves designs; nothing it says is believed without being checked."""

    @property
    def tool(self) -> str:
        """What it is called."""

    @property
    def version(self) -> str:
        """Which version of it."""

    def prove(self, what: Design, limits: Limits) -> Answer:
        """Ask whether no output of the design is ever 1."""

    def reach(self, what: Design, limits: Limits) -> Answer:
        """Look for a run to where an output of the design is 1; may miss."""
