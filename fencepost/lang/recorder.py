"""Recording: running an action's Python function once, and writing down what it did as IR."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

from attrs import evolve, field, mutable

from fencepost.errors import Location, ModelError
from fencepost.ir import expr as ir
from fencepost.ir.model import Guard, GuardKind
from fencepost.ir.sorts import BOOL, IndexSort
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import walk
from fencepost.lang.fields import ArrayField
from fencepost.lang.liveness import by_liveness, holders, reads
from fencepost.lang.location import here, user_frame
from fencepost.lang.mend import shown
from fencepost.lang.records import AnyField, Record
from fencepost.lang.scope import fresh_number, index_sort
from fencepost.lang.source import construct, left_early
from fencepost.lang.values import Bool, Index, Maybe, Value, lift

A = TypeVar("A", bound=Index)

Dead = tuple[str, tuple[ir.Expr, ...], tuple[str, ...]]
"""A record's path and indices, and the names of fields of it that live and die together."""


@mutable
class _Block:
    """Statements being written down, and what may be referred to among them.

    `pending` has the fields that may have died since they were last reset.
    """

    epochs: set[int]
    loops: frozenset[int] = frozenset()
    statements: list[Stmt] = field(factory=list)
    pending: dict[Dead, Record] = field(factory=dict)
    before_branch: int = 0
    """The epoch before the last branch of this block."""

    def inner(self, *, head: int | None = None, loop: int | None = None) -> _Block:
        """A block inside this one."""
        epochs = self.epochs if head is None else self.epochs | {head}
        return _Block(set(epochs), self.loops if loop is None else self.loops | {loop})

    def knows(self, indices: tuple[ir.Expr, ...]) -> bool:
        """Whether the indices mean in this block what they meant in one inside it."""
        nodes = [node for index in indices for node in walk(index)]
        return all(node.epoch in self.epochs for node in nodes if isinstance(node, ir.Read)) and all(
            node.id in self.loops for node in nodes if isinstance(node, ir.LoopVar)
        )


