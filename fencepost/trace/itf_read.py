"""Reading ITF JSON back: files come from people's repositories, so everything in them is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar, assert_never

from fencepost.errors import UsageError
from fencepost.exec.interpreter import State
from fencepost.files import printable, read_bytes
from fencepost.ir.expr import Param, Var
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort, sort_name
from fencepost.stored import StoredError, expect, parsed, structure, structure_sort
from fencepost.trace.itf import META, OURS, Json, first_again
from fencepost.trace.model import SCHEMA, Event, Explanation, Header, Lasso, Step, Trace, TraceAction

LARGEST_FILE = 32 * 1024 * 1024
LARGEST_STATE = 100_000
"""Elements of one state; a trace of a model that any engine can check has some hundreds."""

T = TypeVar("T")


def read_itf(path: Path) -> Trace:
    """Read a trace from a file.

    Raises:
        UsageError: the file cannot be read, or is not a trace of this version; one line says what is wrong.
    """
    data = read_bytes(path, "trace", most=LARGEST_FILE)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a trace: it is not UTF-8 text") from error
    return load_itf(text, str(path))


def load_itf(text: str, name: str) -> Trace:
    """Read a trace from a file's text; `name` is the file's, for messages.

    Raises:
        UsageError: it is not a trace of this version; one line says what is wrong.
    """
    try:
        return _trace(parsed(text))
    except StoredError as error:
        raise UsageError(f"{name}: not a trace that can be read: {printable(str(error))}") from error


def _trace(document: Json) -> Trace:
    fields = _fields(document, (META, "vars", "states"), "the file", more=True)
    meta = _fields(fields[META], (OURS,), META, more=True)
    where = f"{META}.{OURS}"
    ours = _typed(meta[OURS], dict, where)
    header = _header(ours.get("header"), f"{where}.header")
    endless = ("lasso",) if "lasso" in ours else ()
    ours = _fields(ours, ("header", "vars", "actions", "explanation", *endless), where)
    shapes = _typed(ours["vars"], dict, f"{where}.vars")
    if fields["vars"] != list(shapes):
        raise StoredError("vars", f"they are not those that {where}.vars declares, in its order")
    variables = [_variable(name, shape, f"{where}.vars.{name}") for name, shape in shapes.items()]
    if sum(var.count for var in variables) > LARGEST_STATE:
        raise StoredError(f"{where}.vars", f"a state of more than {LARGEST_STATE:,} elements is no trace's")
    actions = _actions(ours["actions"], f"{where}.actions")
    states = _typed(fields["states"], list, "states")
    if not states:
        raise StoredError("states", "there is none; a trace has at least the initial one")
    initial = _state(states[0], variables, "states[0]")
    _fields(states[0][META], ("index",), f"states[0].{META}")
    variables = [Var(v.name, v.sort, v.dims, init, v.ghost) for v, init in zip(variables, initial, strict=True)]
    steps = [_step(state, number, variables, actions) for number, state in enumerate(states[1:], 1)]
    _check_broken([initial, *(step.state for step in steps)], steps)
    explanation = _structured(ours["explanation"], Explanation, f"{where}.explanation")
    lasso = _lasso(ours["lasso"], fields.get("loop"), len(steps), f"{where}.lasso") if endless else None
    if lasso is None and fields.get("loop") is not None:  # other writers say null where there is none
        raise StoredError("loop", f"a run that goes on for ever has {where}.lasso too")
    return Trace(header, tuple(variables), tuple(steps), explanation=explanation, lasso=lasso)


def _lasso(value: Json, loop: Json, steps: int, where: str) -> Lasso:
    lasso = _structured(value, Lasso, where)
    for name, number in (("back", lasso.back), ("since", lasso.since)):
        if not 0 <= number <= steps:
            raise StoredError(f"{where}.{name}", f"there is no state {number}")
    if _typed(loop, int, "loop") != first_again(lasso.back, steps):
        raise StoredError("loop", f"it is not the state that comes again, {first_again(lasso.back, steps)}")
    return lasso


def _header(value: Json, where: str) -> Header:
    fields = _typed(value, dict, where)
    schema = _typed(fields.get("schema"), int, f"{where}.schema")
    if schema != SCHEMA:
        raise StoredError(
            f"{where}.schema", f"the version is {schema}; this fencepost reads {SCHEMA}, so record it again"
        )
    sizes = _typed(fields.get("sizes"), dict, f"{where}.sizes")
    return _structured({**fields, "sizes": [[*pair] for pair in sizes.items()]}, Header, where)


def _variable(name: str, value: Json, where: str) -> Var:
    fields = _fields(value, ("sort", "dims", "ghost"), where)
    sort = _sort(fields["sort"], f"{where}.sort")
    dims = _structured(fields["dims"], tuple[IndexSort, ...], f"{where}.dims")
    for dim in dims:
        _check_size(dim, f"{where}.dims")
    return Var(name, sort, dims, (), _typed(fields["ghost"], bool, f"{where}.ghost"))


def _actions(value: Json, where: str) -> dict[str, TraceAction]:
    found = {}
    for name, action in _typed(value, dict, where).items():
        fields = _fields(action, ("params", "src"), f"{where}.{name}")
        params = _typed(fields["params"], dict, f"{where}.{name}.params")
        sorts = {p: _sort(sort, f"{where}.{name}.params.{p}") for p, sort in params.items()}
        src = _typed(fields["src"], str, f"{where}.{name}.src")
        found[name] = TraceAction(name, tuple(Param(p, sort) for p, sort in sorts.items()), src)
    return found


def _step(value: Json, number: int, variables: Iterable[Var], actions: dict[str, TraceAction]) -> Step:
    where = f"states[{number}]"
    state = _state(value, variables, where)
    where = f"{where}.{META}"
    meta = _fields(value[META], ("index", "actor", "action", "args", "notes", "broken"), where)
    if _typed(meta["index"], int, f"{where}.index") != number:
        raise StoredError(f"{where}.index", f"it is not {number}: a state is missing or out of order")
    action = actions.get(_typed(meta["action"], str, f"{where}.action"))
    if action is None:
        raise StoredError(f"{where}.action", f"{meta['action']!r} is not one of {META}.{OURS}.actions")
    args = _fields(meta["args"], tuple(param.name for param in action.params), f"{where}.args")
    values = tuple(decode(p.sort, args[p.name], f"{where}.args.{p.name}") for p in action.params)
    notes = _structured(meta["notes"], tuple[Event, ...], f"{where}.notes")
    actor, broken = (_typed(meta[name], str, f"{where}.{name}") for name in ("actor", "broken"))
    return Step(actor, action, values, state, notes, broken)


def _check_broken(states: list[State], steps: list[Step]) -> None:
    """A step that breaks an obligation is the last one and has no state of its own."""
    for number, step in enumerate(steps, 1):
        if step.broken and (number < len(steps) or step.state != states[number - 1]):
            raise StoredError(
                f"states[{number}]", "a step that broke an obligation is the last one and changes nothing"
            )


def _state(value: Json, variables: Iterable[Var], where: str) -> State:
    fields = _fields(value, (META, *(var.name for var in variables)), where)
    return tuple(tuple(_elements(v, fields[v.name], f"{where}.{v.name}")) for v in variables)


def _elements(var: Var, value: Json, where: str) -> Iterable[int]:
    items = [(value, where)]
    for dim in var.dims:
        items = [pair for item, at in items for pair in _row(dim, item, at)]
    return (decode(var.sort, item, at) for item, at in items)


def _row(dim: IndexSort, value: Json, where: str) -> list[tuple[Json, str]]:
    items = _typed(value, list, where)
    if len(items) != dim.count:
        raise StoredError(where, f"{len(items)} elements stand where {dim.count} should, one for each {dim.name}")
    return [(item, f"{where}[{i}]") for i, item in enumerate(items)]


def decode(sort: Sort, value: Json, where: str) -> int:
    """One value from ITF.

    Raises:
        StoredError: it is not a value of the sort.
    """
    number = _decoded(sort, value, where)
    if number is None or not sort.lo <= number <= sort.hi:
        raise StoredError(where, f"{json.dumps(value)[:60]} is not a value of {sort_name(sort)}")
    return number


def _decoded(sort: Sort, value: Json, where: str) -> int | None:
    match sort:
        case BoolSort():
            return int(_typed(value, bool, where))
        case EnumSort(members=members):
            return members.index(value) if value in members else None
        case SetSort(of):
            items = _typed(_fields(value, ("#set",), where)["#set"], list, where)
            numbers = {decode(of, item, where) for item in items}
            return sum(1 << number for number in numbers) if len(numbers) == len(items) else None
        case IntSort() | IndexSort() | OptionSort():
            if isinstance(value, dict):
                text = _typed(_fields(value, ("#bigint",), where)["#bigint"], str, where)
                return int(text) if re.fullmatch(r"-?[0-9]{1,40}", text) else None
            return _typed(value, int, where)
        case _:
            assert_never(sort)


def _sort(value: Json, where: str) -> Sort:
    sort = structure_sort(value, where)
    _check_size(sort, where)
    return sort


def _check_size(sort: Sort, where: str) -> None:
    """No sort is empty, and no index sort is so large that a set of it would fill the memory."""
    index = sort.of if isinstance(sort, OptionSort | SetSort) else sort
    if isinstance(index, IndexSort) and not 1 <= index.count <= LARGEST_STATE:
        raise StoredError(where, f"{index.name} cannot have {index.count:,} positions")
    if sort.size < 1:
        raise StoredError(where, "the sort has no values")


def _fields(value: Json, names: tuple[str, ...], where: str, *, more: bool = False) -> dict[str, Json]:
    """An object with these fields, and with no others unless there may be `more`."""
    fields = _typed(value, dict, where)
    for name in names:
        if name not in fields:
            raise StoredError(where, f"the field {name!r} is missing")
    if not more and len(fields) > len(names):
        raise StoredError(where, f"there is no field {min(fields.keys() - set(names))!r}")
    return fields


def _typed(value: Json, cls: type[T], where: str) -> T:
    try:
        return expect(value, cls)
    except ValueError as error:
        raise StoredError(where, str(error)) from error


def _structured(value: Json, cls: type[T], where: str) -> T:
    return structure(value, cls, where)
