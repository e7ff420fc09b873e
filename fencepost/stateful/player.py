"""A model's generated steps as a player sees them: what can be done in a state, and whether a run hits its goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import field, frozen, mutable

from fencepost.exec.codegen import Steps, compile_steps, compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.model import Model, Property
from fencepost.verdict import Finding, Path

Items = tuple[int, ...]
"""A run from the initial state, as the numbers of its instances."""

_REMEMBERED = 100_000
"""States whose moves are kept: runs that are made shorter pass through the same ones again and again."""


@frozen
class Moves:
    """In one state, the next state of each instance that is enabled, and the obligation of each that breaks one."""

    steps: dict[int, int]
    broken: dict[int, str]


@frozen
class Goal:
    """What a run is to come to: a state in which `is_at` says yes, or a last step that breaks the obligation `name`."""

    name: str
    is_at: Callable[[int], bool]

    @classmethod
    def of(cls, finding: Finding, model: Model, layout: Layout) -> Goal:
        """What the finding's run comes to."""
        for prop in model.properties:
            if prop.name == finding.name:
                return cls(finding.name, _hits(layout, [Watch(prop.name, prop.holds, False)], None))
        if not finding.in_state:
            return cls(finding.name, lambda _: False)
        sides = [(prop.name, side) for prop in model.properties for side in (prop.holds, prop.twin)]
        return cls(finding.name, _hits(layout, [Watch(name, side, True) for name, side in sides], finding.name))

    @classmethod
    def twin(cls, prop: Property, layout: Layout) -> Goal:
        """The situation that makes the property interesting."""
        return cls(prop.name, _hits(layout, [Watch(prop.name, prop.twin, True)], None))


def _hits(layout: Layout, watches: Sequence[Watch], obligation: str | None) -> Callable[[int], bool]:
    """Whether a watch hits in a state or, with `obligation`, breaks that."""
    compiled = compile_watches(layout, watches)

    def is_at(state: int) -> bool:
        found: list[str | None] = []

        def report(_state: int, _number: int, broken: int) -> None:
            found.append(None if broken < 0 else compiled.obligations[broken])

        compiled.check((state,), report)
        return obligation in found

    return is_at


@mutable
class Player:
    """Plays runs of one model on generated code."""

    model: Model
    steps: Steps
    initial: int
    _moves: dict[int, Moves] = field(factory=dict)

    @classmethod
    def of(cls, model: Model) -> Player:
        """Compile the model's steps."""
        steps = compile_steps(model)
        return cls(model, steps, steps.layout.pack(tuple(var.init for var in model.vars)))

    def moves(self, state: int) -> Moves:
        """What can be done in a state."""
        if state not in self._moves:
            if len(self._moves) >= _REMEMBERED:
                self._moves.clear()
            stepped, broken = self.steps.successors(state)
            obligations = self.steps.obligations
            self._moves[state] = Moves(dict(stepped), {item: obligations[number] for item, number in broken})
        return self._moves[state]

    def path(self, items: Sequence[int]) -> Path:
        """The run as labels."""
        return tuple(self.steps.instances[item].label for item in items)

    def play(self, items: Sequence[int], goal: Goal) -> Items | None:
        """The run without the steps that are refused, up to the goal; None if it does not come there."""
        state, taken = self.initial, list[int]()
        if goal.is_at(state):
            return ()
        for item in items:
            moves = self.moves(state)
            if moves.broken.get(item) == goal.name:
                return (*taken, item)
            if item in moves.steps:
                state = moves.steps[item]
                taken.append(item)
                if goal.is_at(state):
                    return tuple(taken)
        return None

    def states(self, items: Items) -> list[int]:
        """The states that a run passes, the initial one first; a last step that breaks an obligation has none."""
        passed = [self.initial]
        for item in items:
            steps = self.moves(passed[-1]).steps
            if item in steps:
                passed.append(steps[item])
        return passed