class Recorder:
    """The state of one recording: the blocks being filled, and the epoch now."""

    def __init__(self) -> None:
        self.guards: list[Guard] = []
        self.epoch = 0
        self._last_epoch = 0
        self._blocks = [_Block({0})]
        self._loops: set[int] = set()
        self._first_read: dict[int, Location | None] = {}
        self._unfinished: ModelError | None = None

    # What records call (see records.Access).

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], live: ir.Expr | None) -> ir.Read:
        at = here()
        self._first_read.setdefault(self.epoch, at)
        return ir.Read(var, indices, self.epoch, live, at)

    def assign(self, var: ir.Var, indices: tuple[ir.Expr, ...], value: ir.Expr) -> None:
        self._admit(*indices, value)
        self._append(Assign(var, indices, value, self._fresh_epoch(), here()))

    def touched(self, record: Record, var: ir.Var, value: ir.Expr) -> None:
        """A field was assigned: those whose life depends on it may have died, or it was dead itself."""
        zeroed = value == ir.Const(var.sort.zero, var.sort)
        for holder in holders(record):
            for live, fields in by_liveness(holder).items():
                own = holder is record and any(_is_var(holder, one, var) for one in fields)
                if reads(live, var) or (own and not zeroed):
                    self._may_be_dead(holder, tuple(one.name for one in fields))

    def moved(self, record: Record, var: ir.Var) -> None:
        """A whole record was assigned, field by field: what depends on it from outside may have died."""
        for holder in holders(record):
            if holder is not record:
                for live, fields in by_liveness(holder).items():
                    if reads(live, var):
                        self._may_be_dead(holder, tuple(one.name for one in fields))

    # What `Step` calls.

    def is_reset(self) -> None:
        """What was assigned just now is dead."""
        last = self._blocks[-1].statements[-1]
        assert isinstance(last, Assign)
        self._blocks[-1].statements[-1] = evolve(last, resets=True)

    def guard(self, cond: Bool | bool, name: str, kind: GuardKind) -> None:
        self._proceed()
        if len(self._blocks) > 1:
            raise ModelError(
                f"the guard {name!r} is inside a branch or loop",
                "move it to the top of the action, as (~condition_of_the_branch) | guard",
                here(),
            )
        if not all(isinstance(stmt, Note) for stmt in self._blocks[0].statements):
            raise ModelError(
                f"the guard {name!r} comes after an assignment", "move it to the top of the action", here()
            )
        if any(guard.name == name for guard in self.guards):
            raise ModelError(f"two guards of this action are called {name!r}", "give each its own name", here())
        if kind is GuardKind.REQUIRE and any(guard.kind is GuardKind.BOUND for guard in self.guards):
            raise ModelError(
                f"the guard {name!r} comes after a bound", "put m.bound(...) after every m.require", here()
            )
        node = lift(cond, BOOL, f"the guard {name!r}")
        self._admit(node)
        self.guards.append(Guard(name, node, kind, here()))

    def note(self, text: str, values: tuple[Value, ...], subject: Index | None) -> None:
        self._proceed()
        for value in values:
            if not isinstance(value, Value):
                raise ModelError(f"a note is given {shown(value)}", "write what is known now into its text", here())
        if subject is not None and not isinstance(subject, Index):
            mend = (
                "write .get for the index that it holds"
                if isinstance(subject, Maybe)
                else "give it an index, such as a handle"
            )
            raise ModelError("a note is of something that is no index", mend, here())
        nodes = tuple(value.node for value in values)
        about = None if subject is None else subject.node
        self._admit(*nodes, *(() if about is None else (about,)))
        self._blocks[-1].statements.append(Note(text, nodes, about, here()))

    def when(self, cond: Bool) -> Branch:
        """The context of `with m.when(...)`."""
        self._proceed()
        node = lift(cond, BOOL, "m.when()")
        self._admit(node)
        return self._branch(Branch(self, node), "m.when(...)")

    def otherwise(self) -> Branch:
        """The context of `with m.otherwise()`."""
        self._proceed()
        block = self._blocks[-1]
        last = block.statements[-1] if block.statements else None
        if not isinstance(last, If) or last.orelse or last.epoch != self.epoch:
            raise ModelError(
                "m.otherwise() does not follow m.when()", "put it right after the `with m.when(...)` block", here()
            )
        if last.epoch in self._first_read:
            raise ModelError(
                "a field is read between m.when(...) and its m.otherwise()",
                "read it before the one or after the other",
                self._first_read[last.epoch],
            )
        return self._branch(Branch(self, last.cond, last), "m.otherwise()")

    def each(self, index: type[A]) -> Iterator[A]:
        """The index of a loop, once."""
        self._proceed()
        sort, at = index_sort(index), here()
        found = construct(user_frame())
        if found is not None and found.is_passed_on:
            raise ModelError(
                "m.each(...) is not what a `for` statement goes through", "write `for i in m.each(Cls):`", at
            )
        if found is not None and (stmt := left_early(found)) is not None:
            raise ModelError(
                "a loop over m.each(...) cannot be left early",
                "put the condition in m.when(...) inside it",
                found.at(stmt),
            )
        return self._loop(index, sort, at)

    def copied(self, to: Record, source: Record) -> None:
        """`to` has what `source` has: if that has yet to be reset, so has `to`."""
        for block in self._blocks:
            for (path, _, names), holder in list(block.pending.items()):
                if type(holder) is type(to) and path == source.place.path:
                    self._may_be_dead(to, names)

    def finish(self) -> tuple[Stmt, ...]:
        """The body, once the function has returned."""
        self._proceed()
        self._reset_dead(None)
        return tuple(self._blocks[0].statements)

    # Blocks.

    def open(self, *, head: int | None = None, loop: int | None = None) -> None:
        """Begin a block inside the current one."""
        self._unfinished = None
        self._blocks.append(self._blocks[-1].inner(head=head, loop=loop))

    def close(self) -> tuple[Stmt, ...]:
        """End the current block: what it leaves dead is reset here, or later where that means the same."""
        self._proceed()
        self._reset_dead(self._blocks[-2])
        return tuple(self._blocks.pop().statements)

    def branched(self, branch: Branch, statements: tuple[Stmt, ...]) -> None:
        """Write down a branch that has ended."""
        block = self._blocks[-1]
        if branch.first is None:
            block.before_branch = branch.before
            self._append(If(branch.cond, statements, (), self._fresh_epoch(), branch.at))
        else:
            block.statements.pop()
            self._append(evolve(branch.first, orelse=statements, epoch=self._fresh_epoch()))

    def rewind(self, branch: Branch) -> None:
        """Begin the alternative of a branch where that began."""
        if branch.first is not None:
            self.epoch = self._blocks[-1].before_branch
            self._blocks[-1].epochs.discard(branch.first.epoch)

    def _branch(self, branch: Branch, what: str) -> Branch:
        found = construct(user_frame())
        if found is not None and (stmt := left_early(found)) is not None:
            raise ModelError(
                f"`{_keyword(stmt)}` leaves a `with {what}` block, which would leave out the rest for every state",
                "write the other case under m.otherwise()",
                found.at(stmt),
            )
        self._unfinished = ModelError(f"{what} is not the head of a `with`", f"write `with {what}:`", branch.at)
        return branch

    def _loop(self, index: type[A], sort: IndexSort, at: Location | None) -> Iterator[A]:
        loop = ir.LoopVar(fresh_number(), index.__name__.lower(), sort)
        self._loops.add(loop.id)
        head = self._fresh_epoch()
        self.epoch = head
        self.open(head=head, loop=loop.id)
        try:
            yield index(loop)
        except GeneratorExit:
            # Raised here it would be lost, so it is raised by whatever comes next.
            self._unfinished = ModelError(
                "a loop over m.each(...) was left early", "put the condition in m.when(...) inside it", at
            )
            raise
        body = self.close()
        self._append(For(loop, body, head, self._fresh_epoch(), at))

    def _append(self, stmt: Assign | If | For) -> None:
        self.epoch = stmt.epoch
        self._blocks[-1].statements.append(stmt)
        self._blocks[-1].epochs.add(stmt.epoch)

    def _fresh_epoch(self) -> int:
        self._last_epoch += 1
        return self._last_epoch

    def _proceed(self) -> None:
        """Refuse to go on after a construct that was not used as it must be."""
        if self._unfinished is not None:
            raise self._unfinished

    def _admit(self, *nodes: ir.Expr) -> None:
        """Refuse values that mean nothing here: read, or looped over, in a block that has ended."""
        self._proceed()
        block = self._blocks[-1]
        for node in (inner for outer in nodes for inner in walk(outer)):
            if isinstance(node, ir.Read) and node.epoch not in block.epochs:
                line = "" if node.at is None else f" (line {node.at.line})"
                raise ModelError(
                    f"the value of {node.var.name} was read in a branch or loop that has ended{line}",
                    "read it again here",
                    here(),
                )
            if isinstance(node, ir.LoopVar) and node.id in self._loops and node.id not in block.loops:
                raise ModelError(
                    f"the index {node.name!r} of m.each(...) is used after its loop", "use it inside the loop", here()
                )

    # Dead fields.

    def _may_be_dead(self, record: Record, names: tuple[str, ...]) -> None:
        key = (record.place.path, record.place.indices, names)
        self._blocks[-1].pending.setdefault(key, record)

    def _reset_dead(self, outer: _Block | None) -> None:
        """Reset to zero what is dead now, except what can as well be reset at the end of the outer block."""
        pending = self._blocks[-1].pending
        while pending:
            key = next(iter(pending))
            record = pending.pop(key)
            _, indices, names = key
            if outer is not None and outer.knows(indices):
                outer.pending.setdefault(key, record)
            else:
                self._reset(record, names)

    def _reset(self, record: Record, names: tuple[str, ...]) -> None:
        for live, fields in by_liveness(record).items():
            dead = [one for one in fields if one.name in names]
            if dead:
                with Branch(self, ir.negate(live)):
                    for one in dead:
                        self._zero(record, one)

    def _zero(self, record: Record, dead: AnyField) -> None:
        dims = int(isinstance(dead, ArrayField))
        var = record.place.var(dead.name, dims)
        zero = ir.Const(var.sort.zero, var.sort)
        if isinstance(dead, ArrayField):
            for at in self._loop(dead.index, index_sort(dead.index), here()):
                self.assign(var, (*record.place.indices, at.node), zero)
        else:
            self.assign(var, record.place.indices, zero)


class Branch:
    """One side of a branch, as a `with` block; `first` is the side that it is the alternative of."""

    def __init__(self, recorder: Recorder, cond: ir.Expr, first: If | None = None) -> None:
        self._recorder = recorder
        self.cond = cond
        self.first = first
        self.before = recorder.epoch
        self.at = here()

    def __enter__(self) -> None:
        self._recorder.rewind(self)
        self._recorder.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._recorder.branched(self, self._recorder.close())


def _is_var(record: Record, one: AnyField, var: ir.Var) -> bool:
    return record.place.var(one.name, int(isinstance(one, ArrayField))).name == var.name


def _keyword(stmt: object) -> str:
    return type(stmt).__name__.lower()
