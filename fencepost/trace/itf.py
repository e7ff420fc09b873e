"""Traces as ITF JSON, the Informal Trace Format: the single source that everything else is rendered from.

What the format has no place for lies in `#meta` objects. A Boolean is a JSON Boolean, an integer
or index a number (or `#bigint`), an option its index or -1, an enum its member's name, a set a
`#set`, and an array nested lists, one level a dimension.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, assert_never

from fencepost.exec.interpreter import State
from fencepost.ir.expr import Var
from fencepost.ir.sorts import BoolSort, EnumSort, IndexSort, IntSort, OptionSort, SetSort, Sort
from fencepost.stored import plain, plain_sort
from fencepost.trace.model import Step, Trace

FORMAT = "ITF"
DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
META = "#meta"
OURS = "fencepost"
"""The key of what is ours in the trace's `#meta`."""
SAFE = 2**53
"""Beyond this, readers that hold numbers as doubles lose digits."""

Json = Any


EXPANDED = 3
"""Objects and lists down to this depth have a line for each entry; what lies deeper is one line."""


def dump_itf(trace: Trace) -> str:
    """The trace as a file's text: the same bytes for the same trace, one state a line."""
    document = to_itf(trace)
    meta = _expanded(document[META], 1)
    variables = json.dumps(document["vars"])
    states = ",\n".join(f"    {json.dumps(state)}" for state in document["states"])
    loop = f'  "loop": {document["loop"]},\n' if "loop" in document else ""
    return f'{{\n  "{META}": {meta},\n  "vars": {variables},\n{loop}  "states": [\n{states}\n  ]\n}}\n'


def _expanded(value: Json, depth: int) -> str:
    if not isinstance(value, dict) or not value or depth > EXPANDED:
        return json.dumps(value)
    pad = "  " * depth
    entries = (f"{pad}  {json.dumps(name)}: {_expanded(entry, depth + 1)}" for name, entry in value.items())
    return "{\n" + ",\n".join(entries) + f"\n{pad}}}"


def to_itf(trace: Trace) -> dict[str, Json]:
    """The trace as a JSON document."""
    actions = {step.action.name: step.action for step in trace.steps}
    header = {**plain(trace.header), "sizes": dict(trace.header.sizes)}
    ours = {
        "header": header,
        "vars": {var.name: _declaration(var) for var in trace.vars},
        "actions": {
            name: {"params": {p.name: plain_sort(p.sort) for p in action.params}, "src": action.src}
            for name, action in sorted(actions.items())
        },
        "explanation": plain(trace.explanation),
    }
    loop = {}
    if trace.lasso is not None:
        ours["lasso"] = plain(trace.lasso)
        loop["loop"] = first_again(trace.lasso.back, len(trace.steps))
    return {
        META: {"format": FORMAT, "format-description": DESCRIPTION, OURS: ours},
        "vars": [var.name for var in trace.vars],
        **loop,
        "states": [
            _state({"index": 0}, trace.vars, trace.initial),
            *(_state(_label(number, step), trace.vars, step.state) for number, step in enumerate(trace.steps, 1)),
        ],
    }


def first_again(back: int, steps: int) -> int:
    """The state that the format says comes after the last one.

    The last state is the one that the run goes back to, so that is the next one; where nothing more
    happens, it is the last state itself.
    """
    return min(back + 1, steps)


def _declaration(var: Var) -> Json:
    return {"sort": plain_sort(var.sort), "dims": [plain(dim) for dim in var.dims], "ghost": var.ghost}


def _label(number: int, step: Step) -> Json:
    args = {p.name: encode(p.sort, value) for p, value in zip(step.action.params, step.args, strict=True)}
    return {
        "index": number,
        "actor": step.actor,
        "action": step.action.name,
        "args": args,
        "notes": [plain(event) for event in step.notes],
        "broken": step.broken,
    }


def _state(meta: Json, variables: tuple[Var, ...], state: State) -> Json:
    elements = zip(variables, state, strict=True)
    return {META: meta} | {var.name: _nested(var.sort, [dim.count for dim in var.dims], v) for var, v in elements}


def _nested(sort: Sort, dims: list[int], values: Sequence[int]) -> Json:
    if not dims:
        return encode(sort, values[0])
    size = len(values) // dims[0]
    return [_nested(sort, dims[1:], values[i * size : (i + 1) * size]) for i in range(dims[0])]


def encode(sort: Sort, value: int) -> Json:
    """One value as ITF."""
    match sort:
        case BoolSort():
            return bool(value)
        case EnumSort(members=members):
            return members[value]
        case SetSort(of):
            return {"#set": [i for i in range(of.count) if value >> i & 1]}
        case IntSort() | IndexSort() | OptionSort():
            return value if abs(value) <= SAFE else {"#bigint": str(value)}
        case _:
            assert_never(sort)
