"""`verify anchors`: whether the code that actions stand for is still there in a checkout of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from fencepost.anchors.look import Looked, State, anchors_of, look
from fencepost.cli.options import PATH
from fencepost.errors import UsageError
from fencepost.registry import find, names
from fencepost.report import columns

NAMED_BY = 3
"""Actions that are named of one that is gone or has moved."""


@click.command("anchors")
@click.option("--source", metavar="DIR", type=PATH, required=True, help="A tree of C/C++ files.")
@click.option("--protocol", metavar="NAME|FILE.py", help="Whose actions.  [all that are installed]")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with every place.")
def anchors(source: Path, protocol: str | None, as_json: bool) -> int:
    """Look for the code that actions stand for in its sources.

    A name is found, moved to another file than the protocol says, gone, or
    described: known from a description alone, and not found.

    Exit codes: 0 nothing is moved or gone, 1 something is, 2 usage or model error.
    """
    entries = [find(name) for name in ([protocol] if protocol else names())]
    wanted = anchors_of(entries)
    if not wanted:
        raise UsageError(f"{', '.join(entry.name for entry in entries)}: no action stands for a name of code")
    looked = look(wanted, source)
    click.echo(json.dumps(_document(looked), indent=2) if as_json else _page(looked))
    return int(any(each.state in (State.MOVED, State.GONE) for each in looked))


def _page(looked: tuple[Looked, ...]) -> str:
    rows = [[each.anchor.name, each.state.value, _remark(each)] for each in looked]
    return "\n".join([*("  ".join(row).rstrip() for row in columns(rows)), _summary(looked)])


def _remark(each: Looked) -> str:
    """Where it is; else who describes it, or which actions name it."""
    if each.state is State.DESCRIBED:
        return f"in the {each.anchor.described_by}"
    actions = each.anchor.actions
    more = f" and {len(actions) - NAMED_BY} more" if len(actions) > NAMED_BY else ""
    named = f"named by {', '.join(actions[:NAMED_BY])}{more}"
    if each.state is State.GONE:
        return named
    first, others = each.places[0], len(each.places) - 1
    where = f"{first.file}:{first.line} ({first.evidence.value}{f', and {others} more' if others else ''})"
    if each.state is State.MOVED:
        return f"{where}, not in {' or '.join(each.anchor.files)}; {named}"
    return where


def _summary(looked: tuple[Looked, ...]) -> str:
    counts = Counter(each.state for each in looked)
    return f"{len(looked)} names: {', '.join(f'{counts[state]} {state.value}' for state in State)}"


def _document(looked: tuple[Looked, ...]) -> dict[str, Any]:
    counts = Counter(each.state for each in looked)
    return {
        "anchors": [
            {
                "name": each.anchor.name,
                "state": each.state.value,
                "described_by": each.anchor.described_by,
                "files": list(each.anchor.files),
                "places": [
                    {"file": place.file, "line": place.line, "evidence": place.evidence.value} for place in each.places
                ],
                "actions": list(each.anchor.actions),
            }
            for each in looked
        ],
        "summary": {state.value: counts[state] for state in State},
    }
