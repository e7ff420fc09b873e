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
from fencepost.ir.model import Model
from fencepost.report import ATTENTION, about, in_one_line, property_of, title, within_reach
from fencepost.trace.model import Trace
from fencepost.trace.text import event_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(check: Check, default: str) -> str:
    """The report as text that ends in a newline."""
    rules = [decision.name for decision in check.decisions]
    driver = {
        "name": "fencepost",
        "version": version("fencepost"),
        "rules": [_rule(check.model, decision) for decision in check.decisions],
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"fencepost/{title(check.model, default)}"},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(check.model, decision, rules.index(decision.name))
            for decision in check.decisions
            if decision.verdict in ATTENTION
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(model: Model, decision: Decision) -> dict[str, Any]:
    prop, name = property_of(model, decision), decision.name
    statement = "" if prop is None else prop.statement
    rule: dict[str, Any] = {"id": name, "shortDescription": {"text": statement or name}}
    if prop is not None and prop.protects:
        rule["help"] = {"text": f"Protects {prop.protects}."}
    return rule


def _result(model: Model, decision: Decision, rule: int) -> dict[str, Any]:
    prop, trace = property_of(model, decision), decision.trace
    result: dict[str, Any] = {
        "ruleId": decision.name,
        "ruleIndex": rule,
        "level": ATTENTION[decision.verdict],
        "message": {"text": in_one_line(decision, prop)},
        "locations": [_location(model, *about(model, decision))],
    }
    if prop is not None and trace is not None:
        result["relatedLocations"] = [{"id": 0, **_location(model, prop.name, prop.at)}]
    if trace is not None:
        result["codeFlows"] = [{"threadFlows": [{"locations": list(_flow(model, trace))}]}]
    return result


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
    if (at := within_reach(at)) is not None:
        uri = PurePath(at.file).as_posix()
        place["physicalLocation"] = {"artifactLocation": {"uri": uri}, "region": {"startLine": at.line}}
    return place
