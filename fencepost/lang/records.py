"""Records: structured state, and the places in it that an action refers to.

`use = s.ring[slot]` is a reference: its indices are fixed at that line. Nested records, arrays of
records and components flatten into variables with one dimension an index on the way, so the IR
knows only arrays of scalars.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, overload

from attrs import frozen

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import IndexSort
from fencepost.lang.fields import ArrayField, Field
from fencepost.lang.location import here
from fencepost.lang.scope import index_sort
from fencepost.lang.values import Index, lift

T = TypeVar("T", bound="Record")
R_co = TypeVar("R_co", bound="Record", covariant=True)  # so that a derived record may hold derived records
I = TypeVar("I", bound=Index)  # noqa: E741 - an index, as in the documentation


class Access(Protocol):
    """What reads and assigns: a recorder for actions, a reader for properties."""

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], live: ir.Expr | None) -> ir.Read: ...

    def assign(self, var: ir.Var, indices: tuple[ir.Expr, ...], value: ir.Expr) -> None: ...

    def touched(self, record: Record) -> None: ...


@frozen
class Place:
    """Where a record lies: its path, with `[]` for each index, and the indices."""

    path: str
    indices: tuple[ir.Expr, ...]
    vars: dict[str, ir.Var]
    access: Access

    def inner(self, name: str, indices: tuple[ir.Expr, ...] = ()) -> Place:
        """The place of a record field."""
        path = f"{self.path}.{name}" if self.path else name
        return Place(path + "[]" * len(indices), self.indices + indices, self.vars, self.access)

    def var(self, name: str, dims: int) -> ir.Var:
        """The variable of a field; `dims` is 1 for an array field, else 0."""
        path = (f"{self.path}.{name}" if self.path else name) + "[]" * dims
        return self.vars[path]

    def read(self, record: Record, field: AnyField, indices: tuple[ir.Expr, ...]) -> ir.Expr:
        """The value of a field now."""
        live_when = scalar(field).live_when
        live = None if live_when is None else live_when(record).node
        return self.access.read(self.var(field.name, len(indices)), self.indices + indices, live)

    def assign(self, record: Record, field: AnyField, indices: tuple[ir.Expr, ...], value: object) -> None:
        """Record an assignment to a field."""
        var = self.var(field.name, len(indices))
        self.access.assign(var, self.indices + indices, lift(value, var.sort, f"an assignment to {field.name}"))
        self.access.touched(record)


    # Whole records, field by field: no field is touched, so none is reset, and dead ones are read as they are.

    def raw(self, field: AnyField, indices: tuple[ir.Expr, ...]) -> ir.Expr:
        """The value of a field now, dead or alive."""
        return self.access.read(self.var(field.name, len(indices)), self.indices + indices, None)

    def put(self, field: AnyField, indices: tuple[ir.Expr, ...], value: ir.Expr) -> None:
        """Assign a value of the field's own sort."""
        self.access.assign(self.var(field.name, len(indices)), self.indices + indices, value)

    def start(self, field: AnyField) -> ir.Expr:
        """The value that the field's elements all start with.

        Raises:
            ModelError: they differ.
        """
        var = self.var(field.name, int(isinstance(field, ArrayField)))
        if len(set(var.init)) > 1:
            raise ModelError(f"{var.name} starts with several values", "clear its fields one by one", here())
        return ir.Const(var.init[0], var.sort)


AnyField = Field[Any, Any] | ArrayField[Any, Any, Any]


def scalar(field: AnyField) -> Field[Any, Any]:
    """The scalar field itself, or the one that an array is made of."""
    return field.of if isinstance(field, ArrayField) else field


class Record:
    """Base of structured state. Subclasses declare fields; instances are references to a place."""

    def __init__(self, place: Place) -> None:
        object.__setattr__(self, "place", place)

    place: Place

    def __setattr__(self, name: str, value: object) -> None:
        descriptor = getattr(type(self), name, None)
        if not isinstance(descriptor, Field | ArrayField | Part | TableField):
            raise ModelError(f"{type(self).__name__} has no field {name!r}", _known_fields(type(self)), here())
        super().__setattr__(name, value)

    if not TYPE_CHECKING:  # a checker must go on refusing unknown names

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            raise ModelError(f"{type(self).__name__} has no field {name!r}", _known_fields(type(self)), here())


