"""Making the graph of the states within a depth: from a compiled search, or step by step in Python."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from attrs import evolve, field, mutable

from fencepost.exec.codegen import Report, Steps, compile_marks, compile_steps
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.explore.graph import Bools, Graph, Ints, Question, Survey
from fencepost.explore.marks import marks_of
from fencepost.explore.native import Compiled
from fencepost.ir.cases import cases
from fencepost.ir.expr import And, Const, Expr, Not, Param, disj
from fencepost.ir.fairness import Group, Groups
from fencepost.ir.model import Fairness, Guard, GuardKind, Model, Property
from fencepost.ir.visit import substitute

_BATCH = 4096
"""States between two looks at the clock and the memory."""
_WORTH_C = 20_000
"""States that are worth compiling their conditions."""
_WORD = 60
"""Conditions whose marks are kept in one number."""

Tick = Callable[[int, int, int], None]
"""Called now and then with the level, the states found and the states of the level; raises to end the work."""


def survey_of(compiled: Compiled, depth: int, model: Model, properties: Sequence[Property], tick: Tick) -> Survey:
    """Of a compiled search, all states to a depth that it looked at."""
    starts = [*compiled.levels, compiled.levels[-1] + compiled.frontier][: depth + 2]
    whole, levels = starts[-1], len(starts) - 2

    def pause() -> None:
        tick(levels, compiled.count, 0)

    counts = np.zeros(whole, dtype=np.int64)
    to, item = list[Ints](), list[Ints]()
    for chunk in compiled.edges(0, whole):
        pause()
        sources = np.frombuffer(chunk.sources, dtype=np.uint32)
        counts += np.bincount(sources, minlength=whole)
        to.append(np.frombuffer(chunk.targets, dtype=np.uint32).astype(np.int32))
        item.append(np.frombuffer(chunk.instances, dtype=np.int32).copy())
    targets = np.concatenate(to) if to else np.zeros(0, dtype=np.int32)
    groups = Groups.of(model)
    questions, broken, held = _marked(compiled, whole, model, properties, groups, pause)
    graph = Graph(
        np.array(starts, dtype=np.int64),
        np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]),
        np.where(targets < whole, targets, np.int32(-1)),
        np.concatenate(item) if item else np.zeros(0, dtype=np.int32),
        held,
        _beyond(compiled, starts, model, groups, pause),
        compiled.source.instances,
        groups,
    )
    return Survey(graph, questions, broken, levels)


def _marked(
    compiled: Compiled,
    whole: int,
    model: Model,
    properties: Sequence[Property],
    groups: Groups,
    pause: Callable[[], None],
) -> tuple[tuple[Question, ...], dict[str, int], Ints]:
    """The questions, what they break, and who is held back: in C if that is worth it and nothing ever breaks."""
    if whole >= _WORTH_C and not compiled.outcome(model).broken_steps:
        waiting = [number for number, group in enumerate(groups.every) if _bounds(group)]
        asked = _watches(properties)
        watches = [
            *asked,
            *(Watch(group.action.name, _is_held(group), True) for group in map(groups.every.__getitem__, waiting)),
        ]
        marks = marks_of(compiled, whole, model, watches, pause)
        if marks is not None and not marks.breaks.any():
            none = np.zeros(whole, dtype=np.bool_)
            unclear = {prop.name: none for prop in properties}
            pairs = [
                np.stack([np.flatnonzero(hits), np.full(int(hits.sum()), number)], axis=1)
                for number, hits in zip(waiting, marks.hits[len(asked) :], strict=True)
            ]
            held = np.concatenate([np.zeros((0, 2), dtype=np.int64), *pairs])
            return _questions(properties, marks.hits, unclear), {}, held
    questions, broken = _look(compiled.layout, compiled.states(0, whole), whole, properties, pause)
    return questions, broken, _held(compiled, whole, model, groups, pause)


def _bounds(group: Group) -> list[Guard]:
    return [guard for guard in group.action.guards if guard.kind is GuardKind.BOUND]


def _is_held(group: Group) -> Expr:
    """That the `require` guards of some instance hold, and not all of its bounds."""
    return disj(*(_instance_is_held(group, args) for args in group.instances()))


def _instance_is_held(group: Group, args: tuple[int, ...]) -> Expr:
    given = {param: Const(value, param.sort) for param, value in zip(group.action.params, args, strict=True)}
    bounds = _bounds(group)
    requires = [guard.cond for guard in group.action.guards if guard not in bounds]
    held = And((*requires, Not(And(tuple(guard.cond for guard in bounds)))))
    return substitute(held, lambda node: given[node] if isinstance(node, Param) else None)


def _held(compiled: Compiled, whole: int, model: Model, groups: Groups, pause: Callable[[], None]) -> Ints:
    """The pairs of a state and a group that a bound or a broken obligation stops there."""
    actions = model.actions
    if not compiled.outcome(model).broken_steps:  # then a bound is all that can be in the way
        bounded = [any(guard.kind is GuardKind.BOUND for guard in action.guards) for action in actions]
        fair = [action.fair is not Fairness.NONE for action in actions]
        actions = tuple(itertools.compress(actions, map(all, zip(bounded, fair, strict=True))))
    pairs = array("q")
    if actions:
        steps = compile_steps(evolve(model, actions=actions), compiled.layout)
        for number, state in enumerate(compiled.states(0, whole)):
            if number % _BATCH == 0:
                pause()
            _, bad, held = steps.survey(state)
            _note(steps, groups, number, (*held, *(each for each, _ in bad)), pairs)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _beyond(compiled: Compiled, starts: Sequence[int], model: Model, groups: Groups, pause: Callable[[], None]) -> Ints:
    """The pairs of a state of the last level and a group of which it has a step; some lead to states not found."""
    pairs = array("q")
    actions = tuple(action for action in model.actions if action.fair is not Fairness.NONE)
    if actions and len(starts) > 1:
        steps = compile_steps(evolve(model, actions=actions), compiled.layout)
        for number, state in enumerate(compiled.states(starts[-2], starts[-1]), starts[-2]):
            if number % _BATCH == 0:
                pause()
            _note(steps, groups, number, (instance for instance, _ in steps.survey(state)[0]), pairs)
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _note(steps: Steps, groups: Groups, state: int, instances: Iterable[int], pairs: array[int]) -> None:
    for number in instances:
        instance = steps.instances[number]
        if (group := groups.number(instance.action, instance.args)) >= 0:
            pairs.extend((state, group))


@mutable
class Surveyor:
    """Explores in generated Python."""

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
            if held or bad:
                _note(self.steps, self.groups, number, (*held, *(each for each, _ in bad)), self.held)

    def survey(self, properties: Sequence[Property]) -> Survey:
        """What was found so far, with the properties' conditions looked at in every state of whole levels."""
        while self.levels[-1] > len(self.rows) - 1:  # a level that was not finished
            self.levels.pop()
        whole, levels = self.levels[-1], len(self.levels) - 2
        ends = self.rows[whole]
        to = np.array(self.to[:ends], dtype=np.int32)
        held = np.array(self.held, dtype=np.int64).reshape(-1, 2)
        graph = Graph(
            np.array(self.levels, dtype=np.int64),
            np.array(self.rows[: whole + 1], dtype=np.int64),
            np.where(to < whole, to, np.int32(-1)),
            np.array(self.item[:ends], dtype=np.int32),
            held[held[:, 0] < whole],
            np.zeros((0, 2), dtype=np.int64),
            self.steps.instances,
            self.groups,
        )
        states = itertools.islice(self.numbers, whole)
        questions, broken = _look(
            self.steps.layout, states, whole, properties, lambda: self.tick(levels, len(self.numbers), 0)
        )
        return Survey(graph, questions, broken, levels)


