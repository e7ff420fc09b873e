"""What Python lets one write with model expressions and records, but means nothing: refused with a remedy.

All of it is hidden from type checkers, which go on refusing the same things in their own words.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from fencepost.errors import ModelError
from fencepost.lang.location import here, user_frame
from fencepost.lang.source import instead_of_truth

_LOGIC = ("&", "|", "~", "^")
_SUMS = ("+", "-")
_ORDER = ("<", "<=", ">", ">=")

PARENTHESES = "put each comparison in parentheses: (a == b) & (c == d)"


def _operator(symbol: str) -> Callable[..., NoReturn]:
    def refuse(self: Any, *_: object) -> NoReturn:
        raise ModelError(f"{self._kind} has no operator {symbol}", self._instead_of(symbol), here())

    return refuse


class Expression:
    """Refuses what a model expression cannot do; subclasses define the operators that they have."""

    __slots__ = ()

    @property
    def _kind(self) -> str:
        """What it is called in a message."""
        return f"a model {type(self).__name__}"

    def _instead_of(self, symbol: str, /) -> str:
        """What to write instead of an operator that it does not have."""
        if symbol in _LOGIC:
            return PARENTHESES
        if symbol in _SUMS:
            return "only numbers have sums"
        if symbol in _ORDER:
            return "only numbers have an order"
        return "model numbers have + and - alone"

    def __bool__(self) -> NoReturn:
        raise ModelError("a model expression has no truth value here", instead_of_truth(user_frame()), here())

    if not TYPE_CHECKING:
        __and__ = __rand__ = _operator("&")
        __or__ = __ror__ = _operator("|")
        __xor__ = __rxor__ = _operator("^")
        __invert__ = _operator("~")
        __add__ = __radd__ = _operator("+")
        __sub__ = __rsub__ = __neg__ = _operator("-")
        __mul__ = __rmul__ = _operator("*")
        __truediv__ = __rtruediv__ = _operator("/")
        __floordiv__ = __rfloordiv__ = _operator("//")
        __mod__ = __rmod__ = _operator("%")
        __lshift__ = __rlshift__ = _operator("<<")
        __rshift__ = __rrshift__ = _operator(">>")
        __lt__, __le__, __gt__, __ge__ = map(_operator, _ORDER)

        def __hash__(self) -> NoReturn:
            raise ModelError(
                "a model expression cannot be in a Python set or be a key", "write choice.is_in(...) to compare", here()
            )

        def __iter__(self) -> NoReturn:
            raise ModelError("a model expression cannot be iterated", "write `for i in m.each(SomeIndex):`", here())

        def __len__(self) -> NoReturn:
            raise ModelError("a model expression has no len()", "write count(SomeIndex, lambda i: ...)", here())

        def __contains__(self, item: object) -> NoReturn:
            raise ModelError("`in` does not work on a model expression", "write the_set.has(item)", here())

        def __getitem__(self, index: object) -> NoReturn:
            raise ModelError(f"{self._kind} has no elements", "declare it with array(...) or table(...)", here())

        def __setitem__(self, index: object, value: object) -> NoReturn:
            self[index]

        def __call__(self, *_: object, **__: object) -> NoReturn:
            raise ModelError(f"{self._kind} cannot be called", "leave out the parentheses after it", here())

        def __format__(self, spec: str) -> str:
            raise ModelError(
                "a model expression has no value to put in a text yet", 'write m.note("... {}", value)', here()
            )

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            known = _public(type(self))
            raise ModelError(f"{self._kind} has no {name!r}", near(name, known) or _listed(known), here())


class Container:
    """Refuses to take records, arrays and tables for values."""

    __slots__ = ()

    @property
    def _called(self) -> str:
        """What it is called in a message."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._called

    if not TYPE_CHECKING:
        __hash__ = object.__hash__

        def __eq__(self, other: object) -> NoReturn:
            raise ModelError(f"{self._called} cannot be compared", "compare its fields, or the indices", here())

        def __ne__(self, other: object) -> NoReturn:
            self.__eq__(other)

        def __bool__(self) -> NoReturn:
            raise ModelError(f"{self._called} has no truth value", "ask for one of its fields", here())

        def __iter__(self) -> NoReturn:
            raise ModelError(f"{self._called} cannot be iterated", "write `for i in m.each(SomeIndex):`", here())

        def __contains__(self, item: object) -> NoReturn:
            raise ModelError(f"`in` does not work on {self._called}", "write exists(SomeIndex, lambda i: ...)", here())

        def __len__(self) -> NoReturn:
            raise ModelError(f"{self._called} has no len()", "write SomeIndex.count()", here())


def near(name: str, known: Iterable[str]) -> str:
    """A question whether the nearest known name was meant; empty if none is near."""
    found = difflib.get_close_matches(name, sorted(known), n=1)
    return f"did you mean {found[0]!r}?" if found else ""


def _public(cls: type) -> list[str]:
    inner = {"node", "rewrap"}
    return sorted({name for base in cls.__mro__ for name in vars(base) if not name.startswith("_")} - inner)


def _listed(known: list[str]) -> str:
    return f"it has {', '.join(known)}" if known else "compare it with =="
