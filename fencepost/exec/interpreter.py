"""The reference semantics: a small, direct, never optimised interpreter of the IR.

Every other reader (generated code, Z3, replay) is tested against this file. Read it to know
what a model means.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Protocol, assert_never

from attrs import evolve, field, frozen, mutable

from fencepost.ir.expr import (
    Add,
    And,
    Cast,
    Compare,
    Const,
    Expr,
    Ite,
    LoopVar,
    Member,
    Not,
    Or,
    Param,
    Quantified,
    Quantifier,
    Read,
    Relation,
    SetWith,
    Sub,
    Var,
)
from fencepost.ir.model import Action, Guard, Model
from fencepost.ir.sorts import Sort, show, sort_name
from fencepost.ir.stmt import Assign, For, If, Note, Stmt

State = tuple[tuple[int, ...], ...]
"""One tuple a variable, in the order of `model.vars`; in it one value an element, row-major."""


class Observer(Protocol):
    """What somebody is told who asks how a step comes to its values. An element is a variable and a position."""

    def read(self, var: Var, position: int, epoch: int) -> None:
        """An element was read, as it was at that epoch."""

    def guarded(self) -> None:
        """What was read since the step began decided that it can be taken."""

    def assigned(self, var: Var, position: int) -> None:
        """An element was given a value made of what was read since the last call."""

    def entered(self) -> None:
        """A branch was taken because of what was read since the last call."""

    def left(self) -> None:
        """The branch entered last has ended."""

    def reached(self, epoch: int) -> None:
        """The state is now that of this epoch."""


class ObligationBroken(Exception):
    """A range, index or liveness obligation failed. `name` is `range:<where>` or `dead:<where>`."""

    def __init__(self, name: str, detail: str) -> None:
        self.name = name
        self.detail = detail
        super().__init__(f"{name}: {detail}")


@frozen
class NoteEvent:
    """A `Note` that ran: its text, and the value and sort of the index whose life it tells of."""

    text: str
    subject: int | None = None
    subject_sort: Sort | None = None


@frozen
class Stepped:
    """The action fired."""

    state: State
    notes: tuple[NoteEvent, ...] = ()


@frozen
class Refused:
    """A guard was false; nothing after it was evaluated."""

    guard: Guard


@frozen
class Broken:
    """An obligation failed; there is no next state."""

    obligation: str
    detail: str


Outcome = Stepped | Refused | Broken


@mutable
class _Frame:
    """What an expression may refer to: parameters, loop variables, and the state at each epoch so far."""

    where: str
    vars: Mapping[Var, int]
    params: Mapping[str, int]
    epochs: dict[int, State]
    loops: dict[int, int] = field(factory=dict)
    notes: list[NoteEvent] = field(factory=list)
    observer: Observer | None = None


class Interpreter:
    """Evaluates one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._position = {var: i for i, var in enumerate(model.vars)}

    def initial(self) -> State:
        """The one initial state."""
        return tuple(var.init for var in self.model.vars)

    def instances(self) -> Iterator[tuple[Action, tuple[int, ...]]]:
        """Every action with every choice of arguments, in a fixed order."""
        for action in self.model.actions:
            for args in itertools.product(*(param.sort.values() for param in action.params)):
                yield action, args

    def fire(self, state: State, action: Action, args: tuple[int, ...], observer: Observer | None = None) -> Outcome:
        """Try one step: guards in order on `state`, then the body."""
        params = {param.name: value for param, value in zip(action.params, args, strict=True)}
        frame = _Frame(action.name, self._position, params, {0: state}, observer=observer)
        try:
            for guard in action.guards:
                if not _evaluate(guard.cond, frame):
                    return Refused(guard)
            if observer is not None:
                observer.guarded()
            after = _run(action.body, state, frame)
        except ObligationBroken as broken:
            return Broken(broken.name, broken.detail)
        return Stepped(after, tuple(frame.notes))

    def evaluate(self, state: State, expr: Expr, where: str, loops: Mapping[int, int] | None = None) -> int:
        """The value of a closed expression in `state`; `where` names it if an obligation fails.

        `loops` gives values to free quantifier variables, by their `id`.

        Raises:
            ObligationBroken: an obligation of the expression fails in this state.
        """
        return _evaluate(expr, _Frame(where, self._position, {}, {0: state}, dict(loops or {})))


