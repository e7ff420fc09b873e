"""What to write to get a value of one sort from one of another."""

from __future__ import annotations

import enum
from typing import assert_never

from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort, sort_name


def called(sort: Sort) -> str:
    """A sort as a message names it: whatever its range, a number is a number."""
    return "a number" if isinstance(sort, IntSort) else sort_name(sort)


def shown(value: object, found: Sort | None = None) -> str:
    """What was given, as a message names it; `found` is its sort if it is a model expression."""
    if found is not None:
        return called(found)
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    return f"the function {_name(value)!r}" if _is_function(value) else repr(value)


def mend(value: object, found: Sort | None, wanted: Sort) -> str:
    """What to write instead of `value` (a model expression of sort `found`, if that is not None)."""
    if found is None and _is_function(value):
        return f"call it: {_name(value)}(...)"
    match wanted:
        case BoolSort():
            return _mend_bool(value, found)
        case IntSort():
            return _mend_int(value, found)
        case IndexSort(name=name):
            return _mend_index(value, found, name)
        case OptionSort(of):
            return f"write None, or {_index(value, found, of.name)}"
        case EnumSort(name, members):
            return f"it is one of {', '.join(f'{name}.{member}' for member in members)}"
        case SetSort():
            return "write the_set.adding(item) or .removing(item), or a list of constants"
        case _:
            assert_never(wanted)


def _mend_bool(value: object, found: Sort | None) -> str:
    if found is not None:
        return "compare it, as in x > 0 or x == y"
    if value is None:
        return "give it a condition; does a function lack its `return`?"
    return "write True or False" if isinstance(value, int) else "give it a condition"


def _mend_int(value: object, found: Sort | None) -> str:
    match found:
        case None:
            return f"write {int(value)}" if isinstance(value, bool) else "give it a number"
        case BoolSort():
            return "write ite(condition, 1, 0)"
        case IndexSort():
            return "write .ordinal for its position as a number"
        case OptionSort():
            return "write .get.ordinal for the position that it holds"
        case _:
            return "give it a number"


def _mend_index(value: object, found: Sort | None, name: str) -> str:
    if value is None:
        return "declare the field with maybe(...) if it can be none"
    return f"write {_index(value, found, name)}"


def _index(value: object, found: Sort | None, name: str) -> str:
    if isinstance(found, IntSort):
        return f"{name}.of(...) for a computed position"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return f"{name}.at({value})" if is_number else f"a {name}"


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, type)


def _name(value: object) -> str:
    return str(getattr(value, "__name__", "it"))
