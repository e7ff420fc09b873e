"""What the page of a trace shows, as plain data: texts only, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from fencepost.exec.changed import changed
from fencepost.exec.interpreter import Interpreter, State
from fencepost.ir.expr import Var
from fencepost.ir.model import Model
from fencepost.ir.show import show_expr
from fencepost.ir.sorts import show
from fencepost.trace.causes import SAME_RUN, Parting, Reasons
from fencepost.trace.escape import line
from fencepost.trace.explain import looked_at
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
        "steps": list(_steps(trace, model, why)),
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


def _steps(trace: Trace, model: Model, why: Reasons) -> Iterator[Data]:
    interpreter = Interpreter(model)
    for number, (step, (before, after)) in enumerate(zip(trace.steps, pairwise(trace.states), strict=True), 1):
        yield {
            "actor": line(step.actor),
            "call": line(step.call),
            "src": line(step.action.src),
            "notes": [line(event_text(note)) for note in step.notes],
            "broken": line(step.broken),
            "milestone": step.is_milestone,
            "cause": number in why.causes,
            "changes": [
                [each.number, line(each.element), line(each.old), line(each.new)]
                for each in changed(trace.vars, before, after)
            ],
            "guards": list(_guards(interpreter, before, step)),
        }


def _amount(steps: int) -> str:
    return f"{steps} {'step' if steps == 1 else 'steps'}"


def _guards(interpreter: Interpreter, before: State, step: Step) -> Iterator[Data]:
    """Each guard of the step, all of which held, with the values that it looked at."""
    action = interpreter.model.action(step.action.name)
    for guard in action.guards:
        readings = looked_at(interpreter, before, action, step.args, guard)
        yield {
            "name": line(guard.name),
            "condition": line(show_expr(guard.cond)),
            "values": [[line(reading.element), line(reading.value)] for reading in readings],
        }


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
