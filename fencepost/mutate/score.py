"""What all mutants of a model came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.mutate.hunt import Fate, Result
from fencepost.mutate.mutant import Mutant, Operator


@frozen
class Tally:
    """How many of them had which fate."""

    killed: int = 0
    coverage: int = 0
    equivalent: int = 0
    survived: int = 0
    timed_out: int = 0
    untold: int = 0

    @classmethod
    def of(cls, results: Sequence[Result]) -> Tally:
        fates = [result.fate for result in results]
        return cls(*(fates.count(fate) for fate in Fate))

    @property
    def all(self) -> int:
        """How many there are."""
        return self.killed + self.coverage + self.equivalent + self.survived + self.timed_out + self.untold

    @property
    def different(self) -> int:
        """Those that some state that was looked at tells from the original."""
        return self.all - self.equivalent - self.untold

    @property
    def score(self) -> float | None:
        """The share of those that differ that something killed; None where there are none."""
        return (self.killed + self.coverage) / self.different if self.different else None

    @property
    def by_properties(self) -> float | None:
        """As `score`, by properties and obligations alone."""
        return self.killed / self.different if self.different else None


@frozen
class Mutation:
    """The mutants of one model that were looked at, and what became of each."""

    model: Model
    depth: int | None
    every: int
    """How many mutants there are; those below may be some of them."""
    mutants: tuple[Mutant, ...]
    results: tuple[Result, ...]
    states: int
    levels: int
    complete: bool
    violated: tuple[str, ...]

    @property
    def tally(self) -> Tally:
        """Over all operators."""
        return Tally.of(self.results)

    def by_operator(self) -> Iterator[tuple[Operator, Tally]]:
        """For each operator that has any."""
        for operator in Operator:
            mine = [r for m, r in self.pairs() if m.change.operator is operator]
            if mine:
                yield operator, Tally.of(mine)

    def pairs(self) -> Iterator[tuple[Mutant, Result]]:
        """Each mutant with its result."""
        return zip(self.mutants, self.results, strict=True)

    def survivors(self) -> Iterator[tuple[Mutant, Result]]:
        """Those that nothing killed."""
        return ((m, r) for m, r in self.pairs() if r.fate in (Fate.SURVIVED, Fate.TIMED_OUT))


def percent(share: float | None) -> str:
    """A share as `96.2 %`; never 100.0 % for less than all."""
    return "none" if share is None else f"{int(share * 1000) / 10:.1f} %"
