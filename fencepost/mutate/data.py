"""The report for a program: JSON of a versioned schema (docs/json-schema/mutation-1.json), with no time in it."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from fencepost.errors import Location
from fencepost.mutate.hunt import Difference, Result
from fencepost.mutate.mutant import Mutant
from fencepost.mutate.score import Mutation, Tally

SCHEMA = "fencepost.mutation/1"


def to_json(found: Mutation, default: str, exit_code: int) -> str:
    """The report as JSON text that ends in a newline."""
    model = found.model
    data = {
        "schema": SCHEMA,
        "fencepost": version("fencepost"),
        "protocol": model.protocol,
        "variant": model.variant or default,
        "sizes": dict(model.sizes),
        "features": list(model.features),
        "without": list(model.without),
        "depth": found.depth,
        "original": {
            "states": found.states,
            "depth": found.levels,
            "complete": found.complete,
            "violated": list(found.violated),
        },
        "mutants_in_all": found.every,
        "tally": _tally(found.tally),
        "operators": {operator.value: _tally(tally) for operator, tally in found.by_operator()},
        "score": found.tally.score,
        "score_by_properties": found.tally.by_properties,
        "mutants": [_mutant(mutant, result) for mutant, result in found.pairs()],
        "exit_code": exit_code,
    }
    return json.dumps(data, indent=2) + "\n"


def _tally(tally: Tally) -> dict[str, int]:
    return {
        "mutants": tally.all,
        "killed": tally.killed,
        "killed_by_coverage": tally.coverage,
        "equivalent": tally.equivalent,
        "survived": tally.survived,
        "timed_out": tally.timed_out,
        "not_told_apart": tally.untold,
    }


def _mutant(mutant: Mutant, result: Result) -> dict[str, Any]:
    change = mutant.change
    return {
        "number": mutant.number,
        "operator": change.operator.value,
        "action": change.action,
        "mutation": change.words,
        "at": _at(change.at),
        "fate": result.fate.value,
        "by": result.by or None,
        "depth": result.depth,
        "states": result.states,
        "complete": result.complete,
        "behaviour": None if result.kind is None else result.kind.value,
        "proof": result.proof or None,
        "difference": None if result.difference is None else _difference(result.difference),
    }


def _at(at: Location | None) -> dict[str, Any] | None:
    return None if at is None else {"file": at.file, "line": at.line}


def _difference(found: Difference) -> dict[str, Any]:
    return {
        "path": [_label(*label) for label in found.path],
        "step": _label(*found.step),
        "taken_by": "mutant" if found.allowed else "original",
    }


def _label(name: str, args: tuple[int, ...]) -> dict[str, Any]:
    return {"action": name, "args": list(args)}
