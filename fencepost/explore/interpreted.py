"""The search over generated Python: states are packed integers in a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import field, mutable

from fencepost.errors import InternalError
from fencepost.exec.codegen import Counters, Steps, compile_steps
from fencepost.exec.watching import Watcher
from fencepost.explore.searcher import Outcome
from fencepost.ir.model import Model, Property
from fencepost.verdict import ActionCount, Label, Path

_BATCH = 4096
"""States between two pauses."""


@mutable
class Interpreted:
    """A search under way."""

    steps: Steps
    watcher: Watcher
    counters: Counters
    parents: dict[int, int]
    """Every state found, with the state it was first found from (itself for the initial state)."""
    level: list[int]
    new: list[int] = field(factory=list)
    broken: dict[str, tuple[int, int]] = field(factory=dict)
    """Each obligation that a step broke: the first state and the instance."""

    @classmethod
    def begin(cls, model: Model, properties: Sequence[Property], symmetry: bool = False) -> Interpreted:
        """A search at the initial state."""
        steps = compile_steps(model, symmetry=symmetry)
        initial = steps.canonical(steps.layout.pack(tuple(var.init for var in model.vars)))
        counters = Counters([0] * len(model.actions), [0] * len(model.actions))
        return cls(steps, Watcher(steps.layout, properties), counters, {initial: initial}, [initial])

    @property
    def symmetry(self) -> tuple[str, ...]:
        """The sorts under whose symmetry a state stands for its orbit."""
        return () if self.steps.orbits is None else self.steps.orbits.names

    @property
    def count(self) -> int:
        """States found."""
        return len(self.parents)

    @property
    def frontier(self) -> int:
        """States of the level."""
        return len(self.level)

    def look(self) -> Iterator[None]:
        """Check the states of the level, a batch at a time."""
        for batch in _batches(self.level):
            self.watcher.look(batch)
            yield

    def expand(self) -> Iterator[bool]:
        """Take every step of the level's states, a batch at a time."""
        for batch in _batches(self.level):
            self.steps.expand(batch, self.parents, self.new, self.counters, self._broke)
            yield True

    def advance(self) -> bool:
        """Make the new states the level."""
        self.level, self.new = self.new, []
        return bool(self.level)

    def violated(self) -> frozenset[str]:
        """Properties violated so far."""
        return frozenset(self.watcher.violated)

    def _broke(self, state: int, instance: int, obligation: int) -> None:
        self.broken.setdefault(self.steps.obligations[obligation], (state, instance))

    def outcome(self, model: Model) -> Outcome:
        """What was found so far."""
        first = self.steps.layout.pack(tuple(var.init for var in model.vars))
        counted = zip(model.actions, self.counters.enabled, self.counters.fired, strict=True)
        return Outcome(
            states=self.count,
            transitions=sum(self.counters.fired),
            held_back=self.counters.held_back,
            cut=self.counters.cut,
            actions={action.name: ActionCount(enabled, fired) for action, enabled, fired in counted},
            violated={name: self._path(first, state) for name, state in self.watcher.violated.items()},
            broken_steps={
                name: (*self._path(first, state), self.steps.instances[instance].label)
                for name, (state, instance) in self.broken.items()
            },
            broken_states={name: self._path(first, state) for name, state in self.watcher.broken.items()},
            twins={name: self._path(first, state) for name, state in self.watcher.twins.items()},
        )

    def path_to(self, model: Model, state: int) -> Path:
        """The steps by which the search first came to a state."""
        return self._path(self.steps.layout.pack(tuple(var.init for var in model.vars)), state)

    def _path(self, first: int, state: int) -> Path:
        """The steps by which the search first came to a state, taken from the initial state itself."""
        states = [state]
        while (parent := self.parents[state]) != state:
            states.append(state := parent)
        labels: list[Label] = []
        at = first
        for wanted in states[-2::-1]:
            steps, _ = self.steps.successors(at)
            step = next((step for step in steps if self.steps.canonical(step[1]) == wanted), None)
            if step is None:
                raise InternalError("a path that was found under symmetry cannot be followed")
            item, at = step
            labels.append(self.steps.instances[item].label)
        return tuple(labels)


def _batches(states: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(states), _BATCH):
        yield states[start : start + _BATCH]
