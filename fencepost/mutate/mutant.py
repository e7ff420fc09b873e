"""A mutant: a model with one small mistake, and how to say what it is."""

from __future__ import annotations

import enum

from attrs import frozen

from fencepost.errors import Location
from fencepost.ir.model import Model


class Operator(enum.Enum):
    """The kinds of mistakes; docs/adr/ says why these."""

    GUARD = "guard"
    """A guard is left out."""
    CONJUNCT = "conjunct"
    """One conjunct of a guard is left out."""
    NEGATE = "negate"
    """A guard, or the condition of a branch, is the other way round."""
    SWAP = "swap"
    """Two assignments, one after the other, of which one depends on the other, change places."""
    DROP = "drop"
    """An assignment is left out."""
    SKIP = "skip"
    """An assignment is left out that somebody else waits for: a wake or a release."""
    OFF_BY_ONE = "off-by-one"
    """A number is one more or one less, or a comparison takes in its bound, or no longer does."""
    SPLIT = "split"
    """An action is two steps: others come in between."""
    MERGE = "merge"
    """Two actions of one thread, one after the other, are one step."""


SCORED = tuple(operator for operator in Operator if operator is not Operator.MERGE)
"""Those that are used unless others are asked for. A merged model only does less, so that nothing that holds
can fail in it."""


@frozen
class Change:
    """One mistake in one action, in words; and the model with it.

    `changed` names the actions that differ from the original's. `added` says that the model has
    variables, behind those of the original, and actions of its own (a split).
    """

    operator: Operator
    words: str
    at: Location | None
    model: Model
    action: str
    changed: tuple[str, ...]
    added: bool = False


@frozen
class Mutant:
    """A mistake with its number among the model's mutants."""

    number: int
    change: Change

    @property
    def title(self) -> str:
        """One line: where, which action, and the mistake."""
        change = self.change
        where = "" if change.at is None else f"{change.at}  "
        return f"{where}{change.action}: {change.words}"
