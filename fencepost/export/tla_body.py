"""The body of an action as a chain of LET definitions: one for each value that a part of the state passes through.

`places_3` is what `places` is at epoch 3. A branch ends in an IF between what its two sides made of
a part; the body of a loop is an operator, `turn_4(slot, places_4)`, applied turn by turn. What a
definition is used for once takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from attrs import define, evolve, field

from fencepost.export.naming import Names
from fencepost.export.tla_expr import Facts, Scope, Versions, facts, obliged, say, within
from fencepost.export.tla_state import literal
from fencepost.export.tla_text import Choice, Doc, Implies, Let, LetIn, Ref, Text, Updated, conj, flat
from fencepost.ir.expr import negate
from fencepost.ir.sorts import IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import statements


@define
class Chain:
    """The definitions so far, in order, and what evaluating the statements obliges to."""

    names: Names
    """Of the action: no two definitions share a name."""
    lets: list[Let] = field(factory=list)
    obligations: list[Doc] = field(factory=list)
    short: dict[str, str] = field(factory=dict)
    """Names of long indices, by their text."""

    def shortened(self, index: str, dim: IndexSort) -> str:
        """A name for an index."""
        if index not in self.short:
            self.short[index] = self.define(f"{dim.name.lower()}_at", Text(index))
        return self.short[index]

    def define(self, name: str, value: Doc, params: tuple[str, ...] = ()) -> str:
        """Define a name like the one given."""
        called = self.names.fresh(name)
        self.lets.append(Let(called, params, value))
        return called

    def run(
        self, body: Sequence[Stmt], now: Versions, scope: Scope, known: Facts = frozenset()
    ) -> tuple[Versions, Scope]:
        """The statements in order: what the parts are called after them, and what may be read there."""
        scope = evolve(scope, short=self.shortened)
        for stmt in body:
            match stmt:
                case Assign(epoch=epoch):
                    now = self._assign(stmt, now, scope, known)
                case If(epoch=epoch):
                    now = self._branch(stmt, now, scope, known)
                case For(epoch=epoch):
                    now = self._loop(stmt, now, scope, known)
                case Note():
                    continue
                case _:
                    assert_never(stmt)
            scope = scope.at(epoch, now)
        return now, scope

    def _assign(self, stmt: Assign, now: Versions, scope: Scope, known: Facts) -> Versions:
        place = scope.layout.places[stmt.var]
        for dim, index in zip(stmt.var.dims, stmt.indices, strict=True):
            self.obligations += [*obliged(index, scope, known), *within(dim, index, scope, known)]
        value = stmt.value
        self.obligations += [*obliged(value, scope, known), *within(stmt.var.sort, value, scope, known)]
        path = place.path([scope.index(at, dim) for at, dim in zip(stmt.indices, stmt.var.dims, strict=True)])
        said = say(value, scope)
        if path:
            said = Updated(Ref(now[place.root]), ((path, said),))
        return {**now, place.root: self.define(f"{place.root}_{stmt.epoch}", said)}

    def _branch(self, stmt: If, now: Versions, scope: Scope, known: Facts) -> Versions:
        self.obligations += obliged(stmt.cond, scope, known)
        cond = say(stmt.cond, scope)
        ends = []
        for body, holds in ((stmt.then, stmt.cond), (stmt.orelse, negate(stmt.cond))):
            side = evolve(self, obligations=[])
            ends.append(side.run(body, now, scope, known | facts(holds, scope))[0])
            if side.obligations:
                self.obligations.append(Implies(say(holds, scope), conj(side.obligations)))
        after = dict(now)
        for root, old in now.items():
            then, orelse = ends[0][root], ends[1][root]
            if (then, orelse) != (old, old):
                after[root] = self.define(f"{root}_{stmt.epoch}", Choice(cond, Ref(then), Ref(orelse)))
        return after

    def _loop(self, stmt: For, now: Versions, scope: Scope, known: Facts) -> Versions:
        roots = list(assigned(stmt.body, scope))
        turn = self._turn(stmt, roots, now, scope, known)
        after, results = dict(now), [Ref(now[root]) for root in roots]
        values = [literal(stmt.var.sort, value) for value in stmt.var.sort.values()]
        for number, value in enumerate(values):
            call = ", ".join((value, *(result.name for result in results)))
            if turn.breaks:
                self.obligations.append(Text(f"{turn.breaks}({call})"))
            made = self.define(f"turn_{stmt.head}_{value}" if number < len(values) - 1 else f"end_{stmt.head}",
                               Text(f"{turn.name}({call})"))  # fmt: skip
            results = [Ref(made)] if len(roots) == 1 else [Ref(f"{made}.{root}") for root in roots]
        for root, result in zip(roots, results, strict=True):
            after[root] = result.name if "." not in result.name else self.define(f"{root}_{stmt.epoch}", result)
        return after

    def _turn(self, stmt: For, roots: list[str], now: Versions, scope: Scope, known: Facts) -> _Turn:
        """Define the operator that is one turn of a loop, and the one that says what it obliges to."""
        inner, name = scope.bind(stmt.var.id, stmt.var.name)
        inner = evolve(inner, names=self.names, quantified=scope.quantified)
        self.names.fresh(name)
        given = {root: self.names.fresh(f"{root}_{stmt.head}") for root in roots}
        before = {**now, **given}
        side = Chain(self.names)
        end, _ = side.run(stmt.body, before, inner.at(stmt.head, before), known)
        params = (name, *given.values())
        value: Doc
        if len(roots) == 1:
            value = Ref(end[roots[0]])
        else:
            value = Text("[" + ", ".join(f"{root} |-> {end[root]}" for root in roots) + "]")
        turn = self.define(f"turn_{stmt.head}", let_in(side.lets, value), params)
        breaks = ""
        if side.obligations:
            breaks = self.define(f"turn_{stmt.head}_obliges", let_in(side.lets, conj(side.obligations)), params)
        return _Turn(turn, breaks)


@define
class _Turn:
    name: str
    breaks: str


def assigned(body: Sequence[Stmt], scope: Scope) -> Iterator[str]:
    """The roots of what a body may assign, in the order in which the module declares them."""
    found = {scope.layout.places[stmt.var].root for stmt in statements(tuple(body)) if isinstance(stmt, Assign)}
    return (root for root in scope.layout.roots if root in found)


def let_in(lets: Sequence[Let], value: Doc) -> Doc:
    """The value with the definitions that it needs, each that is used once put in its place."""
    needed, values = tidy(lets, [value])
    return LetIn(tuple(needed), values[0]) if needed else values[0]


def tidy(lets: Sequence[Let], values: Sequence[Doc]) -> tuple[list[Let], list[Doc]]:
    """The definitions that the values need, and the values with definitions in place of names used once."""
    left, docs = _needed(lets, values), list(values)
    for name in [let.name for let in left if not let.params]:
        let = next(let for let in left if let.name == name)
        others = [other for other in left if other is not let]
        if sum(len(_uses(name, doc)) for doc in (*(other.value for other in others), *docs)) == 1:
            put = _putting(let)
            changed = [evolve(other, value=put(other.value)) for other in others]
            after = [put(doc) for doc in docs]
            if changed != others or after != docs:
                left, docs = changed, after
    return left, docs


def _needed(lets: Sequence[Let], values: Sequence[Doc]) -> list[Let]:
    wanted, found = " ".join(map(flat, values)), list[Let]()
    for let in reversed(lets):
        if _named(let.name, wanted):
            found.insert(0, let)
            wanted += " " + flat(let.value)
    return found


def _named(name: str, text: str) -> list[str]:
    return re.findall(rf"(?<![A-Za-z0-9_.]){re.escape(name)}(?![A-Za-z0-9_])", text)


def _uses(name: str, doc: Doc) -> list[str]:
    return _named(name, flat(doc))


def _putting(let: Let) -> Callable[[Doc], Doc]:
    """Puts the definition where a reference to it stands for a whole value: in a branch, an update, or alone."""

    def put(doc: Doc) -> Doc:
        match doc:
            case Ref(name):
                return let.value if name == let.name else doc
            case Choice(cond, then, orelse):
                return Choice(cond, put(then), put(orelse))
            case Updated(Ref(name), updates) if name == let.name:
                if isinstance(let.value, Updated):
                    return Updated(let.value.base, (*let.value.updates, *updates))
                return Updated(let.value, updates) if isinstance(let.value, Ref) else doc
            case Updated(base, updates):
                return Updated(put(base), updates)
            case LetIn(lets, value):
                return LetIn(tuple(evolve(inner, value=put(inner.value)) for inner in lets), put(value))
            case _:
                return doc

    return put