def _known_fields(record: type[Record]) -> str:
    return "it has " + ", ".join(name for name, _ in declared(record))


class Component(Record):
    """A record that brings actions of its own (methods marked with `@action`)."""


class Part(Generic[R_co]):
    """Declares a record inside a record."""

    def __init__(self, record: type[R_co]) -> None:
        self.record = record
        self.name = "?"

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> R_co: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        return self if record is None else self.record(record.place.inner(self.name))

    def __set__(self, record: Record, value: object) -> None:
        raise ModelError(f"{self.name} is a record", "assign its fields one by one", here())


class Table(Generic[I, R_co]):
    """Records, one for each index."""

    __slots__ = ("_field", "_owner")

    def __init__(self, owner: Record, field: TableField[I, R_co]) -> None:
        self._owner = owner
        self._field = field

    def __getitem__(self, index: I) -> R_co:
        at = lift(index, index_sort(self._field.index), f"{self._field.name}[...]")
        return self._field.record(self._owner.place.inner(self._field.name, (at,)))

    def __setitem__(self, index: I, value: object) -> None:
        raise ModelError(f"{self._field.name}[...] is a record", "assign its fields one by one", here())


class TableField(Generic[I, R_co]):
    """Declares a table of records."""

    def __init__(self, index: type[I], record: type[R_co]) -> None:
        self.index = index
        self.record = record
        self.name = "?"

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> Table[I, R_co]: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        return self if record is None else Table(record, self)

    def __set__(self, record: Record, value: object) -> None:
        raise ModelError(f"{self.name} is a table", f"assign a field of one record: {self.name}[i].field = ...", here())


def part(record: type[T]) -> Part[T]:
    """A record (or component) inside a record."""
    return Part(record)


def table(index: type[I], record: type[T]) -> TableField[I, T]:
    """One record (or component) for each index."""
    return TableField(index, record)


AnyDeclared = Field[Any, Any] | ArrayField[Any, Any, Any] | Part[Any] | TableField[Any, Any]


def declared(record: type[Record]) -> Iterator[tuple[str, AnyDeclared]]:
    """The declared fields of a record class, base classes first, in the order of their definition."""
    seen: dict[str, AnyDeclared] = {}
    for cls in reversed(record.__mro__):
        for name, value in vars(cls).items():
            if isinstance(value, Field | ArrayField | Part | TableField):
                seen[name] = value
    yield from seen.items()


def elements(record: Record) -> Iterator[tuple[AnyField, tuple[ir.Expr, ...]]]:
    """Every scalar field of a record, and every element of its array fields.

    Raises:
        ModelError: it holds records, which have to be copied on their own.
    """
    for name, field in declared(type(record)):
        match field:
            case Field():
                yield field, ()
            case ArrayField(index=cls):
                sort = index_sort(cls)
                yield from ((field, (ir.Const(position, sort),)) for position in sort.values())
            case Part() | TableField():
                raise ModelError(f"{type(record).__name__}.{name} is a record", "copy or clear it on its own", here())


def flatten(record: type[Record], path: str = "", dims: tuple[IndexSort, ...] = ()) -> Iterator[ir.Var]:
    """The variables of a record, by path, in the order of their definition."""
    for name, field in declared(record):
        inner = f"{path}.{name}" if path else name
        match field:
            case Field():
                yield _variable(inner, field, dims)
            case ArrayField(index=index, of=of):
                yield _variable(inner + "[]", of, (*dims, index_sort(index)))
            case Part(record=nested):
                yield from flatten(nested, inner, dims)
            case TableField(index=index, record=nested):
                yield from flatten(nested, inner + "[]", (*dims, index_sort(index)))


def _variable(path: str, field: Field[Any, Any], dims: tuple[IndexSort, ...]) -> ir.Var:
    shape = ir.Var(path, field.sort(), dims, (), field.ghost)
    init = []
    for position in range(shape.count):
        indices: list[int] = []
        for dim in reversed(dims):
            position, index = divmod(position, dim.count)
            indices.insert(0, index)
        init.append(field.initial(tuple(indices)))
    return ir.Var(path, field.sort(), dims, tuple(init), field.ghost)
