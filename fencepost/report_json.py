"""The report for a program: JSON of a versioned schema (docs/json-schema/report-1.json).

It has no time, no host and no path in it: two runs that did the same give the same bytes.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from attrs import asdict

from fencepost.check import Check, Decision, Outcome
from fencepost.ir.model import Model
from fencepost.report import instances
from fencepost.trace.itf import to_itf
from fencepost.verdict import Path, Run

SCHEMA = "fencepost.report/1"


def to_json(check: Check, default: str, outcome: Outcome, exit_code: int) -> str:
    """The report as JSON text that ends in a newline."""
    return json.dumps(to_data(check, default, outcome, exit_code), indent=2) + "\n"


def to_data(check: Check, default: str, outcome: Outcome, exit_code: int) -> dict[str, Any]:
    """The report as plain data."""
    model = check.model
    return {
        "schema": SCHEMA,
        "fencepost": version("fencepost"),
        "protocol": model.protocol,
        "variant": model.variant or default,
        "sizes": dict(model.sizes),
        "features": list(model.features),
        "without": list(model.without),
        "model": {"bits": model.bits, "actions": len(model.actions), "instances": instances(model)},
        "limits": {
            "depth": check.limits.depth,
            "timeout": check.limits.timeout,
            "memory": check.limits.memory,
        },
        "engines": [_engine(run) for run in check.runs],
        "missing": check.missing,
        **({"first": list(check.first)} if check.first else {}),
        **({"symmetry_left_out": left_out} if (left_out := check.symmetry_left_out) else {}),
        "properties": [_decision(model, decision) for decision in check.decisions],
        "actions": _actions(check) if check.counted else None,
        "outcome": outcome.value,
        "exit_code": exit_code,
    }


def run_to_json(model: Model, run: Run) -> str:
    """All that one run claims, for whoever looks into a contradiction; of no schema."""

    def steps(path: Path) -> list[str]:
        return [model.action(name).call(arguments) for name, arguments in path]

    data = {
        "fencepost": version("fencepost"),
        "protocol": model.protocol,
        "variant": model.variant,
        "sizes": dict(model.sizes),
        "features": list(model.features),
        "without": list(model.without),
        **_engine(run),
        "bounds": dict(run.bounds),
        "findings": [
            {"name": hit.name, "in_state": hit.in_state, "loop": hit.loop, "steps": steps(hit.path)}
            for hit in run.findings
        ],
        "twins": dict(run.twins),
        "twins_given_up": sorted(run.twins_given_up),
        "proof": None if run.proof is None else asdict(run.proof),
    }
    return json.dumps(data, indent=2) + "\n"


def _engine(run: Run) -> dict[str, Any]:
    return {
        "engine": run.engine,
        "stop": run.stop.value,
        "depth": run.depth,
        "states": run.states,
        "transitions": run.transitions,
        "held_back": run.held_back,
        "cut": run.cut,
        "levels": list(run.levels),
        "reason": run.reason,
        **({"symmetry": list(run.symmetry)} if run.symmetry else {}),
        **({"partial": dict(run.partial)} if run.partial else {}),
    }


def _decision(model: Model, decision: Decision) -> dict[str, Any]:
    prop = next((prop for prop in model.properties if prop.name == decision.name), None)
    return {
        "property": decision.name,
        "kind": "obligation" if prop is None else prop.kind.value,
        "statement": None if prop is None else prop.statement,
        "protects": None if prop is None else prop.protects,
        "verdict": decision.verdict.value,
        "depth": decision.depth,
        "engines": list(decision.engines),
        "why": decision.why,
        "twin": decision.twin,
        "exercised_within": None if decision.reached is None else decision.reached.steps,
        "exercised_at": decision.exercised_at,
        "finding": decision.anchor,
        "trace": None if decision.trace is None else to_itf(decision.trace),
        **({"others": [to_itf(trace) for trace in decision.others]} if decision.others else {}),
    }


def _actions(check: Check) -> list[dict[str, Any]]:
    counts = check.actions
    return [
        {
            "action": action.name,
            "actor": action.actor.name,
            "kind": action.kind.value,
            "enabled": counts[action.name].enabled,
            "fired": counts[action.name].fired,
        }
        for action in check.model.actions
    ]