def _evaluate(expr: Expr, frame: _Frame) -> int:  # noqa: PLR0911 - one case a node
    match expr:
        case Const(value):
            return value
        case Param(name):
            return frame.params[name]
        case LoopVar(id=loop):
            return frame.loops[loop]
        case Read():
            return _read(expr, frame)
        case Not(operand):
            return 1 - _evaluate(operand, frame)
        case And(operands):
            return int(all(_evaluate(operand, frame) for operand in operands))
        case Or(operands):
            return int(any(_evaluate(operand, frame) for operand in operands))
        case Compare(relation, left, right):
            return _compare(relation, _evaluate(left, frame), _evaluate(right, frame))
        case Add(left, right):
            return _evaluate(left, frame) + _evaluate(right, frame)
        case Sub(left, right):
            return _evaluate(left, frame) - _evaluate(right, frame)
        case Ite(cond, then, orelse):
            return _evaluate(then if _evaluate(cond, frame) else orelse, frame)
        case Cast(sort, operand, what):
            return _within(sort, _evaluate(operand, frame), what or sort_name(sort), frame)
        case Member(item, of):
            return _evaluate(of, frame) >> _evaluate(item, frame) & 1
        case SetWith(of, item, present):
            members, bit = _evaluate(of, frame), 1 << _evaluate(item, frame)
            return members | bit if present else members & ~bit
        case Quantified():
            return _quantified(expr, frame)
        case _:
            assert_never(expr)


def _read(read: Read, frame: _Frame) -> int:
    position = read.var.flat(_indices(read.var, read.indices, frame))
    if read.live is not None and not _evaluate(read.live, frame):
        detail = f"{read.var.element(position)} is read while dead"
        raise ObligationBroken(f"dead:{frame.where}/{read.var.name}", detail)
    if frame.observer is not None:
        frame.observer.read(read.var, position, read.epoch)
    return frame.epochs[read.epoch][frame.vars[read.var]][position]


def _indices(var: Var, indices: tuple[Expr, ...], frame: _Frame) -> tuple[int, ...]:
    return tuple(
        _within(dim, _evaluate(index, frame), f"{var.name}[{dim.name}]", frame)
        for dim, index in zip(var.dims, indices, strict=True)
    )


def _within(sort: Sort, value: int, what: str, frame: _Frame) -> int:
    if not sort.lo <= value <= sort.hi:
        raise ObligationBroken(f"range:{frame.where}/{what}", f"{value} is not in {sort.lo}..{sort.hi}")
    return value


def _compare(relation: Relation, left: int, right: int) -> int:
    match relation:
        case Relation.EQ:
            return int(left == right)
        case Relation.LT:
            return int(left < right)
        case Relation.LE:
            return int(left <= right)
        case _:
            assert_never(relation)


def _quantified(expr: Quantified, frame: _Frame) -> int:
    values = []
    for value in expr.var.sort.values():
        frame.loops[expr.var.id] = value
        values.append(_evaluate(expr.body, frame))
    match expr.quantifier:
        case Quantifier.FORALL:
            return int(all(values))
        case Quantifier.EXISTS:
            return int(any(values))
        case Quantifier.SUM:
            return sum(values)
        case _:
            assert_never(expr.quantifier)


def _run(body: tuple[Stmt, ...], state: State, frame: _Frame) -> State:
    for stmt in body:
        match stmt:
            case Assign(epoch=epoch):
                state = _at(epoch, _assign(stmt, state, frame), frame)
            case If(cond, then, orelse, epoch):
                state = _at(epoch, _branch(then if _evaluate(cond, frame) else orelse, state, frame), frame)
            case For(var, inner, head, epoch):
                for value in var.sort.values():
                    frame.loops[var.id] = value
                    state = _run(inner, _at(head, state, frame), frame)
                state = _at(epoch, state, frame)
            case Note():
                frame.notes.append(_note(stmt, evolve(frame, observer=None)))
            case _:
                assert_never(stmt)
    return state


def _branch(body: tuple[Stmt, ...], state: State, frame: _Frame) -> State:
    if frame.observer is None:
        return _run(body, state, frame)
    frame.observer.entered()
    after = _run(body, state, frame)
    frame.observer.left()
    return after


def _at(epoch: int, state: State, frame: _Frame) -> State:
    """The state, from now on also to be read as that of this epoch."""
    frame.epochs[epoch] = state
    if frame.observer is not None:
        frame.observer.reached(epoch)
    return state


def _assign(stmt: Assign, state: State, frame: _Frame) -> State:
    position = stmt.var.flat(_indices(stmt.var, stmt.indices, frame))
    value = _within(stmt.var.sort, _evaluate(stmt.value, frame), stmt.var.name, frame)
    if frame.observer is not None:
        frame.observer.assigned(stmt.var, position)
    at = frame.vars[stmt.var]
    elements = state[at][:position] + (value,) + state[at][position + 1 :]
    return state[:at] + (elements,) + state[at + 1 :]


def _note(stmt: Note, frame: _Frame) -> NoteEvent:
    text = stmt.text.format(*(_shown(value, frame) for value in stmt.values))
    if stmt.subject is None:
        return NoteEvent(text)
    try:
        return NoteEvent(text, _evaluate(stmt.subject, frame), stmt.subject.sort)
    except ObligationBroken:
        return NoteEvent(text)


def _shown(value: Expr, frame: _Frame) -> str:
    """The value as text; a note never breaks an obligation, since no search evaluates it."""
    try:
        return show(value.sort, _evaluate(value, frame))
    except ObligationBroken:
        return "?"
