"""The states within some depth as a graph: what a search for runs without an end looks at.

States are numbered in the order of a breadth-first search. Numbers, steps and marks lie in arrays,
since there are millions of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from fencepost.exec.lower_model import Instance
from fencepost.ir.cases import Case
from fencepost.ir.fairness import Groups
from fencepost.ir.model import Property
from fencepost.verdict import Path

Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]


@frozen(eq=False)
class Question:
    """One case of a response, with the states in which it is triggered and met.

    `unclear` are those in which a condition of the response breaks an obligation.
    """

    prop: Property
    case: Case
    trigger: Bools
    goal: Bools
    unclear: Bools


@frozen(eq=False)
class Graph:
    """States and steps. Level `d` has the states `levels[d]` to `levels[d + 1]`, that one not included.

    The steps of state `i` are those numbered `rows[i]` to `rows[i + 1]`: `to` is where each leads (-1 if
    that is beyond the depth), `item` which instance it is of. `held` has pairs of a state and a fair
    group of which a bound alone, or a broken obligation, stops some instance there, and `beyond` such
    pairs for steps beyond the depth that are not among the steps.
    """

    levels: Ints
    rows: Ints
    to: Ints
    item: Ints
    held: Ints
    beyond: Ints
    instances: tuple[Instance, ...]
    groups: Groups

    @property
    def count(self) -> int:
        """How many states there are."""
        return len(self.rows) - 1

    @cached_property
    def source(self) -> Ints:
        """The state that each step leaves."""
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self.rows))

    @cached_property
    def group(self) -> Ints:
        """The fair group of each step, or -1."""
        numbers = [self.groups.number(instance.action, instance.args) for instance in self.instances]
        return np.array(numbers or [-1], dtype=np.int16)[self.item]

    @cached_property
    def steps_by_group(self) -> list[Ints]:
        """The steps of each fair group."""
        return [np.flatnonzero(self.group == number) for number in range(len(self.groups.every))]

    def path_to(self, state: int) -> Path:
        """A shortest run to a state: at each level the first state that leads on."""
        steps: list[int] = []
        for level in range(int(np.searchsorted(self.levels, state, side="right")) - 1, 0, -1):
            first, last = self.rows[self.levels[level - 1]], self.rows[self.levels[level]]
            step = int(first + np.argmax(self.to[first:last] == state))
            steps.append(step)
            state = int(np.searchsorted(self.rows, step, side="right")) - 1
        return self.labels(reversed(steps))

    def labels(self, steps: Iterable[int]) -> Path:
        """Steps as labels."""
        return tuple(self.instances[int(self.item[step])].label for step in steps)


@frozen(eq=False)
class Survey:
    """The graph to a depth, the questions asked of it, and obligations that conditions break: name and first state."""

    graph: Graph
    questions: tuple[Question, ...]
    broken: dict[str, int]
    depth: int
    """Every state to this depth is in it."""
