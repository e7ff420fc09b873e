"""Model expressions as Python values: what `s.ring[slot].phase == Phase.RETIRED` is made of.

A value holds an IR node. Operators build larger nodes; anything that would need the value *now*
(`if`, `and`, `in`, iteration, a chained comparison) raises a `ModelError` that says what to write.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from typing import Any, Generic, NoReturn, Self, TypeVar

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import BOOL, NONE, EnumSort, IntSort, OptionSort, SetSort, Sort, compatible, sort_name
from fencepost.lang.location import here, source_line
from fencepost.lang.scope import index_sort

E = TypeVar("E", bound=enum.Enum)


class Value:
    """Base of all model expressions."""

    __slots__ = ("node",)

    def __init__(self, node: ir.Expr) -> None:
        self.node = node

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        return Bool(ir.Compare(ir.Relation.EQ, self.node, _operand(self, other)))

    def __ne__(self, other: object) -> Bool:  # type: ignore[override]
        return ~(self == other)

    def __bool__(self) -> NoReturn:
        raise ModelError("a model expression has no truth value here", _instead_of_bool(source_line()), here())

    def __iter__(self) -> Iterator[Any]:
        raise ModelError("a model expression cannot be iterated", "write for i in m.each(SomeIndex)", here())

    def __contains__(self, item: object) -> NoReturn:
        raise ModelError("`in` does not work on a model expression", "write the_set.has(item)", here())

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
        return Bool(ir.conj(self.node, _operand(self, other)))

    def __rand__(self, other: bool) -> Bool:
        return Bool(ir.conj(_operand(self, other), self.node))

    def __or__(self, other: Bool | bool) -> Bool:
        return Bool(ir.disj(self.node, _operand(self, other)))

    def __ror__(self, other: bool) -> Bool:
        return Bool(ir.disj(_operand(self, other), self.node))

    def __invert__(self) -> Bool:
        return Bool(ir.negate(self.node))

    def implies(self, other: Bool | bool) -> Bool:
        """`other` holds wherever this does; `other` is evaluated only there."""
        return ~self | other


class Int(Value):
    """A model integer. Arithmetic is exact; only storing it in a field has a range."""

    __slots__ = ()

    def __add__(self, other: Int | int) -> Int:
        return Int(ir.Add(self.node, _operand(self, other)))

    def __radd__(self, other: int) -> Int:
        return Int(ir.Add(_operand(self, other), self.node))

    def __sub__(self, other: Int | int) -> Int:
        return Int(ir.Sub(self.node, _operand(self, other)))

    def __rsub__(self, other: int) -> Int:
        return Int(ir.Sub(_operand(self, other), self.node))

    def __lt__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LT, self.node, _operand(self, other)))

    def __le__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LE, self.node, _operand(self, other)))

    def __gt__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LT, _operand(self, other), self.node))

    def __ge__(self, other: Int | int) -> Bool:
        return Bool(ir.Compare(ir.Relation.LE, _operand(self, other), self.node))


class Choice(Value, Generic[E]):
    """A value of a Python enum."""

    __slots__ = ()

    def is_in(self, *members: E) -> Bool:
        """Whether it is one of `members`."""
        return Bool(ir.disj(*((self == member).node for member in members)))


class Index(Value):
    """Base of nominal index sorts: `class HwQueue(Index): ...`; its size is the protocol's to give."""

    __slots__ = ()

    @classmethod
    def at(cls, position: int) -> Self:
        """The constant index `position`.

        Raises:
            ModelError: the sort is not that large in this build.
        """
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
        return cls(ir.Cast(index_sort(cls), number.node, cls.__name__, here()))


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


class SetOf(Value, Generic[I]):
    """A set of indices."""

    __slots__ = ()

    def has(self, item: I) -> Bool:
        """Whether `item` is in it."""
        return Bool(ir.Member(_operand_of(item, self._of), self.node))

    def adding(self, item: I) -> SetOf[I]:
        """The set with `item` in it."""
        return SetOf(ir.SetWith(self.node, _operand_of(item, self._of), present=True))

    def removing(self, item: I) -> SetOf[I]:
        """The set without `item`."""
        return SetOf(ir.SetWith(self.node, _operand_of(item, self._of), present=False))

    @property
    def is_empty(self) -> Bool:
        """Whether nothing is in it."""
        return Bool(ir.Compare(ir.Relation.EQ, self.node, ir.Const(0, self.node.sort)))

    @property
    def _of(self) -> Sort:
        assert isinstance(self.node.sort, SetSort)
        return self.node.sort.of


def enum_sort(cls: type[enum.Enum]) -> EnumSort:
    """The sort of a Python enum: its members in the order of their definition."""
    return EnumSort(cls.__name__, tuple(member.name for member in cls))


def lift(value: object, sort: Sort, what: str) -> ir.Expr:
    """The node of a Python value that is to be used as `sort`.

    Raises:
        ModelError: it is of another sort; `what` says where it was used.
    """
    node = value.node if isinstance(value, Value) else _literal(value, sort)
    if node is None or not compatible(node.sort, sort):
        found = sort_name(node.sort) if node is not None else repr(value)
        raise ModelError(f"{found} is used where {sort_name(sort)} is expected in {what}", _mend(value, sort), here())
    return node


def _literal(value: object, sort: Sort) -> ir.Expr | None:
    match value, sort:
        case bool(), _ if sort == BOOL:
            return ir.Const(int(value), BOOL)
        case bool(), _:
            return None
        case int(), IntSort():
            return ir.Const(value, IntSort(value, value))
        case enum.Enum(), EnumSort(name=name) if type(value).__name__ == name:
            return ir.Const(list(type(value)).index(value), sort)
        case None, OptionSort():
            return ir.Const(NONE, sort)
        case list(), SetSort(of=of):
            positions = [lift(item, of, "a list of constants") for item in value]
            return ir.Const(sum({1 << p.value for p in positions if isinstance(p, ir.Const)}), sort)
        case _:
            return None


def _operand(value: Value, other: object) -> ir.Expr:
    return lift(other, value.node.sort, "an operation with it")


def _operand_of(item: Value, of: Sort) -> ir.Expr:
    return lift(item, of, "a set")


def _mend(value: object, sort: Sort) -> str:
    match value, sort:
        case (int(), _) if hasattr(sort, "count"):
            return f"write {sort_name(sort)}.at({value})"
        case (None, _):
            return "declare the field with maybe(...) if it can be none"
        case (Index(), IntSort()):
            return "write .ordinal for its position as a number"
        case (Maybe(), _):
            return "write .get for the index that it holds"
        case _:
            return f"give it a {sort_name(sort)}"


def _instead_of_bool(line: str) -> str:
    if line.startswith(("if ", "elif ")):
        return "write `with m.when(...):` instead of `if`, or m.require(...) for a guard"
    if line.startswith("while "):
        return "an action is one atomic step; write the loop as `for i in m.each(...)` or as several actions"
    if " and " in line:
        return "write (a) & (b) instead of `a and b`"
    if " or " in line:
        return "write (a) | (b) instead of `a or b`"
    if "not " in line:
        return "write ~(a) instead of `not a`"
    if " in " in line:
        return "write the_set.has(item) or choice.is_in(...) instead of `in`"
    return "write (a <= b) & (b <= c) instead of a chained comparison, m.when(...) instead of `if`"