def _look(
    layout: Layout, states: Iterator[int], count: int, properties: Sequence[Property], pause: Callable[[], None]
) -> tuple[tuple[Question, ...], dict[str, int]]:
    """The cases of the properties in so many states; and the obligations that their conditions break."""
    watches = _watches(properties)
    parts = [watches[first : first + _WORD] for first in range(0, len(watches), _WORD)]
    compiled = [compile_marks(layout, part) for part in parts]
    unclear: dict[str, Bools] = {prop.name: np.zeros(count, dtype=np.bool_) for prop in properties}
    broken: dict[str, int] = {}
    marks: list[list[int]] = [[] for _ in parts]

    def reports(part: list[Watch], names: tuple[str, ...]) -> Report:
        def report(state: int, watch: int, obligation: int) -> None:
            unclear[part[watch].where][state] = True
            broken.setdefault(names[obligation], state)

        return report

    report = [reports(part, names) for part, (_, names) in zip(parts, compiled, strict=True)]
    while batch := list(itertools.islice(states, _BATCH)):
        pause()
        for number, (mark, _) in enumerate(compiled):
            mark(batch, marks[number], report[number])
    words = np.array(marks, dtype=np.int64).reshape(len(parts), count)

    def bit(watch: int) -> Bools:
        hit: Bools = (words[watch // _WORD] >> (watch % _WORD) & 1).astype(np.bool_)
        return hit

    return _questions(properties, [bit(number) for number in range(len(watches))], unclear), broken


def _watches(properties: Sequence[Property]) -> list[Watch]:
    """The trigger and the goal of each case."""
    every = [(prop, case) for prop in properties for case in cases(prop)]
    return [Watch(prop.name, cond, True) for prop, case in every for cond in (case.trigger, case.goal)]


def _questions(
    properties: Sequence[Property], hits: Sequence[Bools], unclear: dict[str, Bools]
) -> tuple[Question, ...]:
    """The cases with the states in which their trigger and goal, two after two, hit."""
    every = [(prop, case) for prop in properties for case in cases(prop)]
    return tuple(
        Question(prop, case, hits[2 * i], hits[2 * i + 1], unclear[prop.name]) for i, (prop, case) in enumerate(every)
    )
