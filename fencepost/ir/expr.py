"""Expressions of the IR: frozen trees, each node with its sort.

A `Read` names the *epoch* at which it takes its value: 0 is the state before the action, and
every assignment, branch and loop of the action's body ends in an epoch of its own. That is how
a value that was read keeps it while later assignments go on.

Obligations: a `Read` obliges each index to be within its sort and its field to be live; a
`Cast` obliges its operand to be within the sort it casts to. `And`, `Or` and `Ite` evaluate
from left to right and only what decides them, so an obligation counts only where it is reached.
Quantifiers evaluate their body for every value, without early exit.
"""

from __future__ import annotations

import enum
from functools import cached_property
from typing import assert_never

from attrs import field, frozen

from fencepost.errors import Location
from fencepost.ir.sorts import BOOL, IndexSort, IntSort, Sort


@frozen(cache_hash=True)
class Var:
    """One state variable: a scalar, or an array of scalars with one dimension an index sort.

    `name` has one `[]` for each dimension where it was indexed, such as `queues[].packets[].phase`.
    `init` has one value an element, in row-major order of `dims`.
    """

    name: str
    sort: Sort
    dims: tuple[IndexSort, ...] = ()
    init: tuple[int, ...] = (0,)
    ghost: bool = False

    @property
    def count(self) -> int:
        """Number of elements."""
        n = 1
        for dim in self.dims:
            n *= dim.count
        return n

    def flat(self, indices: tuple[int, ...]) -> int:
        """Row-major position of an element."""
        position = 0
        for dim, index in zip(self.dims, indices, strict=True):
            position = position * dim.count + index
        return position

    def indices(self, position: int) -> tuple[int, ...]:
        """The index in each dimension of the element at a row-major position."""
        indices: list[int] = []
        for dim in reversed(self.dims):
            position, index = divmod(position, dim.count)
            indices.insert(0, index)
        return tuple(indices)

    def subscripted(self, *indices: object) -> str:
        """The name with these indices in it, such as `queues[queue].packets[0].phase`."""
        name, rest = self.name, list(indices)
        while rest and "[]" in name:
            name = name.replace("[]", f"[{rest.pop(0)}]", 1)
        return name + "".join(f"[{index}]" for index in rest)

    def element(self, position: int) -> str:
        """The name of the element at a row-major position, such as `queues[1].packets[0].phase`."""
        return self.subscripted(*self.indices(position))


@frozen(cache_hash=True)
class Const:
    """A literal."""

    value: int
    sort: Sort


@frozen(cache_hash=True)
class Param:
    """A parameter of the action: the only source of nondeterminism."""

    name: str
    sort: Sort


@frozen(cache_hash=True)
class LoopVar:
    """The variable of a quantifier or of a `For`; `id` is unique within the action or property."""

    id: int
    name: str
    sort: Sort


@frozen(cache_hash=True)
class Read:
    """The value of a state variable's element at an epoch.

    `live`, if given, is the condition under which the field may be read at all.
    """

    var: Var
    indices: tuple[Expr, ...] = ()
    epoch: int = 0
    live: Expr | None = None
    at: Location | None = field(default=None, eq=False, repr=False)

    @property
    def sort(self) -> Sort:
        return self.var.sort


@frozen(cache_hash=True)
class Not:
    operand: Expr

    @property
    def sort(self) -> Sort:
        return BOOL


@frozen(cache_hash=True)
class And:
    """Lazy conjunction, from left to right."""

    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        return BOOL


@frozen(cache_hash=True)
class Or:
    """Lazy disjunction, from left to right."""

    operands: tuple[Expr, ...]

    @property
    def sort(self) -> Sort:
        return BOOL


class Relation(enum.Enum):
    """Comparisons. Order is for integers only."""

    EQ = "=="
    LT = "<"
    LE = "<="


@frozen(cache_hash=True)
class Compare:
    relation: Relation
    left: Expr
    right: Expr

    @property
    def sort(self) -> Sort:
        return BOOL


@frozen(cache_hash=True)
class Add:
    """Exact integer sum: the sort is wide enough for every result."""

    left: Expr
    right: Expr

    @cached_property
    def sort(self) -> Sort:
        a, b = self.left.sort, self.right.sort
        return IntSort(a.lo + b.lo, a.hi + b.hi)


@frozen(cache_hash=True)
class Sub:
    """Exact integer difference."""

    left: Expr
    right: Expr

    @cached_property
    def sort(self) -> Sort:
        a, b = self.left.sort, self.right.sort
        return IntSort(a.lo - b.hi, a.hi - b.lo)


@frozen(cache_hash=True)
class Ite:
    """`then` if `cond`, else `orelse`; only the chosen one is evaluated. For integers the sort is the hull."""

    cond: Expr
    then: Expr
    orelse: Expr
    sort: Sort


@frozen(cache_hash=True)
class Cast:
    """The operand as a value of `sort`; obliged to be one. `what` names it in a violation."""

    sort: Sort
    operand: Expr
    what: str = ""
    at: Location | None = field(default=None, eq=False, repr=False)


@frozen(cache_hash=True)
class Member:
    """Whether `item` is in `of`."""

    item: Expr
    of: Expr

    @property
    def sort(self) -> Sort:
        return BOOL


@frozen(cache_hash=True)
class SetWith:
    """`of` with `item` added (`present`) or taken out."""

    of: Expr
    item: Expr
    present: bool

    @property
    def sort(self) -> Sort:
        return self.of.sort


class Quantifier(enum.Enum):
    """How a quantifier folds its body."""

    FORALL = "forall"
    EXISTS = "exists"
    SUM = "sum"


@frozen(cache_hash=True)
class Quantified:
    """`quantifier var: body`, over every value of `var.sort`; SUM adds an integer body up."""

    quantifier: Quantifier
    var: LoopVar
    body: Expr

    @cached_property
    def sort(self) -> Sort:
        match self.quantifier:
            case Quantifier.FORALL | Quantifier.EXISTS:
                return BOOL
            case Quantifier.SUM:
                n, body = self.var.sort.size, self.body.sort
                return IntSort(n * body.lo, n * body.hi)
            case _:
                assert_never(self.quantifier)


Expr = (
    Const | Param | LoopVar | Read | Not | And | Or | Compare | Add | Sub | Ite | Cast | Member | SetWith | Quantified
)

TRUE = Const(1, BOOL)
FALSE = Const(0, BOOL)


def conj(*operands: Expr) -> Expr:
    """Conjunction without needless nesting."""
    flat: list[Expr] = []
    for operand in operands:
        if isinstance(operand, And):
            flat.extend(operand.operands)
        elif operand != TRUE:
            flat.append(operand)
    return TRUE if not flat else flat[0] if len(flat) == 1 else And(tuple(flat))


def disj(*operands: Expr) -> Expr:
    """Disjunction without needless nesting."""
    flat: list[Expr] = []
    for operand in operands:
        if isinstance(operand, Or):
            flat.extend(operand.operands)
        elif operand != FALSE:
            flat.append(operand)
    return FALSE if not flat else flat[0] if len(flat) == 1 else Or(tuple(flat))


def negate(operand: Expr) -> Expr:
    """Negation without double negation."""
    match operand:
        case Not(inner):
            return inner
        case Const(value, sort):
            return Const(1 - value, sort)
        case _:
            return Not(operand)
