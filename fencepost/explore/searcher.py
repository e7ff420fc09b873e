"""What the breadth-first driver asks of a search, whichever language its inner loop is in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from attrs import frozen

from fencepost.ir.model import Model
from fencepost.verdict import ActionCount, Finding, Path


class Searcher(Protocol):
    """A search at some level: `frontier` states whose steps have not been taken."""

    @property
    def count(self) -> int:
        """States found."""
        ...

    @property
    def frontier(self) -> int:
        """States of the level."""
        ...

    @property
    def symmetry(self) -> tuple[str, ...]:
        """The sorts under whose symmetry a state stands for its orbit, which is what is counted; none without."""
        ...

    def look(self) -> Iterator[None]:
        """Check the states of the level, with a pause between batches."""
        ...

    def expand(self) -> Iterator[bool]:
        """Take every step of the level's states, with a pause between batches; False where memory ran out."""
        ...

    def advance(self) -> bool:
        """Make the states that `expand` found the level; False where it found none."""
        ...

    def violated(self) -> frozenset[str]:
        """Properties violated so far."""
        ...

    def outcome(self, model: Model) -> Outcome:
        """What was found so far."""
        ...


@frozen
class Edges:
    """Steps between states by number: the step at a place in each goes from one to the other by that instance.

    Instances are numbered in the interpreter's order, as by `lower_model.instances`.
    """

    sources: memoryview[int]
    targets: memoryview[int]
    instances: memoryview[int]


@frozen
class Outcome:
    """Counts, and a path to everything found."""

    states: int
    transitions: int
    held_back: int
    cut: int
    actions: Mapping[str, ActionCount]
    violated: Mapping[str, Path]
    broken_steps: Mapping[str, Path]
    """A path to each obligation that a step broke; its last step is the one that did."""
    broken_states: Mapping[str, Path]
    """A path to the state in which a property's own obligation broke."""
    twins: Mapping[str, Path]

    def findings(self) -> tuple[Finding, ...]:
        """Every violation once, shortest first, then by name."""
        found = [Finding(name, path) for name, path in (*self.violated.items(), *self.broken_steps.items())]
        found += [Finding(name, path, in_state=True) for name, path in self.broken_states.items()]
        first: dict[str, Finding] = {}
        for finding in sorted(found, key=lambda finding: (len(finding.path), finding.name)):
            first.setdefault(finding.name, finding)
        return tuple(first.values())
