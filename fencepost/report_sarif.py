"""The report as SARIF 2.1.0, for tools that show findings beside the code.

A violation is a result at the action that the run ends with, and its steps are the code flow. A file
outside the working directory has no address that means anything elsewhere, so such a place is named
by its action alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

from fencepost.check import Check, Decision
from fencepost.errors import Location
from fencepost.ir.model import Model, Property
from fencepost.report import in_one_line, title
from fencepost.trace.model import Trace
from fencepost.trace.text import event_text
from fencepost.verdict import Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Verdict.VIOLATED: "error", Verdict.INCONCLUSIVE: "warning", Verdict.VACUOUS: "warning"}
"""Other verdicts are no finding."""


def to_sarif(check: Check, default: str) -> str:
    """The report as text that ends in a newline."""
    rules = [decision.name for decision in check.decisions]
    driver = {
        "name": "fencepost",
        "version": version("fencepost"),
        "rules": [_rule(check.model, decision.name) for decision in check.decisions],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"fencepost/{title(check.model, default)}"},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(check.model, decision, rules.index(decision.name))
            for decision in check.decisions
            if decision.verdict in _LEVELS
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(model: Model, name: str) -> dict[str, Any]:
    prop = _property(model, name)
    statement = "" if prop is None else prop.statement
    rule: dict[str, Any] = {"id": name, "shortDescription": {"text": statement or name}}
    if prop is not None and prop.protects:
        rule["help"] = {"text": f"Protects {prop.protects}."}
    return rule


def _result(model: Model, decision: Decision, rule: int) -> dict[str, Any]:
    prop, trace = _property(model, decision.name), decision.trace
    result: dict[str, Any] = {
        "ruleId": decision.name,
        "ruleIndex": rule,
        "level": _LEVELS[decision.verdict],
        "message": {"text": in_one_line(decision, prop)},
        "locations": [_location(model, *_end(model, trace, prop))],
    }
    if prop is not None and trace is not None:
        result["relatedLocations"] = [{"id": 0, **_location(model, prop.name, prop.at)}]
    if trace is not None:
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(model, trace))}]}]
    return result


def _end(model: Model, trace: Trace | None, prop: Property | None) -> tuple[str, Location | None]:
    """What a result is about: the last action of the run; without a run, the property."""
    if trace is not None and trace.steps:
        action = model.action(trace.steps[-1].action.name)
        return action.name, action.at
    return (model.protocol, None) if prop is None else (prop.name, prop.at)


def _flow(model: Model, trace: Trace) -> Iterator[dict[str, Any]]:
    for number, step in enumerate(trace.steps, 1):
        action = model.action(step.action.name)
        notes = "; ".join(map(event_text, step.notes))
        text = f"{number}. {step.actor}: {step.call}{f': {notes}' if notes else ''}"
        yield {
            "executionOrder": number,
            "importance": "essential" if step.is_milestone else "unimportant",
            "location": {**_location(model, action.name, action.at), "message": {"text": text}},
        }


def _location(model: Model, name: str, at: Location | None) -> dict[str, Any]:
    place: dict[str, Any] = {"logicalLocations": [{"name": name, "fullyQualifiedName": f"{model.protocol}.{name}"}]}
    if at is not None and not PurePath(at.file).is_absolute():
        uri = PurePath(at.file).as_posix()
        place["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": {"startLine": at.line}}
    return place


def _property(model: Model, name: str) -> Property | None:
    return next((prop for prop in model.properties if prop.name == name), None)
