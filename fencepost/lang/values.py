"""Model expressions as Python values: what `s.ring[slot].phase == Phase.RETIRED` is made of.

A value holds an IR node. Operators build larger nodes; anything that would need the value *now*
(`if`, `and`, `in`, iteration, a chained comparison) raises a `ModelError` that says what to write
(see `fencepost.lang.refusals`).
"""

from __future__ import annotations

import enum
from typing import Generic, Self, TypeVar

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import BOOL, NONE, EnumSort, IntSort, OptionSort, SetSort, Sort, compatible, sort_name
from fencepost.lang.location import here
from fencepost.lang.mend import called, mend, shown
from fencepost.lang.refusals import PARENTHESES, Expression
from fencepost.lang.scope import index_sort

E = TypeVar("E", bound=enum.Enum)


class Value(Expression):
    """Base of all model expressions."""

    __slots__ = ("node",)

    def __init__(self, node: ir.Expr) -> None:
        if isinstance(node, int | str | Value):
            name = type(self).__name__
            raise ModelError(f"{name}(...) does not make a model expression", f"write {name}.at(...)", here())
        self.node = node

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        return Bool(ir.Compare(ir.Relation.EQ, self.node, _operand(self, other, "a comparison")))

    def __ne__(self, other: object) -> Bool:  # type: ignore[override]
        return ~(self == other)

    __hash__ = Expression.__hash__

    def rewrap(self, node: ir.Expr) -> Self:
        """Another expression of the same Python type."""
        return type(self)(node)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {sort_name(self.node.sort)}>"


class Bool(Value):
    """A model Boolean. `&` and `|` are lazy from left to right; `~` negates."""

    __slots__ = ()

    @classmethod
    def constant(cls, value: bool) -> Bool:
        """True or false, whatever the state."""
        return cls(ir.TRUE if value else ir.FALSE)

    def __and__(self, other: Bool | bool) -> Bool:
        return Bool(ir.conj(self.node, _condition(other, "`&`")))

    def __rand__(self, other: bool) -> Bool:
        return Bool(ir.conj(_condition(other, "`&`"), self.node))

    def __or__(self, other: Bool | bool) -> Bool:
        return Bool(ir.disj(self.node, _condition(other, "`|`")))

    def __ror__(self, other: bool) -> Bool:
        return Bool(ir.disj(_condition(other, "`|`"), self.node))

    def __invert__(self) -> Bool:
        return Bool(ir.negate(self.node))

    def implies(self, other: Bool | bool) -> Bool:
        """`other` holds wherever this does; `other` is evaluated only there."""
        return ~self | other

    def _instead_of(self, symbol: str, /) -> str:
        return "write ite(condition, 1, 0) for a number" if symbol in "+-" else super()._instead_of(symbol)


class Int(Value):
    """A model integer. Arithmetic is exact; only storing it in a field has a range."""

    __slots__ = ()

    def __add__(self, other: Int | int) -> Int:
        return Int(ir.Add(self.node, _operand(self, other, "a sum")))

    def __radd__(self, other: int) -> Int:
        return Int(ir.Add(_operand(self, other, "a sum"), self.node))

    def __sub__(self, other: Int | int) -> Int:
        return Int(ir.Sub(self.node, _operand(self, other, "a difference")))

    def __rsub__(self, other: int) -> Int:
        return Int(ir.Sub(_operand(self, other, "a difference"), self.node))

    def __neg__(self) -> Int:
        return 0 - self

    def __lt__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LT, self.node, _operand(self, other, "a comparison")))

    def __le__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LE, self.node, _operand(self, other, "a comparison")))

    def __gt__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LT, _operand(self, other, "a comparison"), self.node))

    def __ge__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LE, _operand(self, other, "a comparison"), self.node))


class Choice(Value, Generic[E]):
    """A value of a Python enum."""

    __slots__ = ()

    def is_in(self, *members: E) -> Bool:
        """Whether it is one of `members`."""
        return Bool(ir.disj(*((self == member).node for member in members)))

    def _instead_of(self, symbol: str, /) -> str:
        return "write choice.is_in(...) to compare with several" if symbol in "<=>=" else super()._instead_of(symbol)


class Index(Value):
    """Base of nominal index sorts: `class HwQueue(Index): ...`; its size is the protocol's to give."""

    __slots__ = ()

    @classmethod
    def at(cls, position: int) -> Self:
        """The constant index `position`.

        Raises:
            ModelError: the sort is not that large in this build.
        """
        if not isinstance(position, int):
            raise ModelError(
                f"{cls.__name__}.at() takes a Python number", f"write {cls.__name__}.of(...) for a computed one", here()
            )
        sort = index_sort(cls)
        if not 0 <= position < sort.count:
            raise ModelError(f"{cls.__name__} has no position {position}", f"it has 0..{sort.hi}", here())
        return cls(ir.Const(position, sort))

    @classmethod
    def count(cls) -> int:
        """How many there are in this build."""
        return index_sort(cls).count

    @classmethod
    def last(cls) -> Self:
        """The constant index of the highest position."""
        return cls.at(cls.count() - 1)

    @property
    def ordinal(self) -> Int:
        """The position as a number."""
        sort = self.node.sort
        return Int(ir.Cast(IntSort(sort.lo, sort.hi), self.node, "ordinal", here()))

    @property
    def next(self) -> Self:
        """The position after this one, in a ring."""
        last = ir.Compare(ir.Relation.EQ, self.node, ir.Const(self.node.sort.hi, self.node.sort))
        step = ir.Cast(self.node.sort, (self.ordinal + 1).node, "next", here())
        return type(self)(ir.Ite(last, ir.Const(0, self.node.sort), step, self.node.sort))

    @classmethod
    def of(cls, number: Int) -> Self:
        """The index at a computed position; obliged to be one."""
        if not isinstance(number, Int):
            mend = f"write {cls.__name__}.at(...)" if isinstance(number, int) else "write .ordinal for a position"
            raise ModelError(f"{cls.__name__}.of() takes a model number", mend, here())
        return cls(ir.Cast(index_sort(cls), number.node, cls.__name__, here()))

    def _instead_of(self, symbol: str, /) -> str:
        if symbol in "+-":
            return "write .next for the following position of a ring, or Cls.of(i.ordinal + 1)"
        return "write a.ordinal < b.ordinal" if symbol in "<=>=" else super()._instead_of(symbol)


