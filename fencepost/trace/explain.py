"""Why a state violates a property: the conjunct that fails, for which values, and what it looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from attrs import evolve, field, frozen, mutable

from fencepost.exec.interpreter import Broken, Interpreter, Refused, State
from fencepost.ir.cases import Case
from fencepost.ir.expr import TRUE, And, Const, Expr, Ite, LoopVar, Not, Or, Param, Quantified, Quantifier, Read, negate
from fencepost.ir.fairness import Group
from fencepost.ir.model import Action, Guard, Kind, Property, PropertyKind
from fencepost.ir.show import Shown, show_expr
from fencepost.ir.sorts import IndexSort, OptionSort, Sort, show, sort_name
from fencepost.ir.visit import children, substitute
from fencepost.trace.model import Blocked, Bound, Explanation, Reading, Subject

LISTED = 4
"""Calls of one action that the same guard refuses are listed up to this many, else counted."""
FEW = 8
"""Up to this many steps that cannot be taken, all of them are told."""


@frozen
class _Look:
    """One element that was read, with its value."""

    element: str
    sort: Sort
    value: int

    @property
    def reading(self) -> Reading:
        return Reading(self.element, show(self.sort, self.value))

    @property
    def subject(self) -> Subject | None:
        return _subject(self.sort, self.value)


@mutable
class _Walk:
    """The way down to what fails: quantifiers bound so far, conditions that hold, elements read."""

    interpreter: Interpreter
    state: State
    where: str
    loops: dict[int, int] = field(factory=dict)
    shown: Shown = field(factory=Shown)
    bound: list[tuple[str, LoopVar, int]] = field(factory=list)
    given: list[str] = field(factory=list)
    looks: dict[str, _Look] = field(factory=dict)

    def value(self, expr: Expr) -> int:
        return self.interpreter.evaluate(self.state, expr, self.where, self.loops)

    def bind(self, var: LoopVar, value: int) -> None:
        self.loops[var.id] = value
        self.shown = self.shown.bind(var)
        self.bound.append((self.shown.names[var.id], var, value))

    def first(self, quantified: Quantified, wanted: bool) -> int:
        """The first value for which the body is `wanted`."""
        for value in quantified.var.sort.values():
            self.loops[quantified.var.id] = value
            if bool(self.value(quantified.body)) is wanted:
                return value
        raise AssertionError("the quantifier's own value says that there is one")

    def fail(self, expr: Expr, expected: bool) -> Expr:
        """The part of `expr` because of which it is not as `expected`, as a condition that should hold."""
        match expr:
            case Not(operand):
                return self.fail(operand, not expected)
            case And(operands) if expected:
                return self.fail(next(operand for operand in operands if not self.value(operand)), True)
            case Or(operands) if expected:
                return self.consequent(operands)
            case Or(operands):
                return self.fail(next(operand for operand in operands if self.value(operand)), False)
            case Quantified(Quantifier.FORALL, var, body) if expected:
                self.bind(var, self.first(expr, False))
                return self.fail(body, True)
            case Quantified(Quantifier.EXISTS, var, body) if not expected:
                self.bind(var, self.first(expr, True))
                return self.fail(body, False)
            case Ite(cond, then, orelse):
                taken = bool(self.value(cond))
                self.hold(cond if taken else negate(cond))
                return self.fail(then if taken else orelse, expected)
            case _:
                self.look(expr)
                return expr if expected else negate(expr)

    def consequent(self, operands: tuple[Expr, ...]) -> Expr:
        """Of an implication, the consequent, with its antecedents noted; of a plain disjunction, all of it."""
        antecedents = [operand.operand for operand in operands if isinstance(operand, Not)]
        rest: tuple[Expr, ...] = tuple(operand for operand in operands if not isinstance(operand, Not))
        if not rest:
            # Every operand says that something does not hold: all but the last one are antecedents.
            antecedents, rest = antecedents[:-1], (Not(antecedents[-1]),)
        for antecedent in antecedents:
            self.hold(antecedent)
        if len(rest) == 1:
            return self.fail(rest[0], True)
        for operand in rest:
            self.look(operand)
        return Or(rest)

    def hold(self, expr: Expr) -> None:
        """Note a condition that holds, with the values that make it hold."""
        match expr:
            case And(operands):
                for operand in operands:
                    self.hold(operand)
            case Quantified(Quantifier.EXISTS, var, body):
                self.bind(var, self.first(expr, True))
                self.hold(body)
            case _:
                self.look(expr)
                self.given.append(show_expr(expr, self.shown))

    def look(self, expr: Expr) -> None:
        """Note every element that the value of `expr` depends on, as the interpreter reads them."""
        for look in looks(self.interpreter, self.state, expr, self.loops):
            self.looks.setdefault(look.element, look)


def looks(interpreter: Interpreter, state: State, expr: Expr, loops: dict[int, int]) -> Iterator[_Look]:
    """The elements that an evaluation of `expr` reads, in order; of a decided quantifier, for the deciding value."""

    def value(inner: Expr) -> int:
        return interpreter.evaluate(state, inner, "", loops)

    def inside(*exprs: Expr) -> Iterator[_Look]:
        for inner in exprs:
            yield from looks(interpreter, state, inner, loops)

    match expr:
        case Read(var, indices):
            yield from inside(*children(expr))
            position = var.flat(tuple(value(index) for index in indices))
            yield _Look(var.element(position), var.sort, value(expr))
        case And(operands) | Or(operands):
            for operand in operands:
                yield from inside(operand)
                if bool(value(operand)) is isinstance(expr, Or):
                    break
        case Ite(cond, then, orelse):
            yield from inside(cond, then if value(cond) else orelse)
        case Quantified(quantifier, var, body):
            values = list(var.sort.values())
            if quantifier is not Quantifier.SUM and bool(value(expr)) is (quantifier is Quantifier.EXISTS):
                values = [_deciding(interpreter, state, expr, loops)]
            for chosen in values:
                loops[var.id] = chosen
                yield from inside(body)
        case _:
            yield from inside(*children(expr))


def _deciding(interpreter: Interpreter, state: State, expr: Quantified, loops: dict[int, int]) -> int:
    return _Walk(interpreter, state, "", loops).first(expr, expr.quantifier is Quantifier.EXISTS)


def explain(
    interpreter: Interpreter,
    state: State,
    prop: Property,
    subjects: Collection[str] = (),
    touched: Iterable[Subject] = (),
) -> Explanation:
    """Why `prop` is false in `state`.

    `subjects` are the sorts whose lives the trace's notes tell: a value of one of them that was
    bound, or else read, or else `touched` by the last step, is to blame.

    Raises:
        ObligationBroken: an obligation of the property fails there; then it is neither true nor false.
    """
    walk, hang = _Walk(interpreter, state, prop.name), _Hang()
    if prop.kind is PropertyKind.HANG and walk.value(prop.twin):
        walk.hold(prop.twin)
        fails, hang = "some progress step can be taken", _hang(walk, _stopped(walk), subjects)
    else:
        fails = show_expr(walk.fail(prop.holds, True), walk.shown)
    return _explanation(walk, fails, hang, subjects, touched)


def explain_waiting(
    interpreter: Interpreter,
    prop: Property,
    case: Case,
    since: State,
    last: State,
    dead: Iterable[Group],
    subjects: Collection[str] = (),
) -> Explanation:
    """Why a response waits for ever: what was asked for in the state `since`, and what it looks like in the `last`.

    `dead` are the groups that are owed a turn, and never enabled in the loop.
    """
    asked = prop.response
    assert asked is not None
    walk = _Walk(interpreter, since, prop.name)
    for var, value in zip(asked.over, case.values, strict=True):
        walk.bind(var, value)
    walk.hold(asked.trigger)
    shown = evolve(walk.shown, names={var.id: walk.shown.names[var.id] for var in asked.over})
    walk.state, walk.looks = last, {}
    walk.look(asked.goal)
    steps = _stopped(walk, [(group.action, args) for group in dead for args in group.instances()])
    return _explanation(walk, show_expr(asked.goal, shown), _hang(walk, steps, subjects), subjects, ())


def looked_at(
    interpreter: Interpreter, state: State, action: Action, args: tuple[int, ...], guard: Guard
) -> tuple[Reading, ...]:
    """What a guard of a step looks at in a state."""
    step = _Stopped(action, args, guard.name, guard.cond, action.guards.index(guard))
    return tuple(look.reading for look in _looks_of_guard(_Walk(interpreter, state, action.name), step))


def _explanation(
    walk: _Walk, fails: str, hang: _Hang, subjects: Collection[str], touched: Iterable[Subject]
) -> Explanation:
    bindings = tuple(Bound(name, sort_name(v.sort), show(v.sort, value)) for name, v, value in walk.bound)
    readings = tuple(look.reading for look in walk.looks.values())
    bound = [_subject(var.sort, value) for _, var, value in walk.bound]
    read = [look.subject for look in (*walk.looks.values(), *hang.looks)]
    blames = blame(subjects, bound, read, touched)
    return Explanation(fails, bindings, tuple(walk.given), readings, hang.blocked, hang.earlier, blames)


def blame(subjects: Collection[str], *candidates: Iterable[Subject | None]) -> tuple[Subject, ...]:
    """Those of the first group of candidates in which any is of a sort in `subjects`."""
    for group in candidates:
        found = dict.fromkeys(s for s in group if s is not None and s.sort in subjects)
        if found:
            return tuple(found)
    return ()


def _subject(sort: Sort, value: int) -> Subject | None:
    index = sort.of if isinstance(sort, OptionSort) else sort
    return Subject(index.name, value) if isinstance(index, IndexSort) and value >= 0 else None


@frozen
class _Stopped:
    """A progress step that cannot be taken: the guard that refuses it, or the obligation it breaks.

    `passed` is how many of its guards hold before that.
    """

    action: Action
    args: tuple[int, ...]
    guard: str
    cond: Expr
    passed: int

    @property
    def call(self) -> str:
        return self.action.call(self.args)

    def is_about(self, known: Collection[Subject]) -> bool:
        """Whether it has a parameter of a sort in `known`, and only values that are in it for such sorts."""
        given = (_subject(p.sort, value) for p, value in zip(self.action.params, self.args, strict=True))
        sorts = {subject.sort for subject in known}
        told = [subject in known for subject in given if subject is not None and subject.sort in sorts]
        return all(told) and bool(told or not self.action.params)


@frozen
class _Hang:
    """Why nobody goes on: steps to tell of, how many more there are, and what those about the work looked at."""

    blocked: tuple[Blocked, ...] = ()
    earlier: int = 0
    looks: tuple[_Look, ...] = ()


def _hang(walk: _Walk, stopped: Iterable[_Stopped], subjects: Collection[str]) -> _Hang:
    """The steps that cannot be taken, each with the guard that refuses it; those that come closest to it first.

    A step that fails its first guard is usually one whose turn it is not, so where there are many
    steps those are only counted.
    """
    steps = list(stopped)
    near = list(_near(walk, steps, subjects))
    told = steps
    if len(steps) > FEW:
        told = [step for step in steps if step.passed] or near[:FEW]
    order = [*(step for step in near if step in told), *(step for step in told if step not in near)]
    groups: dict[tuple[str, str], list[_Stopped]] = {}
    for step in sorted(order, key=lambda step: -step.passed):
        groups.setdefault((step.call if step in near else step.action.name, step.guard), []).append(step)
    looks_ = tuple(look for step in near for look in _looks_of_guard(walk, step))
    return _Hang(tuple(_put_together(walk, group) for group in groups.values()), len(steps) - len(told), looks_)


def _near(walk: _Walk, steps: Iterable[_Stopped], subjects: Collection[str]) -> Iterator[_Stopped]:
    """The steps about the values bound; then those about the subjects that their guards look at."""
    waiting = list(steps)
    known = {subject for _, var, value in walk.bound if (subject := _subject(var.sort, value)) is not None}
    for _ in range(2):
        near = [step for step in waiting if step.is_about(known)]
        waiting = [step for step in waiting if step not in near]
        yield from near
        read = [look.subject for step in near for look in _looks_of_guard(walk, step)]
        known = {subject for subject in read if subject is not None and subject.sort in subjects}


def _put_together(walk: _Walk, steps: list[_Stopped]) -> Blocked:
    """Steps of one action that one guard refuses; of a single one, what the guard looked at."""
    if len(steps) == 1:
        return Blocked(steps[0].call, steps[0].guard, tuple(look.reading for look in _looks_of_guard(walk, steps[0])))
    calls = ", ".join(step.call for step in steps)
    return Blocked(calls if len(steps) <= LISTED else f"{steps[0].action.name} ({len(steps)} ways)", steps[0].guard)


def _stopped(walk: _Walk, steps: Iterable[tuple[Action, tuple[int, ...]]] | None = None) -> Iterator[_Stopped]:
    """Those of the steps (of all progress steps, if None) that cannot be taken."""
    if steps is None:
        steps = ((action, args) for action, args in walk.interpreter.instances() if action.kind is Kind.PROGRESS)
    for action, args in steps:
        outcome = walk.interpreter.fire(walk.state, action, args)
        if isinstance(outcome, Refused):
            guard = outcome.guard
            yield _Stopped(action, args, guard.name, guard.cond, action.guards.index(guard))
        elif isinstance(outcome, Broken):
            broken = f"{outcome.obligation}: {outcome.detail}"
            yield _Stopped(action, args, broken, TRUE, len(action.guards))


def _looks_of_guard(walk: _Walk, step: _Stopped) -> list[_Look]:
    constants = {p: Const(value, p.sort) for p, value in zip(step.action.params, step.args, strict=True)}
    closed = substitute(step.cond, lambda node: constants[node] if isinstance(node, Param) else None)
    return list({look.element: look for look in looks(walk.interpreter, walk.state, closed, {})}.values())
