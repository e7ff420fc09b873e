"""Whether a model is well-formed: what every reader of the IR may take for granted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import Formatter
from typing import assert_never

from fencepost.errors import Location, ModelError
from fencepost.ir.check_expr import Scope, check_bool, check_element, check_expr, check_sort
from fencepost.ir.expr import Expr, Quantified, Read, Var
from fencepost.ir.model import Action, GuardKind, Model, Property, PropertyKind
from fencepost.ir.sorts import EnumSort, IndexSort, OptionSort, SetSort, Sort, compatible, sort_name
from fencepost.ir.stmt import Assign, For, If, Note, Stmt
from fencepost.ir.visit import expressions, expressions_of, own_epochs, statements, walk


def check(model: Model) -> None:
    """Accept a well-formed model.

    Raises:
        ModelError: the model breaks a rule of the IR; the message says which, at the source
            location of the node where it has one.
    """
    _check_names(model)
    for var in model.vars:
        _check_var(var)
    _check_nominal(model)
    names = frozenset(model.vars)
    for action in model.actions:
        _check_action(action, Scope(f"action {action.name}", names, at=action.at))
    for prop in model.properties:
        _check_property(prop, Scope(f"property {prop.name}", names, at=prop.at))
    for lemma in model.lemmas:
        _check_property(lemma, Scope(f"lemma {lemma.name}", names, at=lemma.at))


def _check_names(model: Model) -> None:
    variables: list[tuple[str, Location | None]] = [(var.name, None) for var in model.vars]
    _unique(variables, "variables")
    actions = [(action.name, action.at) for action in model.actions]
    _unique(actions, "actions")
    # Both name what an obligation belongs to, so one name for two would make a finding ambiguous.
    stated = [(prop.name, prop.at) for prop in (*model.properties, *model.lemmas)]
    _unique(actions + stated, "properties or actions")


def _unique(names: Iterable[tuple[str, Location | None]], what: str) -> None:
    seen: set[str] = set()
    for name, at in names:
        if name in seen:
            raise ModelError(f"two {what} are called {name!r}", "rename one of them", at)
        seen.add(name)


def _check_var(var: Var) -> None:
    scope = Scope(f"variable {var.name}", frozenset())
    for sort in (var.sort, *var.dims):
        check_sort(sort, scope)
    if len(var.init) != var.count:
        scope.fail(f"it has {var.count} elements but {len(var.init)} initial values", "give one for each element")
    for position, value in enumerate(var.init):
        if not var.sort.lo <= value <= var.sort.hi:
            element, known = var.element(position), sort_name(var.sort)
            scope.fail(f"the initial value {value} of {element} is not in {known}", "give one that is in it")


def _check_nominal(model: Model) -> None:
    """One name of an index or enum sort means the same sort throughout the model."""
    known: dict[str, Sort] = {}
    for sort in _sorts(model):
        if isinstance(sort, IndexSort | EnumSort) and known.setdefault(sort.name, sort) != sort:
            raise ModelError(
                f"two different sorts are called {sort.name!r}", "rename one of them, or give them one size"
            )


def _sorts(model: Model) -> Iterator[Sort]:
    bound: list[Sort] = [sort for var in model.vars for sort in (var.sort, *var.dims)]
    bound += [param.sort for action in model.actions for param in action.params]
    bound += [s.var.sort for action in model.actions for s in statements(action.body) if isinstance(s, For)]
    bound += [node.var.sort for expr in expressions_of(model) for node in walk(expr) if isinstance(node, Quantified)]
    bound += [var.sort for prop in model.properties if prop.response is not None for var in prop.response.over]
    for sort in bound:
        yield sort.of if isinstance(sort, OptionSort | SetSort) else sort


def _check_property(prop: Property, scope: Scope) -> None:
    check_bool(prop.holds, scope, "what must hold")
    check_bool(prop.twin, scope, "the twin")
    if (prop.response is None) is (prop.kind is PropertyKind.RESPONSE):
        scope.fail("a response, and nothing else, says what is asked for", "give it its trigger and its goal")
    if prop.response is not None:
        for var in prop.response.over:
            scope = scope.inside(var)
        check_bool(prop.response.trigger, scope, "the trigger")
        check_bool(prop.response.goal, scope, "the goal")


def _check_action(action: Action, scope: Scope) -> None:
    _unique([(param.name, action.at) for param in action.params], f"parameters of action {action.name}")
    for param in action.params:
        check_sort(param.sort, scope)
    if action.actor.lane is not None and action.actor.lane not in [param.name for param in action.params]:
        scope.fail(f"its actor's lane {action.actor.lane!r} is not one of its parameters", "name one of them")
    scope = Scope(scope.where, scope.vars, frozenset(action.params), at=scope.at)
    _check_guards(action, scope)
    _check_epochs(action, scope)
    _check_block(action.body, scope)
    _check_ghosts(action.body, scope, ghost_only=False)


def _check_guards(action: Action, scope: Scope) -> None:
    _unique([(guard.name, guard.at) for guard in action.guards], f"guards of action {action.name}")
    bounded = False
    for guard in action.guards:
        inner = scope.near(guard.at)
        check_bool(guard.cond, inner, f"the guard {guard.name!r}")
        if bounded and guard.kind is GuardKind.REQUIRE:
            inner.fail(f"the guard {guard.name!r} comes after a bound", "put every bound after every require")
        bounded = guard.kind is GuardKind.BOUND
        if _reads_ghost(guard.cond):
            inner.fail(f"the guard {guard.name!r} reads ghost state", "only properties may read it")


def _check_epochs(action: Action, scope: Scope) -> None:
    """Every state that the body passes has a number of its own."""
    seen = {0}
    for stmt in statements(action.body):
        for epoch in own_epochs(stmt):
            if epoch in seen:
                scope.near(stmt.at).fail(
                    f"two states are called epoch {epoch}", "give each a number of its own, from 1"
                )
            seen.add(epoch)


def _check_block(body: tuple[Stmt, ...], scope: Scope) -> None:
    """Statements in order; what one of them passes, the next ones may read."""
    for stmt in body:
        inner = scope.near(stmt.at)
        match stmt:
            case Assign(var, indices, value, epoch):
                check_element(var, indices, inner)
                check_expr(value, inner)
                if not compatible(value.sort, var.sort):
                    inner.fail(f"{var.name} is given a {sort_name(value.sort)}", f"give it a {sort_name(var.sort)}")
                scope = scope.passed(epoch)
            case If(cond, then, orelse, epoch):
                check_bool(cond, inner, "the condition of a branch")
                _check_block(then, scope)
                _check_block(orelse, scope)
                scope = scope.passed(epoch)
            case For(var, looped, head, epoch):
                _check_block(looped, scope.inside(var).passed(head))
                scope = scope.passed(epoch)
            case Note():
                _check_note(stmt, inner)
            case _:
                assert_never(stmt)


def _check_note(note: Note, scope: Scope) -> None:
    for expr in expressions(note):
        check_expr(expr, scope)
    try:
        holes = [name for _, name, _, _ in Formatter().parse(note.text) if name is not None]
    except ValueError:
        scope.fail(f"the note {note.text!r} has a stray brace", "write {{ or }} for a brace of the text")
    if holes != [""] * len(note.values):
        scope.fail(f"the note {note.text!r} has {len(note.values)} values", "write one {} for each value")
    if note.subject is not None and not isinstance(note.subject.sort, IndexSort):
        scope.fail(f"the subject of the note is a {sort_name(note.subject.sort)}", "make it an index")


def _check_ghosts(body: tuple[Stmt, ...], scope: Scope, *, ghost_only: bool) -> None:
    """Ghost state decides nothing but ghost state."""
    for stmt in body:
        inner = scope.near(stmt.at)
        match stmt:
            case Assign(var=var):
                if not var.ghost and ghost_only:
                    inner.fail(f"a branch on ghost state assigns {var.name}", "assign only ghost variables there")
                if not var.ghost and any(map(_reads_ghost, expressions(stmt))):
                    inner.fail(f"{var.name} is assigned from ghost state", "only ghost variables may be")
            case If(cond, then, orelse):
                decided = ghost_only or _reads_ghost(cond)
                _check_ghosts(then, scope, ghost_only=decided)
                _check_ghosts(orelse, scope, ghost_only=decided)
            case For(body=looped):
                _check_ghosts(looped, scope, ghost_only=ghost_only)
            case Note():
                pass
            case _:
                assert_never(stmt)


def _reads_ghost(expr: Expr) -> bool:
    return any(isinstance(node, Read) and node.var.ghost for node in walk(expr))
