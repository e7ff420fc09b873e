"""Bodies of actions as C source: statements that change a copy of the state, `x`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from attrs import field, mutable

from fencepost.exec.c_expr import CExpr, Text, literal, place, require_fit
from fencepost.exec.layout import WORD, Slot
from fencepost.ir.expr import Read, Var
from fencepost.ir.stmt import Assign, For, If, Note, Stmt

BEFORE = "s"
"""The state before the step."""
NOW = "x"
"""The state as changed so far."""


@mutable
class Epochs:
    """Where the value of a variable at an epoch is to be read from.

    A variable has another version after each statement that may change it. What has the version that
    it had before the step is read there, what has the version of the moment in the changed copy; for
    anything else the state at that epoch is kept, in a copy of its own.
    """

    kept: set[int]
    """Epochs of which copies are kept; those found to need one are added, for the text to be written anew."""
    versions: dict[Var, int] = field(factory=dict)
    at: dict[int, Mapping[Var, int]] = field(factory=lambda: {0: {}})
    count: int = 0

    def source(self, read: Read) -> str:
        """The C variable in which a read finds its value."""
        version = self.at[read.epoch].get(read.var, 0)
        if version == 0:
            return BEFORE
        if version == self.versions.get(read.var, 0):
            return NOW
        self.kept.add(read.epoch)
        return copy_of(read.epoch)

    def change(self, changed: Iterable[Var]) -> None:
        """Some variables may have other values from here on."""
        for var in changed:
            self.count += 1
            self.versions[var] = self.count

    def reach(self, epoch: int) -> list[str]:
        """An epoch is here; the statement that keeps the state, if one must."""
        self.at[epoch] = dict(self.versions)
        return [f"{copy_of(epoch)} = {NOW};"] if epoch in self.kept else []


def copy_of(epoch: int) -> str:
    """The name of the copy of the state at an epoch."""
    return f"x{epoch}"


def assigned(body: Iterable[Stmt]) -> Iterator[Var]:
    """The variables that some statements may assign, each once."""
    found: dict[Var, None] = {}
    for stmt in body:
        match stmt:
            case Assign(var=var):
                found[var] = None
            case If(then=then, orelse=orelse):
                found |= dict.fromkeys(assigned((*then, *orelse)))
            case For(body=inner):
                found |= dict.fromkeys(assigned(inner))
            case Note():
                pass
            case _:
                assert_never(stmt)
    return iter(found)


def write_body(body: Iterable[Stmt], expr: CExpr, epochs: Epochs) -> None:
    """Append the statements of a body."""
    for stmt in body:
        match stmt:
            case Assign():
                _assign(stmt, expr)
                epochs.change((stmt.var,))
                expr.emit(*epochs.reach(stmt.epoch))
            case If():
                _branch(stmt, expr, epochs)
                expr.emit(*epochs.reach(stmt.epoch))
            case For():
                _loop(stmt, expr, epochs)
                expr.emit(*epochs.reach(stmt.epoch))
            case Note():
                pass
            case _:
                assert_never(stmt)


def _assign(stmt: Assign, expr: CExpr) -> None:
    require_fit(stmt.var.sort)
    slot = expr.layout.slots[stmt.var]
    position = expr.position(stmt.var, stmt.indices)
    value = expr.oblige(expr.text(stmt.value), stmt.value.sort, stmt.var.sort, stmt.var.name)
    if slot.width:
        expr.emit(_store(slot, position, _packed(value, slot)))


def _packed(value: Text, slot: Slot) -> str:
    if isinstance(value, int):
        return f"{value - slot.lo}ULL"
    return f"(u64)({value} - {literal(slot.lo)})" if slot.lo else f"(u64){value}"


def _store(slot: Slot, position: Text, value: str) -> str:
    """The statement that puts a packed value into an element of the changed state."""
    mask = (1 << slot.width) - 1
    if isinstance(position, int):
        word, by = divmod(slot.at(position), WORD)
        if by + slot.width <= WORD:
            part = f"{NOW}.w[{word}]"
            return f"{part} = ({part} & {~(mask << by) % (1 << WORD):#x}ULL) | {value} << {by};"
        return f"put(&{NOW}, {slot.at(position)}, {slot.width}, {value});"
    if slot.word is not None:
        return f"put_in(&{NOW}.w[{slot.word}], {place(slot, position, slot.word)}, {mask}ULL, {value});"
    return f"put(&{NOW}, {place(slot, position, 0)}, {slot.width}, {value});"


def _branch(stmt: If, expr: CExpr, epochs: Epochs) -> None:
    cond = expr.text(stmt.cond)
    if isinstance(cond, int):
        write_body(stmt.then if cond else stmt.orelse, expr, epochs)
        epochs.change(assigned((*stmt.then, *stmt.orelse)))
        return
    before = dict(epochs.versions)
    expr.emit(f"if ({cond}) {{")
    for part, holds in ((stmt.then, True), (stmt.orelse, False)):
        epochs.versions = dict(before)
        if not holds and part:
            expr.emit("} else {")
        with expr.nested():
            expr.learn(stmt.cond, holds)
            write_body(part, expr, epochs)
    expr.emit("}")
    epochs.versions = before
    epochs.change(assigned((*stmt.then, *stmt.orelse)))


def _loop(stmt: For, expr: CExpr, epochs: Epochs) -> None:
    """The body once for each value: what it assigns may have been assigned by an earlier turn."""
    changed, turn, sort = tuple(assigned(stmt.body)), f"l{stmt.var.id}", stmt.var.sort
    expr.names[turn] = turn
    if turn not in expr.temporaries:
        expr.temporaries.append(turn)
    epochs.change(changed)
    expr.emit(f"for ({turn} = {literal(sort.lo)}; {turn} <= {literal(sort.hi)}; {turn}++) {{")
    with expr.nested():
        expr.emit(*epochs.reach(stmt.head))
        write_body(stmt.body, expr, epochs)
    expr.emit("}")
    epochs.change(changed)
