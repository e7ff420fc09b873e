"""The states within some depth as a graph: what a search for runs without an end looks at.

States are numbered in the order of a breadth-first search. Numbers, steps and marks lie in arrays,
since there are millions of them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import field, frozen, mutable
from numpy.typing import NDArray

from fencepost.exec.codegen import Steps, compile_steps, compile_watches
from fencepost.exec.lower_model import Instance, Watch
from fencepost.ir.cases import Case, cases
from fencepost.ir.fairness import Groups
from fencepost.ir.model import Model, Property
from fencepost.verdict import Path

Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]

_BATCH = 2048
"""States between two looks at the clock and the memory."""

Tick = Callable[[int, int, int], None]
"""Called now and then with the level, the states found and the states of the level; raises to end the work."""


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
    group of which a bound alone, or a broken obligation, stops some instance there.
    """

    levels: Ints
    rows: Ints
    to: Ints
    item: Ints
    held: Ints
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

    def path_to(self, state: int) -> Path:
        """A shortest run to a state: at each level the first state that leads on."""
        steps: list[int] = []
        for level in range(int(np.searchsorted(self.levels, state, side="right")) - 1, 0, -1):
            first, last = self.rows[self.levels[level - 1]], self.rows[self.levels[level]]
            step = int(first + np.argmax(self.to[first:last] == state))
            steps.append(step)
            state = int(np.searchsorted(self.rows, step, side="right")) - 1
        return self.labels(reversed(steps))

    def labels(self, steps: Iterator[int]) -> Path:
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


@mutable
class Surveyor:
    """Builds a survey over generated Python."""

    steps: Steps
    groups: Groups
    tick: Tick
    numbers: dict[int, int] = field(init=False)
    levels: list[int] = field(factory=lambda: [0])
    rows: array[int] = field(factory=lambda: array("q", [0]))
    to: array[int] = field(factory=lambda: array("i"))
    item: array[int] = field(factory=lambda: array("i"))
    held: array[int] = field(factory=lambda: array("q"))

    @classmethod
    def begin(cls, model: Model, tick: Tick) -> Surveyor:
        """At the initial state."""
        self = cls(compile_steps(model), Groups.of(model), tick)
        self.numbers = {self.steps.layout.pack(tuple(var.init for var in model.vars)): 0}
        return self

    def explore(self, depth: int | None) -> None:
        """Take every step, level by level, of all states within the depth."""
        level = list(self.numbers)
        while level:
            new: list[int] = []
            self.levels.append(self.levels[-1] + len(level))
            last = depth is not None and len(self.levels) - 2 >= depth
            for start in range(0, len(level), _BATCH):
                self._expand(level[start : start + _BATCH], None if last else new)
                self.tick(len(self.levels) - 2, len(self.numbers), len(level))
            level = new

    def _expand(self, states: Sequence[int], new: list[int] | None) -> None:
        survey, numbers = self.steps.survey, self.numbers
        to, item, rows = self.to, self.item, self.rows
        for number, state in enumerate(states, len(rows) - 1):
            out, bad, held = survey(state)
            for instance, after in out:
                known = numbers.get(after)
                if known is None:
                    if new is None:
                        known = -1
                    else:
                        known = numbers[after] = len(numbers)
                        new.append(after)
                to.append(known)
                item.append(instance)
            rows.append(len(to))
            for instance in (*held, *(each for each, _ in bad)):
                one = self.steps.instances[instance]
                if (group := self.groups.number(one.action, one.args)) >= 0:
                    self.held.extend((number, group))

    def survey(self, properties: Sequence[Property]) -> Survey:
        """What was found so far, with the properties' conditions looked at in every state of whole levels."""
        count = len(self.rows) - 1
        while self.levels[-1] > count:  # a level that was not finished
            self.levels.pop()
        whole = self.levels[-1]
        ends = len(self.to) if whole == count else self.rows[whole]
        to = np.array(self.to[:ends], dtype=np.int32)
        held = np.array(self.held, dtype=np.int64).reshape(-1, 2)
        graph = Graph(
            np.array(self.levels, dtype=np.int64),
            np.array(self.rows[: whole + 1], dtype=np.int64),
            np.where(to < whole, to, np.int32(-1)),
            np.array(self.item[:ends], dtype=np.int32),
            held[held[:, 0] < whole],
            self.steps.instances,
            self.groups,
        )
        questions, broken = self._look(properties, whole)
        return Survey(graph, questions, broken, len(self.levels) - 2)

    def _look(self, properties: Sequence[Property], whole: int) -> tuple[tuple[Question, ...], dict[str, int]]:
        every = [(prop, case) for prop in properties for case in cases(prop)]
        watches = [Watch(prop.name, cond, True) for prop, case in every for cond in (case.trigger, case.goal)]
        compiled = compile_watches(self.steps.layout, watches)
        marks = np.zeros((len(watches), whole), dtype=np.bool_)
        unclear = {prop.name: np.zeros(whole, dtype=np.bool_) for prop in properties}
        broken: dict[str, int] = {}
        at = 0

        def report(_state: int, number: int, obligation: int) -> None:
            if obligation < 0:
                marks[number, at] = True
            else:
                unclear[watches[number].where][at] = True
                broken.setdefault(compiled.obligations[obligation], at)

        for at, state in enumerate(self.numbers):
            if at == whole:
                break
            if at % _BATCH == 0:
                self.tick(len(self.levels) - 2, len(self.numbers), 0)
            compiled.check((state,), report)
        questions = tuple(
            Question(prop, case, marks[2 * i], marks[2 * i + 1], unclear[prop.name])
            for i, (prop, case) in enumerate(every)
        )
        return questions, broken