I = TypeVar("I", bound=Index)  # noqa: E741 - an index, as in the documentation


class Maybe(Value, Generic[I]):
    """An index or none."""

    __slots__ = ("_index",)

    def __init__(self, node: ir.Expr, index: type[I]) -> None:
        super().__init__(node)
        self._index = index

    def rewrap(self, node: ir.Expr) -> Self:
        return type(self)(node, self._index)

    @property
    def is_none(self) -> Bool:
        """Whether it holds nothing."""
        return Bool(ir.Compare(ir.Relation.EQ, self.node, ir.Const(NONE, self.node.sort)))

    @property
    def is_some(self) -> Bool:
        """Whether it holds an index."""
        return ~self.is_none

    @property
    def get(self) -> I:
        """The index; obliged to be there."""
        sort = index_sort(self._index)
        return self._index(ir.Cast(sort, self.node, self._index.__name__, here()))

    def _instead_of(self, symbol: str, /) -> str:
        return "write .get for the index that it holds" if symbol in "+-<=>=" else super()._instead_of(symbol)


class SetOf(Value, Generic[I]):
    """A set of indices."""

    __slots__ = ()

    def has(self, item: I) -> Bool:
        """Whether `item` is in it."""
        return Bool(ir.Member(self._item(item), self.node))

    def adding(self, item: I) -> SetOf[I]:
        """The set with `item` in it."""
        return SetOf(ir.SetWith(self.node, self._item(item), present=True))

    def removing(self, item: I) -> SetOf[I]:
        """The set without `item`."""
        return SetOf(ir.SetWith(self.node, self._item(item), present=False))

    @property
    def is_empty(self) -> Bool:
        """Whether nothing is in it."""
        return Bool(ir.Compare(ir.Relation.EQ, self.node, ir.Const(0, self.node.sort)))

    def _instead_of(self, _symbol: str, /) -> str:
        return "write the_set.adding(item), .removing(item) or .has(item)"

    def _item(self, item: I) -> ir.Expr:
        assert isinstance(self.node.sort, SetSort)
        of = self.node.sort.of
        node = lift(item, of, "a set")
        if node.sort != of:
            raise ModelError(
                f"{sort_name(node.sort)} is used where {of.name} is expected in a set", "write .get", here()
            )
        return node


def enum_sort(cls: type[enum.Enum]) -> EnumSort:
    """The sort of a Python enum: its members in the order of their definition."""
    return EnumSort(cls.__name__, tuple(member.name for member in cls))


def lift(value: object, sort: Sort, what: str) -> ir.Expr:
    """The node of a Python value that is to be used as `sort`.

    Raises:
        ModelError: it is of another sort; `what` says where it was used.
    """
    found = value.node.sort if isinstance(value, Value) else None
    node = value.node if isinstance(value, Value) else _literal(value, sort)
    if node is None or not compatible(node.sort, sort):
        raise ModelError(
            f"{shown(value, found)} is used where {called(sort)} is expected in {what}",
            mend(value, found, sort),
            here(),
        )
    return node


def _literal(value: object, sort: Sort) -> ir.Expr | None:
    match value, sort:
        case bool(), _:
            return ir.Const(int(value), BOOL) if sort == BOOL else None
        case enum.Enum(), EnumSort() if enum_sort(type(value)) == sort:
            return ir.Const(list(type(value)).index(value), sort)
        case int(), IntSort() if not isinstance(value, enum.Enum):
            return ir.Const(value, IntSort(value, value))
        case None, OptionSort():
            return ir.Const(NONE, sort)
        case list(), SetSort():
            return ir.Const(sum({1 << _constant(item, sort.of) for item in value}), sort)
        case _:
            return None


def _constant(item: object, sort: Sort) -> int:
    node = lift(item, sort, "a list of constants")
    if not isinstance(node, ir.Const):
        raise ModelError(
            "a list may only hold constants", f"write the_set.adding(item), or {sort_name(sort)}.at(...)", here()
        )
    return node.value


def _operand(value: Value, other: object, what: str) -> ir.Expr:
    return lift(other, value.node.sort, what)


def _condition(other: object, what: str) -> ir.Expr:
    """An operand of `&` or `|`, which bind closer than comparisons: `a == b & c` is `a == (b & c)`."""
    found = other.node.sort if isinstance(other, Value) else None
    if found != BOOL and not isinstance(other, bool):
        raise ModelError(f"{shown(other, found)} is used where Bool is expected in {what}", PARENTHESES, here())
    return lift(other, BOOL, what)
