"""Records: structured state, and the places in it that an action refers to.

`use = s.ring[slot]` is a reference: its indices are fixed at that line. Nested records, arrays of
records and components flatten into variables with one dimension an index on the way, so the IR
knows only arrays of scalars.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, overload

from attrs import frozen

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import IndexSort
from fencepost.lang.fields import ArrayField, Field, require_index
from fencepost.lang.location import here
from fencepost.lang.refusals import Container, near
from fencepost.lang.scope import index_sort
from fencepost.lang.values import Index, lift

T = TypeVar("T", bound="Record")
R_co = TypeVar("R_co", bound="Record", covariant=True)  # so that a derived record may hold derived records
I = TypeVar("I", bound=Index)  # noqa: E741 - an index, as in the documentation


class Access(Protocol):
    """What reads and assigns: a recorder for actions, a reader for properties."""

    def read(self, var: ir.Var, indices: tuple[ir.Expr, ...], live: ir.Expr | None, /) -> ir.Read: ...

    def assign(self, var: ir.Var, indices: tuple[ir.Expr, ...], value: ir.Expr, /) -> None: ...

    def touched(self, record: Record, var: ir.Var, value: ir.Expr, /) -> None:
        """A field of `record` was assigned on its own."""

    def moved(self, record: Record, var: ir.Var, /) -> None:
        """A field of `record` was assigned with all its others."""


@frozen(eq=False)
class Place:
    """Where a record lies: its path, with `[]` for each index, the indices, and the record around it."""

    path: str
    indices: tuple[ir.Expr, ...]
    variables: dict[str, ir.Var]
    access: Access
    outer: Record | None = None

    def inner(self, outer: Record, name: str, indices: tuple[ir.Expr, ...] = ()) -> Place:
        """The place of a record field of `outer`, whose own place this is."""
        path = f"{self.path}.{name}" if self.path else name
        return Place(path + "[]" * len(indices), self.indices + indices, self.variables, self.access, outer)

    def var(self, name: str, dims: int) -> ir.Var:
        """The variable of a field; `dims` is 1 for an array field, else 0."""
        path = (f"{self.path}.{name}" if self.path else name) + "[]" * dims
        return self.variables[path]

    def read(self, record: Record, field: AnyField, indices: tuple[ir.Expr, ...]) -> ir.Expr:
        """The value of a field now."""
        live = scalar(field).liveness(record)
        return self.access.read(self.var(field.name, len(indices)), self.indices + indices, live)

    def assign(self, record: Record, field: AnyField, indices: tuple[ir.Expr, ...], value: object) -> None:
        """Record an assignment to a field."""
        var = self.var(field.name, len(indices))
        node = lift(value, var.sort, f"an assignment to {field.name}")
        self.access.assign(var, self.indices + indices, node)
        self.access.touched(record, var, node)

    # Whole records, field by field: no field is touched, so none is reset, and dead ones are read as they are.

    def raw(self, field: AnyField, indices: tuple[ir.Expr, ...]) -> ir.Expr:
        """The value of a field now, dead or alive."""
        return self.access.read(self.var(field.name, len(indices)), self.indices + indices, None)

    def put(self, record: Record, field: AnyField, indices: tuple[ir.Expr, ...], value: ir.Expr) -> None:
        """Assign a value of the field's own sort."""
        var = self.var(field.name, len(indices))
        self.access.assign(var, self.indices + indices, value)
        self.access.moved(record, var)

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


