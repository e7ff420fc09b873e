"""Recording: running an action's Python function once, and writing down what it did as IR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from attrs import evolve

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.model import Guard, GuardKind
from fencepost.ir.sorts import BOOL
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.lang.location import here
from fencepost.lang.fields import ArrayField, Field
from fencepost.lang.records import AnyField, Place, Record, declared, scalar
from fencepost.lang.scope import fresh_number, index_sort
from fencepost.lang.values import Bool, Index, Value, lift

A = TypeVar("A", bound=Index)


class Recorder:
    """The state of one recording: the block being filled, the epoch now, and what was touched in it."""

    def __init__(self) -> None:
        self.guards: list[Guard] = []
        self.epoch = 0
        self._last_epoch = 0
        self._blocks: list[list[Stmt]] = [[]]
        self._touched: list[dict[tuple[str, tuple[ir.Expr, ...]], Record]] = [{}]

    # What records call (see records.Access).

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], live: ir.Expr | None) -> ir.Read:
        return ir.Read(var, indices, self.epoch, live, here())

    def assign(self, var: ir.Var, indices: tuple[ir.Expr, ...], value: ir.Expr) -> None:
        self.epoch = self._fresh_epoch()
        self._blocks[-1].append(Assign(var, indices, value, self.epoch, here()))

    def touched(self, record: Record) -> None:
        """A field of this record was assigned: its dead fields are reset at the end of the block."""
        self._touched[-1].setdefault((record.place.path, record.place.indices), record)

    # What `Step` calls.

    def guard(self, cond: Bool | bool, name: str, kind: GuardKind) -> None:
        if len(self._blocks) > 1 or self._blocks[0] and not all(isinstance(s, Note) for s in self._blocks[0]):
            raise ModelError(
                f"the guard {name!r} comes after an assignment or inside a branch",
                "move it to the top of the action; a guard of a branch is (~cond) | guard",
                here(),
            )
        if any(guard.name == name for guard in self.guards):
            raise ModelError(f"two guards of this action are called {name!r}", "give each its own name", here())
        if kind is GuardKind.REQUIRE and any(guard.kind is GuardKind.BOUND for guard in self.guards):
            raise ModelError(f"the guard {name!r} comes after a bound", "put m.bound(...) after every m.require", here())
        self.guards.append(Guard(name, lift(cond, BOOL, "a guard"), kind, here()))

    def note(self, text: str, values: tuple[Value, ...], subject: Index | None) -> None:
        if text.count("{}") != len(values):
            raise ModelError(f"the note {text!r} has {len(values)} values", "write one {} for each value", here())
        at = here()
        self._blocks[-1].append(Note(text, tuple(v.node for v in values), None if subject is None else subject.node, at))

    @contextmanager
    def branch(self, cond: Bool) -> Iterator[None]:
        before = self.epoch
        node, at = lift(cond, BOOL, "m.when()"), here()
        with self._block() as then:
            yield
        self.epoch = self._fresh_epoch()
        self._blocks[-1].append(If(node, tuple(then), (), self.epoch, at))
        self._before_branch = before

    @contextmanager
    def alternative(self) -> Iterator[None]:
        block = self._blocks[-1]
        if not block or not isinstance(block[-1], If) or block[-1].orelse or block[-1].epoch != self.epoch:
            raise ModelError("m.otherwise() does not follow m.when()", "put it right after the `with m.when` block", here())
        last = block.pop()
        assert isinstance(last, If)
        self.epoch = self._before_branch
        with self._block() as orelse:
            yield
        self.epoch = self._fresh_epoch()
        self._blocks[-1].append(evolve(last, orelse=tuple(orelse), epoch=self.epoch))

    def each(self, index: type[A]) -> Iterator[A]:
        loop, at = ir.LoopVar(fresh_number(), index.__name__.lower(), index_sort(index)), here()
        head = self.epoch = self._fresh_epoch()
        with self._block() as body:
            yield index(loop)
        self.epoch = self._fresh_epoch()
        self._blocks[-1].append(For(loop, tuple(body), head, self.epoch, at))

    def finish(self) -> tuple[Stmt, ...]:
        """The body, once the function has returned."""
        if len(self._blocks) > 1:
            raise ModelError("a loop over m.each(...) was left early", "put the condition in m.when(...) inside it", here())
        self._reset_dead()
        return tuple(self._blocks[0])

    def _fresh_epoch(self) -> int:
        self._last_epoch += 1
        return self._last_epoch

    @contextmanager
    def _block(self) -> Iterator[list[Stmt]]:
        block: list[Stmt] = []
        self._blocks.append(block)
        self._touched.append({})
        yield block
        self._reset_dead()
        self._touched.pop()
        self._blocks.pop()

    def _reset_dead(self) -> None:
        """Reset to zero the fields of the records touched in this block that are dead now."""
        for record in list(self._touched[-1].values()):
            for live, fields in _by_liveness(record).items():
                with self.branch(Bool(ir.negate(live))):
                    for field in fields:
                        self._reset(record.place, field)
        self._touched[-1] = {}

    def _reset(self, place: Place, field: AnyField) -> None:
        if isinstance(field, ArrayField):
            for at in self.each(field.index):
                var = place.var(field.name, 1)
                self.assign(var, (*place.indices, at.node), ir.Const(var.sort.zero, var.sort))
        else:
            var = place.var(field.name, 0)
            self.assign(var, place.indices, ir.Const(var.sort.zero, var.sort))


def _by_liveness(record: Record) -> dict[ir.Expr, list[AnyField]]:
    """The record's fields that can be dead, grouped by their condition as of now."""
    groups: dict[ir.Expr, list[AnyField]] = {}
    for _, field in declared(type(record)):
        if isinstance(field, Field | ArrayField) and (live_when := scalar(field).live_when) is not None:
            groups.setdefault(live_when(record).node, []).append(field)
    return groups
