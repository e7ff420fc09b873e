"""Reading JSON that was stored, strictly: a field too many, too few or of another type is an error, never a guess."""

from __future__ import annotations

import json
import typing
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import attrs
from cattrs import Converter, transform_error
from cattrs.errors import (
    BaseValidationError,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn

from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort

T = TypeVar("T")

SORTS: dict[str, type[Any]] = {
    "bool": BoolSort,
    "range": IntSort,
    "enum": EnumSort,
    "index": IndexSort,
    "maybe": OptionSort,
    "set": SetSort,
}
TAGS = {cls: tag for tag, cls in SORTS.items()}


class StoredError(Exception):
    """What was stored is not what it should be. The message is one line: where, and what is wrong."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")


def parsed(text: str) -> Any:
    """What a file's text says as JSON, with each field once and no number that JSON does not know.

    Raises:
        StoredError: it is no such text.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise StoredError(f"line {error.lineno}", f"it is not JSON, or it is cut off: {error.msg}") from error
    except RecursionError as error:
        raise StoredError("the file", "it is nested too deeply") from error
    except ValueError as error:
        raise StoredError("the file", str(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the field {min(n for n in names if names.count(n) > 1)!r} stands twice")
    return fields


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a value of any sort")


def plain(value: Any) -> Any:
    """Attrs instances as what JSON can hold; `structure` reads it back."""
    return _CONVERTER.unstructure(value)


def plain_sort(sort: Sort) -> Any:
    """A sort as what JSON can hold, with its kind under `is`."""
    return _CONVERTER.unstructure(sort, unstructure_as=Sort)


def structure(value: object, cls: type[T], where: str) -> T:
    """Read an instance of `cls` from what `plain` made; `where` names the place in the file.

    Raises:
        StoredError: it is not one.
    """
    try:
        return _CONVERTER.structure(value, cls)
    except BaseValidationError as error:
        first = transform_error(error, path=where, format_exception=_problem)[0]
        problem, _, place = first.rpartition(" @ ")
        raise StoredError(place, problem) from error
    except ValueError as error:
        raise StoredError(where, str(error)) from error


def structure_sort(value: object, where: str) -> Sort:
    """Read a sort from what `plain_sort` made.

    Raises:
        StoredError: it is not one.
    """
    return structure(value, typing.cast("type[Sort]", Sort), where)


def expect(value: object, cls: type[T]) -> T:
    """The value, if it is of that JSON type; a number is not a Boolean here.

    Raises:
        ValueError: it is of another.
    """
    if not isinstance(value, cls) or (isinstance(value, bool) and cls is not bool):
        raise ValueError(f"{_name(type(value))} stands where {_name(cls)} should")
    return value


def _name(cls: type) -> str:
    names = {dict: "an object", list: "a list", str: "text", int: "an integer", bool: "a Boolean", float: "a fraction"}
    return names.get(cls, "null")


def _problem(error: BaseException, _: type | None) -> str:
    if isinstance(error, ForbiddenExtraKeysError):
        return f"there is no field {min(error.extra_fields)!r}"
    return str(error)


def _converter() -> Converter:
    converter = Converter(forbid_extra_keys=True, unstruct_collection_overrides={tuple: list})
    for cls in (int, str, bool):
        converter.register_structure_hook(cls, expect)
    converter.register_structure_hook_factory(attrs.has, lambda cls: _object(converter, cls))
    converter.register_structure_hook_factory(lambda cls: _origin(cls) is tuple, lambda cls: _list(converter, cls))
    converter.register_structure_hook(Sort, lambda value, _: _sort(converter, value))
    converter.register_unstructure_hook(Sort, lambda sort: {"is": TAGS[type(sort)], **converter.unstructure(sort)})
    return converter


def _origin(cls: Any) -> object:
    return typing.get_origin(cls)


def _object(converter: Converter, cls: type[Any]) -> Callable[[object, type[Any]], Any]:
    """An object with every field of `cls` and no other; a default is for code, not for a file."""
    inner = make_dict_structure_fn(cls, converter, _cattrs_forbid_extra_keys=True)
    names = [attribute.name for attribute in attrs.fields(cls) if attribute.init]

    def read(value: object, target: type[Any]) -> Any:
        fields = expect(value, dict)
        missing = [name for name in names if name not in fields]
        if missing:
            raise ValueError(f"the field {missing[0]!r} is missing")
        return inner(fields, target)

    return read


def _list(converter: Converter, cls: Any) -> Callable[[object, type[Any]], Any]:
    """A list as a tuple: of any length for `tuple[x, ...]`, else of exactly that many."""
    arguments = typing.get_args(cls)

    def read(value: object, _: type[Any]) -> Any:
        items = expect(value, list)
        types = [arguments[0]] * len(items) if arguments[-1] is ... else list(arguments)
        if len(types) != len(items):
            raise ValueError(f"{len(items)} items stand where {len(types)} should")
        return tuple(_item(converter, item, of, i) for i, (item, of) in enumerate(zip(items, types, strict=True)))

    return read


def _item(converter: Converter, item: object, of: Any, index: int) -> Any:
    try:
        return converter.structure(item, of)
    except (ValueError, BaseValidationError) as error:
        error.add_note(IterableValidationNote(f"item {index}", index, of))
        raise IterableValidationError(f"item {index}", [error], of) from error


def _sort(converter: Converter, value: object) -> Any:
    fields = dict(expect(value, dict))
    tag = fields.pop("is", None)
    if not isinstance(tag, str) or tag not in SORTS:
        raise ValueError(f"a sort is one of {', '.join(SORTS)}")
    return converter.structure(fields, SORTS[tag])


_CONVERTER = _converter()
