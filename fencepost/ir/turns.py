"""Whether the turns of a loop may be taken in any order: a rule that is safe, not one that is complete.

A turn may look at what turns before it assigned only where that belongs to its own index, or to add to
it. Then what a turn does depends on the state before the loop alone, and the turns' effects add up.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from fencepost.ir.expr import Add, Expr, LoopVar, Read, SetWith, Sub, Var
from fencepost.ir.stmt import Assign, For, Note
from fencepost.ir.visit import epochs, expressions, statements, walk


def matters(loop: For) -> str | None:
    """Why the order of the turns may matter, as the end of a sentence about them; None if it does not."""
    turns = _Turns.of(loop)
    for var in turns.assigns:
        if turns.is_own(var):
            continue
        if not turns.adds_up(var) and not turns.is_constant(var):
            return f"may differ by their order: {var.name} is assigned by one and read or assigned by another"
    return None


@frozen
class _Turns:
    """What the body assigns, and what it reads of that while the loop runs."""

    var: LoopVar
    bound: frozenset[LoopVar]
    """The loop's variable and those of the loops within."""
    assigns: dict[Var, list[Assign]]
    reads: dict[Var, list[Read]]

    @classmethod
    def of(cls, loop: For) -> _Turns:
        body = list(statements(loop.body))
        passed = {loop.head, *epochs(loop.body)}
        assigns: dict[Var, list[Assign]] = {}
        for stmt in body:
            if isinstance(stmt, Assign):
                assigns.setdefault(stmt.var, []).append(stmt)
        reads: dict[Var, list[Read]] = {}
        for node in _evaluated(loop):
            if isinstance(node, Read) and node.epoch in passed and node.var in assigns:
                reads.setdefault(node.var, []).append(node)
        bound = frozenset((loop.var, *(stmt.var for stmt in body if isinstance(stmt, For))))
        return cls(loop.var, bound, assigns, reads)

    def is_own(self, var: Var) -> bool:
        """Whether each turn touches only elements that have its index in a certain dimension."""
        touched = [*(stmt.indices for stmt in self.assigns[var]), *(read.indices for read in self.reads.get(var, ()))]
        return any(all(indices[dim] == self.var for indices in touched) for dim in range(len(var.dims)))

    def is_constant(self, var: Var) -> bool:
        """Whether all turns assign one value, the same in all of them, and none reads it."""
        values = {stmt.value for stmt in self.assigns[var]}
        return var not in self.reads and len(values) == 1 and all(map(self._same_in_all, values))

    def _same_in_all(self, value: Expr) -> bool:
        changing = (node for reads in self.reads.values() for node in reads)
        nodes = set(walk(value))
        return not nodes & self.bound and nodes.isdisjoint(changing)

    def adds_up(self, var: Var) -> bool:
        """Whether each assignment adds to the value (or each takes away from it), and nothing else reads it."""
        assigns, reads = self.assigns[var], self.reads.get(var, [])
        found = [_addition(stmt) for stmt in assigns]
        if len({None if one is None else one[0] for one in found}) > 1 or len(reads) != len(assigns):
            return False
        return all(one is not None and one[1] in reads for one in found)


def _addition(stmt: Assign) -> tuple[str, Read] | None:
    """What kind of addition to its own value a statement is, and where it reads that; None if it is none."""
    match stmt.value:
        case SetWith(Read() as own, _, present):
            kind = "with" if present else "without"
        case Add(Read() as own, right) if right.sort.lo >= 0:
            kind = "up"
        case Sub(Read() as own, right) if right.sort.lo >= 0:
            kind = "down"
        case _:
            return None
    return (kind, own) if own.var == stmt.var and own.indices == stmt.indices else None


def _evaluated(loop: For) -> Iterator[Expr]:
    """Every node that a turn may evaluate."""
    for stmt in statements(loop.body):
        if not isinstance(stmt, Note):
            for expr in expressions(stmt):
                yield from walk(expr)
