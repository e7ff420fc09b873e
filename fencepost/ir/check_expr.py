"""Whether an expression is well-sorted and refers only to what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, assert_never

from attrs import evolve, field, frozen

from fencepost.errors import Location, ModelError
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
from fencepost.ir.sorts import BOOL, IndexSort, IntSort, OptionSort, SetSort, Sort, compatible, sort_name


@frozen
class Scope:
    """What an expression may refer to at its place.

    An epoch is in `epochs` if every way to this place has passed it; a loop variable is in `loops`
    inside its loop or quantifier only.
    """

    where: str
    vars: frozenset[Var]
    params: frozenset[Param] = frozenset()
    epochs: frozenset[int] = frozenset({0})
    loops: Mapping[int, LoopVar] = field(factory=dict)
    at: Location | None = None

    def near(self, at: Location | None) -> Scope:
        """The same scope, telling of a more exact place."""
        return self if at is None else evolve(self, at=at)

    def passed(self, *epochs: int) -> Scope:
        """After the state at these epochs is known."""
        return evolve(self, epochs=self.epochs.union(epochs))

    def inside(self, var: LoopVar) -> Scope:
        """Inside the loop or quantifier over `var`.

        Raises:
            ModelError: it is inside one over the same variable already.
        """
        if var.id in self.loops:
            self.fail(
                f"the loop variable {var.name} (number {var.id}) is bound inside itself", "give it a fresh number"
            )
        check_sort(var.sort, self)
        return evolve(self, loops={**self.loops, var.id: var})

    def fail(self, problem: str, instead: str = "") -> NoReturn:
        """Refuse the model."""
        raise ModelError(f"{self.where}: {problem}", instead, self.at)


def check_sort(sort: Sort, scope: Scope) -> None:
    """The sort has at least one value, and enum members have names of their own."""
    if sort.size < 1:
        scope.fail(f"the sort {sort_name(sort)} has no values", "give it at least one")
    members = getattr(sort, "members", ())
    if len(set(members)) != len(members):
        scope.fail(f"the enum {sort_name(sort)} has two members of one name", "rename one of them")


def check_bool(expr: Expr, scope: Scope, what: str) -> None:
    """The expression is well-formed and a condition."""
    check_expr(expr, scope)
    _expect(expr, BOOL, scope, what)


def check_expr(expr: Expr, scope: Scope) -> None:
    """Every node's operands are of the sorts that it takes, and its names are in scope.

    Raises:
        ModelError: one is not.
    """
    match expr:
        case Const(value, sort):
            check_sort(sort, scope)
            if not sort.lo <= value <= sort.hi:
                scope.fail(f"the constant {value} is not in {sort_name(sort)}", f"it has {sort.lo}..{sort.hi}")
        case Param():
            if expr not in scope.params:
                scope.fail(f"{expr.name} is not a parameter here", "refer to a parameter of the same action")
        case LoopVar(id=number, name=name):
            if scope.loops.get(number) != expr:
                scope.fail(f"the loop variable {name} is used outside of its loop", "use it inside only")
        case Read():
            _check_read(expr, scope)
        case Quantified(quantifier, var, body):
            _check_quantified(quantifier, body, scope.inside(var))
        case Not(operand):
            check_bool(operand, scope, "the operand of `not`")
        case And(operands) | Or(operands):
            if not operands:
                scope.fail("a conjunction or disjunction has no operands", "write true or false")
            for operand in operands:
                check_bool(operand, scope, "an operand of `and` or `or`")
        case _:
            _check_composite(expr, scope)


def check_element(var: Var, indices: tuple[Expr, ...], scope: Scope) -> None:
    """The variable is the model's, with one index of the right sort (or an option of it) a dimension."""
    if var not in scope.vars:
        scope.fail(f"{var.name} is not a variable of the model", "declare it, exactly as it is used")
    if len(indices) != len(var.dims):
        scope.fail(f"{var.name} has {len(var.dims)} dimensions but {len(indices)} indices", "give one for each")
    for dim, index in zip(var.dims, indices, strict=True):
        check_expr(index, scope)
        _expect(index, dim, scope, f"an index of {var.name}")


