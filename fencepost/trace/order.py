"""The same steps in an order that changes actors less often: what one actor does is read in one piece.

A search finds the first of many runs that are as short; where two actors do not touch each other, it
is chance which goes first. Here each actor keeps the order of its own steps, the last step stays the
last, and the run ends as it did. Of all such orders one with the fewest changes of actor is found, by
A*: the actors that have steps left and are not at work each cost one change more. Where the
search would take long, the order stays as it was.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

from attrs import frozen

from fencepost.exec.interpreter import Interpreter, State, Stepped
from fencepost.ir.model import Action, Model
from fencepost.verdict import Label, Path

_TRIES = 6_000
"""Steps that the search may take: some seconds at most."""


@frozen
class _Node:
    """Part of the run: how many steps each actor has taken, the actor at work (-1: none yet), the state."""

    taken: tuple[int, ...]
    at_work: int
    state: State
    order: tuple[int, ...]
    """Which of the run's steps were taken, in order."""


class _Search:
    """The orders of one run's steps, its last one apart."""

    def __init__(self, model: Model, path: Path) -> None:
        self.interpreter = Interpreter(model)
        self.actions = {action.name: action for action in model.actions}
        self.path = path
        self.actors = [self._actor(label) for label in path]
        names = sorted(set(self.actors), key=self.actors.index)
        self.lanes = [[n for n, actor in enumerate(self.actors[:-1]) if actor == name] for name in names]
        self.last = names.index(self.actors[-1])
        self.tries = 0

    def best(self) -> Path:
        """The order with the fewest changes of actor; the given one if none is better or time is up."""
        end = self._end(range(len(self.path)))
        start = _Node((0,) * len(self.lanes), -1, self.interpreter.initial(), ())
        ticket = count()
        queue = [(self._changes(start), 0, next(ticket), 0, start)]
        seen = set()
        while queue and self.tries < _TRIES:
            _, _, _, changes, node = heapq.heappop(queue)
            key = (node.taken, node.at_work, node.state)
            if key in seen:
                continue
            seen.add(key)
            if len(node.order) == len(self.path) - 1:
                order = (*node.order, len(self.path) - 1)
                if self._end(order) == end:
                    return tuple(self.path[n] for n in order)
                continue
            for after in self._nexts(node):
                cost = changes + (node.at_work not in (-1, after.at_work))
                rank = (cost + self._changes(after), -len(after.order), next(ticket), cost, after)
                heapq.heappush(queue, rank)
        return self.path

    def _nexts(self, node: _Node) -> Iterator[_Node]:
        """One step more, of the actor at work or of another."""
        for lane, steps in enumerate(self.lanes):
            if node.taken[lane] < len(steps):
                number = steps[node.taken[lane]]
                outcome = self._fire(node.state, number)
                if isinstance(outcome, Stepped):
                    taken = tuple(n + (at == lane) for at, n in enumerate(node.taken))
                    yield _Node(taken, lane, outcome.state, (*node.order, number))

    def _changes(self, node: _Node) -> int:
        """At least so many changes are to come."""
        left = {lane for lane, steps in enumerate(self.lanes) if node.taken[lane] < len(steps)} | {self.last}
        return len(left - {node.at_work}) - (node.at_work == -1)

    def _end(self, order: range | tuple[int, ...]) -> object:
        """What the run comes to: its last state, or what its last step broke."""
        state, outcome = self.interpreter.initial(), None
        for number in order:
            outcome = self._fire(state, number)
            if not isinstance(outcome, Stepped):
                return number, outcome
            state = outcome.state
        return state

    def _fire(self, state: State, number: int) -> object:
        self.tries += 1
        action, args = self._step(self.path[number])
        return self.interpreter.fire(state, action, args)

    def _actor(self, label: Label) -> str:
        action, args = self._step(label)
        named = {param.name: value for param, value in zip(action.params, args, strict=True)}
        return action.actor.label(named)

    def _step(self, label: Label) -> tuple[Action, tuple[int, ...]]:
        return self.actions[label[0]], label[1]


def fewest_changes(model: Model, path: Path) -> Path:
    """The run's steps in the order that a person reads most easily; `path` can be run in the model."""
    return path if len(path) < 3 else _Search(model, path).best()