class Record(Container):
    """Base of structured state. Subclasses declare fields; instances are references to a place."""

    def __init_subclass__(cls) -> None:
        if "place" in vars(cls):
            raise ModelError(f"{cls.__name__} has a field called 'place'", "give it another name", here())

    @property
    def _called(self) -> str:
        return f"a {type(self).__name__}"

    def __init__(self, place: Place) -> None:
        object.__setattr__(self, "place", place)

    place: Place

    def __setattr__(self, name: str, value: object) -> None:
        descriptor = getattr(type(self), name, None)
        if not isinstance(descriptor, Field | ArrayField | Part | TableField):
            raise ModelError(f"{type(self).__name__} has no field {name!r}", _known_fields(type(self), name), here())
        super().__setattr__(name, value)

    if not TYPE_CHECKING:  # a checker must go on refusing unknown names

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            raise ModelError(f"{type(self).__name__} has no field {name!r}", _known_fields(type(self), name), here())


def _known_fields(record: type[Record], name: str) -> str:
    return near(name, [known for known in dir(record) if not known.startswith("_")]) or (
        "it has " + (", ".join(known for known, _ in declared(record)) or "none")
    )


class Component(Record):
    """A record that brings actions of its own (methods marked with `@action`)."""


class Part(Generic[R_co]):
    """Declares a record inside a record."""

    def __init__(self, record: type[R_co]) -> None:
        _require_record(record, "part")
        self.record = record
        self.name = "?"
        self.at = here()

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> R_co: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        return self if record is None else self.record(record.place.inner(record, self.name))

    def __set__(self, record: Record, value: object) -> None:
        raise ModelError(f"{self.name} is a record", "assign its fields one by one", here())


class Table(Container, Generic[I, R_co]):
    """Records, one for each index."""

    __slots__ = ("_field", "_owner")

    @property
    def _called(self) -> str:
        return f"the table {self._field.name}"

    def __init__(self, owner: Record, field: TableField[I, R_co]) -> None:
        self._owner = owner
        self._field = field

    def __getitem__(self, index: I) -> R_co:
        at = lift(index, index_sort(self._field.index), f"{self._field.name}[...]")
        return self._field.record(self._owner.place.inner(self._owner, self._field.name, (at,)))

    def __setitem__(self, index: I, value: object) -> None:
        raise ModelError(f"{self._field.name}[...] is a record", "assign its fields one by one", here())


class TableField(Generic[I, R_co]):
    """Declares a table of records."""

    def __init__(self, index: type[I], record: type[R_co]) -> None:
        require_index(index, "table")
        _require_record(record, "table")
        self.index = index
        self.record = record
        self.name = "?"
        self.at = here()

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


def _require_record(record: object, what: str) -> None:
    if not (isinstance(record, type) and issubclass(record, Record)):
        mend = "write array(SomeIndex, ...) for scalars" if what == "table" else "declare the field by itself"
        raise ModelError(f"{what}(...) needs a Record class", mend, here())


def part(record: type[T]) -> Part[T]:
    """A record (or component) inside a record."""
    return Part(record)


def table(index: type[I], record: type[T]) -> TableField[I, T]:
    """One record (or component) for each index."""
    return TableField(index, record)


AnyDeclared = Field[Any, Any] | ArrayField[Any, Any, Any] | Part[Any] | TableField[Any, Any]


_declared: dict[type[Record], tuple[tuple[str, AnyDeclared], ...]] = {}


def declared(record: type[Record]) -> tuple[tuple[str, AnyDeclared], ...]:
    """The declared fields of a record class, base classes first, in the order of their definition."""
    if record not in _declared:
        _declared[record] = tuple(_find_declared(record))
    return _declared[record]


def _find_declared(record: type[Record]) -> Iterable[tuple[str, AnyDeclared]]:
    kinds = (Field, ArrayField, Part, TableField)
    return {
        name: value  # a field keeps the place of the one that it overrides
        for cls in reversed(record.__mro__)
        for name, value in vars(cls).items()
        if isinstance(value, kinds)
    }.items()


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
        if field.name != name:
            raise ModelError(f"one field is called {name!r} and {field.name!r}", "declare it twice", field.at)
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
    every = itertools.product(*(dim.values() for dim in dims))
    return ir.Var(path, field.sort(), dims, tuple(field.initial(indices) for indices in every), field.ghost)
