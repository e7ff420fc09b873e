"""What a field of a record may hold, as typed descriptors.

`phase = choice(Phase)` declares a field; reading `use.phase` in an action gives a model
expression, assigning `use.phase = Phase.ARMED` records an assignment. Each factory below is one
sort. `ghost=True` makes a field that only properties (and other ghost fields) may read;
`live_when=` is the condition under which a field means anything: while it is false the field
is reset to its zero and reading it breaks an obligation.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from fencepost.errors import ModelError
from fencepost.ir import expr as ir
from fencepost.ir.sorts import BOOL, NONE, IntSort, OptionSort, SetSort, Sort
from fencepost.lang.location import calling, here
from fencepost.lang.refusals import Container
from fencepost.lang.scope import index_sort
from fencepost.lang.values import Bool, Choice, Index, Int, Maybe, SetOf, Value, enum_sort, lift

if TYPE_CHECKING:
    from fencepost.lang.records import Record

R = TypeVar("R", bound=Value)
W = TypeVar("W")
I = TypeVar("I", bound=Index)  # noqa: E741 - an index, as in the documentation
E = TypeVar("E", bound=enum.Enum)

LiveWhen = Callable[[Any], Bool]
Init = Any


class Field(Generic[R, W]):
    """A scalar field: read as `R`, assigned from `W`."""

    def __init__(
        self,
        sort: Callable[[], Sort],
        wrap: Callable[[ir.Expr], R],
        init: Init,
        *,
        ghost: bool = False,
        live_when: LiveWhen | None = None,
        given_back: str = "",
    ) -> None:
        self.sort = sort
        self.wrap = wrap
        self.init = init
        self.ghost = ghost
        self.live_when = live_when
        self.given_back = given_back
        self.name = "?"
        self.at = here()
        self._asking = False

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> R: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        if record is None:
            return self
        return self.wrap(record.place.read(record, self, ()))

    def __set__(self, record: Record, value: W) -> None:
        record.place.assign(record, self, (), value)

    def liveness(self, record: Record) -> ir.Expr | None:
        """The condition under which the field of `record` means anything, as of now; None if it always does.

        Raises:
            ModelError: the condition is none, or depends on the field itself.
        """
        if self.live_when is None:
            return None
        if self._asking:
            raise ModelError(f"live_when of {self.name} reads {self.name} itself", "let it read other fields", self.at)
        self._asking = True
        try:
            return calling(self.at, lift, self.live_when(record), BOOL, f"live_when of {self.name}")
        finally:
            self._asking = False

    def initial(self, indices: tuple[int, ...]) -> int:
        """The initial value of the element at `indices` (of all dimensions, the outermost first)."""
        return calling(self.at, self._initial, indices)

    def _initial(self, indices: tuple[int, ...]) -> int:
        value, sort = self.init(*indices) if callable(self.init) else self.init, self.sort()
        if isinstance(value, int) and not isinstance(value, bool | enum.Enum):
            start = value
        else:
            node = lift(value, sort, f"the initial value of {self.name}")
            if not isinstance(node, ir.Const):
                raise ModelError(f"the initial value of {self.name} is not a constant", "give a Python value", self.at)
            start = node.value
        if not sort.lo <= start <= sort.hi:
            raise ModelError(
                f"the initial value {start} of {self.name} is out of its range", f"it has {sort.lo}..{sort.hi}", self.at
            )
        return start


class Array(Container, Generic[I, R, W]):
    """A field with one value for each index."""

    __slots__ = ("_field", "_record")

    @property
    def _called(self) -> str:
        return f"the array {self._field.name}"

    def __init__(self, record: Record, field: ArrayField[I, R, W]) -> None:
        self._record = record
        self._field = field

    def __getitem__(self, index: I) -> R:
        at = lift_index(index, self._field)
        return self._field.of.wrap(self._record.place.read(self._record, self._field, (at,)))

    def __setitem__(self, index: I, value: W) -> None:
        at = lift_index(index, self._field)
        self._record.place.assign(self._record, self._field, (at,), value)


class ArrayField(Generic[I, R, W]):
    """Declares an array of a scalar field."""

    def __init__(self, index: type[I], of: Field[R, W]) -> None:
        require_index(index, "array")
        if not isinstance(of, Field):
            mend = "write table(SomeIndex, ...) for records"
            if isinstance(of, ArrayField):
                mend = "declare a record that has the inner array, and a table of it"
            raise ModelError("array(...) holds scalars", mend, here())
        self.index = index
        self.of = of
        self.name = "?"
        self.at = of.at

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.of.name = name

    @overload
    def __get__(self, record: None, owner: type) -> Self: ...
    @overload
    def __get__(self, record: Record, owner: type) -> Array[I, R, W]: ...
    def __get__(self, record: Record | None, owner: type) -> Any:
        return self if record is None else Array(record, self)

    def __set__(self, record: Record, value: object) -> None:
        raise ModelError(f"{self.name} is an array", f"assign one element: {self.name}[i] = ...", here())


def require_index(cls: object, what: str) -> None:
    """Check what an array or table is to have one of for each.

    Raises:
        ModelError: it is no index class.
    """
    if not (isinstance(cls, type) and issubclass(cls, Index)):
        raise ModelError(
            f"{what}(...) needs an index class first",
            f"write {what}(SomeIndex, ...), with class SomeIndex(Index)",
            here(),
        )


def lift_index(index: object, field: ArrayField[Any, Any, Any]) -> ir.Expr:
    """The node of an index into an array field."""
    return lift(index, index_sort(field.index), f"{field.name}[...]")


def boolean(init: bool = False, *, ghost: bool = False, live_when: LiveWhen | None = None) -> Field[Bool, Bool | bool]:
    """False or true."""
    return Field(lambda: BOOL, Bool, init, ghost=ghost, live_when=live_when)


def number(
    lo: int,
    hi: int | type[Index],
    init: int | Callable[..., int] | None = None,
    *,
    ghost: bool = False,
    live_when: LiveWhen | None = None,
) -> Field[Int, Int | int]:
    """An integer from `lo` to `hi`; with an index class as `hi`, to how many of it there are."""
    at = here()

    def sort() -> IntSort:
        top = hi if isinstance(hi, int) else index_sort(hi).count
        if top < lo:
            raise ModelError(f"the range {lo}..{top} is empty", "put the lower bound first", at)
        return IntSort(lo, top)

    start = max(0, lo) if init is None else init
    return Field(sort, Int, start, ghost=ghost, live_when=live_when)


def choice(
    members: type[E], init: E | None = None, *, ghost: bool = False, live_when: LiveWhen | None = None
) -> Field[Choice[E], Choice[E] | E]:
    """A member of a Python enum; the first one at the start unless `init` says another."""
    start = next(iter(members)) if init is None else init
    return Field(lambda: enum_sort(members), Choice, start, ghost=ghost, live_when=live_when)


def index(
    cls: type[I], init: int | Callable[..., int] = 0, *, ghost: bool = False, live_when: LiveWhen | None = None
) -> Field[I, I]:
    """An index of `cls`."""
    return Field(lambda: index_sort(cls), cls, init, ghost=ghost, live_when=live_when)


def maybe(
    cls: type[I],
    init: int | Callable[..., int | None] | None = None,
    *,
    ghost: bool = False,
    live_when: LiveWhen | None = None,
    given_back: str = "",
) -> Field[Maybe[I], Maybe[I] | I | None]:
    """An index of `cls`, or none.

    `given_back` says how what is taken with it is given back, to somebody who forgot it: a protocol in which
    some action assigns an index and none assigns none is refused.
    """
    return Field(
        lambda: OptionSort(index_sort(cls)),
        lambda node: Maybe(node, cls),
        NONE if init is None else init,
        ghost=ghost,
        live_when=live_when,
        given_back=given_back,
    )


def members(
    cls: type[I], *, ghost: bool = False, live_when: LiveWhen | None = None
) -> Field[SetOf[I], SetOf[I] | list[I]]:
    """A set of indices of `cls`, empty at the start; a list of constants may be assigned."""
    return Field(lambda: SetSort(index_sort(cls)), SetOf, 0, ghost=ghost, live_when=live_when)


def array(cls: type[I], of: Field[R, W]) -> ArrayField[I, R, W]:
    """One scalar for each index of `cls`."""
    return ArrayField(cls, of)


def sort_of_annotation(annotation: Any) -> tuple[Sort, Callable[[ir.Expr], Value]] | None:
    """The sort and wrapper of an action's parameter, from its annotation; None if it has none."""
    origin, arguments = getattr(annotation, "__origin__", None), getattr(annotation, "__args__", ())
    if annotation is Bool:
        return BOOL, Bool
    if isinstance(annotation, type) and issubclass(annotation, Index):
        return index_sort(annotation), annotation
    if origin is Choice and arguments:
        return enum_sort(arguments[0]), Choice
    if origin is Maybe and arguments:
        cls: type[Index] = arguments[0]
        return OptionSort(index_sort(cls)), lambda node: Maybe(node, cls)
    return None
