"""What the original does: every reachable state with its steps, against which its mutants are held."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from attrs import field, frozen

from fencepost.errors import UsageError
from fencepost.exec.codegen import Successors, Watches, compile_steps, compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Instance, Watch
from fencepost.ir.model import Kind, Model, PropertyKind
from fencepost.verdict import Path

Steps = list[tuple[int, int]]
"""Of one state: instance and next state, in the order of the instances."""


@frozen(eq=False)
class Asked:
    """The conditions that are looked at in states, by number: those of `names` are violated where they hit.

    Behind them come what is outstanding for each hang, and the twin of each property.
    """

    names: tuple[str, ...]
    hangs: tuple[str, ...]
    twins: tuple[str, ...]
    watches: Watches

    @classmethod
    def of(cls, model: Model, layout: Layout, violated: Collection[str]) -> Asked:
        """Of all properties that the original does not violate itself."""
        kept = [prop for prop in model.properties if prop.name not in violated]
        invariants = [prop for prop in kept if prop.kind is PropertyKind.INVARIANT]
        hangs = [prop for prop in kept if prop.kind is PropertyKind.HANG]
        watches = [Watch(prop.name, prop.holds, False) for prop in invariants]
        watches += [Watch(prop.name, prop.twin, True) for prop in hangs]
        watches += [Watch(prop.name, prop.twin, True) for prop in model.properties]
        names = tuple(prop.name for prop in invariants), tuple(prop.name for prop in hangs)
        return cls(*names, tuple(prop.name for prop in model.properties), compile_watches(layout, watches))

    def marks(self, states: Collection[int], broken: Callable[[int, str], None]) -> dict[int, list[int]]:
        """The conditions that hit in each state; `broken` is told of an obligation that one of them breaks."""
        hits: dict[int, list[int]] = {}

        def report(state: int, number: int, obligation: int) -> None:
            if obligation < 0:
                hits.setdefault(state, []).append(number)
            else:
                broken(state, self.watches.obligations[obligation])

        self.watches.check(states, report)
        return hits


@frozen(eq=False)
class Ground:
    """The original's states within a depth. Those at the depth itself have no steps here.

    `violated` are the properties and obligations that the original itself violates: they say nothing of a mutant.
    """

    model: Model
    layout: Layout
    instances: tuple[Instance, ...]
    successors: Successors
    obligations: tuple[str, ...]
    asked: Asked
    initial: int
    steps: Mapping[int, Steps]
    levels: tuple[int, ...]
    depth: int | None
    violated: frozenset[str]
    twins: Mapping[str, frozenset[int]] = field(repr=False)
    outstanding: Mapping[int, tuple[str, ...]] = field(repr=False)
    marked: Collection[int] = field(repr=False)
    """Every state of it, those at the depth too."""
    parents: Mapping[int, tuple[int, int]] = field(repr=False)
    fired: frozenset[str]
    exercised: frozenset[str]

    @property
    def complete(self) -> bool:
        """Whether these are all reachable states."""
        return len(self.steps) == len(self.marked)

    def path(self, state: int) -> Path:
        """A shortest run of the original to a state."""
        labels = []
        while state != self.initial:
            state, item = self.parents[state]
            labels.append(self.instances[item].label)
        return tuple(reversed(labels))

    def range_of(self, action: str) -> tuple[int, int]:
        """The numbers of an action's instances: from the first to before the second."""
        mine = [instance.number for instance in self.instances if instance.action.name == action]
        return mine[0], mine[-1] + 1

    @classmethod
    def of(cls, model: Model, depth: int | None, most: int, violated: Collection[str]) -> Ground:
        """Explore the original.

        Args:
            model: the original.
            depth: how far, in steps (to the end if None).
            most: how many states there may be.
            violated: properties and obligations that it is known to violate.

        Raises:
            UsageError: it has more states.
        """
        layout = Layout.of(model)
        compiled = compile_steps(model, layout)
        asked = Asked.of(model, layout, violated)
        initial = layout.pack(tuple(var.init for var in model.vars))
        steps: dict[int, Steps] = {}
        parents: dict[int, tuple[int, int]] = {initial: (initial, -1)}
        level, levels = [initial], []
        while level:
            levels.append(len(level))
            if len(levels) - 1 == depth:
                break
            new = []
            for state in level:
                steps[state], _ = compiled.successors(state)
                for item, after in steps[state]:
                    if after not in parents:
                        parents[after] = (state, item)
                        new.append(after)
            if len(parents) > most:
                raise UsageError(
                    f"more than {most:,} states: give smaller sizes, fewer features, a --depth, or a larger --most"
                )
            level = new
        hits = asked.marks(parents, lambda _state, _name: None)
        return cls(
            model,
            layout,
            compiled.instances,
            compiled.successors,
            compiled.obligations,
            asked,
            initial,
            steps,
            tuple(levels),
            depth,
            frozenset(violated),
            *_grouped(asked, hits),
            parents.keys(),
            parents,
            frozenset(compiled.instances[item].action.name for each in steps.values() for item, _ in each),
            frozenset(
                asked.twins[n - _first_twin(asked)] for each in hits.values() for n in each if n >= _first_twin(asked)
            ),
        )

    def progress(self, item: int) -> bool:
        """Whether an instance is one of a progress action."""
        return self.instances[item].action.kind is Kind.PROGRESS


def _first_twin(asked: Asked) -> int:
    return len(asked.names) + len(asked.hangs)


def _grouped(
    asked: Asked, hits: Mapping[int, list[int]]
) -> tuple[dict[str, frozenset[int]], dict[int, tuple[str, ...]]]:
    twins: dict[str, set[int]] = {name: set() for name in asked.twins}
    outstanding: dict[int, tuple[str, ...]] = {}
    for state, numbers in hits.items():
        first, last = len(asked.names), _first_twin(asked)
        waiting = tuple(asked.hangs[n - first] for n in numbers if first <= n < last)
        if waiting:
            outstanding[state] = waiting
        for n in numbers:
            if n >= last:
                twins[asked.twins[n - last]].add(state)
    return {name: frozenset(states) for name, states in twins.items()}, outstanding