def _check_read(read: Read, scope: Scope) -> None:
    inner = scope.near(read.at)
    if read.epoch not in scope.epochs:
        inner.fail(
            f"{read.var.name} is read at epoch {read.epoch}, which is not passed on every way to here",
            "read it at 0 or at an epoch before this statement",
        )
    check_element(read.var, read.indices, inner)
    if read.live is not None:
        check_bool(read.live, inner, f"the condition under which {read.var.name} is live")


def _check_composite(expr: Compare | Add | Sub | Ite | Cast | Member | SetWith, scope: Scope) -> None:
    match expr:
        case Compare(relation, left, right):
            _check_both(left, right, scope)
            if relation is not Relation.EQ:
                _expect_int(left, scope, f"the left side of {relation.value}")
                _expect_int(right, scope, f"the right side of {relation.value}")
            elif not compatible(left.sort, right.sort):
                scope.fail(f"{_sort(left)} is compared with {_sort(right)}", "compare values of one sort")
        case Add(left, right) | Sub(left, right):
            _check_both(left, right, scope)
            _expect_int(left, scope, "an operand of + or -")
            _expect_int(right, scope, "an operand of + or -")
        case Ite(cond, then, orelse, sort):
            check_bool(cond, scope, "the condition of an if-expression")
            _check_both(then, orelse, scope)
            for side in (then, orelse):
                if not _holds_all(sort, side.sort):
                    scope.fail(
                        f"an if-expression of {sort_name(sort)} has a side of {_sort(side)}", "give it a wider sort"
                    )
        case Cast(sort, operand):
            inner = scope.near(expr.at)
            check_sort(sort, inner)
            check_expr(operand, inner)
            if not _castable(operand.sort, sort):
                inner.fail(f"{_sort(operand)} is cast to {sort_name(sort)}", "cast to a number first")
        case Member(item, of) | SetWith(of, item):
            _check_both(of, item, scope)
            if not isinstance(of.sort, SetSort):
                scope.fail(f"{_sort(of)} is used as a set", "use a set")
            elif item.sort != of.sort.of:
                scope.fail(f"{_sort(item)} is put into or looked for in a {_sort(of)}", f"give it a {of.sort.of.name}")
        case _:
            assert_never(expr)


def _check_quantified(quantifier: Quantifier, body: Expr, scope: Scope) -> None:
    match quantifier:
        case Quantifier.FORALL | Quantifier.EXISTS:
            check_bool(body, scope, f"the body of {quantifier.value}")
        case Quantifier.SUM:
            check_expr(body, scope)
            _expect_int(body, scope, "the body of a sum")
        case _:
            assert_never(quantifier)


def _check_both(left: Expr, right: Expr, scope: Scope) -> None:
    check_expr(left, scope)
    check_expr(right, scope)


def _expect(expr: Expr, sort: Sort, scope: Scope, what: str) -> None:
    if not compatible(expr.sort, sort):
        scope.fail(f"{what} is a {_sort(expr)}, not a {sort_name(sort)}", f"give it a {sort_name(sort)}")


def _expect_int(expr: Expr, scope: Scope, what: str) -> None:
    if not isinstance(expr.sort, IntSort):
        scope.fail(f"{what} is a {_sort(expr)}, not an integer", "only integers have an order and sums")


def _holds_all(sort: Sort, side: Sort) -> bool:
    """Whether every value of `side` is one of `sort`."""
    return compatible(sort, side) and sort.lo <= side.lo and side.hi <= sort.hi


def _castable(operand: Sort, sort: Sort) -> bool:
    """Numbers, indices and options cast to each other, but not to indices of another name."""
    if compatible(operand, sort):
        return True
    numeric = (IntSort, IndexSort, OptionSort)
    return isinstance(operand, numeric) and isinstance(sort, numeric) and IntSort in (type(operand), type(sort))


def _sort(expr: Expr) -> str:
    return sort_name(expr.sort)
