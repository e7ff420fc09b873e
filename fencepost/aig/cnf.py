"""Graphs as clauses, after Tseitin: a number for each gate that is asked about, and what it depends on.

Numbers are as in DIMACS: a variable of the graph plus one, negative for a negated literal; number 1
is the constant, false. A choice (`if c then t else e`) is three gates of a graph and one number here.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost.aig.graph import Graph


class Clauses:
    """Gives the clauses of a growing graph to a solver, each gate's once, and only those that are needed."""

    def __init__(self, graph: Graph, add: Callable[[list[int]], object]) -> None:
        self._graph, self._add = graph, add
        self._told: set[int] = {0}
        add([-1])

    def number(self, literal: int) -> int:
        """The literal's number, once all that it depends on is told."""
        self._tell(literal >> 1)
        return number_of(literal)

    def require(self, literal: int) -> None:
        """Assert that the literal is true."""
        self._add([self.number(literal)])

    def _tell(self, var: int) -> None:
        waiting = [var]
        while waiting:
            var = waiting.pop()
            if var not in self._told:
                self._told.add(var)
                waiting += self._define(var)

    def _define(self, var: int) -> tuple[int, ...]:
        """Give a gate's clauses; the variables that they speak of."""
        pair = self._graph.gate(2 * var)
        if pair is None:
            return ()
        choice = self._choice(*pair)
        if choice is not None:
            self._define_choice(-var - 1, *map(number_of, choice))
            return tuple(literal >> 1 for literal in choice)
        this, (a, b) = var + 1, map(number_of, pair)
        self._add([-this, a])
        self._add([-this, b])
        self._add([this, -a, -b])
        return pair[0] >> 1, pair[1] >> 1

    def _choice(self, a: int, b: int) -> tuple[int, int, int] | None:
        """The condition and the two sides, where the gate is the negation of a choice."""
        left, right = self._graph.gate(a), self._graph.gate(b)
        if not a & b & 1 or left is None or right is None:
            return None
        for cond, then in (left, left[::-1]):
            for other, orelse in (right, right[::-1]):
                if cond == other ^ 1:
                    return cond, then, orelse
        return None

    def _define_choice(self, this: int, cond: int, then: int, orelse: int) -> None:
        self._add([-cond, -then, this])
        self._add([-cond, then, -this])
        self._add([cond, -orelse, this])
        self._add([cond, orelse, -this])
        if abs(then) != abs(orelse):  # follow from those four, and let a solver see it at once
            self._add([-then, -orelse, this])
            self._add([then, orelse, -this])


def number_of(literal: int) -> int:
    """The number that stands for a literal."""
    number = (literal >> 1) + 1
    return -number if literal & 1 else number
