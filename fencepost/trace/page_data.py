"""What the page of a trace shows, as plain data: texts only, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.expr import Const, Param, Var
from fencepost.ir.model import Action, Model
from fencepost.ir.show import show_expr
from fencepost.ir.sorts import show
from fencepost.ir.visit import substitute
from fencepost.trace.causes import SAME_RUN, Parting, Reasons
from fencepost.trace.escape import line
from fencepost.trace.explain import looks
from fencepost.trace.fold import actors
from fencepost.trace.lifecycle import lives, subject_name
from fencepost.trace.model import Step, Trace
from fencepost.trace.text import event_text, for_ever, never, refusal, setting, turn

Data = dict[str, Any]


def page_data(trace: Trace, model: Model, why: Reasons, *, command: str) -> Data:
    """All that the page shows. `model` is the trace's own, for the guards; `command` replays the trace."""
    header = trace.header
    return {
        "violated": line(header.violated),
        "statement": line(header.statement),
        "setting": [line(text) for text in setting(header)],
        "protects": line(header.protects),
        "command": line(command),
        "actors": [line(actor) for actor in actors(trace)],
        "tables": list(tables(trace.vars, trace.initial)),
        "ending": trace.ending,
        "loop": None if trace.lasso is None else trace.lasso.back,
        "title": line(f"is violated after {_amount(len(trace.steps))}{for_ever(trace)}"),
        "steps": [_step(trace, number, model, why) for number in range(1, len(trace.steps) + 1)],
        "why": _why(trace),
        "waits": [[line(wait.actor), line(wait.waits_for), list(map(line, wait.steps))] for wait in why.waits],
        "lives": _lives(trace),
        "other": None if why.other is None else _other(why.other, why.partings),
    }


def tables(variables: tuple[Var, ...], state: State) -> Iterator[Data]:
    """The variables as tables: a row an index, a column a field; each element is called by its number."""
    found: dict[str, tuple[list[str], list[str], dict[tuple[str, str], int]]] = {}
    initial: list[str] = []
    for var, values in zip(variables, state, strict=True):
        for at, value in enumerate(values):
            title, row, column = _place(line(var.element(at)))
            rows, columns, cells = found.setdefault(title, ([], [], {}))
            rows.extend([] if row in rows else [row])
            columns.extend([] if column in columns else [column])
            cells[row, column] = len(initial)
            initial.append(line(show(var.sort, value)))
    for title, (rows, columns, cells) in found.items():
        yield {
            "title": title,
            "rows": rows,
            "columns": columns,
            "cells": [[cells.get((row, column)) for column in columns] for row in rows],
            "initial": {cells[key]: initial[cells[key]] for key in sorted(cells)},
        }


def _place(element: str) -> tuple[str, str, str]:
    """The table, row and column of an element: `queues[1].packets[0].phase` is `phase` of row 0 of one of 1's."""
    head, bracket, rest = element.rpartition("[")
    if bracket:
        row, _, column = rest.partition("]")
        return head, row, column.lstrip(".")
    table, _, column = element.rpartition(".")
    return table, "", column


def _step(trace: Trace, number: int, model: Model, why: Reasons) -> Data:
    step = trace.steps[number - 1]
    return {
        "actor": line(step.actor),
        "call": line(step.call),
        "src": line(step.action.src),
        "notes": [line(event_text(note)) for note in step.notes],
        "broken": line(step.broken),
        "milestone": step.is_milestone,
        "cause": number in why.causes,
        "changes": list(_changes(trace, number)),
        "guards": list(_guards(model, trace.states[number - 1], step)),
    }


def _amount(steps: int) -> str:
    return f"{steps} {'step' if steps == 1 else 'steps'}"


def _changes(trace: Trace, number: int) -> Iterator[list[object]]:
    """Number of the element, its name, its value before and after."""
    before, after, element = trace.states[number - 1], trace.states[number], 0
    for var, olds, news in zip(trace.vars, before, after, strict=True):
        for at, (old, new) in enumerate(zip(olds, news, strict=True)):
            if old != new:
                yield [element, line(var.element(at)), line(show(var.sort, old)), line(show(var.sort, new))]
            element += 1


def _guards(model: Model, before: State, step: Step) -> Iterator[Data]:
    """Each guard of the step, all of which held, with the values that it looked at."""
    interpreter, action = Interpreter(model), model.action(step.action.name)
    for guard in action.guards:
        cond = substitute(guard.cond, _constants(action, step.args))
        seen = {look.element: look.reading.value for look in looks(interpreter, before, cond, {})}
        yield {
            "name": line(guard.name),
            "condition": line(show_expr(guard.cond)),
            "values": [[line(element), line(value)] for element, value in seen.items()],
        }


def _constants(action: Action, args: tuple[int, ...]) -> Any:
    values = {param: Const(arg, param.sort) for param, arg in zip(action.params, args, strict=True)}
    return lambda node: values[node] if isinstance(node, Param) else None


def _why(trace: Trace) -> Data:
    explanation, lasso = trace.explanation, trace.lasso
    return {
        "fails": line(explanation.fails + ("" if lasso is None else never(lasso))),
        "starved": [
            {"text": line(turn(starved)), "values": [[line(r.element), line(r.value)] for r in starved.readings]}
            for starved in (() if lasso is None else lasso.starved)
        ],
        "bindings": [[line(bound.name), line(bound.value)] for bound in explanation.bindings],
        "given": [line(given) for given in explanation.given],
        "values": [[line(reading.element), line(reading.value)] for reading in explanation.readings],
        "blocked": [
            {
                "text": line(refusal(blocked)),
                "values": [[line(reading.element), line(reading.value)] for reading in blocked.readings],
            }
            for blocked in explanation.blocked
        ],
        "earlier": explanation.earlier,
    }


def _lives(trace: Trace) -> list[Data]:
    return [
        {
            "subject": line(subject_name(life.subject)),
            "at_fault": life.at_fault,
            "events": [[event.step, line(event.text)] for event in life.events],
        }
        for life in lives(trace)
    ]


def _other(name: str, partings: tuple[Parting, ...]) -> Data:
    return {
        "name": line(name),
        "same": f"It {SAME_RUN}.",
        "partings": [[parting.step, line(parting.why), parting.refused] for parting in partings],
    }
