"""And-inverter graphs: a Boolean function is a literal, and equal functions that are built alike are one.

A literal is an integer as in AIGER: twice a variable, plus one if it is negated; 0 is false, 1 is
true. A variable is free (an input or a latch, which is not for the graph to know) or a gate, the
conjunction of two literals of lesser variables. Gates are folded as they are built: constants,
equal and opposite operands, and what one operand's own gate says of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

FALSE = 0
TRUE = 1


class Graph:
    """A growing graph."""

    def __init__(self) -> None:
        self._gates: list[tuple[int, int] | None] = [None]
        """By variable: the gate's operands, the greater one first; None for the constant and what is free."""
        self._known: dict[tuple[int, int], int] = {}

    @property
    def size(self) -> int:
        """How many variables there are; the greatest is one less, for the constant is number 0."""
        return len(self._gates)

    def free(self) -> int:
        """A new variable that is no gate, as a literal."""
        self._gates.append(None)
        return 2 * (len(self._gates) - 1)

    def gate(self, literal: int) -> tuple[int, int] | None:
        """The operands of the literal's gate, whether negated or not; None if it has none."""
        return self._gates[literal >> 1]

    def gates(self) -> Iterator[tuple[int, int, int]]:
        """Each gate's literal and its operands; operands come before what they are used in."""
        for var, pair in enumerate(self._gates):
            if pair is not None:
                yield 2 * var, *pair

    def both(self, a: int, b: int) -> int:
        """Conjunction of two literals."""
        if a < b:
            a, b = b, a
        if b <= TRUE:
            return a if b else FALSE
        if a >> 1 == b >> 1:
            return a if a == b else FALSE
        found = self._known.get((a, b))
        if found is None:
            found = self._known[a, b] = self._folded(a, b)
        return found

    def _folded(self, a: int, b: int) -> int:
        """What the operands' own gates make of the conjunction, or a new gate."""
        for one, other in ((a, b), (b, a)):
            inner = self._gates[one >> 1]
            if inner is None:
                continue
            if not one & 1:
                if other in inner:
                    return one
                if other ^ 1 in inner:
                    return FALSE
            else:  # one is not both of inner
                if other ^ 1 in inner:
                    return other
                if other in inner:
                    return self.both(other, (inner[0] if inner[1] == other else inner[1]) ^ 1)
        left, right = self._gates[a >> 1], self._gates[b >> 1]
        if left is not None and right is not None and not a & b & 1:
            negated = a & 1 or b & 1
            opposite = any(x ^ 1 in right for x in left)
            if opposite and not negated:
                return FALSE
            if opposite:  # a gate implies the negation of one that it contradicts
                return b if a & 1 else a
        self._gates.append((a, b))
        return 2 * (len(self._gates) - 1)

    def either(self, a: int, b: int) -> int:
        """Disjunction of two literals."""
        return self.both(a ^ 1, b ^ 1) ^ 1

    def all_of(self, literals: Iterable[int]) -> int:
        """Conjunction of any number, as a balanced tree over what is different in them."""
        layer = sorted(set(literals))
        while len(layer) > 1:
            paired = [self.both(a, b) for a, b in zip(layer[::2], layer[1::2], strict=False)]
            layer = paired + layer[len(paired) * 2 :]
        return layer[0] if layer else TRUE

    def any_of(self, literals: Iterable[int]) -> int:
        """Disjunction of any number."""
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def choose(self, cond: int, then: int, orelse: int) -> int:
        """`then` where `cond`, else `orelse`."""
        if then == orelse or cond == TRUE:
            return then
        if cond == FALSE:
            return orelse
        if then == orelse ^ 1:
            return self.differ(cond, orelse)
        return self.either(self.both(cond, then), self.both(cond ^ 1, orelse))

    def differ(self, a: int, b: int) -> int:
        """Exclusive disjunction."""
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def evaluate(self, known: dict[int, int], literals: Sequence[int]) -> list[int]:
        """The literals' values where the free variables (by their literal) have the values given, 0 if none."""
        values = [0] * self.size
        for literal, value in known.items():
            values[literal >> 1] = value
        for literal, a, b in self.gates():
            values[literal >> 1] = (values[a >> 1] ^ a & 1) & (values[b >> 1] ^ b & 1)
        return [values[literal >> 1] ^ literal & 1 for literal in literals]
